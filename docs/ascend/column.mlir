// t[i, :, j] of a large table: no way has to transpose it.
func.func @main(%t: tensor<4096x64x4096xf32>, %ij: tensor<8x2xi32>) -> tensor<8x64xf32> {
  %column = "stablehlo.gather"(%t, %ij) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2],
      start_index_map = [0, 2], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 64, 1>
  }> : (tensor<4096x64x4096xf32>, tensor<8x2xi32>) -> tensor<8x64xf32>
  return %column : tensor<8x64xf32>
}
