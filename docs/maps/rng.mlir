func.func @rng(%low: tensor<f32>, %high: tensor<f32>) -> tensor<4x8xf32> {
  %shape = stablehlo.constant dense<[4, 8]> : tensor<2xi64>
  %y = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
