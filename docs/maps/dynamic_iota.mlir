func.func @dynamic_iota(%shape: tensor<1xi32>) -> tensor<?xi32> {
  %y = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}
