func.func @dynamic_pad(%x: tensor<4xf32>, %value: tensor<f32>) -> tensor<7xf32> {
  %low = stablehlo.constant dense<1> : tensor<1xi32>
  %high = stablehlo.constant dense<2> : tensor<1xi32>
  %interior = stablehlo.constant dense<0> : tensor<1xi32>
  %y = stablehlo.dynamic_pad %x, %value, %low, %high, %interior
    : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<7xf32>
  return %y : tensor<7xf32>
}
