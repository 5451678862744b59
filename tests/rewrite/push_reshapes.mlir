// Golden of push_reshapes; see golden_test.cpp.
// case through_a_tree_to_the_arguments
module {
  func.func public @main(%0: tensor<3x4xf32>, %1: tensor<f32>) -> tensor<12xf32> {
    %2 = stablehlo.sine %0 : tensor<3x4xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<3x4xf32>
    %5 = stablehlo.add %4, %2 : tensor<3x4xf32>
    %6 = stablehlo.reshape %5 : (tensor<3x4xf32>) -> tensor<12xf32>
    return %6 : tensor<12xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) -> tensor<12xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<12xf32>
    %1 = stablehlo.sine %0 : tensor<12xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<12xf32>
    %4 = stablehlo.add %3, %1 : tensor<12xf32>
    return %4 : tensor<12xf32>
  }
}
// case value_with_another_reader_stays
module {
  func.func public @main(%0: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<12xf32>) {
    %1 = stablehlo.sine %0 : tensor<3x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<3x4xf32>) -> tensor<12xf32>
    return %1, %2 : tensor<3x4xf32>, tensor<12xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<12xf32>) {
    %0 = stablehlo.sine %arg0 : tensor<3x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<3x4xf32>) -> tensor<12xf32>
    return %0, %1 : tensor<3x4xf32>, tensor<12xf32>
  }
}
// case unit_dimensions_stay
module {
  func.func public @main(%0: tensor<3x1xf32>) -> tensor<3xf32> {
    %1 = stablehlo.sine %0 : tensor<3x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<3x1xf32>) -> tensor<3xf32>
    return %2 : tensor<3xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<3x1xf32>) -> tensor<3xf32> {
    %0 = stablehlo.sine %arg0 : tensor<3x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<3x1xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}
// case scalar_predicate_stays
module {
  func.func public @main(%0: tensor<i1>, %1: tensor<2x6xf32>, %2: tensor<2x6xf32>) -> tensor<4x3xf32> {
    %3 = stablehlo.select %0, %1, %2 : tensor<i1>, tensor<2x6xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x6xf32>) -> tensor<4x3xf32>
    return %4 : tensor<4x3xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<2x6xf32>, %arg2: tensor<2x6xf32>) -> tensor<4x3xf32> {
    %0 = stablehlo.reshape %arg1 : (tensor<2x6xf32>) -> tensor<4x3xf32>
    %1 = stablehlo.reshape %arg2 : (tensor<2x6xf32>) -> tensor<4x3xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<i1>, tensor<4x3xf32>
    return %2 : tensor<4x3xf32>
  }
}
// case transposed_operand_stays
module {
  func.func public @main(%0: tensor<3x4xf32>) -> tensor<12xf32> {
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %2 = stablehlo.sine %1 : tensor<4x3xf32>
    %3 = stablehlo.reshape %2 : (tensor<4x3xf32>) -> tensor<12xf32>
    return %3 : tensor<12xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<3x4xf32>) -> tensor<12xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %1 = stablehlo.sine %0 : tensor<4x3xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x3xf32>) -> tensor<12xf32>
    return %2 : tensor<12xf32>
  }
}
