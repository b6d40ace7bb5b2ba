func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.cbrt %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  return
}
