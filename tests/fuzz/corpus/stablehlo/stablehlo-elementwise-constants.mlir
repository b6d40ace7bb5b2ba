func.func @constants() {
  %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %c_0 = stablehlo.constant {note = "n"} dense<true> : tensor<4xi1>
  %cst_1 = stablehlo.constant dense_resource<__elided__> : tensor<4x4xf32>
  %cst_2 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  return
}
