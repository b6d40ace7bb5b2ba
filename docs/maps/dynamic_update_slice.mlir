func.func @dynamic_update_slice(%x: tensor<10x8xf32>, %update: tensor<4x8xf32>, %i: tensor<i32>) -> tensor<10x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.dynamic_update_slice %x, %update, %i, %zero
    : (tensor<10x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<10x8xf32>
  return %y : tensor<10x8xf32>
}
