// A convolution of images NHWC with four kernels of 3x3.
func.func @main(%images: tensor<2x8x8x3xf32>, %kernels: tensor<3x3x3x4xf32>) -> tensor<2x4x4x4xf32> {
  %0 = stablehlo.convolution(%images, %kernels)
      dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[0, 1], [0, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}
