func.func private @doubled(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  check.expect_eq_const %y, dense<[2.0, 4.0]> : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func public @main() -> tensor<2xf32> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = func.call @doubled(%a) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %b, dense<[2.0, 4.00001]> : tensor<2xf32>
  return %b : tensor<2xf32>
}
