func.func @beside_a_pretty_form(%arg0: tensor<4xf32>, %arg1: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [1] {known_nonexpanding_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  return
}
