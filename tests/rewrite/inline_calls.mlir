// Golden of inline_calls; see golden_test.cpp.
// case call_of_a_call
module {
  func.func private @square(%0: tensor<4xf32>) -> tensor<4xf32> {
    %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @fourth(%0: tensor<4xf32>) -> tensor<4xf32> {
    %1 = func.call @square(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = func.call @square(%1) : (tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func public @main(%0: tensor<4xf32>) -> tensor<4xf32> {
    %1 = func.call @fourth(%0) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// case result_that_is_an_argument
module {
  func.func private @pair(%0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %1 = stablehlo.negate %0 : tensor<f32>
    return %0, %1 : tensor<f32>, tensor<f32>
  }
  func.func public @main(%0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %1:2 = func.call @pair(%0) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %2:2 = func.call @pair(%1#1) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    return %1#0, %2#1 : tensor<f32>, tensor<f32>
  }
}
// becomes
module {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = stablehlo.negate %arg0 : tensor<f32>
    %1 = stablehlo.negate %0 : tensor<f32>
    return %arg0, %1 : tensor<f32>, tensor<f32>
  }
}
