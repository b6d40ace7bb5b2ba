func.func @batch_norm_inference(%x: tensor<4x2x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>,
                                %mean: tensor<3xf32>, %variance: tensor<3xf32>) -> tensor<4x2x3xf32> {
  %y = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) <{
    epsilon = 0.001 : f32, feature_index = 2 : i64
  }> : (tensor<4x2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x2x3xf32>
  return %y : tensor<4x2x3xf32>
}
