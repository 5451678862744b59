// Golden of expand_dot_general; see golden_test.cpp.
// case matrix_product
module {
  func.func public @main(%0: tensor<2x3xf32>, %1: tensor<3x4xf32>) -> tensor<2x4xf32> {
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2, 1] : (tensor<3x4xf32>) -> tensor<2x4x3xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x3xf32>
    %3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.add across dimensions = [2] : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4xf32>
    return %4 : tensor<2x4xf32>
  }
}
// case batches_that_are_not_first_and_several_contractions
module {
  func.func public @main(%0: tensor<2x5x3xi32>, %1: tensor<3x4x2x5xi32>) -> tensor<5x4xi32> {
    %2 = stablehlo.dot_general %0, %1, batching_dims = [1] x [3], contracting_dims = [2, 0] x [0, 2] : (tensor<2x5x3xi32>, tensor<3x4x2x5xi32>) -> tensor<5x4xi32>
    return %2 : tensor<5x4xi32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<2x5x3xi32>, %arg1: tensor<3x4x2x5xi32>) -> tensor<5x4xi32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [3, 0, 2] : (tensor<2x5x3xi32>) -> tensor<5x4x3x2xi32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2, 1, 3, 0] : (tensor<3x4x2x5xi32>) -> tensor<5x4x3x2xi32>
    %2 = stablehlo.multiply %0, %1 : tensor<5x4x3x2xi32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.add across dimensions = [2, 3] : (tensor<5x4x3x2xi32>, tensor<i32>) -> tensor<5x4xi32>
    return %4 : tensor<5x4xi32>
  }
}
// case halves_are_summed_wide
module {
  func.func public @main(%0: tensor<3xf16>, %1: tensor<3xf16>) -> (tensor<f16>, tensor<f64>) {
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<3xf16>, tensor<3xf16>) -> tensor<f16>
    %3 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<3xf16>, tensor<3xf16>) -> tensor<f64>
    return %2, %3 : tensor<f16>, tensor<f64>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<3xf16>, %arg1: tensor<3xf16>) -> (tensor<f16>, tensor<f64>) {
    %0 = stablehlo.convert %arg0 : (tensor<3xf16>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3xf32>
    %2 = stablehlo.convert %arg1 : (tensor<3xf16>) -> tensor<3xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xf32>) -> tensor<3xf32>
    %4 = stablehlo.multiply %1, %3 : tensor<3xf32>
    %5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%4 init: %5) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %7 = stablehlo.convert %6 : (tensor<f32>) -> tensor<f16>
    %8 = stablehlo.convert %arg0 : (tensor<3xf16>) -> tensor<3xf64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<3xf64>) -> tensor<3xf64>
    %10 = stablehlo.convert %arg1 : (tensor<3xf16>) -> tensor<3xf64>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<3xf64>) -> tensor<3xf64>
    %12 = stablehlo.multiply %9, %11 : tensor<3xf64>
    %13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %14 = stablehlo.reduce(%12 init: %13) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    return %7, %14 : tensor<f16>, tensor<f64>
  }
}
// case nothing_contracted_is_a_product
module {
  func.func public @main(%0: tensor<2xf32>, %1: tensor<3xf32>) -> tensor<2x3xf32> {
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
