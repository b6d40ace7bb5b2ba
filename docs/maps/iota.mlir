func.func @iota() -> tensor<4x3xi32> {
  %y = stablehlo.iota dim = 1 : tensor<4x3xi32>
  return %y : tensor<4x3xi32>
}
