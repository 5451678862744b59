module {
  func.func public @main(%x: tensor<f32>) -> tensor<f32> {
    %y = stablehlo.add %x, %x : tensor<f32>
    return %y : tensor<f32>
  }
  func.func public @outer() -> tensor<f32> {
    %x = stablehlo.constant dense<3.0> : tensor<f32>
    %y = func.call @main(%x) : (tensor<f32>) -> tensor<f32>
    return %y : tensor<f32>
  }
}
