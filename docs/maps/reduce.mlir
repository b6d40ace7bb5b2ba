func.func @reduce(%x: tensor<4x8x3xf32>, %zero: tensor<f32>) -> tensor<4x3xf32> {
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x8x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %sum : tensor<4x3xf32>
}
