// A step of decoding: one row of a cache of keys is replaced.
func.func @main(%cache: tensor<1x4096x8x128xf32>, %row: tensor<1x1x8x128xf32>, %at: tensor<i32>) -> tensor<1x4096x8x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %new = stablehlo.dynamic_update_slice %cache, %row, %zero, %at, %zero, %zero
    : (tensor<1x4096x8x128xf32>, tensor<1x1x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4096x8x128xf32>
  return %new : tensor<1x4096x8x128xf32>
}
