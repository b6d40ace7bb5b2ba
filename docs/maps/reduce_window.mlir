func.func @reduce_window(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %y = "stablehlo.reduce_window"(%x, %init) <{
    window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
