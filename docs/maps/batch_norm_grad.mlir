func.func @batch_norm_grad(%x: tensor<4x2x3xf32>, %scale: tensor<3xf32>, %mean: tensor<3xf32>,
                           %variance: tensor<3xf32>, %grad: tensor<4x2x3xf32>)
    -> (tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %dx, %dscale, %doffset = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %grad) <{
    epsilon = 0.001 : f32, feature_index = 2 : i64
  }> : (tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x2x3xf32>)
    -> (tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %dx, %dscale, %doffset : tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>
}
