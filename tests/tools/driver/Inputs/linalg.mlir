func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %from: index) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %product = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%filled : tensor<4x6xf32>) -> tensor<4x6xf32>
  %part = tensor.extract_slice %product[0, %from] [4, 3] [1, 2] : tensor<4x6xf32> to tensor<4x3xf32>
  %empty0 = tensor.empty() : tensor<4xf32>
  %last = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%part : tensor<4x3xf32>) outs(%empty0 : tensor<4xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %part : tensor<4x3xf32>
}
