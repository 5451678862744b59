module {
  func.func private @square(%x: tensor<3xf32>) -> tensor<3xf32> {
    %y = stablehlo.multiply %x, %x : tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    %a = func.call @square(%x) : (tensor<3xf32>) -> tensor<3xf32>
    %b = func.call @square(%x) : (tensor<3xf32>) -> tensor<3xf32>
    %c = stablehlo.add %a, %b : tensor<3xf32>
    return %c : tensor<3xf32>
  }
}
