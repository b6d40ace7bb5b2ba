func.func @products(%arg0: tensor<2x4x8xf32>, %arg1: tensor<2x8x5xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<8x5xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> {x} : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %2 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %3 = stablehlo.dot %arg2, %arg3, precision = [HIGH, HIGH] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %4 = stablehlo.einsum %arg2, %arg3, config = "ab,bc->ac" : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %5 = stablehlo.unary_einsum %arg2, config = "ab->a" : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}
