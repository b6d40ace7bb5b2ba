// Rows selected by sorted numbers.
func.func @main(%table: tensor<16x4xf32>, %ids: tensor<3xi32>) -> tensor<3x4xf32> {
  %sorted = "stablehlo.sort"(%ids) <{dimension = 0}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  %rows = "stablehlo.gather"(%table, %sorted) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<16x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  func.return %rows : tensor<3x4xf32>
}
