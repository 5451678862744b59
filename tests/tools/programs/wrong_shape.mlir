func.func @main(%x: tensor<3xf32>, %z: tensor<4xf32>) -> tensor<3xf32> {
  %y = "stablehlo.add"(%x, %z) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
