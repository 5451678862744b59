// Golden of reuse_selected_value; see golden_test.cpp.
// case value_at_its_argmin
module {
  func.func public @main(%0: tensor<8xf32>) -> (tensor<i32>, tensor<1xf32>) {
    %1 = stablehlo.iota dim = 0 : tensor<8xi32>
    %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %4:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%6: tensor<f32>, %7: tensor<f32>) (%8: tensor<i32>, %9: tensor<i32>) {
      %10 = stablehlo.compare LT, %6, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = stablehlo.or %10, %11 : tensor<i1>
      %13 = stablehlo.compare EQ, %6, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %15 = stablehlo.and %13, %14 : tensor<i1>
      %16 = stablehlo.or %12, %15 : tensor<i1>
      %17 = stablehlo.select %12, %6, %7 : tensor<i1>, tensor<f32>
      %18 = stablehlo.select %16, %8, %9 : tensor<i1>, tensor<i32>
      stablehlo.return %17, %18 : tensor<f32>, tensor<i32>
    }
    %5 = stablehlo.dynamic_slice %0, %4#1, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    return %4#1, %5 : tensor<i32>, tensor<1xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<i32>, tensor<1xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<8xi32>
    %1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %2 = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %4 = stablehlo.compare  LT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.or %4, %5 : tensor<i1>
      %7 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %6, %9 : tensor<i1>
      %11 = stablehlo.select %10, %arg2, %arg4 : tensor<i1>, tensor<i32>
      %12 = stablehlo.select %10, %arg1, %arg3 : tensor<i1>, tensor<f32>
      stablehlo.return %12, %11 : tensor<f32>, tensor<i32>
    }
    %13 = stablehlo.reshape %3#0 : (tensor<f32>) -> tensor<1xf32>
    return %3#1, %13 : tensor<i32>, tensor<1xf32>
  }
}
// case value_of_every_row_at_its_argmax
module {
  func.func public @main(%0: tensor<3x8xf32>) -> tensor<3x1xf32> {
    %1 = stablehlo.iota dim = 1 : tensor<3x8xi32>
    %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %4:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [1] : (tensor<3x8xf32>, tensor<3x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%6: tensor<f32>, %7: tensor<f32>) (%8: tensor<i32>, %9: tensor<i32>) {
      %10 = stablehlo.compare GT, %6, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = stablehlo.or %10, %11 : tensor<i1>
      %13 = stablehlo.compare EQ, %6, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %15 = stablehlo.and %13, %14 : tensor<i1>
      %16 = stablehlo.or %12, %15 : tensor<i1>
      %17 = stablehlo.select %12, %6, %7 : tensor<i1>, tensor<f32>
      %18 = stablehlo.select %16, %8, %9 : tensor<i1>, tensor<i32>
      stablehlo.return %17, %18 : tensor<f32>, tensor<i32>
    }
    %5 = stablehlo.broadcast_in_dim %4#1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %19 = "stablehlo.gather"(%0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x8xf32>, tensor<3x1xi32>) -> tensor<3x1xf32>
    return %19 : tensor<3x1xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<3x8xf32>) -> tensor<3x1xf32> {
    %0 = stablehlo.iota dim = 1 : tensor<3x8xi32>
    %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [1] : (tensor<3x8xf32>, tensor<3x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %4 = stablehlo.compare  GT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.or %4, %5 : tensor<i1>
      %7 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %6, %9 : tensor<i1>
      %11 = stablehlo.select %10, %arg2, %arg4 : tensor<i1>, tensor<i32>
      %12 = stablehlo.select %10, %arg1, %arg3 : tensor<i1>, tensor<f32>
      stablehlo.return %12, %11 : tensor<f32>, tensor<i32>
    }
    %13 = stablehlo.reshape %3#0 : (tensor<3xf32>) -> tensor<3x1xf32>
    return %13 : tensor<3x1xf32>
  }
}
// case value_at_the_argmin_of_another_array_stays
module {
  func.func public @main(%0: tensor<8xf32>, %20: tensor<8xf32>) -> tensor<1xf32> {
    %1 = stablehlo.iota dim = 0 : tensor<8xi32>
    %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %4:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%6: tensor<f32>, %7: tensor<f32>) (%8: tensor<i32>, %9: tensor<i32>) {
      %10 = stablehlo.compare LT, %6, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = stablehlo.or %10, %11 : tensor<i1>
      %13 = stablehlo.compare EQ, %6, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %15 = stablehlo.and %13, %14 : tensor<i1>
      %16 = stablehlo.or %12, %15 : tensor<i1>
      %17 = stablehlo.select %12, %6, %7 : tensor<i1>, tensor<f32>
      %18 = stablehlo.select %16, %8, %9 : tensor<i1>, tensor<i32>
      stablehlo.return %17, %18 : tensor<f32>, tensor<i32>
    }
    %5 = stablehlo.dynamic_slice %20, %4#1, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    return %5 : tensor<1xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<1xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<8xi32>
    %1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %2 = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<i32>, %arg5: tensor<i32>)  {
      %4 = stablehlo.compare  LT, %arg2, %arg4,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare  NE, %arg2, %arg2,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.or %4, %5 : tensor<i1>
      %7 = stablehlo.compare  EQ, %arg2, %arg4,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare  LT, %arg3, %arg5,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %6, %9 : tensor<i1>
      %11 = stablehlo.select %6, %arg2, %arg4 : tensor<i1>, tensor<f32>
      %12 = stablehlo.select %10, %arg3, %arg5 : tensor<i1>, tensor<i32>
      stablehlo.return %11, %12 : tensor<f32>, tensor<i32>
    }
    %13 = stablehlo.dynamic_slice %arg1, %3#1, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    return %13 : tensor<1xf32>
  }
}
// case init_value_that_may_win_stays
module {
  func.func public @main(%0: tensor<8xf32>) -> tensor<1xf32> {
    %1 = stablehlo.iota dim = 0 : tensor<8xi32>
    %2 = stablehlo.constant dense<1.0> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %4:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%6: tensor<f32>, %7: tensor<f32>) (%8: tensor<i32>, %9: tensor<i32>) {
      %10 = stablehlo.compare LT, %6, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = stablehlo.or %10, %11 : tensor<i1>
      %13 = stablehlo.compare EQ, %6, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %15 = stablehlo.and %13, %14 : tensor<i1>
      %16 = stablehlo.or %12, %15 : tensor<i1>
      %17 = stablehlo.select %12, %6, %7 : tensor<i1>, tensor<f32>
      %18 = stablehlo.select %16, %8, %9 : tensor<i1>, tensor<i32>
      stablehlo.return %17, %18 : tensor<f32>, tensor<i32>
    }
    %5 = stablehlo.dynamic_slice %0, %4#1, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    return %5 : tensor<1xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<1xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<8xi32>
    %1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %4 = stablehlo.compare  LT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.or %4, %5 : tensor<i1>
      %7 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %6, %9 : tensor<i1>
      %11 = stablehlo.select %6, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %12 = stablehlo.select %10, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %11, %12 : tensor<f32>, tensor<i32>
    }
    %13 = stablehlo.dynamic_slice %arg0, %3#1, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    return %13 : tensor<1xf32>
  }
}
