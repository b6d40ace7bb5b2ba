// Rows as columns: the axis of the slice comes first.
func.func @main(%table: tensor<5x3xi32>, %ids: tensor<3x1xi32>) -> tensor<3x3xi32> {
  %columns = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 3>
  }> : (tensor<5x3xi32>, tensor<3x1xi32>) -> tensor<3x3xi32>
  func.return %columns : tensor<3x3xi32>
}
