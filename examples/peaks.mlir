// The largest absolute value of an ECG recording in mV, and in how many of its windows (columns) it exceeds 2 mV.
func.func @main(%x: tensor<192x334xf32>) -> (tensor<f32>, tensor<i32>) {
  %least = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %limit = stablehlo.constant dense<2.0> : tensor<334xf32>
  %size = stablehlo.abs %x : tensor<192x334xf32>
  %peaks = stablehlo.reduce(%size init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<192x334xf32>, tensor<f32>) -> tensor<334xf32>
  %peak = stablehlo.reduce(%peaks init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<334xf32>, tensor<f32>) -> tensor<f32>
  %is_high = stablehlo.compare GT, %peaks, %limit : (tensor<334xf32>, tensor<334xf32>) -> tensor<334xi1>
  %highs = stablehlo.convert %is_high : (tensor<334xi1>) -> tensor<334xi32>
  %count = stablehlo.reduce(%highs init: %none) applies stablehlo.add across dimensions = [0] : (tensor<334xi32>, tensor<i32>) -> tensor<i32>
  return %peak, %count : tensor<f32>, tensor<i32>
}
