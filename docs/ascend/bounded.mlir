// Row numbers modulo 16, of a table of 16 rows.
func.func @main(%table: tensor<16x4xf32>, %ids: tensor<3x1xui32>) -> tensor<3x4xf32> {
  %sixteen = stablehlo.constant dense<16> : tensor<3x1xui32>
  %wrapped = stablehlo.remainder %ids, %sixteen : tensor<3x1xui32>
  %rows = "stablehlo.gather"(%table, %wrapped) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<16x4xf32>, tensor<3x1xui32>) -> tensor<3x4xf32>
  func.return %rows : tensor<3x4xf32>
}
