func.func @reshape(%x: tensor<4x8xf32>) -> tensor<2x4x4xf32> {
  %y = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<2x4x4xf32>
  return %y : tensor<2x4x4xf32>
}
