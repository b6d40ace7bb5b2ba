func.func @collective_broadcast(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = "stablehlo.collective_broadcast"(%x) <{
    replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>
  }> : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
