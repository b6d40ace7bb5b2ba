func.func @constants(%arg0: tensor<2x?xi64>) {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = chlo.constant {note = "n"} dense<1.500000e+00> : tensor<f32>
  %2 = "chlo.constant_like"(%arg0) <{value = 1.500000e+00 : f32}> : (tensor<2x?xi64>) -> tensor<2x?xf32>
  return
}
