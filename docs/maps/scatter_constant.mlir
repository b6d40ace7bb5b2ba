func.func @scatter_constant(%x: tensor<10x4xf32>, %rows: tensor<3x4xf32>) -> tensor<10x4xf32> {
  %ids = stablehlo.constant dense<[[7], [2], [7]]> : tensor<3x1xi32>
  %y = "stablehlo.scatter"(%x, %ids, %rows) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
                                                   scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %sum = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  return %y : tensor<10x4xf32>
}
