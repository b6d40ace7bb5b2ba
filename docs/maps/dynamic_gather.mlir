func.func @dynamic_gather(%table: tensor<10x4xf32>, %ids: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %sizes = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %rows = "stablehlo.dynamic_gather"(%table, %ids, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
                                          index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x4xf32>
  return %rows : tensor<3x4xf32>
}
