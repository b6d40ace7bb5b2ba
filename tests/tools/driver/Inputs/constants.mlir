func.func @main(%a: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<200xi8>, tensor<3x5xf64>) {
  %c = stablehlo.constant dense<[-34, -69, 27, 95, 16, 21, 67, -2]> : tensor<8xi32>
  %0 = stablehlo.add %a, %c : tensor<8xi32>
  %1 = stablehlo.iota dim = 0 : tensor<200xi8>
  %2 = stablehlo.iota dim = 1 : tensor<3x5xf64>
  return %0, %c, %1, %2 : tensor<8xi32>, tensor<8xi32>, tensor<200xi8>, tensor<3x5xf64>
}
