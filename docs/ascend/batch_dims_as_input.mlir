// batch_dims as a fourth input.
ascend.graph @main {
  %tables = ascend.Data {index = 0} : tensor<2x4x3xi32>
  %ids = ascend.Data {index = 1} : tensor<2x2xi32>
  %axis = ascend.Const dense<1> : tensor<i64>
  %batch = ascend.Const dense<1> : tensor<i64>
  %rows = ascend.GatherV2(%tables, %ids, %axis, %batch) : (tensor<2x4x3xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2x3xi32>
  ascend.NetOutput %rows : tensor<2x2x3xi32>
}
