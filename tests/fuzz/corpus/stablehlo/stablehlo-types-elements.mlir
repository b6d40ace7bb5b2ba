func.func @elements(%arg0: tensor<i1>, %arg1: tensor<i2>, %arg2: tensor<i4>, %arg3: tensor<i8>, %arg4: tensor<i16>, %arg5: tensor<i32>, %arg6: tensor<i64>, %arg7: tensor<ui2>, %arg8: tensor<ui4>, %arg9: tensor<ui8>, %arg10: tensor<ui16>, %arg11: tensor<ui32>, %arg12: tensor<ui64>, %arg13: tensor<f4E2M1FN>, %arg14: tensor<f6E2M3FN>, %arg15: tensor<f6E3M2FN>, %arg16: tensor<f8E3M4>, %arg17: tensor<f8E4M3>, %arg18: tensor<f8E4M3B11FNUZ>, %arg19: tensor<f8E4M3FN>, %arg20: tensor<f8E4M3FNUZ>, %arg21: tensor<f8E5M2>, %arg22: tensor<f8E5M2FNUZ>, %arg23: tensor<f8E8M0FNU>, %arg24: tensor<bf16>, %arg25: tensor<f16>, %arg26: tensor<f32>, %arg27: tensor<f64>, %arg28: tensor<complex<f32>>, %arg29: tensor<complex<f64>>, %arg30: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg31: tensor<2x!quant.uniform<u8:f32:0, {5.000000e-01:3,2.500000e-01}>>, %arg32: tensor<?x2xf32, #stablehlo.bounds<4, ?>>) {
  %0 = stablehlo.add %arg0, %arg0 : tensor<i1>
  %1 = stablehlo.add %arg1, %arg1 : tensor<i2>
  %2 = stablehlo.add %arg2, %arg2 : tensor<i4>
  %3 = stablehlo.add %arg3, %arg3 : tensor<i8>
  %4 = stablehlo.add %arg4, %arg4 : tensor<i16>
  %5 = stablehlo.add %arg5, %arg5 : tensor<i32>
  %6 = stablehlo.add %arg6, %arg6 : tensor<i64>
  %7 = stablehlo.add %arg7, %arg7 : tensor<ui2>
  %8 = stablehlo.add %arg8, %arg8 : tensor<ui4>
  %9 = stablehlo.add %arg9, %arg9 : tensor<ui8>
  %10 = stablehlo.add %arg10, %arg10 : tensor<ui16>
  %11 = stablehlo.add %arg11, %arg11 : tensor<ui32>
  %12 = stablehlo.add %arg12, %arg12 : tensor<ui64>
  %13 = stablehlo.add %arg13, %arg13 : tensor<f4E2M1FN>
  %14 = stablehlo.add %arg14, %arg14 : tensor<f6E2M3FN>
  %15 = stablehlo.add %arg15, %arg15 : tensor<f6E3M2FN>
  %16 = stablehlo.add %arg16, %arg16 : tensor<f8E3M4>
  %17 = stablehlo.add %arg17, %arg17 : tensor<f8E4M3>
  %18 = stablehlo.add %arg18, %arg18 : tensor<f8E4M3B11FNUZ>
  %19 = stablehlo.add %arg19, %arg19 : tensor<f8E4M3FN>
  %20 = stablehlo.add %arg20, %arg20 : tensor<f8E4M3FNUZ>
  %21 = stablehlo.add %arg21, %arg21 : tensor<f8E5M2>
  %22 = stablehlo.add %arg22, %arg22 : tensor<f8E5M2FNUZ>
  %23 = stablehlo.add %arg23, %arg23 : tensor<f8E8M0FNU>
  %24 = stablehlo.add %arg24, %arg24 : tensor<bf16>
  %25 = stablehlo.add %arg25, %arg25 : tensor<f16>
  %26 = stablehlo.add %arg26, %arg26 : tensor<f32>
  %27 = stablehlo.add %arg27, %arg27 : tensor<f64>
  %28 = stablehlo.add %arg28, %arg28 : tensor<complex<f32>>
  %29 = stablehlo.add %arg29, %arg29 : tensor<complex<f64>>
  %30 = stablehlo.add %arg30, %arg30 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %31 = stablehlo.add %arg31, %arg31 : tensor<2x!quant.uniform<u8:f32:0, {5.000000e-01:3,2.500000e-01}>>
  %32 = stablehlo.add %arg32, %arg32 : tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  return
}
