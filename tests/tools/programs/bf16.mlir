func.func @main(%x: tensor<3xbf16>) -> tensor<3xbf16> {
  %y = stablehlo.multiply %x, %x : tensor<3xbf16>
  return %y : tensor<3xbf16>
}
