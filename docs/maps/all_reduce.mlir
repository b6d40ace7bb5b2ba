func.func @all_reduce(%x: tensor<8xf32>) -> tensor<8xf32> {
  %sum = "stablehlo.all_reduce"(%x) <{
    replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
