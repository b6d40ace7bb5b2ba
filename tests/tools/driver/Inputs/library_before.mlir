func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x12xf32>, %b: tensor<12xf32>) -> tensor<8x12xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<12xf32>) -> tensor<8x12xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x12xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<8x12xf32>
  %3 = stablehlo.maximum %2, %cst : tensor<8x12xf32>
  return %3 : tensor<8x12xf32>
}
