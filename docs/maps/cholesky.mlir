func.func @cholesky(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %l = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %l : tensor<4x4xf32>
}
