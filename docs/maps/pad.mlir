func.func @pad(%x: tensor<4x3xf32>, %value: tensor<f32>) -> tensor<8x7xf32> {
  %y = stablehlo.pad %x, %value, low = [1, 2], high = [3, 0], interior = [0, 1]
    : (tensor<4x3xf32>, tensor<f32>) -> tensor<8x7xf32>
  return %y : tensor<8x7xf32>
}
