// Golden of expand_scatter; see golden_test.cpp.
// case rows_are_added_where_the_index_says
module {
  func.func public @main(%0: tensor<5x3xf32>, %1: tensor<4x1xi32>, %2: tensor<4x3xf32>) -> tensor<5x3xf32> {
    %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      %6 = stablehlo.add %4, %5 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<5x3xf32>
    return %3 : tensor<5x3xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<4x1xi32>, %arg2: tensor<4x3xf32>) -> tensor<5x3xf32> {
    %0 = "weft.scan"(%arg0) <{carries = 1 : i64, length = 4 : i64, reverse = false}> ({
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<5x3xf32>):
      %1 = stablehlo.constant dense<0> : tensor<i64>
      %2 = stablehlo.constant dense<0> : tensor<i64>
      %3 = stablehlo.dynamic_slice %arg1, %arg3, %2, sizes = [1, 1] : (tensor<4x1xi32>, tensor<i64>, tensor<i64>) -> tensor<1x1xi32>
      %4 = stablehlo.reshape %3 : (tensor<1x1xi32>) -> tensor<i32>
      %5 = stablehlo.convert %4 : (tensor<i32>) -> tensor<i64>
      %6 = stablehlo.constant dense<true> : tensor<i1>
      %7 = stablehlo.constant dense<0> : tensor<i64>
      %8 = stablehlo.compare  GE, %5, %7,  SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %9 = stablehlo.constant dense<4> : tensor<i64>
      %10 = stablehlo.compare  LE, %5, %9,  SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %11 = stablehlo.and %8, %10 : tensor<i1>
      %12 = stablehlo.and %6, %11 : tensor<i1>
      %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<i1>) -> tensor<1x3xi1>
      %14 = stablehlo.dynamic_slice %arg4, %5, %1, sizes = [1, 3] : (tensor<5x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x3xf32>
      %15 = stablehlo.constant dense<0> : tensor<i64>
      %16 = stablehlo.dynamic_slice %arg2, %arg3, %15, sizes = [1, 3] : (tensor<4x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x3xf32>
      %17 = stablehlo.reshape %16 : (tensor<1x3xf32>) -> tensor<1x3xf32>
      %18 = stablehlo.add %14, %17 : tensor<1x3xf32>
      %19 = stablehlo.select %13, %18, %14 : tensor<1x3xi1>, tensor<1x3xf32>
      %20 = stablehlo.dynamic_update_slice %arg4, %19, %5, %1 : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<i64>, tensor<i64>) -> tensor<5x3xf32>
      stablehlo.return %20 : tensor<5x3xf32>
    }) : (tensor<5x3xf32>) -> tensor<5x3xf32>
    return %0 : tensor<5x3xf32>
  }
}
// case windows_that_may_lie_half_outside_are_written_element_by_element
module {
  func.func public @main(%0: tensor<6xi32>, %1: tensor<2x1xi32>, %2: tensor<2x3xi32>) -> tensor<6xi32> {
    %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%4: tensor<i32>, %5: tensor<i32>):
      stablehlo.return %5 : tensor<i32>
    }) : (tensor<6xi32>, tensor<2x1xi32>, tensor<2x3xi32>) -> tensor<6xi32>
    return %3 : tensor<6xi32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<6xi32>, %arg1: tensor<2x1xi32>, %arg2: tensor<2x3xi32>) -> tensor<6xi32> {
    %0 = "weft.scan"(%arg0) <{carries = 1 : i64, length = 6 : i64, reverse = false}> ({
    ^bb0(%arg3: tensor<i64>, %arg4: tensor<6xi32>):
      %1 = stablehlo.constant dense<3> : tensor<i64>
      %2 = stablehlo.divide %arg3, %1 : tensor<i64>
      %3 = stablehlo.constant dense<3> : tensor<i64>
      %4 = stablehlo.remainder %arg3, %3 : tensor<i64>
      %5 = stablehlo.constant dense<0> : tensor<i64>
      %6 = stablehlo.dynamic_slice %arg1, %2, %5, sizes = [1, 1] : (tensor<2x1xi32>, tensor<i64>, tensor<i64>) -> tensor<1x1xi32>
      %7 = stablehlo.reshape %6 : (tensor<1x1xi32>) -> tensor<i32>
      %8 = stablehlo.convert %7 : (tensor<i32>) -> tensor<i64>
      %9 = stablehlo.add %8, %4 : tensor<i64>
      %10 = stablehlo.constant dense<true> : tensor<i1>
      %11 = stablehlo.constant dense<0> : tensor<i64>
      %12 = stablehlo.compare  GE, %9, %11,  SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %13 = stablehlo.constant dense<5> : tensor<i64>
      %14 = stablehlo.compare  LE, %9, %13,  SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %15 = stablehlo.and %12, %14 : tensor<i1>
      %16 = stablehlo.and %10, %15 : tensor<i1>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i1>) -> tensor<1xi1>
      %18 = stablehlo.dynamic_slice %arg4, %9, sizes = [1] : (tensor<6xi32>, tensor<i64>) -> tensor<1xi32>
      %19 = stablehlo.dynamic_slice %arg2, %2, %4, sizes = [1, 1] : (tensor<2x3xi32>, tensor<i64>, tensor<i64>) -> tensor<1x1xi32>
      %20 = stablehlo.reshape %19 : (tensor<1x1xi32>) -> tensor<1xi32>
      %21 = stablehlo.select %17, %20, %18 : tensor<1xi1>, tensor<1xi32>
      %22 = stablehlo.dynamic_update_slice %arg4, %21, %9 : (tensor<6xi32>, tensor<1xi32>, tensor<i64>) -> tensor<6xi32>
      stablehlo.return %22 : tensor<6xi32>
    }) : (tensor<6xi32>) -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
}
