// Golden of canonicalize; see golden_test.cpp.
// case movements_compose
module {
  func.func public @main(%0: tensor<4x6xf32>) -> (tensor<24xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<1x2xf32>, tensor<2x4x6xf32>) {
    %1 = stablehlo.reshape %0 : (tensor<4x6xf32>) -> tensor<2x12xf32>
    %2 = stablehlo.reshape %1 : (tensor<2x12xf32>) -> tensor<24xf32>
    %3 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %5 = stablehlo.reverse %0, dims = [0] : tensor<4x6xf32>
    %6 = stablehlo.reverse %5, dims = [0, 1] : tensor<4x6xf32>
    %7 = stablehlo.slice %0 [1:4:2, 0:6:2] : (tensor<4x6xf32>) -> tensor<2x3xf32>
    %8 = stablehlo.slice %7 [1:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
    %9 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x4x6xf32>) -> tensor<2x4x6xf32>
    return %2, %4, %6, %8, %10 : tensor<24xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<1x2xf32>, tensor<2x4x6xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<24xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<1x2xf32>, tensor<2x4x6xf32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<24xf32>
    %1 = stablehlo.reverse %arg0, dims = [1] : tensor<4x6xf32>
    %2 = stablehlo.slice %arg0 [3:4, 0:5:4] : (tensor<4x6xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<4x6xf32>) -> tensor<2x4x6xf32>
    return %0, %arg0, %1, %2, %3 : tensor<24xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<1x2xf32>, tensor<2x4x6xf32>
  }
}
// case movements_that_do_nothing
module {
  func.func public @main(%0: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
    %1 = stablehlo.reshape %0 : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %2 = stablehlo.slice %0 [0:4, 0:1] : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %3 = stablehlo.reverse %0, dims = [1] : tensor<4x1xf32>
    %4 = stablehlo.convert %0 : (tensor<4x1xf32>) -> tensor<4x1xf32>
    return %1, %2, %3, %4 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
    return %arg0, %arg0, %arg0, %arg0 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
  }
}
// case splats_move_for_free
module {
  func.func public @main() -> (tensor<4x6xf32>, tensor<24xf32>, tensor<6xi32>) {
    %0 = stablehlo.constant dense<2.5> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x6xf32>) -> tensor<24xf32>
    %3 = stablehlo.constant dense<[[7, 7, 7], [7, 7, 7]]> : tensor<2x3xi32>
    %4 = stablehlo.reshape %3 : (tensor<2x3xi32>) -> tensor<6xi32>
    return %1, %2, %4 : tensor<4x6xf32>, tensor<24xf32>, tensor<6xi32>
  }
}
// becomes
module {
  func.func public @main() -> (tensor<4x6xf32>, tensor<24xf32>, tensor<6xi32>) {
    %0 = stablehlo.constant dense<2.500000e+00> : tensor<4x6xf32>
    %1 = stablehlo.constant dense<2.500000e+00> : tensor<24xf32>
    %2 = stablehlo.constant dense<7> : tensor<6xi32>
    return %0, %1, %2 : tensor<4x6xf32>, tensor<24xf32>, tensor<6xi32>
  }
}
// case starts_that_are_known_or_clamped
module {
  func.func public @main(%0: tensor<8xf32>, %1: tensor<i32>) -> (tensor<3xf32>, tensor<8xf32>) {
    %2 = stablehlo.constant dense<9> : tensor<i32>
    %3 = stablehlo.maximum %1, %2 : tensor<i32>
    %4 = stablehlo.dynamic_slice %0, %3, sizes = [3] : (tensor<8xf32>, tensor<i32>) -> tensor<3xf32>
    %5 = stablehlo.dynamic_slice %0, %1, sizes = [8] : (tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
    return %4, %5 : tensor<3xf32>, tensor<8xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> (tensor<3xf32>, tensor<8xf32>) {
    %0 = stablehlo.slice %arg0 [5:8] : (tensor<8xf32>) -> tensor<3xf32>
    return %0, %arg0 : tensor<3xf32>, tensor<8xf32>
  }
}
// case conversions_that_lose_nothing
module {
  func.func public @main(%0: tensor<4xi8>, %1: tensor<4xf32>) -> (tensor<4xi8>, tensor<4xf16>, tensor<4xf32>) {
    %2 = stablehlo.convert %0 : (tensor<4xi8>) -> tensor<4xi32>
    %3 = stablehlo.convert %2 : (tensor<4xi32>) -> tensor<4xi8>
    %4 = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xf64>
    %5 = stablehlo.convert %4 : (tensor<4xf64>) -> tensor<4xf16>
    %6 = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xf16>
    %7 = stablehlo.convert %6 : (tensor<4xf16>) -> tensor<4xf32>
    return %3, %5, %7 : tensor<4xi8>, tensor<4xf16>, tensor<4xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xi8>, %arg1: tensor<4xf32>) -> (tensor<4xi8>, tensor<4xf16>, tensor<4xf32>) {
    %0 = stablehlo.convert %arg1 : (tensor<4xf32>) -> tensor<4xf16>
    %1 = stablehlo.convert %arg1 : (tensor<4xf32>) -> tensor<4xf16>
    %2 = stablehlo.convert %1 : (tensor<4xf16>) -> tensor<4xf32>
    return %arg0, %0, %2 : tensor<4xi8>, tensor<4xf16>, tensor<4xf32>
  }
}
// case integer_arithmetic
module {
  func.func public @main(%0: tensor<4xi32>, %z: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %c0 = stablehlo.constant dense<0> : tensor<4xi32>
    %c1 = stablehlo.constant dense<1> : tensor<4xi32>
    %cm = stablehlo.constant dense<-1> : tensor<4xi32>
    %1 = stablehlo.add %c0, %0 : tensor<4xi32>
    %2 = stablehlo.multiply %0, %c0 : tensor<4xi32>
    %3 = stablehlo.multiply %c1, %0 : tensor<4xi32>
    %4 = stablehlo.divide %0, %c1 : tensor<4xi32>
    %5 = stablehlo.subtract %0, %0 : tensor<4xi32>
    %6 = stablehlo.and %0, %cm : tensor<4xi32>
    %7 = stablehlo.or %0, %cm : tensor<4xi32>
    %8 = stablehlo.xor %z, %z : tensor<4xi32>
    %9 = stablehlo.maximum %z, %z : tensor<4xi32>
    return %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %0 = stablehlo.constant dense<-1> : tensor<4xi32>
    %1 = stablehlo.constant dense<0> : tensor<4xi32>
    %2 = stablehlo.constant dense<0> : tensor<4xi32>
    %3 = stablehlo.constant dense<0> : tensor<4xi32>
    return %arg0, %1, %arg0, %arg0, %2, %arg0, %0, %3, %arg1 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
}
// case floats_keep_nan_and_the_sign_of_zero
module {
  func.func public @main(%0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %p = stablehlo.constant dense<0.0> : tensor<4xf32>
    %m = stablehlo.constant dense<-0.0> : tensor<4xf32>
    %one = stablehlo.constant dense<1.0> : tensor<4xf32>
    %1 = stablehlo.add %0, %p : tensor<4xf32>
    %2 = stablehlo.multiply %0, %p : tensor<4xf32>
    %3 = stablehlo.subtract %0, %0 : tensor<4xf32>
    %4 = stablehlo.divide %0, %0 : tensor<4xf32>
    %5 = stablehlo.add %0, %m : tensor<4xf32>
    %6 = stablehlo.subtract %0, %p : tensor<4xf32>
    %7 = stablehlo.multiply %0, %one : tensor<4xf32>
    %8 = stablehlo.divide %0, %one : tensor<4xf32>
    return %1, %2, %3, %4, %5, %6, %7, %8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
    %2 = stablehlo.multiply %arg0, %0 : tensor<4xf32>
    %3 = stablehlo.subtract %arg0, %arg0 : tensor<4xf32>
    %4 = stablehlo.divide %arg0, %arg0 : tensor<4xf32>
    return %1, %2, %3, %4, %arg0, %arg0, %arg0, %arg0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// case division_by_a_power_of_two
module {
  func.func public @main(%0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %a = stablehlo.constant dense<-8.0> : tensor<4xf32>
    %b = stablehlo.constant dense<10.0> : tensor<4xf32>
    %1 = stablehlo.divide %0, %a : tensor<4xf32>
    %2 = stablehlo.divide %0, %b : tensor<4xf32>
    return %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.constant dense<1.000000e+01> : tensor<4xf32>
    %1 = stablehlo.constant dense<-1.250000e-01> : tensor<4xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<4xf32>
    %3 = stablehlo.divide %arg0, %0 : tensor<4xf32>
    return %2, %3 : tensor<4xf32>, tensor<4xf32>
  }
}
// case functions_twice
module {
  func.func public @main(%0: tensor<4xf32>, %1: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
    %2 = stablehlo.negate %0 : tensor<4xf32>
    %3 = stablehlo.negate %2 : tensor<4xf32>
    %4 = stablehlo.floor %0 : tensor<4xf32>
    %5 = stablehlo.floor %4 : tensor<4xf32>
    %6 = stablehlo.negate %0 : tensor<4xf32>
    %7 = stablehlo.abs %6 : tensor<4xf32>
    %8 = stablehlo.not %1 : tensor<4xi1>
    %9 = stablehlo.not %8 : tensor<4xi1>
    return %3, %5, %7, %9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
    %0 = stablehlo.floor %arg0 : tensor<4xf32>
    %1 = stablehlo.abs %arg0 : tensor<4xf32>
    return %arg0, %0, %1, %arg1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
  }
}
// case comparisons_that_are_known
module {
  func.func public @main(%0: tensor<4xi32>, %1: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
    %2 = stablehlo.compare LE, %0, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = stablehlo.compare EQ, %1, %1, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %4 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c = stablehlo.constant dense<4> : tensor<4xi32>
    %5 = stablehlo.compare LT, %4, %c, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %6 = stablehlo.compare GT, %c, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    return %2, %3, %5, %6 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
    %0 = stablehlo.constant dense<true> : tensor<4xi1>
    %1 = stablehlo.compare  EQ, %arg1, %arg1,  FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %2 = stablehlo.constant dense<4> : tensor<4xi32>
    %3 = stablehlo.constant dense<true> : tensor<4xi1>
    %4 = stablehlo.compare  LT, %arg0, %2,  SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    return %0, %1, %3, %4 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
  }
}
// case opposite_of_a_comparison
module {
  func.func public @main(%0: tensor<4xi32>, %1: tensor<4xf32>, %9: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
    %2 = stablehlo.compare LT, %0, %9, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = stablehlo.not %2 : tensor<4xi1>
    %a = stablehlo.sine %1 : tensor<4xf32>
    %4 = stablehlo.compare LT, %1, %a, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %5 = stablehlo.not %4 : tensor<4xi1>
    %6 = stablehlo.compare EQ, %1, %a, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %7 = stablehlo.not %6 : tensor<4xi1>
    return %3, %5, %7 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
    %0 = stablehlo.compare  GE, %arg0, %arg2,  SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %1 = stablehlo.sine %arg1 : tensor<4xf32>
    %2 = stablehlo.compare  LT, %arg1, %1,  FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %3 = stablehlo.not %2 : tensor<4xi1>
    %4 = stablehlo.compare  NE, %arg1, %1,  FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    return %0, %3, %4 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
  }
}
// case selections_that_are_known
module {
  func.func public @main(%0: tensor<4xf32>, %1: tensor<4xf32>, %2: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
    %t = stablehlo.constant dense<true> : tensor<i1>
    %tt = stablehlo.constant dense<true> : tensor<4xi1>
    %ff = stablehlo.constant dense<false> : tensor<4xi1>
    %3 = stablehlo.select %t, %0, %1 : tensor<i1>, tensor<4xf32>
    %4 = stablehlo.select %2, %0, %0 : tensor<4xi1>, tensor<4xf32>
    %5 = stablehlo.not %2 : tensor<4xi1>
    %6 = stablehlo.select %5, %0, %1 : tensor<4xi1>, tensor<4xf32>
    %7 = stablehlo.select %2, %tt, %ff : tensor<4xi1>, tensor<4xi1>
    return %3, %4, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
    %0 = stablehlo.select %arg2, %arg1, %arg0 : tensor<4xi1>, tensor<4xf32>
    return %arg0, %arg0, %0, %arg2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
  }
}
// case broadcast_of_iota
module {
  func.func public @main() -> (tensor<5x17xi32>, tensor<4x3xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<17xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<17xi32>) -> tensor<5x17xi32>
    %2 = stablehlo.iota dim = 0 : tensor<1x3xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<4x3xi32>
    return %1, %3 : tensor<5x17xi32>, tensor<4x3xi32>
  }
}
// becomes
module {
  func.func public @main() -> (tensor<5x17xi32>, tensor<4x3xi32>) {
    %0 = stablehlo.iota dim = 1 : tensor<5x17xi32>
    %1 = stablehlo.iota dim = 0 : tensor<1x3xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<4x3xi32>
    return %0, %2 : tensor<5x17xi32>, tensor<4x3xi32>
  }
}
// case single_element_at_its_argmin_is_left_to_reuse_selected_value
module {
  func.func public @main(%0: tensor<1xi32>) -> (tensor<i32>, tensor<1xi32>) {
    %1 = stablehlo.iota dim = 0 : tensor<1xi32>
    %2 = stablehlo.constant dense<2147483647> : tensor<i32>
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %4:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [0] : (tensor<1xi32>, tensor<1xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
     reducer(%6: tensor<i32>, %7: tensor<i32>) (%8: tensor<i32>, %9: tensor<i32>) {
      %10 = stablehlo.compare LE, %6, %7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %11 = stablehlo.select %10, %6, %7 : tensor<i1>, tensor<i32>
      %12 = stablehlo.select %10, %8, %9 : tensor<i1>, tensor<i32>
      stablehlo.return %11, %12 : tensor<i32>, tensor<i32>
    }
    %5 = stablehlo.dynamic_slice %0, %4#1, sizes = [1] : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    return %4#1, %5 : tensor<i32>, tensor<1xi32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<1xi32>) -> (tensor<i32>, tensor<1xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<1xi32>
    %1 = stablehlo.constant dense<2147483647> : tensor<i32>
    %2 = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [0] : (tensor<1xi32>, tensor<1xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %4 = stablehlo.compare  LE, %arg1, %arg3,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %5 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %6 = stablehlo.select %4, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %5, %6 : tensor<i32>, tensor<i32>
    }
    %7 = stablehlo.dynamic_slice %arg0, %3#1, sizes = [1] : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    return %3#1, %7 : tensor<i32>, tensor<1xi32>
  }
}
