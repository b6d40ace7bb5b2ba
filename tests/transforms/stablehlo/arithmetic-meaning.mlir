// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic, extrema, bits and comparisons where integers overflow, divisors are
// zero, shifts are as long as the width, and with NaN and signed zeros. The
// expected values are those of the evaluator of StableHLO.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s

func.func @divide_i8() {
  %x = stablehlo.constant dense<[7, -7, -128, -7, 7, 5]> : tensor<6xi8>
  %y = stablehlo.constant dense<[0, 0, -1, 2, -2, -1]> : tensor<6xi8>
  %0 = "stablehlo.divide"(%x, %y) : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  check.expect_eq_const %0, dense<[-1, -1, -128, -3, -3, -5]> : tensor<6xi8>
  func.return
}
func.func @divide_ui8() {
  %x = stablehlo.constant dense<[7, 200, 255, 1]> : tensor<4xui8>
  %y = stablehlo.constant dense<[0, 3, 255, 200]> : tensor<4xui8>
  %0 = "stablehlo.divide"(%x, %y) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  check.expect_eq_const %0, dense<[255, 66, 1, 0]> : tensor<4xui8>
  func.return
}
func.func @divide_i64() {
  %x = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808, 9]> : tensor<3xi64>
  %y = stablehlo.constant dense<[-1, 0, -4]> : tensor<3xi64>
  %0 = "stablehlo.divide"(%x, %y) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  check.expect_eq_const %0, dense<[-9223372036854775808, -1, -2]> : tensor<3xi64>
  func.return
}
func.func @remainder_i8() {
  %x = stablehlo.constant dense<[7, -7, -128, -7, 7, 5]> : tensor<6xi8>
  %y = stablehlo.constant dense<[0, 0, -1, 2, -2, -1]> : tensor<6xi8>
  %0 = "stablehlo.remainder"(%x, %y) : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  check.expect_eq_const %0, dense<[7, -7, 0, -1, 1, 0]> : tensor<6xi8>
  func.return
}
func.func @remainder_ui8() {
  %x = stablehlo.constant dense<[7, 200, 255, 1]> : tensor<4xui8>
  %y = stablehlo.constant dense<[0, 3, 255, 200]> : tensor<4xui8>
  %0 = "stablehlo.remainder"(%x, %y) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  check.expect_eq_const %0, dense<[7, 2, 0, 1]> : tensor<4xui8>
  func.return
}
func.func @remainder_i64() {
  %x = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808, 9]> : tensor<3xi64>
  %y = stablehlo.constant dense<[-1, 0, -4]> : tensor<3xi64>
  %0 = "stablehlo.remainder"(%x, %y) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  check.expect_eq_const %0, dense<[0, -9223372036854775808, 1]> : tensor<3xi64>
  func.return
}
func.func @power_i8() {
  %x = stablehlo.constant dense<[2, 2, -1, -1, 1, 0, 0, 3, -3]> : tensor<9xi8>
  %y = stablehlo.constant dense<[3, -1, -3, -2, -5, -2, 0, 7, 5]> : tensor<9xi8>
  %0 = "stablehlo.power"(%x, %y) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
  check.expect_eq_const %0, dense<[8, 0, -1, 1, 1, 0, 1, -117, 13]> : tensor<9xi8>
  func.return
}
func.func @power_ui8() {
  %x = stablehlo.constant dense<[3, 2, 2, 0, 7]> : tensor<5xui8>
  %y = stablehlo.constant dense<[255, 7, 8, 0, 200]> : tensor<5xui8>
  %0 = "stablehlo.power"(%x, %y) : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  check.expect_eq_const %0, dense<[171, 128, 0, 1, 193]> : tensor<5xui8>
  func.return
}
func.func @power_f32() {
  %x = stablehlo.constant dense<[0.0, -0.0, -8.0, 2.0, 0x7FC00000, 1.0, -2.0]> : tensor<7xf32>
  %y = stablehlo.constant dense<[0.0, -1.0, 0.333333343, 0.5, 0.0, 0x7FC00000, 3.0]> : tensor<7xf32>
  %0 = "stablehlo.power"(%x, %y) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[1.0, 0xFF800000, 0x7FC00000, 1.4142135, 1.0, 1.0, -8.0]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @shift_left_i8() {
  %x = stablehlo.constant dense<[-77, -77, -77, -77, 77, 1]> : tensor<6xi8>
  %y = stablehlo.constant dense<[3, 7, 8, -1, 100, 0]> : tensor<6xi8>
  %0 = "stablehlo.shift_left"(%x, %y) : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  check.expect_eq_const %0, dense<[-104, -128, 0, 0, 0, 1]> : tensor<6xi8>
  func.return
}
func.func @shift_left_ui4() {
  %x = stablehlo.constant dense<[13, 13, 13, 13]> : tensor<4xui4>
  %y = stablehlo.constant dense<[1, 3, 4, 15]> : tensor<4xui4>
  %0 = "stablehlo.shift_left"(%x, %y) : (tensor<4xui4>, tensor<4xui4>) -> tensor<4xui4>
  check.expect_eq_const %0, dense<[10, 8, 0, 0]> : tensor<4xui4>
  func.return
}
func.func @shift_right_logical_i8() {
  %x = stablehlo.constant dense<[-77, -77, -77, -77, 77, 1]> : tensor<6xi8>
  %y = stablehlo.constant dense<[3, 7, 8, -1, 100, 0]> : tensor<6xi8>
  %0 = "stablehlo.shift_right_logical"(%x, %y) : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  check.expect_eq_const %0, dense<[22, 1, 0, 0, 0, 1]> : tensor<6xi8>
  func.return
}
func.func @shift_right_logical_ui4() {
  %x = stablehlo.constant dense<[13, 13, 13, 13]> : tensor<4xui4>
  %y = stablehlo.constant dense<[1, 3, 4, 15]> : tensor<4xui4>
  %0 = "stablehlo.shift_right_logical"(%x, %y) : (tensor<4xui4>, tensor<4xui4>) -> tensor<4xui4>
  check.expect_eq_const %0, dense<[6, 1, 0, 0]> : tensor<4xui4>
  func.return
}
func.func @shift_right_arithmetic_i8() {
  %x = stablehlo.constant dense<[-77, -77, -77, -77, 77, 1]> : tensor<6xi8>
  %y = stablehlo.constant dense<[3, 7, 8, -1, 100, 0]> : tensor<6xi8>
  %0 = "stablehlo.shift_right_arithmetic"(%x, %y) : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  check.expect_eq_const %0, dense<[-10, -1, -1, -1, 0, 1]> : tensor<6xi8>
  func.return
}
func.func @shift_right_arithmetic_ui4() {
  %x = stablehlo.constant dense<[13, 13, 13, 13]> : tensor<4xui4>
  %y = stablehlo.constant dense<[1, 3, 4, 15]> : tensor<4xui4>
  %0 = "stablehlo.shift_right_arithmetic"(%x, %y) : (tensor<4xui4>, tensor<4xui4>) -> tensor<4xui4>
  check.expect_eq_const %0, dense<[14, 15, 15, 15]> : tensor<4xui4>
  func.return
}
func.func @sign_i8() {
  %x = stablehlo.constant dense<[-128, -1, 0, 1, 127]> : tensor<5xi8>
  %0 = "stablehlo.sign"(%x) : (tensor<5xi8>) -> tensor<5xi8>
  check.expect_eq_const %0, dense<[-1, -1, 0, 1, 1]> : tensor<5xi8>
  func.return
}
func.func @sign_f32() {
  %x = stablehlo.constant dense<[-0.0, 0.0, -3.0, 0x7F800000, 0x7FC00000, 0x00000001]> : tensor<6xf32>
  %0 = "stablehlo.sign"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %0, dense<[-0.0, 0.0, -1.0, 1.0, 0x7FC00000, 1.0]> : tensor<6xf32>, max_ulp_difference = 0
  func.return
}
func.func @sign_complexf32() {
  %x = stablehlo.constant dense<[(0.0, -0.0), (3.0, -4.0), (3.0e38, 3.0e38), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = "stablehlo.sign"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_close_const %0, dense<[(0.0, 0.0), (0.6, -0.8), (0.70710677, 0.70710677), (0x7FC00000, 0x7FC00000)]> : tensor<4xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @abs_i8() {
  %x = stablehlo.constant dense<[-128, -1, 127]> : tensor<3xi8>
  %0 = "stablehlo.abs"(%x) : (tensor<3xi8>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[-128, 1, 127]> : tensor<3xi8>
  func.return
}
func.func @abs_complexf32() {
  %x = stablehlo.constant dense<[(3.0, -4.0), (3.0e38, 3.0e38), (0x7F800000, 0x7FC00000)]> : tensor<3xcomplex<f32>>
  %0 = "stablehlo.abs"(%x) : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[5.0, 0x7F800000, 0x7F800000]> : tensor<3xf32>
  func.return
}
func.func @negate_i8() {
  %x = stablehlo.constant dense<[-128, 1, 0]> : tensor<3xi8>
  %0 = "stablehlo.negate"(%x) : (tensor<3xi8>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[-128, -1, 0]> : tensor<3xi8>
  func.return
}
func.func @negate_ui8() {
  %x = stablehlo.constant dense<[1, 255, 0]> : tensor<3xui8>
  %0 = "stablehlo.negate"(%x) : (tensor<3xui8>) -> tensor<3xui8>
  check.expect_eq_const %0, dense<[255, 1, 0]> : tensor<3xui8>
  func.return
}
func.func @negate_f8E5M2() {
  %x = stablehlo.constant dense<[1.0, 0x7C, 0x00]> : tensor<3xf8E5M2>
  %0 = "stablehlo.negate"(%x) : (tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
  check.expect_eq_const %0, dense<[-1.0, 0xFC, -0.0]> : tensor<3xf8E5M2>
  func.return
}
func.func @not_i1() {
  %x = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %0 = "stablehlo.not"(%x) : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  func.return
}
func.func @not_ui4() {
  %x = stablehlo.constant dense<[0, 5, 15]> : tensor<3xui4>
  %0 = "stablehlo.not"(%x) : (tensor<3xui4>) -> tensor<3xui4>
  check.expect_eq_const %0, dense<[15, 10, 0]> : tensor<3xui4>
  func.return
}
func.func @popcnt_i8() {
  %x = stablehlo.constant dense<[-1, 0, 7]> : tensor<3xi8>
  %0 = "stablehlo.popcnt"(%x) : (tensor<3xi8>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[8, 0, 3]> : tensor<3xi8>
  func.return
}
func.func @count_leading_zeros_i8() {
  %x = stablehlo.constant dense<[0, 1, -1, 32]> : tensor<4xi8>
  %0 = "stablehlo.count_leading_zeros"(%x) : (tensor<4xi8>) -> tensor<4xi8>
  check.expect_eq_const %0, dense<[8, 7, 0, 2]> : tensor<4xi8>
  func.return
}
func.func @count_leading_zeros_ui64() {
  %x = stablehlo.constant dense<[0, 1]> : tensor<2xui64>
  %0 = "stablehlo.count_leading_zeros"(%x) : (tensor<2xui64>) -> tensor<2xui64>
  check.expect_eq_const %0, dense<[64, 63]> : tensor<2xui64>
  func.return
}
func.func @add_i1() {
  %x = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %y = stablehlo.constant dense<[true, false, false]> : tensor<3xi1>
  %0 = "stablehlo.add"(%x, %y) : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, true, false]> : tensor<3xi1>
  func.return
}
func.func @multiply_i1() {
  %x = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %y = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %0 = "stablehlo.multiply"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  func.return
}
func.func @maximum_f32() {
  %x = stablehlo.constant dense<[0x7FC00000, 1.0, -0.0, 0.0, 0xFF800000]> : tensor<5xf32>
  %y = stablehlo.constant dense<[1.0, 0x7FC00000, 0.0, -0.0, -3.0]> : tensor<5xf32>
  %0 = "stablehlo.maximum"(%x, %y) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.expect_close_const %0, dense<[0x7FC00000, 0x7FC00000, 0.0, 0.0, -3.0]> : tensor<5xf32>, max_ulp_difference = 0
  func.return
}
func.func @minimum_f32() {
  %x = stablehlo.constant dense<[0x7FC00000, 1.0, -0.0, 0.0, 0xFF800000]> : tensor<5xf32>
  %y = stablehlo.constant dense<[1.0, 0x7FC00000, 0.0, -0.0, -3.0]> : tensor<5xf32>
  %0 = "stablehlo.minimum"(%x, %y) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.expect_close_const %0, dense<[0x7FC00000, 0x7FC00000, -0.0, -0.0, 0xFF800000]> : tensor<5xf32>, max_ulp_difference = 0
  func.return
}
func.func @maximum_ui8() {
  %x = stablehlo.constant dense<[200, 1]> : tensor<2xui8>
  %y = stablehlo.constant dense<[3, 255]> : tensor<2xui8>
  %0 = "stablehlo.maximum"(%x, %y) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %0, dense<[200, 255]> : tensor<2xui8>
  func.return
}
func.func @maximum_i1() {
  %x = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %y = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %0 = "stablehlo.maximum"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  func.return
}
func.func @maximum_complexf32() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (2.0, -1.0), (0x7FC00000, 1.0), (1.0, 2.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (1.0, 9.0), (5.0, 5.0), (9.0, 0x7FC00000)]> : tensor<4xcomplex<f32>>
  %0 = "stablehlo.maximum"(%x, %y) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_close_const %0, dense<[(1.0, 3.0), (2.0, -1.0), (0x7FC00000, 1.0), (9.0, 0x7FC00000)]> : tensor<4xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @minimum_ui8() {
  %x = stablehlo.constant dense<[200, 1]> : tensor<2xui8>
  %y = stablehlo.constant dense<[3, 255]> : tensor<2xui8>
  %0 = "stablehlo.minimum"(%x, %y) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %0, dense<[3, 1]> : tensor<2xui8>
  func.return
}
func.func @minimum_i1() {
  %x = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %y = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %0 = "stablehlo.minimum"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, false]> : tensor<2xi1>
  func.return
}
func.func @minimum_complexf32() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (2.0, -1.0), (0x7FC00000, 1.0), (1.0, 2.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (1.0, 9.0), (5.0, 5.0), (9.0, 0x7FC00000)]> : tensor<4xcomplex<f32>>
  %0 = "stablehlo.minimum"(%x, %y) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_close_const %0, dense<[(1.0, 2.0), (1.0, 9.0), (0x7FC00000, 1.0), (9.0, 0x7FC00000)]> : tensor<4xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @remainder_f32() {
  %x = stablehlo.constant dense<[5.5, -5.5, 5.0, 1.0, 0x7F800000]> : tensor<5xf32>
  %y = stablehlo.constant dense<[2.0, 2.0, 0.0, 0x7F800000, 1.0]> : tensor<5xf32>
  %0 = "stablehlo.remainder"(%x, %y) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  check.expect_close_const %0, dense<[1.5, -1.5, 0x7FC00000, 1.0, 0x7FC00000]> : tensor<5xf32>, max_ulp_difference = 0
  func.return
}
func.func @divide_f32() {
  %x = stablehlo.constant dense<[1.0, -1.0, 0.0, 1.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[0.0, 0.0, 0.0, 3.0]> : tensor<4xf32>
  %0 = "stablehlo.divide"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_close_const %0, dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.33333334]> : tensor<4xf32>, max_ulp_difference = 0
  func.return
}
func.func @divide_complexf32() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (1.0e30, 1.0e30), (1.0, 0.0)]> : tensor<3xcomplex<f32>>
  %y = stablehlo.constant dense<[(3.0, -4.0), (1.0e30, 1.0e30), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %0 = "stablehlo.divide"(%x, %y) : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_close_const %0, dense<[(-0.2, 0.4), (1.0, 0.0), (0x7F800000, 0x7FC00000)]> : tensor<3xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @compare_EQ_f32() {
  %x = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 3.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0.0, 2.0, 3.0]> : tensor<4xf32>
  %0 = stablehlo.compare EQ, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, false, true]> : tensor<4xi1>
  func.return
}
func.func @compare_EQ_complex() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (1.0, 3.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.compare EQ, %x, %y : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, false, true, false]> : tensor<4xi1>
  func.return
}
func.func @compare_NE_f32() {
  %x = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 3.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0.0, 2.0, 3.0]> : tensor<4xf32>
  %0 = stablehlo.compare NE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, false, true, false]> : tensor<4xi1>
  func.return
}
func.func @compare_NE_complex() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (1.0, 3.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.compare NE, %x, %y : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, true, false, true]> : tensor<4xi1>
  func.return
}
func.func @compare_GE_f32() {
  %x = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 3.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0.0, 2.0, 3.0]> : tensor<4xf32>
  %0 = stablehlo.compare GE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, false, true]> : tensor<4xi1>
  func.return
}
func.func @compare_GE_complex() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (1.0, 3.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.compare GE, %x, %y : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, true, false]> : tensor<4xi1>
  func.return
}
func.func @compare_GT_f32() {
  %x = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 3.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0.0, 2.0, 3.0]> : tensor<4xf32>
  %0 = stablehlo.compare GT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, false, false, false]> : tensor<4xi1>
  func.return
}
func.func @compare_GT_complex() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (1.0, 3.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.compare GT, %x, %y : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, false, false]> : tensor<4xi1>
  func.return
}
func.func @compare_LE_f32() {
  %x = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 3.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0.0, 2.0, 3.0]> : tensor<4xf32>
  %0 = stablehlo.compare LE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, true, true]> : tensor<4xi1>
  func.return
}
func.func @compare_LE_complex() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (1.0, 3.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.compare LE, %x, %y : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, false, true, false]> : tensor<4xi1>
  func.return
}
func.func @compare_LT_f32() {
  %x = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 3.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0.0, 2.0, 3.0]> : tensor<4xf32>
  %0 = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, false, true, false]> : tensor<4xi1>
  func.return
}
func.func @compare_LT_complex() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (1.0, 3.0), (1.0, 1.0), (0x7FC00000, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.compare LT, %x, %y : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, false, false, false]> : tensor<4xi1>
  func.return
}
func.func @compare_EQ_total_f32() {
  %x = stablehlo.constant dense<[0xFFC00000, -0.0, 0x7FC00000, 0x7FC00000, 1.0]> : tensor<5xf32>
  %y = stablehlo.constant dense<[0xFF800000, 0.0, 0x7F800000, 0x7FC00000, 2.0]> : tensor<5xf32>
  %0 = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %0, dense<[false, false, false, true, false]> : tensor<5xi1>
  func.return
}
func.func @compare_EQ_total_f8E4M3FNUZ() {
  %x = stablehlo.constant dense<[0x80, 1.0, -1.0]> : tensor<3xf8E4M3FNUZ>
  %y = stablehlo.constant dense<[0x00, 2.0, -2.0]> : tensor<3xf8E4M3FNUZ>
  %0 = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, false, false]> : tensor<3xi1>
  func.return
}
func.func @compare_EQ_total_bf16() {
  %x = stablehlo.constant dense<[0xFFC0, -0.0, -1.0]> : tensor<3xbf16>
  %y = stablehlo.constant dense<[0xFF80, 0.0, -2.0]> : tensor<3xbf16>
  %0 = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, false, false]> : tensor<3xi1>
  func.return
}
func.func @compare_LT_total_f32() {
  %x = stablehlo.constant dense<[0xFFC00000, -0.0, 0x7FC00000, 0x7FC00000, 1.0]> : tensor<5xf32>
  %y = stablehlo.constant dense<[0xFF800000, 0.0, 0x7F800000, 0x7FC00000, 2.0]> : tensor<5xf32>
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %0, dense<[true, true, false, false, true]> : tensor<5xi1>
  func.return
}
func.func @compare_LT_total_f8E4M3FNUZ() {
  %x = stablehlo.constant dense<[0x80, 1.0, -1.0]> : tensor<3xf8E4M3FNUZ>
  %y = stablehlo.constant dense<[0x00, 2.0, -2.0]> : tensor<3xf8E4M3FNUZ>
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, true, false]> : tensor<3xi1>
  func.return
}
func.func @compare_LT_total_bf16() {
  %x = stablehlo.constant dense<[0xFFC0, -0.0, -1.0]> : tensor<3xbf16>
  %y = stablehlo.constant dense<[0xFF80, 0.0, -2.0]> : tensor<3xbf16>
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, true, false]> : tensor<3xi1>
  func.return
}
func.func @compare_GE_total_f32() {
  %x = stablehlo.constant dense<[0xFFC00000, -0.0, 0x7FC00000, 0x7FC00000, 1.0]> : tensor<5xf32>
  %y = stablehlo.constant dense<[0xFF800000, 0.0, 0x7F800000, 0x7FC00000, 2.0]> : tensor<5xf32>
  %0 = stablehlo.compare GE, %x, %y, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %0, dense<[false, false, true, true, false]> : tensor<5xi1>
  func.return
}
func.func @compare_GE_total_f8E4M3FNUZ() {
  %x = stablehlo.constant dense<[0x80, 1.0, -1.0]> : tensor<3xf8E4M3FNUZ>
  %y = stablehlo.constant dense<[0x00, 2.0, -2.0]> : tensor<3xf8E4M3FNUZ>
  %0 = stablehlo.compare GE, %x, %y, TOTALORDER : (tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, false, true]> : tensor<3xi1>
  func.return
}
func.func @compare_GE_total_bf16() {
  %x = stablehlo.constant dense<[0xFFC0, -0.0, -1.0]> : tensor<3xbf16>
  %y = stablehlo.constant dense<[0xFF80, 0.0, -2.0]> : tensor<3xbf16>
  %0 = stablehlo.compare GE, %x, %y, TOTALORDER : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, false, true]> : tensor<3xi1>
  func.return
}
func.func @compare_LT_ui8() {
  %x = stablehlo.constant dense<[200, 3]> : tensor<2xui8>
  %y = stablehlo.constant dense<[3, 200]> : tensor<2xui8>
  %0 = stablehlo.compare LT, %x, %y, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  func.return
}
func.func @compare_LT_i8() {
  %x = stablehlo.constant dense<[-56, 3]> : tensor<2xi8>
  %y = stablehlo.constant dense<[3, -56]> : tensor<2xi8>
  %0 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  func.return
}
func.func @compare_LT_i1() {
  %x = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %y = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  func.return
}

// Signed and unsigned order.
func.func @order_EQ_i8() {
  %x = stablehlo.constant dense<[-128, -1, 0, 1, 127, 5]> : tensor<6xi8>
  %y = stablehlo.constant dense<[127, 1, -1, 1, -128, 5]> : tensor<6xi8>
  %0 = stablehlo.compare EQ, %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[false, false, false, true, false, true]> : tensor<6xi1>
  func.return
}
func.func @order_NE_i8() {
  %x = stablehlo.constant dense<[-128, -1, 0, 1, 127, 5]> : tensor<6xi8>
  %y = stablehlo.constant dense<[127, 1, -1, 1, -128, 5]> : tensor<6xi8>
  %0 = stablehlo.compare NE, %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[true, true, true, false, true, false]> : tensor<6xi1>
  func.return
}
func.func @order_GE_i8() {
  %x = stablehlo.constant dense<[-128, -1, 0, 1, 127, 5]> : tensor<6xi8>
  %y = stablehlo.constant dense<[127, 1, -1, 1, -128, 5]> : tensor<6xi8>
  %0 = stablehlo.compare GE, %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[false, false, true, true, true, true]> : tensor<6xi1>
  func.return
}
func.func @order_GT_i8() {
  %x = stablehlo.constant dense<[-128, -1, 0, 1, 127, 5]> : tensor<6xi8>
  %y = stablehlo.constant dense<[127, 1, -1, 1, -128, 5]> : tensor<6xi8>
  %0 = stablehlo.compare GT, %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[false, false, true, false, true, false]> : tensor<6xi1>
  func.return
}
func.func @order_LE_i8() {
  %x = stablehlo.constant dense<[-128, -1, 0, 1, 127, 5]> : tensor<6xi8>
  %y = stablehlo.constant dense<[127, 1, -1, 1, -128, 5]> : tensor<6xi8>
  %0 = stablehlo.compare LE, %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[true, true, false, true, false, true]> : tensor<6xi1>
  func.return
}
func.func @order_LT_i8() {
  %x = stablehlo.constant dense<[-128, -1, 0, 1, 127, 5]> : tensor<6xi8>
  %y = stablehlo.constant dense<[127, 1, -1, 1, -128, 5]> : tensor<6xi8>
  %0 = stablehlo.compare LT, %x, %y : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[true, true, false, false, false, false]> : tensor<6xi1>
  func.return
}
func.func @order_EQ_ui8() {
  %x = stablehlo.constant dense<[200, 255, 0, 1, 127, 5]> : tensor<6xui8>
  %y = stablehlo.constant dense<[100, 1, 255, 1, 128, 5]> : tensor<6xui8>
  %0 = stablehlo.compare EQ, %x, %y : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[false, false, false, true, false, true]> : tensor<6xi1>
  func.return
}
func.func @order_NE_ui8() {
  %x = stablehlo.constant dense<[200, 255, 0, 1, 127, 5]> : tensor<6xui8>
  %y = stablehlo.constant dense<[100, 1, 255, 1, 128, 5]> : tensor<6xui8>
  %0 = stablehlo.compare NE, %x, %y : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[true, true, true, false, true, false]> : tensor<6xi1>
  func.return
}
func.func @order_GE_ui8() {
  %x = stablehlo.constant dense<[200, 255, 0, 1, 127, 5]> : tensor<6xui8>
  %y = stablehlo.constant dense<[100, 1, 255, 1, 128, 5]> : tensor<6xui8>
  %0 = stablehlo.compare GE, %x, %y : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[true, true, false, true, false, true]> : tensor<6xi1>
  func.return
}
func.func @order_GT_ui8() {
  %x = stablehlo.constant dense<[200, 255, 0, 1, 127, 5]> : tensor<6xui8>
  %y = stablehlo.constant dense<[100, 1, 255, 1, 128, 5]> : tensor<6xui8>
  %0 = stablehlo.compare GT, %x, %y : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[true, true, false, false, false, false]> : tensor<6xi1>
  func.return
}
func.func @order_LE_ui8() {
  %x = stablehlo.constant dense<[200, 255, 0, 1, 127, 5]> : tensor<6xui8>
  %y = stablehlo.constant dense<[100, 1, 255, 1, 128, 5]> : tensor<6xui8>
  %0 = stablehlo.compare LE, %x, %y : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[false, false, true, true, true, true]> : tensor<6xi1>
  func.return
}
func.func @order_LT_ui8() {
  %x = stablehlo.constant dense<[200, 255, 0, 1, 127, 5]> : tensor<6xui8>
  %y = stablehlo.constant dense<[100, 1, 255, 1, 128, 5]> : tensor<6xui8>
  %0 = stablehlo.compare LT, %x, %y : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[false, false, true, false, true, false]> : tensor<6xi1>
  func.return
}
