// Two sentences of eight tokens.
func.func @main(%table: tensor<151936x896xf32>, %ids: tensor<2x8x1xi32>) -> tensor<2x8x896xf32> {
  %rows = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 896>
  }> : (tensor<151936x896xf32>, tensor<2x8x1xi32>) -> tensor<2x8x896xf32>
  func.return %rows : tensor<2x8x896xf32>
}
