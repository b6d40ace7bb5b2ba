func.func @batch_norm_training(%x: tensor<4x2x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>)
    -> (tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %y, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{
    epsilon = 0.001 : f32, feature_index = 2 : i64
  }> : (tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %y, %mean, %variance : tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>
}
