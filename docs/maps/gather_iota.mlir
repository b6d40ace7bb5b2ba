func.func @gather_iota(%table: tensor<10x4xf32>) -> tensor<12x4xf32> {
  %ids = stablehlo.iota dim = 0 : tensor<12x1xi32>
  %rows = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
                                          index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<12x1xi32>) -> tensor<12x4xf32>
  return %rows : tensor<12x4xf32>
}
