func.func @reverse(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = stablehlo.reverse %x, dims = [1] : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
