func.func @dynamic_slice(%x: tensor<10x8xf32>, %i: tensor<i32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.dynamic_slice %x, %i, %zero, sizes = [4, 8] : (tensor<10x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
