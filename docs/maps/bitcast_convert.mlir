func.func @bitcast_convert(%x: tensor<4x2xf32>) -> tensor<4xf64> {
  %y = stablehlo.bitcast_convert %x : (tensor<4x2xf32>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}
