// Golden of reuse_selected_extreme; see golden_test.cpp.
// case place_first
module {
  func.func public @main(%0: tensor<8xf32>) -> (tensor<f32>, tensor<i32>) {
    %20 = stablehlo.multiply %0, %0 : tensor<8xf32>
    %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.iota dim = 0 : tensor<8xi32>
    %4:2 = stablehlo.reduce(%20 init: %2), (%1 init: %3) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
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
    %5 = stablehlo.reduce(%20 init: %2) applies stablehlo.minimum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %5, %4#1 : tensor<f32>, tensor<i32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<f32>, tensor<i32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8xf32>
    %1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.iota dim = 0 : tensor<8xi32>
    %4:2 = stablehlo.reduce(%0 init: %1), (%3 init: %2) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %5 = stablehlo.compare  LT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.or %5, %6 : tensor<i1>
      %8 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %10 = stablehlo.and %8, %9 : tensor<i1>
      %11 = stablehlo.or %7, %10 : tensor<i1>
      %12 = stablehlo.select %7, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %13 = stablehlo.select %11, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %12, %13 : tensor<f32>, tensor<i32>
    }
    return %4#0, %4#1 : tensor<f32>, tensor<i32>
  }
}
// case extreme_first
module {
  func.func public @main(%0: tensor<8xf32>) -> (tensor<f32>, tensor<i32>) {
    %20 = stablehlo.multiply %0, %0 : tensor<8xf32>
    %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.reduce(%20 init: %2) applies stablehlo.minimum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.iota dim = 0 : tensor<8xi32>
    %4:2 = stablehlo.reduce(%20 init: %2), (%1 init: %3) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
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
    return %5, %4#1 : tensor<f32>, tensor<i32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<f32>, tensor<i32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8xf32>
    %1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.iota dim = 0 : tensor<8xi32>
    %4:2 = stablehlo.reduce(%0 init: %1), (%3 init: %2) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %5 = stablehlo.compare  LT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.or %5, %6 : tensor<i1>
      %8 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %10 = stablehlo.and %8, %9 : tensor<i1>
      %11 = stablehlo.or %7, %10 : tensor<i1>
      %12 = stablehlo.select %7, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %13 = stablehlo.select %11, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %12, %13 : tensor<f32>, tensor<i32>
    }
    return %4#0, %4#1 : tensor<f32>, tensor<i32>
  }
}
// case sum_with_one_that_is_never_minus_zero
module {
  func.func public @main(%0: tensor<8xf32>) -> (tensor<f32>, tensor<i32>) {
    %20 = stablehlo.abs %0 : tensor<8xf32>
    %21 = stablehlo.add %20, %0 : tensor<8xf32>
    %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.iota dim = 0 : tensor<8xi32>
    %4:2 = stablehlo.reduce(%21 init: %2), (%1 init: %3) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
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
    %5 = stablehlo.reduce(%21 init: %2) applies stablehlo.minimum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %5, %4#1 : tensor<f32>, tensor<i32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<f32>, tensor<i32>) {
    %0 = stablehlo.abs %arg0 : tensor<8xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<8xf32>
    %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.iota dim = 0 : tensor<8xi32>
    %5:2 = stablehlo.reduce(%1 init: %2), (%4 init: %3) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %6 = stablehlo.compare  LT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.or %6, %7 : tensor<i1>
      %9 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %11 = stablehlo.and %9, %10 : tensor<i1>
      %12 = stablehlo.or %8, %11 : tensor<i1>
      %13 = stablehlo.select %8, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %14 = stablehlo.select %12, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %13, %14 : tensor<f32>, tensor<i32>
    }
    return %5#0, %5#1 : tensor<f32>, tensor<i32>
  }
}
// case minus_zero_may_come
module {
  func.func public @main(%0: tensor<8xf32>) -> (tensor<f32>, tensor<i32>) {
    %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.iota dim = 0 : tensor<8xi32>
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
    %5 = stablehlo.reduce(%0 init: %2) applies stablehlo.minimum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %5, %4#1 : tensor<f32>, tensor<i32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<f32>, tensor<i32>) {
    %0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.iota dim = 0 : tensor<8xi32>
    %3:2 = stablehlo.reduce(%arg0 init: %0), (%2 init: %1) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
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
    %13 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.minimum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %13, %3#1 : tensor<f32>, tensor<i32>
  }
}
