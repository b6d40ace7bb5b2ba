// The first operation of a language model: token ids select rows of a table of
// embeddings. There are 151936 tokens, with 896 numbers each.
func.func @main(%table: tensor<151936x896xf32>, %ids: tensor<1x8x1xi32>) -> tensor<1x8x896xf32> {
  %rows = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2],
      collapsed_slice_dims = [0],
      start_index_map = [0],
      index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 896>
  }> : (tensor<151936x896xf32>, tensor<1x8x1xi32>) -> tensor<1x8x896xf32>
  func.return %rows : tensor<1x8x896xf32>
}
