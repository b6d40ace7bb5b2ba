func.func @all_gather(%x: tensor<2x4xf32>) -> tensor<2x16xf32> {
  %all = "stablehlo.all_gather"(%x) <{
    all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>
  }> : (tensor<2x4xf32>) -> tensor<2x16xf32>
  return %all : tensor<2x16xf32>
}
