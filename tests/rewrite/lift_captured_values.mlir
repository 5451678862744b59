// Golden of lift_captured_values; see golden_test.cpp.
// case scalar_and_constant
module {
  func.func public @main(%0: tensor<4xf32>, %1: tensor<f32>) -> tensor<f32> {
    %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.constant dense<2.0> : tensor<f32>
    %4 = stablehlo.reduce(%0 init: %2) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%5: tensor<f32>, %6: tensor<f32>)  {
      %7 = stablehlo.minimum %6, %1 : tensor<f32>
      %8 = stablehlo.minimum %7, %3 : tensor<f32>
      %9 = stablehlo.maximum %5, %8 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }
    return %4 : tensor<f32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2:2 = stablehlo.reduce(%arg0 init: %0), (%1 init: %arg1) across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
     reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<f32>, %arg5: tensor<f32>)  {
      %3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4 = stablehlo.minimum %arg4, %arg3 : tensor<f32>
      %5 = stablehlo.minimum %4, %3 : tensor<f32>
      %6 = stablehlo.maximum %arg2, %5 : tensor<f32>
      stablehlo.return %6, %arg3 : tensor<f32>, tensor<f32>
    }
    return %2#0 : tensor<f32>
  }
}
// case computed_outside_and_returned
module {
  func.func public @main(%0: tensor<2x3xi32>, %1: tensor<i32>) -> tensor<2xi32> {
    %2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.multiply %1, %1 : tensor<i32>
    %4 = stablehlo.reduce(%0 init: %2) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
     reducer(%5: tensor<i32>, %6: tensor<i32>)  {
      stablehlo.return %3 : tensor<i32>
    }
    return %4 : tensor<2xi32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<2x3xi32>, %arg1: tensor<i32>) -> tensor<2xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.multiply %arg1, %arg1 : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %3:2 = stablehlo.reduce(%arg0 init: %0), (%2 init: %1) across dimensions = [1] : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
     reducer(%arg2: tensor<i32>, %arg4: tensor<i32>) (%arg3: tensor<i32>, %arg5: tensor<i32>)  {
      stablehlo.return %arg3, %arg3 : tensor<i32>, tensor<i32>
    }
    return %3#0 : tensor<2xi32>
  }
}
// case nothing_captured
module {
  func.func public @main(%0: tensor<4xf32>) -> tensor<f32> {
    %1 = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
// case comparator_of_a_sort
module {
  func.func public @main(%0: tensor<4xi32>, %1: tensor<i32>) -> tensor<4xi32> {
    %2 = stablehlo.constant dense<3> : tensor<i32>
    %3 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%4: tensor<i32>, %5: tensor<i32>):
      %6 = stablehlo.xor %4, %1 : tensor<i32>
      %7 = stablehlo.remainder %5, %2 : tensor<i32>
      %8 = stablehlo.compare LT, %6, %7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    }) : (tensor<4xi32>) -> tensor<4xi32>
    return %3 : tensor<4xi32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
      %2 = stablehlo.constant dense<3> : tensor<i32>
      %3 = stablehlo.xor %arg2, %arg4 : tensor<i32>
      %4 = stablehlo.remainder %arg3, %2 : tensor<i32>
      %5 = stablehlo.compare  LT, %3, %4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    return %1#0 : tensor<4xi32>
  }
}
