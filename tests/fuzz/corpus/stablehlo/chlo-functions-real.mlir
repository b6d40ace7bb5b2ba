func.func @real(%arg0: tensor<4xf32>) {
  %0 = chlo.acos %arg0 : tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.acosh %arg0 : tensor<4xf32> -> tensor<4xf32>
  %2 = chlo.asin %arg0 : tensor<4xf32> -> tensor<4xf32>
  %3 = chlo.asinh %arg0 : tensor<4xf32> -> tensor<4xf32>
  %4 = chlo.atan %arg0 : tensor<4xf32> -> tensor<4xf32>
  %5 = chlo.atanh %arg0 : tensor<4xf32> -> tensor<4xf32>
  %6 = chlo.bessel_i1e %arg0 : tensor<4xf32> -> tensor<4xf32>
  %7 = chlo.conj %arg0 : tensor<4xf32> -> tensor<4xf32>
  %8 = chlo.cosh %arg0 : tensor<4xf32> -> tensor<4xf32>
  %9 = chlo.digamma %arg0 : tensor<4xf32> -> tensor<4xf32>
  %10 = chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>
  %11 = chlo.erf_inv %arg0 : tensor<4xf32> -> tensor<4xf32>
  %12 = chlo.erfc %arg0 : tensor<4xf32> -> tensor<4xf32>
  %13 = chlo.lgamma %arg0 : tensor<4xf32> -> tensor<4xf32>
  %14 = chlo.sinh %arg0 : tensor<4xf32> -> tensor<4xf32>
  %15 = chlo.square %arg0 : tensor<4xf32> -> tensor<4xf32>
  %16 = chlo.tan %arg0 : tensor<4xf32> -> tensor<4xf32>
  %17 = chlo.is_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
  %18 = chlo.is_neg_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
  %19 = chlo.is_pos_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
  %20 = chlo.tan %arg0 {note = "n"} : tensor<4xf32> -> tensor<4xf32>
  return
}
