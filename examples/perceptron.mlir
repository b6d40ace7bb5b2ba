// A perceptron of two layers, in linalg on tensors.
func.func @main(%x: tensor<32x64xf32>, %w1: tensor<64x128xf32>, %b1: tensor<128xf32>, %w2: tensor<128x16xf32>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %h.empty = tensor.empty() : tensor<32x128xf32>
  %h.zero = linalg.fill ins(%zero : f32) outs(%h.empty : tensor<32x128xf32>) -> tensor<32x128xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<32x64xf32>, tensor<64x128xf32>) outs(%h.zero : tensor<32x128xf32>) -> tensor<32x128xf32>
  %relu = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%h, %b1 : tensor<32x128xf32>, tensor<128xf32>) outs(%h.empty : tensor<32x128xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %sum = arith.addf %in, %bias : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<32x128xf32>
  %y.empty = tensor.empty() : tensor<32x16xf32>
  %y.zero = linalg.fill ins(%zero : f32) outs(%y.empty : tensor<32x16xf32>) -> tensor<32x16xf32>
  %y = linalg.matmul ins(%relu, %w2 : tensor<32x128xf32>, tensor<128x16xf32>) outs(%y.zero : tensor<32x16xf32>) -> tensor<32x16xf32>
  %t.empty = tensor.empty() : tensor<16x32xf32>
  %t = linalg.transpose ins(%y : tensor<32x16xf32>) outs(%t.empty : tensor<16x32xf32>) permutation = [1, 0]
  return %t : tensor<16x32xf32>
}
