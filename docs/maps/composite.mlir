func.func @composite(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %y = stablehlo.composite "my.last_row" %x {decomposition = @last_row} : (tensor<4x8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @last_row(%a: tensor<4x8xf32>) -> tensor<8xf32> {
  %row = stablehlo.slice %a [3:4, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %r = stablehlo.reshape %row : (tensor<1x8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
