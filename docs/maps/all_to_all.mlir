func.func @all_to_all(%x: tensor<4x8xf32>) -> tensor<16x2xf32> {
  %parts = "stablehlo.all_to_all"(%x) <{
    split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64,
    replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>
  }> : (tensor<4x8xf32>) -> tensor<16x2xf32>
  return %parts : tensor<16x2xf32>
}
