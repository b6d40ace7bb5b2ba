func.func @dynamic_conv(%image: tensor<1x8x3xf32>, %kernel: tensor<3x3x16xf32>) -> tensor<1x8x16xf32> {
  %padding = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi32>
  %y = "stablehlo.dynamic_conv"(%image, %kernel, %padding) <{
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  }> : (tensor<1x8x3xf32>, tensor<3x3x16xf32>, tensor<1x2xi32>) -> tensor<1x8x16xf32>
  return %y : tensor<1x8x16xf32>
}
