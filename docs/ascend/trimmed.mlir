// The first two numbers of each selected row.
func.func @main(%table: tensor<5x4xi32>, %ids: tensor<3x1xi32>) -> tensor<3x2xi32> {
  %rows = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  }> : (tensor<5x4xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  func.return %rows : tensor<3x2xi32>
}
