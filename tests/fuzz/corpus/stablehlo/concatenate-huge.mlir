func.func @f(%a: tensor<9223372036854775807xf32>) {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32>) -> tensor<?xf32>
  return
}
