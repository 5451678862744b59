// Golden of remove_dead_nodes; see golden_test.cpp.
// case what_no_result_needs
module {
  func.func public @main(%0: tensor<4xf32>) -> tensor<4xf32> {
    %1 = stablehlo.sine %0 : tensor<4xf32>
    %2 = stablehlo.cosine %0 : tensor<4xf32>
    %3 = stablehlo.add %1, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.cosine %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// case inside_a_body
module {
  func.func public @main(%0: tensor<4xi32>) -> tensor<i32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%0 init: %c) across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
     reducer(%2: tensor<i32>, %3: tensor<i32>) {
      %4 = stablehlo.multiply %2, %3 : tensor<i32>
      %5 = stablehlo.add %2, %3 : tensor<i32>
      stablehlo.return %5 : tensor<i32>
    }
    return %1 : tensor<i32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xi32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}
