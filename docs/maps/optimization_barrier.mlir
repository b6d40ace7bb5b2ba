func.func @optimization_barrier(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %a, %b = stablehlo.optimization_barrier %x, %y : tensor<4xf32>, tensor<2xf32>
  return %a, %b : tensor<4xf32>, tensor<2xf32>
}
