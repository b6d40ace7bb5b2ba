func.func @clamp(%low: tensor<f32>, %x: tensor<4x8xf32>, %high: tensor<f32>) -> tensor<4x8xf32> {
  %y = stablehlo.clamp %low, %x, %high : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
