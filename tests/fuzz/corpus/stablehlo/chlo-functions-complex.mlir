func.func @complex(%arg0: tensor<?xcomplex<f64>>) {
  %0 = chlo.acos %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %1 = chlo.acosh %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %2 = chlo.asin %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %3 = chlo.asinh %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %4 = chlo.atan %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %5 = chlo.atanh %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %6 = chlo.conj %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %7 = chlo.cosh %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %8 = chlo.sinh %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %9 = chlo.square %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %10 = chlo.tan %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %11 = chlo._asin_acos_kernel %arg0 : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  return
}
