func.func @dot_general(%lhs: tensor<2x4x16xf32>, %rhs: tensor<2x16x8xf32>) -> tensor<2x4x8xf32> {
  %y = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<2x4x16xf32>, tensor<2x16x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}
