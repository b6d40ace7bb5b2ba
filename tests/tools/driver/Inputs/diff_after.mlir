// As diff_before.mlir, with other names, in another order, without the
// transposition, and with an operation more.
func.func @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%b init: %0) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.transpose %a, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.negate %2 : tensor<4x4xf32>
  %4 = stablehlo.abs %b : tensor<4x4xf32>
  %5 = stablehlo.add %3, %4 : tensor<4x4xf32>
  return %5, %1 : tensor<4x4xf32>, tensor<4xf32>
}
