func.func @dynamic(%arg0: tensor<?x8xf32>, %arg1: tensor<2xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<5x1xi32>) {
  %0 = stablehlo.dynamic_iota %arg1, dim = 1 : (tensor<2xi32>) -> tensor<?x8xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %arg2, %arg1, dims = [] {known_expanding_dimensions = array<i64>} : (tensor<f32>, tensor<2xi32>) -> tensor<?x8xf32>
  %2 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg1, %arg1 : (tensor<?x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %4 = stablehlo.dynamic_pad %arg0, %arg2, %arg1, %arg1, %arg1 : (tensor<?x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %5 = "stablehlo.dynamic_gather"(%arg0, %arg4, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  %6 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %7 = stablehlo.set_dimension_size %arg0, %arg3, dim = 0 : (tensor<?x8xf32>, tensor<i32>) -> tensor<?x8xf32>
  return
}
