func.func @unary(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xcomplex<f32>>) {
  %0 = stablehlo.abs %arg0 : tensor<4xf32>
  %1 = stablehlo.abs %arg2 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = stablehlo.cbrt %arg0 : tensor<4xf32>
  %3 = stablehlo.ceil %arg0 : tensor<4xf32>
  %4 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xbf16>
  %5 = stablehlo.count_leading_zeros %arg1 : tensor<4xi32>
  %6 = stablehlo.cosine %arg0 : tensor<4xf32>
  %7 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  %8 = stablehlo.exponential_minus_one %arg0 : tensor<4xf32>
  %9 = stablehlo.floor %arg0 : tensor<4xf32>
  %10 = stablehlo.imag %arg2 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %11 = stablehlo.is_finite %arg0 : (tensor<4xf32>) -> tensor<4xi1>
  %12 = stablehlo.log %arg0 : tensor<4xf32>
  %13 = stablehlo.log_plus_one %arg0 : tensor<4xf32>
  %14 = stablehlo.logistic %arg0 : tensor<4xf32>
  %15 = stablehlo.negate %arg1 : tensor<4xi32>
  %16 = stablehlo.not %arg1 : tensor<4xi32>
  %17 = stablehlo.popcnt %arg1 : tensor<4xi32>
  %18 = stablehlo.real %arg2 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %19 = stablehlo.round_nearest_afz %arg0 : tensor<4xf32>
  %20 = stablehlo.round_nearest_even %arg0 : tensor<4xf32>
  %21 = stablehlo.rsqrt %arg0 : tensor<4xf32>
  %22 = stablehlo.sign %arg0 : tensor<4xf32>
  %23 = stablehlo.sine %arg0 : tensor<4xf32>
  %24 = stablehlo.sqrt %arg0 : tensor<4xf32>
  %25 = stablehlo.tan %arg0 : tensor<4xf32>
  %26 = stablehlo.tanh %arg0 : tensor<4xf32>
  %27 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4xf32>
  %28 = stablehlo.uniform_quantize %arg0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 2.000000e+00:3>>
  %29 = stablehlo.uniform_dequantize %28 : (tensor<4x!quant.uniform<i8:f32, 2.000000e+00:3>>) -> tensor<4xf32>
  return
}
