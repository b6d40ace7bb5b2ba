func.func @ragged_dot(%lhs: tensor<8x4xf32>, %rhs: tensor<3x4x5xf32>, %sizes: tensor<3xi64>) -> tensor<8x5xf32> {
  %y = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<8x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}
