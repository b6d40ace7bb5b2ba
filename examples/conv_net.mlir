// A small convolutional network in linalg on tensors, as a frontend writes it:
// a padded 3x3 convolution that starts from its bias, a depthwise convolution,
// a 1x1 convolution, the mean of each image, scores.
//
// `main` takes one image; `images` takes any number of images.

#pixel = affine_map<(n, h, w, c) -> (n, h, w, c)>
#image = affine_map<(n, c, h, w) -> (n, h, w, c)>
#channel = affine_map<(n, c, h, w) -> (n, c)>

func.func @main(%image: tensor<1x16x16x3xf32>, %first: tensor<3x3x3x8xf32>, %bias: tensor<8xf32>, %depthwise: tensor<3x3x8x1xf32>, %mix: tensor<1x1x8x16xf32>, %scores: tensor<16x10xf32>) -> tensor<1x10xf32> {
  %zero = arith.constant 0.0 : f32
  %pixels = arith.constant 196.0 : f32

  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x3xf32> to tensor<1x18x18x3xf32>
  %e0 = tensor.empty() : tensor<1x16x16x8xf32>
  %biases = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e0 : tensor<1x16x16x8xf32>) dimensions = [0, 1, 2]
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %first : tensor<1x18x18x3xf32>, tensor<3x3x3x8xf32>) outs(%biases : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %relu = linalg.generic {indexing_maps = [#pixel, #pixel], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%conv : tensor<1x16x16x8xf32>) outs(%e0 : tensor<1x16x16x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.maximumf %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<1x16x16x8xf32>

  %e1 = tensor.empty() : tensor<1x14x14x8x1xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x14x14x8x1xf32>) -> tensor<1x14x14x8x1xf32>
  %each = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%relu, %depthwise : tensor<1x16x16x8xf32>, tensor<3x3x8x1xf32>) outs(%z1 : tensor<1x14x14x8x1xf32>) -> tensor<1x14x14x8x1xf32>
  %channels = tensor.collapse_shape %each [[0], [1], [2], [3, 4]] : tensor<1x14x14x8x1xf32> into tensor<1x14x14x8xf32>

  %e2 = tensor.empty() : tensor<1x14x14x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  %mixed = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%channels, %mix : tensor<1x14x14x8xf32>, tensor<1x1x8x16xf32>) outs(%z2 : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>

  %e3 = tensor.empty() : tensor<1x16xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x16xf32>) -> tensor<1x16xf32>
  %sum = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%mixed : tensor<1x14x14x16xf32>) outs(%z3 : tensor<1x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.divf %x, %pixels : f32
    %s = arith.addf %out, %y : f32
    linalg.yield %s : f32
  } -> tensor<1x16xf32>

  %e4 = tensor.empty() : tensor<1x10xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<1x10xf32>) -> tensor<1x10xf32>
  %result = linalg.matmul ins(%sum, %scores : tensor<1x16xf32>, tensor<16x10xf32>) outs(%z4 : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %result : tensor<1x10xf32>
}

func.func @images(%image: tensor<?x16x16x3xf32>, %first: tensor<3x3x3x8xf32>, %bias: tensor<8xf32>, %mix: tensor<1x1x8x16xf32>, %scores: tensor<16x10xf32>) -> tensor<?x10xf32> {
  %zero = arith.constant 0.0 : f32
  %pixels = arith.constant 256.0 : f32
  %c0 = arith.constant 0 : index
  %count = tensor.dim %image, %c0 : tensor<?x16x16x3xf32>

  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<?x16x16x3xf32> to tensor<?x18x18x3xf32>
  %e0 = tensor.empty(%count) : tensor<?x16x16x8xf32>
  %biases = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e0 : tensor<?x16x16x8xf32>) dimensions = [0, 1, 2]
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %first : tensor<?x18x18x3xf32>, tensor<3x3x3x8xf32>) outs(%biases : tensor<?x16x16x8xf32>) -> tensor<?x16x16x8xf32>
  %relu = linalg.generic {indexing_maps = [#pixel, #pixel], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%conv : tensor<?x16x16x8xf32>) outs(%e0 : tensor<?x16x16x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.maximumf %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<?x16x16x8xf32>

  %e1 = tensor.empty(%count) : tensor<?x16x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x16x16x16xf32>) -> tensor<?x16x16x16xf32>
  %mixed = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%relu, %mix : tensor<?x16x16x8xf32>, tensor<1x1x8x16xf32>) outs(%z1 : tensor<?x16x16x16xf32>) -> tensor<?x16x16x16xf32>

  %e2 = tensor.empty(%count) : tensor<?x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %sum = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%mixed : tensor<?x16x16x16xf32>) outs(%z2 : tensor<?x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.divf %x, %pixels : f32
    %s = arith.addf %out, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x16xf32>

  %e3 = tensor.empty(%count) : tensor<?x10xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x10xf32>) -> tensor<?x10xf32>
  %result = linalg.matmul ins(%sum, %scores : tensor<?x16xf32>, tensor<16x10xf32>) outs(%z3 : tensor<?x10xf32>) -> tensor<?x10xf32>
  return %result : tensor<?x10xf32>
}
