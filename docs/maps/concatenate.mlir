func.func @concatenate(%x: tensor<2x4xf32>, %y: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %z = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}
