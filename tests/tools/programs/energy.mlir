module @energy {
  func.func public @main(%x: tensor<4x3xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %squares = stablehlo.multiply %x, %x : tensor<4x3xf32>
    %energies = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %total = stablehlo.reduce(%energies init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %energies, %total : tensor<4xf32>, tensor<f32>
  }
}
