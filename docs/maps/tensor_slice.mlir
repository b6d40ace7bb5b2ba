func.func @tensor_slice(%x: tensor<10x20xf32>, %i: index) -> tensor<4x5xf32> {
  %y = tensor.extract_slice %x[%i, 2] [4, 5] [1, 3] : tensor<10x20xf32> to tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}
