// The spectrum of eight numbers.
func.func @main(%x: tensor<8xf32>) -> tensor<5xcomplex<f32>> {
  %spectrum = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  func.return %spectrum : tensor<5xcomplex<f32>>
}
