func.func @convolution_groups(%image: tensor<6x8x2xf32>, %kernel: tensor<3x2x6xf32>) -> tensor<2x6x6xf32> {
  %y = stablehlo.convolution(%image, %kernel)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 3 : i64, feature_group_count = 1 : i64}
    : (tensor<6x8x2xf32>, tensor<3x2x6xf32>) -> tensor<2x6x6xf32>
  return %y : tensor<2x6x6xf32>
}
