func.func @collective_permute(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = "stablehlo.collective_permute"(%x) <{
    source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>
  }> : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
