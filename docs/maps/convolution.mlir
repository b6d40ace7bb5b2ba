func.func @convolution(%image: tensor<1x8x8x3xf32>, %kernel: tensor<3x3x3x16xf32>) -> tensor<1x4x4x16xf32> {
  %y = stablehlo.convolution(%image, %kernel)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x4x16xf32>
  return %y : tensor<1x4x4x16xf32>
}
