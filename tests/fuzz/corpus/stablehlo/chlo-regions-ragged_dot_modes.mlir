func.func @ragged_dot_modes(%arg0: tensor<3x11x5xf32>, %arg1: tensor<3x5x7xf32>, %arg2: tensor<4xi64>, %arg3: tensor<3x4xi64>) {
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg3) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}> : (tensor<3x11x5xf32>, tensor<3x5x7xf32>, tensor<3x4xi64>) -> tensor<4x3x11x7xf32>
  %1 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<3x11x5xf32>, tensor<3x5x7xf32>, tensor<4xi64>) -> tensor<3x11x7xf32>
  return
}
