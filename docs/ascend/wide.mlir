func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = stablehlo.exponential %x : tensor<4xf64>
  return %y : tensor<4xf64>
}
