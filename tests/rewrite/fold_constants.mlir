// Golden of fold_constants; see golden_test.cpp.
// case arithmetic_of_scalars_and_of_equal_elements
module {
  func.func public @main() -> (tensor<i32>, tensor<300000xf32>) {
    %0 = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.add %0, %1 : tensor<i32>
    %3 = stablehlo.constant dense<1.0> : tensor<300000xf32>
    %4 = stablehlo.constant dense<3.0> : tensor<300000xf32>
    %5 = stablehlo.divide %3, %4 : tensor<300000xf32>
    return %2, %5 : tensor<i32>, tensor<300000xf32>
  }
}
// becomes
module {
  func.func public @main() -> (tensor<i32>, tensor<300000xf32>) {
    %0 = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.constant dense<0.333333343> : tensor<300000xf32>
    return %0, %1 : tensor<i32>, tensor<300000xf32>
  }
}
// case movement_of_a_small_array
module {
  func.func public @main() -> tensor<3x2xi32> {
    %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
    return %1 : tensor<3x2xi32>
  }
}
// becomes
module {
  func.func public @main() -> tensor<3x2xi32> {
    %0 = stablehlo.constant dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
    return %0 : tensor<3x2xi32>
  }
}
// case transcendental_functions_are_left
module {
  func.func public @main() -> tensor<f32> {
    %0 = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.sine %0 : tensor<f32>
    return %1 : tensor<f32>
  }
}
// becomes
module {
  func.func public @main() -> tensor<f32> {
    %0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.sine %0 : tensor<f32>
    return %1 : tensor<f32>
  }
}
// case large_results_and_iota_are_left
module {
  func.func public @main() -> (tensor<600000xi32>, tensor<600000xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<600000xi32>
    %1 = stablehlo.constant dense<7> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<600000xi32>
    return %0, %2 : tensor<600000xi32>, tensor<600000xi32>
  }
}
// becomes
module {
  func.func public @main() -> (tensor<600000xi32>, tensor<600000xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<600000xi32>
    %1 = stablehlo.constant dense<7> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<600000xi32>
    return %0, %2 : tensor<600000xi32>, tensor<600000xi32>
  }
}
