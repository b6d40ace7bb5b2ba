// The graph of the rule: the operator gets the row number without a clamp.
ascend.graph @main {
  %table = ascend.Data {index = 0} : tensor<5x3xi32>
  %ids = ascend.Data {index = 1} : tensor<2xi32>
  %axis = ascend.Const dense<0> : tensor<i64>
  %rows = ascend.GatherV2(%table, %ids, %axis) : (tensor<5x3xi32>, tensor<2xi32>, tensor<i64>) -> tensor<2x3xi32>
  ascend.NetOutput %rows : tensor<2x3xi32>
}
