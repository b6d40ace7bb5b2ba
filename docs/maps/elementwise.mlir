func.func @elementwise(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %sum = stablehlo.add %x, %y : tensor<4x8xf32>
  return %sum : tensor<4x8xf32>
}
