func.func @get_dimension_size(%x: tensor<4x?xf32>) -> tensor<i32> {
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>
  return %n : tensor<i32>
}
