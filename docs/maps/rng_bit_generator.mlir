func.func @rng_bit_generator(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>) {
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %next, %bits : tensor<2xui64>, tensor<4xui32>
}
