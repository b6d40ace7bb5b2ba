// The graph of the rule: it ignores the size of the slice in dimension 1.
ascend.graph @main {
  %table = ascend.Data {index = 0} : tensor<5x4xi32>
  %ids = ascend.Data {index = 1} : tensor<3x1xi32>
  %shape = ascend.Const dense<3> : tensor<1xi64>
  %flat = ascend.Reshape(%ids, %shape) : (tensor<3x1xi32>, tensor<1xi64>) -> tensor<3xi32>
  %axis = ascend.Const dense<0> : tensor<i64>
  %rows = ascend.GatherV2(%table, %flat, %axis) : (tensor<5x4xi32>, tensor<3xi32>, tensor<i64>) -> tensor<3x2xi32>
  ascend.NetOutput %rows : tensor<3x2xi32>
}
