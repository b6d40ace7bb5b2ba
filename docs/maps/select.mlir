func.func @select(%p: tensor<i1>, %x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %z = stablehlo.select %p, %x, %y : tensor<i1>, tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
