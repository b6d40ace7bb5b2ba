// The index vectors are the middle dimension of the start indices.
func.func @main(%table: tensor<5x3xi32>, %ids: tensor<2x1x2xi32>) -> tensor<2x2x3xi32> {
  %rows = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 3>
  }> : (tensor<5x3xi32>, tensor<2x1x2xi32>) -> tensor<2x2x3xi32>
  func.return %rows : tensor<2x2x3xi32>
}
