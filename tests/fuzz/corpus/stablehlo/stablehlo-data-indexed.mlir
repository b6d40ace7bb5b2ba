func.func @indexed(%arg0: tensor<10x20x30xf32>, %arg1: tensor<5x2xi32>, %arg2: tensor<5x30xf32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 30>}> : (tensor<10x20x30xf32>, tensor<5x2xi32>) -> tensor<5x30xf32>
  %1 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<10x20x30xf32>, tensor<5x2xi32>, tensor<5x30xf32>) -> tensor<10x20x30xf32>
  %2 = "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<10x20x30xf32>, tensor<5x2xi32>) -> tensor<5x2x20x30xf32>
  return
}
