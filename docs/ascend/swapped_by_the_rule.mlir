// The graph of the rule, with a clamp: no step moves the axes.
ascend.graph @main {
  %table = ascend.Data {index = 0} : tensor<5x3xi32>
  %ids = ascend.Data {index = 1} : tensor<3x1xi32>
  %low = ascend.Const dense<0> : tensor<i32>
  %high = ascend.Const dense<4> : tensor<i32>
  %safe = ascend.ClipByValue(%ids, %low, %high) : (tensor<3x1xi32>, tensor<i32>, tensor<i32>) -> tensor<3x1xi32>
  %shape = ascend.Const dense<3> : tensor<1xi64>
  %flat = ascend.Reshape(%safe, %shape) : (tensor<3x1xi32>, tensor<1xi64>) -> tensor<3xi32>
  %axis = ascend.Const dense<0> : tensor<i64>
  %rows = ascend.GatherV2(%table, %flat, %axis) : (tensor<5x3xi32>, tensor<3xi32>, tensor<i64>) -> tensor<3x3xi32>
  ascend.NetOutput %rows : tensor<3x3xi32>
}
