func.func @dynamic_reshape(%x: tensor<4x6xf32>) -> tensor<8x3xf32> {
  %shape = stablehlo.constant dense<[8, 3]> : tensor<2xi32>
  %y = stablehlo.dynamic_reshape %x, %shape : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<8x3xf32>
  return %y : tensor<8x3xf32>
}
