func.func @reduce_scatter(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %y = "stablehlo.reduce_scatter"(%x) <{
    scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
