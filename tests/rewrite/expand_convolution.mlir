// Golden of expand_convolution; see golden_test.cpp.
// case one_dimension
module {
  func.func public @main(%0: tensor<1x1x6xf32>, %1: tensor<1x1x3xf32>) -> tensor<1x1x8xf32> {
    %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[2, 2]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x6xf32>, tensor<1x1x3xf32>) -> tensor<1x1x8xf32>
    return %2 : tensor<1x1x8xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<1x1x6xf32>, %arg1: tensor<1x1x3xf32>) -> tensor<1x1x8xf32> {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 2], high = [0, 0, 2], interior = [0, 0, 0] : (tensor<1x1x6xf32>, tensor<f32>) -> tensor<1x1x10xf32>
    %2 = weft.windows %1, sizes = [1, 1, 3], strides = [1, 1, 1], dilations = [1, 1, 1] : (tensor<1x1x10xf32>) -> tensor<1x1x8x1x1x3xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x1x8x1x1x3xf32>) -> tensor<1x1x8x3xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 3, 2, 4] : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x1x3xf32>
    %5 = stablehlo.reverse %arg1, dims = [2] : tensor<1x1x3xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 3, 4] : (tensor<1x1x3xf32>) -> tensor<1x1x8x1x3xf32>
    %7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.multiply %4, %6 : tensor<1x1x8x1x3xf32>
    %9 = stablehlo.reduce(%8 init: %7) applies stablehlo.add across dimensions = [3, 4] : (tensor<1x1x8x1x3xf32>, tensor<f32>) -> tensor<1x1x8xf32>
    return %9 : tensor<1x1x8xf32>
  }
}
// case dilated_strided_in_another_order
module {
  func.func public @main(%0: tensor<5x2x4x3xf16>, %1: tensor<2x3x3x2xf16>) -> tensor<2x2x7x1xf32> {
    %2 = stablehlo.convolution(%0, %1) dim_numbers = [0, b, 1, f]x[1, 0, i, o]->[b, f, 1, 0], window = {stride = [2, 1], pad = [[1, 0], [-1, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<5x2x4x3xf16>, tensor<2x3x3x2xf16>) -> tensor<2x2x7x1xf32>
    return %2 : tensor<2x2x7x1xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<5x2x4x3xf16>, %arg1: tensor<2x3x3x2xf16>) -> tensor<2x2x7x1xf32> {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0, -1, 0], high = [0, 0, 2, 0], interior = [0, 0, 1, 0] : (tensor<5x2x4x3xf16>, tensor<f16>) -> tensor<6x2x8x3xf16>
    %2 = stablehlo.convert %1 : (tensor<6x2x8x3xf16>) -> tensor<6x2x8x3xf32>
    %3 = weft.windows %2, sizes = [3, 1, 2, 1], strides = [2, 1, 1, 1], dilations = [2, 1, 1, 1] : (tensor<6x2x8x3xf32>) -> tensor<1x2x7x3x3x1x2x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x2x7x3x3x1x2x1xf32>) -> tensor<1x2x7x3x3x2xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [3, 0, 2, 4, 5, 6] : (tensor<1x2x7x3x3x2xf32>) -> tensor<2x2x7x1x3x3x2xf32>
    %6 = stablehlo.convert %arg1 : (tensor<2x3x3x2xf16>) -> tensor<2x3x3x2xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [6, 5, 4, 1] : (tensor<2x3x3x2xf32>) -> tensor<2x2x7x1x3x3x2xf32>
    %8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.multiply %5, %7 : tensor<2x2x7x1x3x3x2xf32>
    %10 = stablehlo.reduce(%9 init: %8) applies stablehlo.add across dimensions = [4, 5, 6] : (tensor<2x2x7x1x3x3x2xf32>, tensor<f32>) -> tensor<2x2x7x1xf32>
    return %10 : tensor<2x2x7x1xf32>
  }
}
// case feature_groups
module {
  func.func public @main(%0: tensor<1x4x5xi32>, %1: tensor<6x2x2xi32>) -> tensor<1x6x4xi32> {
    %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x5xi32>, tensor<6x2x2xi32>) -> tensor<1x6x4xi32>
    return %2 : tensor<1x6x4xi32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<1x4x5xi32>, %arg1: tensor<6x2x2xi32>) -> tensor<1x6x4xi32> {
    %0 = stablehlo.reshape %arg0 : (tensor<1x4x5xi32>) -> tensor<1x2x2x5xi32>
    %1 = weft.windows %0, sizes = [1, 1, 1, 2], strides = [1, 1, 1, 1], dilations = [1, 1, 1, 1] : (tensor<1x2x2x5xi32>) -> tensor<1x2x2x4x1x1x1x2xi32>
    %2 = stablehlo.reshape %1 : (tensor<1x2x2x4x1x1x1x2xi32>) -> tensor<1x2x2x4x2xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 4, 3, 5] : (tensor<1x2x2x4x2xi32>) -> tensor<1x2x3x4x2x2xi32>
    %4 = stablehlo.reshape %arg1 : (tensor<6x2x2xi32>) -> tensor<2x3x2x2xi32>
    %5 = stablehlo.reverse %4, dims = [3] : tensor<2x3x2x2xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 4, 5] : (tensor<2x3x2x2xi32>) -> tensor<1x2x3x4x2x2xi32>
    %7 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.multiply %3, %6 : tensor<1x2x3x4x2x2xi32>
    %9 = stablehlo.reduce(%8 init: %7) applies stablehlo.add across dimensions = [4, 5] : (tensor<1x2x3x4x2x2xi32>, tensor<i32>) -> tensor<1x2x3x4xi32>
    %10 = stablehlo.reshape %9 : (tensor<1x2x3x4xi32>) -> tensor<1x6x4xi32>
    return %10 : tensor<1x6x4xi32>
  }
}
// case batch_groups_and_no_spatial_dimension
module {
  func.func public @main(%0: tensor<4x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x2xf32> {
    %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, f]x[o, i]->[b, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 0, 3] : (tensor<2x2x3xf32>) -> tensor<2x2x1x3xf32>
    %2 = stablehlo.reshape %arg1 : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2, 3] : (tensor<2x1x3xf32>) -> tensor<2x2x1x3xf32>
    %4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.multiply %1, %3 : tensor<2x2x1x3xf32>
    %6 = stablehlo.reduce(%5 init: %4) applies stablehlo.add across dimensions = [3] : (tensor<2x2x1x3xf32>, tensor<f32>) -> tensor<2x2x1xf32>
    %7 = stablehlo.reshape %6 : (tensor<2x2x1xf32>) -> tensor<2x2xf32>
    return %7 : tensor<2x2xf32>
  }
}
