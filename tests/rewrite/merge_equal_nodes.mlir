// Golden of merge_equal_nodes; see golden_test.cpp.
// case chain_computed_twice
module {
  func.func public @main(%0: tensor<4xf32>) -> tensor<4xf32> {
    %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
    %2 = stablehlo.sine %1 : tensor<4xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<4xf32>
    %4 = stablehlo.sine %3 : tensor<4xf32>
    %5 = stablehlo.add %2, %4 : tensor<4xf32>
    return %5 : tensor<4xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
    %1 = stablehlo.sine %0 : tensor<4xf32>
    %2 = stablehlo.add %1, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// case operands_the_other_way_round
module {
  func.func public @main(%0: tensor<4xi32>, %1: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
    %2 = stablehlo.multiply %0, %1 : tensor<4xi32>
    %3 = stablehlo.multiply %1, %0 : tensor<4xi32>
    %4 = stablehlo.subtract %0, %1 : tensor<4xi32>
    %5 = stablehlo.subtract %1, %0 : tensor<4xi32>
    %6 = stablehlo.add %2, %4 : tensor<4xi32>
    %7 = stablehlo.add %3, %5 : tensor<4xi32>
    return %6, %7 : tensor<4xi32>, tensor<4xi32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xi32>
    %1 = stablehlo.subtract %arg0, %arg1 : tensor<4xi32>
    %2 = stablehlo.subtract %arg1, %arg0 : tensor<4xi32>
    %3 = stablehlo.add %0, %1 : tensor<4xi32>
    %4 = stablehlo.add %0, %2 : tensor<4xi32>
    return %3, %4 : tensor<4xi32>, tensor<4xi32>
  }
}
// case reductions_of_equal_bodies
module {
  func.func public @main(%0: tensor<4xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %d = stablehlo.constant dense<-0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.reduce(%0 init: %d) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.reduce(%arg0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %2, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>
  }
}
