// In each batch, rows of its own table: `vmap` of a lookup.
func.func @main(%tables: tensor<2x4x3xi32>, %ids: tensor<2x2x1xi32>) -> tensor<2x2x3xi32> {
  %rows = "stablehlo.gather"(%tables, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1],
                                          operand_batching_dims = [0], start_indices_batching_dims = [0],
                                          start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 3>
  }> : (tensor<2x4x3xi32>, tensor<2x2x1xi32>) -> tensor<2x2x3xi32>
  func.return %rows : tensor<2x2x3xi32>
}
