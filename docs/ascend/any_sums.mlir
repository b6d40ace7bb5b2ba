// Cumulative sums along the second dimension, for any batch.
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = "stablehlo.reduce_window"(%x, %zero) <{
    padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 4>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  return %sums : tensor<?x4xf32>
}
