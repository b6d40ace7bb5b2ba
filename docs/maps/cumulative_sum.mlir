func.func @cumulative_sum(%x: tensor<6xf32>, %zero: tensor<f32>) -> tensor<6xf32> {
  %y = "stablehlo.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}
