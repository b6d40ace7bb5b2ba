func.func @fft(%x: tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>> {
  %y = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  return %y : tensor<3x5xcomplex<f32>>
}
