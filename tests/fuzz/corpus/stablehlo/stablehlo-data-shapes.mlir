func.func @shapes(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>, %arg2: tensor<?x8xf32, #stablehlo.bounds<4, ?>>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x3x8xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.broadcast %arg0, sizes = [2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %3 = stablehlo.reshape %arg0 : (tensor<4x8xf32>) -> tensor<32xf32>
  %4 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %5 = stablehlo.reverse %arg0, dims = [1] : tensor<4x8xf32>
  %6 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %7 = stablehlo.bitcast_convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8x2xf16>
  %8 = stablehlo.negate %arg2 : tensor<?x8xf32, #stablehlo.bounds<4, ?>>
  return
}
