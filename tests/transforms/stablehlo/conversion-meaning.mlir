// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conversions at the bounds of types and with NaN, rounding, parts of complex
// numbers, scalar operands of clamp and select. The expected values are those of
// the evaluator of StableHLO.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s

func.func @convert_f32_i1() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xi1>
  check.expect_eq_const %0, dense<[true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<13xi1>
  func.return
}
func.func @convert_f32_i2() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xi2>
  check.expect_eq_const %0, dense<[0, 1, -2, 0, 1, 1, -2, -2, 1, 1, 1, 1, -2]> : tensor<13xi2>
  func.return
}
func.func @convert_f32_i4() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xi4>
  check.expect_eq_const %0, dense<[0, 7, -8, 0, 7, 7, -8, -8, 7, 7, 7, 7, -8]> : tensor<13xi4>
  func.return
}
func.func @convert_f32_ui4() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xui4>
  check.expect_eq_const %0, dense<[0, 15, 0, 0, 15, 15, 0, 0, 15, 15, 15, 15, 0]> : tensor<13xui4>
  func.return
}
func.func @convert_f32_i8() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xi8>
  check.expect_eq_const %0, dense<[0, 127, -128, 0, 127, 127, -128, -128, 127, 127, 127, 127, -128]> : tensor<13xi8>
  func.return
}
func.func @convert_f32_ui8() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xui8>
  check.expect_eq_const %0, dense<[0, 255, 0, 0, 127, 128, 0, 0, 255, 255, 255, 255, 0]> : tensor<13xui8>
  func.return
}
func.func @convert_f32_i32() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xi32>
  check.expect_eq_const %0, dense<[0, 2147483647, -2147483648, 0, 127, 128, -128, -129, 255, 256, 2147483647, 2147483647, -2147483648]> : tensor<13xi32>
  func.return
}
func.func @convert_f32_ui32() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xui32>
  check.expect_eq_const %0, dense<[0, 4294967295, 0, 0, 127, 128, 0, 0, 255, 256, 3000000000, 4294967295, 0]> : tensor<13xui32>
  func.return
}
func.func @convert_f32_i64() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xi64>
  check.expect_eq_const %0, dense<[0, 9223372036854775807, -9223372036854775808, 0, 127, 128, -128, -129, 255, 256, 3000000000, 9223372036854775807, -9223372036854775808]> : tensor<13xi64>
  func.return
}
func.func @convert_f32_ui64() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 3.0e9, 2.0e19, -2.0e19]> : tensor<13xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<13xf32>) -> tensor<13xui64>
  check.expect_eq_const %0, dense<[0, 18446744073709551615, 0, 0, 127, 128, 0, 0, 255, 256, 3000000000, 18446744073709551615, 0]> : tensor<13xui64>
  func.return
}
func.func @convert_f64_i32() {
  %x = stablehlo.constant dense<[2147483647.5, -2147483648.5, 4294967295.5, 0x7FF8000000000000]> : tensor<4xf64>
  %0 = "stablehlo.convert"(%x) : (tensor<4xf64>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[2147483647, -2147483648, 2147483647, 0]> : tensor<4xi32>
  func.return
}
func.func @convert_i64_f32() {
  %x = stablehlo.constant dense<[9007199254740993, -9223372036854775808, 4611686018695823361, 1]> : tensor<4xi64>
  %0 = "stablehlo.convert"(%x) : (tensor<4xi64>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<[9007199254740992.0, -9.223372e+18, 4.611686e+18, 1.0]> : tensor<4xf32>
  func.return
}
func.func @convert_i64_bf16() {
  %x = stablehlo.constant dense<[4647714815446351873, -4647714815446351873, 72057594037927937]> : tensor<3xi64>
  %0 = "stablehlo.convert"(%x) : (tensor<3xi64>) -> tensor<3xbf16>
  check.expect_eq_const %0, dense<[4.65e+18, -4.65e+18, 7.2e+16]> : tensor<3xbf16>
  func.return
}
func.func @convert_ui64_f64() {
  %x = stablehlo.constant dense<[18446744073709551615, 9223372036854775809]> : tensor<2xui64>
  %0 = "stablehlo.convert"(%x) : (tensor<2xui64>) -> tensor<2xf64>
  check.expect_eq_const %0, dense<[1.8446744073709552e+19, 9.223372036854776e+18]> : tensor<2xf64>
  func.return
}
func.func @convert_i1_f32() {
  %x = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %0 = "stablehlo.convert"(%x) : (tensor<2xi1>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0, 0.0]> : tensor<2xf32>
  func.return
}
func.func @convert_i1_i8() {
  %x = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %0 = "stablehlo.convert"(%x) : (tensor<2xi1>) -> tensor<2xi8>
  check.expect_eq_const %0, dense<[1, 0]> : tensor<2xi8>
  func.return
}
func.func @convert_ui8_i32() {
  %x = stablehlo.constant dense<[200, 1]> : tensor<2xui8>
  %0 = "stablehlo.convert"(%x) : (tensor<2xui8>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[200, 1]> : tensor<2xi32>
  func.return
}
func.func @convert_i32_ui8() {
  %x = stablehlo.constant dense<[200, -1, 65536]> : tensor<3xi32>
  %0 = "stablehlo.convert"(%x) : (tensor<3xi32>) -> tensor<3xui8>
  check.expect_eq_const %0, dense<[200, 255, 0]> : tensor<3xui8>
  func.return
}
func.func @convert_f16_bf16() {
  %x = stablehlo.constant dense<[1.0, 0x7C00, 65504.0, 0x0001]> : tensor<4xf16>
  %0 = "stablehlo.convert"(%x) : (tensor<4xf16>) -> tensor<4xbf16>
  check.expect_eq_const %0, dense<[1.0, 0x7F80, 65536.0, 5.96e-08]> : tensor<4xbf16>
  func.return
}
func.func @convert_bf16_f16() {
  %x = stablehlo.constant dense<[1.0, 3.0e38, 1.0e-7]> : tensor<3xbf16>
  %0 = "stablehlo.convert"(%x) : (tensor<3xbf16>) -> tensor<3xf16>
  check.expect_eq_const %0, dense<[1.0, 0x7C00, 1.0e-07]> : tensor<3xf16>
  func.return
}
func.func @convert_f32_f8E4M3FN() {
  %x = stablehlo.constant dense<[448.0, 480.0, 1.0e9, 0x7F800000, 0x7FC00000, 0.001]> : tensor<6xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<6xf32>) -> tensor<6xf8E4M3FN>
  check.expect_close_const %0, dense<[448.0, 0x7F, 0x7F, 0x7F, 0x7F, 0.002]> : tensor<6xf8E4M3FN>, max_ulp_difference = 0
  func.return
}
func.func @convert_f32_f4E2M1FN() {
  %x = stablehlo.constant dense<[7.0, -100.0, 0x7FC00000, 0.2]> : tensor<4xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<4xf32>) -> tensor<4xf4E2M1FN>
  check.expect_eq_const %0, dense<[6.0, -6.0, -0.0, 0.0]> : tensor<4xf4E2M1FN>
  func.return
}
func.func @convert_f32_f8E8M0FNU() {
  %x = stablehlo.constant dense<[0.0, -1.0, 3.0, 1.0e38, 1.0e-45, 0x7F800000]> : tensor<6xf32>
  %0 = "stablehlo.convert"(%x) : (tensor<6xf32>) -> tensor<6xf8E8M0FNU>
  check.expect_close_const %0, dense<[0xFF, 0xFF, 4.0, 9.0e+37, 6.0e-39, 0xFF]> : tensor<6xf8E8M0FNU>, max_ulp_difference = 0
  func.return
}
func.func @convert_f8E5M2_f8E4M3FN() {
  %x = stablehlo.constant dense<[57344.0, 0x7C, 0x01]> : tensor<3xf8E5M2>
  %0 = "stablehlo.convert"(%x) : (tensor<3xf8E5M2>) -> tensor<3xf8E4M3FN>
  check.expect_close_const %0, dense<[0x7F, 0x7F, 0.0]> : tensor<3xf8E4M3FN>, max_ulp_difference = 0
  func.return
}
func.func @convert_f8E8M0FNU_f32() {
  %x = stablehlo.constant dense<[0x00, 0x7F, 0xFE]> : tensor<3xf8E8M0FNU>
  %0 = "stablehlo.convert"(%x) : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[5.877472e-39, 1.0, 1.7014118e+38]> : tensor<3xf32>
  func.return
}
func.func @convert_complex_narrower() {
  %x = stablehlo.constant dense<[(1.5, 2.5), (1.0e300, -1.0e-300)]> : tensor<2xcomplex<f64>>
  %0 = "stablehlo.convert"(%x) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.5, 2.5), (0x7F800000, -0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
func.func @convert_complex_i8() {
  %x = stablehlo.constant dense<[(-1.5, 2.5), (300.0, 1.0)]> : tensor<2xcomplex<f32>>
  %0 = "stablehlo.convert"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xi8>
  check.expect_eq_const %0, dense<[-1, 127]> : tensor<2xi8>
  func.return
}
func.func @convert_i8_complex() {
  %x = stablehlo.constant dense<[-3, 4]> : tensor<2xi8>
  %0 = "stablehlo.convert"(%x) : (tensor<2xi8>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %0, dense<[(-3.0, 0.0), (4.0, 0.0)]> : tensor<2xcomplex<f64>>
  func.return
}
func.func @round_nearest_afz_f32() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 0x7FC00000, 8388609.0]> : tensor<8xf32>
  %0 = "stablehlo.round_nearest_afz"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  check.expect_close_const %0, dense<[-3.0, -1.0, 1.0, 2.0, 3.0, 0.0, 0x7FC00000, 8388609.0]> : tensor<8xf32>, max_ulp_difference = 0
  func.return
}
func.func @round_nearest_even_f32() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 0x7FC00000, 8388609.0]> : tensor<8xf32>
  %0 = "stablehlo.round_nearest_even"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  check.expect_close_const %0, dense<[-2.0, -0.0, 0.0, 2.0, 2.0, 0.0, 0x7FC00000, 8388609.0]> : tensor<8xf32>, max_ulp_difference = 0
  func.return
}
func.func @floor_f32() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 0x7FC00000, 8388609.0]> : tensor<8xf32>
  %0 = "stablehlo.floor"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  check.expect_close_const %0, dense<[-3.0, -1.0, 0.0, 1.0, 2.0, 0.0, 0x7FC00000, 8388609.0]> : tensor<8xf32>, max_ulp_difference = 0
  func.return
}
func.func @ceil_f32() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 0x7FC00000, 8388609.0]> : tensor<8xf32>
  %0 = "stablehlo.ceil"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  check.expect_close_const %0, dense<[-2.0, -0.0, 1.0, 2.0, 3.0, 1.0, 0x7FC00000, 8388609.0]> : tensor<8xf32>, max_ulp_difference = 0
  func.return
}
func.func @is_finite_f32() {
  %x = stablehlo.constant dense<[1.0, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  %0 = "stablehlo.is_finite"(%x) : (tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, false, false]> : tensor<3xi1>
  func.return
}
func.func @is_finite_f8E4M3FN() {
  %x = stablehlo.constant dense<[448.0, 0x7F]> : tensor<2xf8E4M3FN>
  %0 = "stablehlo.is_finite"(%x) : (tensor<2xf8E4M3FN>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  func.return
}
func.func @reduce_precision_e5m10() {
  %x = stablehlo.constant dense<[1.00048828, 65520.0, 3.0, -1.0e-20, 0x7F800000, 0x7FC00000, -0.0, 0x00000001, 0x7F7FFFFF]> : tensor<9xf32>
  %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<9xf32>
  check.expect_close_const %0, dense<[1.0, 0x7F800000, 3.0, -0.0, 0x7F800000, 0x7FC00000, -0.0, 0.0, 0x7F800000]> : tensor<9xf32>, max_ulp_difference = 0
  func.return
}
func.func @reduce_precision_e8m7() {
  %x = stablehlo.constant dense<[1.00048828, 65520.0, 3.0, -1.0e-20, 0x7F800000, 0x7FC00000, -0.0, 0x00000001, 0x7F7FFFFF]> : tensor<9xf32>
  %0 = stablehlo.reduce_precision %x, format = e8m7 : tensor<9xf32>
  check.expect_close_const %0, dense<[1.0, 65536.0, 3.0, -1.0005577e-20, 0x7F800000, 0x7FC00000, -0.0, 0.0, 0x7F800000]> : tensor<9xf32>, max_ulp_difference = 0
  func.return
}
func.func @reduce_precision_e3m2() {
  %x = stablehlo.constant dense<[1.00048828, 65520.0, 3.0, -1.0e-20, 0x7F800000, 0x7FC00000, -0.0, 0x00000001, 0x7F7FFFFF]> : tensor<9xf32>
  %0 = stablehlo.reduce_precision %x, format = e3m2 : tensor<9xf32>
  check.expect_close_const %0, dense<[1.0, 0x7F800000, 3.0, -0.0, 0x7F800000, 0x7FC00000, -0.0, 0.0, 0x7F800000]> : tensor<9xf32>, max_ulp_difference = 0
  func.return
}
func.func @reduce_precision_e1m0() {
  %x = stablehlo.constant dense<[1.00048828, 65520.0, 3.0, -1.0e-20, 0x7F800000, 0x7FC00000, -0.0, 0x00000001, 0x7F7FFFFF]> : tensor<9xf32>
  %0 = stablehlo.reduce_precision %x, format = e1m0 : tensor<9xf32>
  check.expect_eq_const %0, dense<[0.0, 0x7F800000, 0x7F800000, -0.0, 0x7F800000, 0x7F800000, -0.0, 0.0, 0x7F800000]> : tensor<9xf32>
  func.return
}
func.func @reduce_precision_e8m0() {
  %x = stablehlo.constant dense<[1.00048828, 65520.0, 3.0, -1.0e-20, 0x7F800000, 0x7FC00000, -0.0, 0x00000001, 0x7F7FFFFF]> : tensor<9xf32>
  %0 = stablehlo.reduce_precision %x, format = e8m0 : tensor<9xf32>
  check.expect_eq_const %0, dense<[1.0, 65536.0, 4.0, -6.7762636e-21, 0x7F800000, 0x7F800000, -0.0, 0.0, 0x7F800000]> : tensor<9xf32>
  func.return
}
func.func @reduce_precision_e4m23() {
  %x = stablehlo.constant dense<[1.00048828, 65520.0, 3.0, -1.0e-20, 0x7F800000, 0x7FC00000, -0.0, 0x00000001, 0x7F7FFFFF]> : tensor<9xf32>
  %0 = stablehlo.reduce_precision %x, format = e4m23 : tensor<9xf32>
  check.expect_close_const %0, dense<[1.0004883, 0x7F800000, 3.0, -0.0, 0x7F800000, 0x7FC00000, -0.0, 0.0, 0x7F800000]> : tensor<9xf32>, max_ulp_difference = 0
  func.return
}
func.func @reduce_precision_f8() {
  %x = stablehlo.constant dense<[0x7E, 0x01, 0x7F, 0x3D]> : tensor<4xf8E4M3FN>
  %0 = stablehlo.reduce_precision %x, format = e4m1 : tensor<4xf8E4M3FN>
  check.expect_close_const %0, dense<[0x7F, 0.0, 0x7F, 1.5]> : tensor<4xf8E4M3FN>, max_ulp_difference = 0
  func.return
}
func.func @real_complexf32() {
  %x = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %0 = "stablehlo.real"(%x) : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  check.expect_eq_const %0, dense<[1.0]> : tensor<1xf32>
  func.return
}
func.func @real_f16() {
  %x = stablehlo.constant dense<[-3.0]> : tensor<1xf16>
  %0 = "stablehlo.real"(%x) : (tensor<1xf16>) -> tensor<1xf16>
  check.expect_eq_const %0, dense<[-3.0]> : tensor<1xf16>
  func.return
}
func.func @imag_complexf32() {
  %x = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %0 = "stablehlo.imag"(%x) : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  check.expect_eq_const %0, dense<[-2.0]> : tensor<1xf32>
  func.return
}
func.func @imag_f16() {
  %x = stablehlo.constant dense<[-3.0]> : tensor<1xf16>
  %0 = "stablehlo.imag"(%x) : (tensor<1xf16>) -> tensor<1xf16>
  check.expect_eq_const %0, dense<[0.0]> : tensor<1xf16>
  func.return
}
func.func @clamp_scalar_bounds() {
  %x = stablehlo.constant dense<[-5, 0, 5]> : tensor<3xi32>
  %lo = stablehlo.constant dense<-1> : tensor<i32>
  %hi = stablehlo.constant dense<[3, -9, 4]> : tensor<3xi32>
  %0 = "stablehlo.clamp"(%lo, %x, %hi) : (tensor<i32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[-1, -9, 4]> : tensor<3xi32>
  func.return
}
func.func @clamp_nan() {
  %x = stablehlo.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  %lo = stablehlo.constant dense<1.0> : tensor<f32>
  %hi = stablehlo.constant dense<[3.0, 0x7FC00000]> : tensor<2xf32>
  %0 = "stablehlo.clamp"(%lo, %x, %hi) : (tensor<f32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_close_const %0, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>, max_ulp_difference = 0
  func.return
}
func.func @select_scalar_predicate() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %x = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %y = stablehlo.constant dense<[(3.0, 4.0)]> : tensor<1xcomplex<f32>>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<1xcomplex<f32>>
  check.expect_eq_const %0, dense<[(3.0, 4.0)]> : tensor<1xcomplex<f32>>
  func.return
}
func.func @bitcast_f32_i32() {
  %x = stablehlo.constant dense<[1.0, 0x7FC00001]> : tensor<2xf32>
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[1065353216, 2143289345]> : tensor<2xi32>
  func.return
}
func.func @bitcast_i16_bf16() {
  %x = stablehlo.constant dense<[16256, -1]> : tensor<2xi16>
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<2xi16>) -> tensor<2xbf16>
  check.expect_close_const %0, dense<[1.0, 0x7FC0]> : tensor<2xbf16>, max_ulp_difference = 0
  func.return
}
func.func @bitcast_complexf32_complexf32() {
  %x = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  func.return
}
func.func @bitcast_ui8_i8() {
  %x = stablehlo.constant dense<[200]> : tensor<1xui8>
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<1xui8>) -> tensor<1xi8>
  check.expect_eq_const %0, dense<[-56]> : tensor<1xi8>
  func.return
}
func.func @bitcast_i8_f8E5M2() {
  %x = stablehlo.constant dense<[60, -4]> : tensor<2xi8>
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<2xi8>) -> tensor<2xf8E5M2>
  check.expect_eq_const %0, dense<[1.0, 0xFC]> : tensor<2xf8E5M2>
  func.return
}
func.func @bitcast_i4_f4E2M1FN() {
  %x = stablehlo.constant dense<[7, -1]> : tensor<2xi4>
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<2xi4>) -> tensor<2xf4E2M1FN>
  check.expect_eq_const %0, dense<[6.0, -6.0]> : tensor<2xf4E2M1FN>
  func.return
}
func.func @rank_zero() {
  %x = stablehlo.constant dense<7> : tensor<i32>
  %y = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.divide %x, %y : tensor<i32>
  check.expect_eq_const %0, dense<-1> : tensor<i32>
  func.return
}
func.func @no_elements() {
  %x = stablehlo.constant dense<> : tensor<0x3xui4>
  %0 = stablehlo.convert %x : (tensor<0x3xui4>) -> tensor<0x3xf8E4M3FN>
  check.expect_eq_const %0, dense<> : tensor<0x3xf8E4M3FN>
  func.return
}
