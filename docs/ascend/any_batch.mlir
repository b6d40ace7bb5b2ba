// jnp.take(table, ids, axis=0, mode="clip") @ w for any batch b, as JAX exports it.
func.func public @main(%ids: tensor<?x8xi32>, %table: tensor<100x16xf32>, %w: tensor<16x4xf32>) -> tensor<?x8x4xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.get_dimension_size %ids, dim = 0 : (tensor<?x8xi32>) -> tensor<i32>
  %is_valid = stablehlo.compare GE, %b, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%is_valid, %b) {
    error_message = "Expected value >= 1 for dimension variable 'b', got {0}", has_side_effect = true
  } : (tensor<i1>, tensor<i32>) -> ()
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %c8 = stablehlo.constant dense<8> : tensor<1xi32>
  %bv = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %bv, %c8, %c1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %starts = stablehlo.dynamic_broadcast_in_dim %ids, %shape, dims = [0, 1] : (tensor<?x8xi32>, tensor<3xi32>) -> tensor<?x8x1xi32>
  %rows = "stablehlo.gather"(%table, %starts) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 16>
  }> : (tensor<100x16xf32>, tensor<?x8x1xi32>) -> tensor<?x8x16xf32>
  %logits = stablehlo.dot_general %rows, %w, contracting_dims = [2] x [0] : (tensor<?x8x16xf32>, tensor<16x4xf32>) -> tensor<?x8x4xf32>
  return %logits : tensor<?x8x4xf32>
}
