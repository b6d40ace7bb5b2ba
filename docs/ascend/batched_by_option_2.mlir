// A table with an axis of one element in front, and batch_dims = 1.
ascend.graph @main {
  %table = ascend.Data {index = 0} : tensor<151936x896xf32>
  %ids = ascend.Data {index = 1} : tensor<2x8xi32>
  %shape = ascend.Const dense<[1, 151936, 896]> : tensor<3xi64>
  %one = ascend.Reshape(%table, %shape) : (tensor<151936x896xf32>, tensor<3xi64>) -> tensor<1x151936x896xf32>
  %axis = ascend.Const dense<1> : tensor<i64>
  %rows = ascend.GatherV2(%one, %ids, %axis) {batch_dims = 1} : (tensor<1x151936x896xf32>, tensor<2x8xi32>, tensor<i64>) -> tensor<2x8x896xf32>
  ascend.NetOutput %rows : tensor<2x8x896xf32>
}
