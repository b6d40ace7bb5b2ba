// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers at the limits of their types, and special floats: GE's operators give
// the results of StableHLO, which were computed by hand (with Python's integers
// and its math module).
// RUN: mercator-opt %s --split-input-file --convert-stablehlo-to-ascend | FileCheck %s
// RUN: mercator-opt %s --split-input-file --convert-stablehlo-to-ascend -o %t.mlir
// RUN: mercator conformance %t.mlir
// CHECK-NOT: stablehlo.

func.func @i8() {
  %c0 = stablehlo.constant dense<[-128, 127, 126, 7, 5, 15, -7, -127]> : tensor<8xi8>
  %c1 = stablehlo.constant dense<[127, 1, 25, 19, 0, 15, 2, -1]> : tensor<8xi8>
  %0 = stablehlo.add %c0, %c1 : tensor<8xi8>
  check.expect_eq_const %0, dense<[-1, -128, -105, 26, 5, 30, -5, -128]> : tensor<8xi8>
  %1 = stablehlo.subtract %c0, %c1 : tensor<8xi8>
  check.expect_eq_const %1, dense<[1, 126, 101, -12, 5, 0, -9, -126]> : tensor<8xi8>
  %2 = stablehlo.multiply %c0, %c1 : tensor<8xi8>
  check.expect_eq_const %2, dense<[-128, 127, 78, -123, 0, -31, -14, 127]> : tensor<8xi8>
  %3 = stablehlo.maximum %c0, %c1 : tensor<8xi8>
  check.expect_eq_const %3, dense<[127, 127, 126, 19, 5, 15, 2, -1]> : tensor<8xi8>
  %4 = stablehlo.minimum %c0, %c1 : tensor<8xi8>
  check.expect_eq_const %4, dense<[-128, 1, 25, 7, 0, 15, -7, -127]> : tensor<8xi8>
  %5 = stablehlo.and %c0, %c1 : tensor<8xi8>
  check.expect_eq_const %5, dense<[0, 1, 24, 3, 0, 15, 0, -127]> : tensor<8xi8>
  %6 = stablehlo.or %c0, %c1 : tensor<8xi8>
  check.expect_eq_const %6, dense<[-1, 127, 127, 23, 5, 15, -5, -1]> : tensor<8xi8>
  %7 = stablehlo.xor %c0, %c1 : tensor<8xi8>
  check.expect_eq_const %7, dense<[-1, 126, 103, 20, 5, 0, -5, 126]> : tensor<8xi8>
  %8 = stablehlo.compare EQ, %c0, %c1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, false, true, false, false]> : tensor<8xi1>
  %9 = stablehlo.compare NE, %c0, %c1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  check.expect_eq_const %9, dense<[true, true, true, true, true, false, true, true]> : tensor<8xi1>
  %10 = stablehlo.compare LT, %c0, %c1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  check.expect_eq_const %10, dense<[true, false, false, true, false, false, true, true]> : tensor<8xi1>
  %11 = stablehlo.compare LE, %c0, %c1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  check.expect_eq_const %11, dense<[true, false, false, true, false, true, true, true]> : tensor<8xi1>
  %12 = stablehlo.compare GT, %c0, %c1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  check.expect_eq_const %12, dense<[false, true, true, false, true, false, false, false]> : tensor<8xi1>
  %13 = stablehlo.compare GE, %c0, %c1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  check.expect_eq_const %13, dense<[false, true, true, false, true, true, false, false]> : tensor<8xi1>
  %c2 = stablehlo.constant dense<[-128, 127, 126, 7, 15, -7, -127]> : tensor<7xi8>
  %c3 = stablehlo.constant dense<[127, 1, 25, 19, 15, 2, -1]> : tensor<7xi8>
  %14 = stablehlo.divide %c2, %c3 : tensor<7xi8>
  check.expect_eq_const %14, dense<[-1, 127, 5, 0, 1, -3, 127]> : tensor<7xi8>
  %15 = stablehlo.remainder %c2, %c3 : tensor<7xi8>
  check.expect_eq_const %15, dense<[-1, 0, 1, 7, 0, -1, 0]> : tensor<7xi8>
  %c4 = stablehlo.constant dense<[0, 7, 8, 3, 127, 15, -1, -128]> : tensor<8xi8>
  %16 = stablehlo.shift_left %c0, %c4 : tensor<8xi8>
  check.expect_eq_const %16, dense<[-128, -128, 0, 56, 0, 0, 0, 0]> : tensor<8xi8>
  %17 = stablehlo.shift_right_logical %c0, %c4 : tensor<8xi8>
  check.expect_eq_const %17, dense<[-128, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi8>
  %18 = stablehlo.shift_right_arithmetic %c0, %c4 : tensor<8xi8>
  check.expect_eq_const %18, dense<[-128, 0, 0, 0, 0, 0, -1, -1]> : tensor<8xi8>
  %19 = stablehlo.negate %c0 : tensor<8xi8>
  check.expect_eq_const %19, dense<[-128, -127, -126, -7, -5, -15, 7, 127]> : tensor<8xi8>
  %20 = stablehlo.not %c0 : tensor<8xi8>
  check.expect_eq_const %20, dense<[127, -128, -127, -8, -6, -16, 6, 126]> : tensor<8xi8>
  %21 = stablehlo.popcnt %c0 : tensor<8xi8>
  check.expect_eq_const %21, dense<[1, 7, 6, 3, 2, 4, 6, 2]> : tensor<8xi8>
  %22 = stablehlo.count_leading_zeros %c0 : tensor<8xi8>
  check.expect_eq_const %22, dense<[0, 1, 1, 5, 5, 4, 0, 0]> : tensor<8xi8>
  %23 = stablehlo.abs %c0 : tensor<8xi8>
  check.expect_eq_const %23, dense<[-128, 127, 126, 7, 5, 15, 7, 127]> : tensor<8xi8>
  %24 = stablehlo.sign %c0 : tensor<8xi8>
  check.expect_eq_const %24, dense<[-1, 1, 1, 1, 1, 1, -1, -1]> : tensor<8xi8>
  %lo = stablehlo.constant dense<-125> : tensor<i8>
  %hi = stablehlo.constant dense<63> : tensor<i8>
  %25 = stablehlo.clamp %lo, %c0, %hi : (tensor<i8>, tensor<8xi8>, tensor<i8>) -> tensor<8xi8>
  check.expect_eq_const %25, dense<[-125, 63, 63, 7, 5, 15, -7, -125]> : tensor<8xi8>
  %26 = stablehlo.clamp %hi, %c0, %lo : (tensor<i8>, tensor<8xi8>, tensor<i8>) -> tensor<8xi8>
  check.expect_eq_const %26, dense<[-125, -125, -125, -125, -125, -125, -125, -125]> : tensor<8xi8>
  %c5 = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3]> : tensor<8xi8>
  %27 = stablehlo.power %c0, %c5 : tensor<8xi8>
  check.expect_eq_const %27, dense<[0, 127, -8, 87, 125, 47, -87, -127]> : tensor<8xi8>
  %28 = stablehlo.convert %c0 : (tensor<8xi8>) -> tensor<8xi16>
  check.expect_eq_const %28, dense<[-128, 127, 126, 7, 5, 15, -7, -127]> : tensor<8xi16>
  %29 = stablehlo.convert %c0 : (tensor<8xi8>) -> tensor<8xi32>
  check.expect_eq_const %29, dense<[-128, 127, 126, 7, 5, 15, -7, -127]> : tensor<8xi32>
  %30 = stablehlo.convert %c0 : (tensor<8xi8>) -> tensor<8xi64>
  check.expect_eq_const %30, dense<[-128, 127, 126, 7, 5, 15, -7, -127]> : tensor<8xi64>
  %31 = stablehlo.convert %c0 : (tensor<8xi8>) -> tensor<8xui8>
  check.expect_eq_const %31, dense<[128, 127, 126, 7, 5, 15, 249, 129]> : tensor<8xui8>
  %32 = stablehlo.convert %c0 : (tensor<8xi8>) -> tensor<8xui16>
  check.expect_eq_const %32, dense<[65408, 127, 126, 7, 5, 15, 65529, 65409]> : tensor<8xui16>
  %33 = stablehlo.convert %c0 : (tensor<8xi8>) -> tensor<8xui32>
  check.expect_eq_const %33, dense<[4294967168, 127, 126, 7, 5, 15, 4294967289, 4294967169]> : tensor<8xui32>
  %34 = stablehlo.convert %c0 : (tensor<8xi8>) -> tensor<8xui64>
  check.expect_eq_const %34, dense<[18446744073709551488, 127, 126, 7, 5, 15, 18446744073709551609, 18446744073709551489]> : tensor<8xui64>
  %35 = stablehlo.convert %c0 : (tensor<8xi8>) -> tensor<8xi1>
  check.expect_eq_const %35, dense<[true, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}
// -----
func.func @i16() {
  %c0 = stablehlo.constant dense<[-32768, 32767, 32766, 7, 5, 255, -7, -32767]> : tensor<8xi16>
  %c1 = stablehlo.constant dense<[32767, 1, 6553, 259, 0, 255, 2, -1]> : tensor<8xi16>
  %0 = stablehlo.add %c0, %c1 : tensor<8xi16>
  check.expect_eq_const %0, dense<[-1, -32768, -26217, 266, 5, 510, -5, -32768]> : tensor<8xi16>
  %1 = stablehlo.subtract %c0, %c1 : tensor<8xi16>
  check.expect_eq_const %1, dense<[1, 32766, 26213, -252, 5, 0, -9, -32766]> : tensor<8xi16>
  %2 = stablehlo.multiply %c0, %c1 : tensor<8xi16>
  check.expect_eq_const %2, dense<[-32768, 32767, 19662, 1813, 0, -511, -14, 32767]> : tensor<8xi16>
  %3 = stablehlo.maximum %c0, %c1 : tensor<8xi16>
  check.expect_eq_const %3, dense<[32767, 32767, 32766, 259, 5, 255, 2, -1]> : tensor<8xi16>
  %4 = stablehlo.minimum %c0, %c1 : tensor<8xi16>
  check.expect_eq_const %4, dense<[-32768, 1, 6553, 7, 0, 255, -7, -32767]> : tensor<8xi16>
  %5 = stablehlo.and %c0, %c1 : tensor<8xi16>
  check.expect_eq_const %5, dense<[0, 1, 6552, 3, 0, 255, 0, -32767]> : tensor<8xi16>
  %6 = stablehlo.or %c0, %c1 : tensor<8xi16>
  check.expect_eq_const %6, dense<[-1, 32767, 32767, 263, 5, 255, -5, -1]> : tensor<8xi16>
  %7 = stablehlo.xor %c0, %c1 : tensor<8xi16>
  check.expect_eq_const %7, dense<[-1, 32766, 26215, 260, 5, 0, -5, 32766]> : tensor<8xi16>
  %8 = stablehlo.compare EQ, %c0, %c1 : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, false, true, false, false]> : tensor<8xi1>
  %9 = stablehlo.compare NE, %c0, %c1 : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  check.expect_eq_const %9, dense<[true, true, true, true, true, false, true, true]> : tensor<8xi1>
  %10 = stablehlo.compare LT, %c0, %c1 : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  check.expect_eq_const %10, dense<[true, false, false, true, false, false, true, true]> : tensor<8xi1>
  %11 = stablehlo.compare LE, %c0, %c1 : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  check.expect_eq_const %11, dense<[true, false, false, true, false, true, true, true]> : tensor<8xi1>
  %12 = stablehlo.compare GT, %c0, %c1 : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  check.expect_eq_const %12, dense<[false, true, true, false, true, false, false, false]> : tensor<8xi1>
  %13 = stablehlo.compare GE, %c0, %c1 : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  check.expect_eq_const %13, dense<[false, true, true, false, true, true, false, false]> : tensor<8xi1>
  %c2 = stablehlo.constant dense<[-32768, 32767, 32766, 7, 255, -7, -32767]> : tensor<7xi16>
  %c3 = stablehlo.constant dense<[32767, 1, 6553, 259, 255, 2, -1]> : tensor<7xi16>
  %14 = stablehlo.divide %c2, %c3 : tensor<7xi16>
  check.expect_eq_const %14, dense<[-1, 32767, 5, 0, 1, -3, 32767]> : tensor<7xi16>
  %15 = stablehlo.remainder %c2, %c3 : tensor<7xi16>
  check.expect_eq_const %15, dense<[-1, 0, 1, 7, 0, -1, 0]> : tensor<7xi16>
  %c4 = stablehlo.constant dense<[0, 15, 16, 3, 32767, 31, -1, -32768]> : tensor<8xi16>
  %16 = stablehlo.shift_left %c0, %c4 : tensor<8xi16>
  check.expect_eq_const %16, dense<[-32768, -32768, 0, 56, 0, 0, 0, 0]> : tensor<8xi16>
  %17 = stablehlo.shift_right_logical %c0, %c4 : tensor<8xi16>
  check.expect_eq_const %17, dense<[-32768, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi16>
  %18 = stablehlo.shift_right_arithmetic %c0, %c4 : tensor<8xi16>
  check.expect_eq_const %18, dense<[-32768, 0, 0, 0, 0, 0, -1, -1]> : tensor<8xi16>
  %19 = stablehlo.negate %c0 : tensor<8xi16>
  check.expect_eq_const %19, dense<[-32768, -32767, -32766, -7, -5, -255, 7, 32767]> : tensor<8xi16>
  %20 = stablehlo.not %c0 : tensor<8xi16>
  check.expect_eq_const %20, dense<[32767, -32768, -32767, -8, -6, -256, 6, 32766]> : tensor<8xi16>
  %21 = stablehlo.popcnt %c0 : tensor<8xi16>
  check.expect_eq_const %21, dense<[1, 15, 14, 3, 2, 8, 14, 2]> : tensor<8xi16>
  %22 = stablehlo.count_leading_zeros %c0 : tensor<8xi16>
  check.expect_eq_const %22, dense<[0, 1, 1, 13, 13, 8, 0, 0]> : tensor<8xi16>
  %23 = stablehlo.abs %c0 : tensor<8xi16>
  check.expect_eq_const %23, dense<[-32768, 32767, 32766, 7, 5, 255, 7, 32767]> : tensor<8xi16>
  %24 = stablehlo.sign %c0 : tensor<8xi16>
  check.expect_eq_const %24, dense<[-1, 1, 1, 1, 1, 1, -1, -1]> : tensor<8xi16>
  %lo = stablehlo.constant dense<-32765> : tensor<i16>
  %hi = stablehlo.constant dense<16383> : tensor<i16>
  %25 = stablehlo.clamp %lo, %c0, %hi : (tensor<i16>, tensor<8xi16>, tensor<i16>) -> tensor<8xi16>
  check.expect_eq_const %25, dense<[-32765, 16383, 16383, 7, 5, 255, -7, -32765]> : tensor<8xi16>
  %26 = stablehlo.clamp %hi, %c0, %lo : (tensor<i16>, tensor<8xi16>, tensor<i16>) -> tensor<8xi16>
  check.expect_eq_const %26, dense<[-32765, -32765, -32765, -32765, -32765, -32765, -32765, -32765]> : tensor<8xi16>
  %c5 = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3]> : tensor<8xi16>
  %27 = stablehlo.power %c0, %c5 : tensor<8xi16>
  check.expect_eq_const %27, dense<[0, 32767, -8, 343, 125, 767, -343, -32767]> : tensor<8xi16>
  %28 = stablehlo.convert %c0 : (tensor<8xi16>) -> tensor<8xi8>
  check.expect_eq_const %28, dense<[0, -1, -2, 7, 5, -1, -7, 1]> : tensor<8xi8>
  %29 = stablehlo.convert %c0 : (tensor<8xi16>) -> tensor<8xi32>
  check.expect_eq_const %29, dense<[-32768, 32767, 32766, 7, 5, 255, -7, -32767]> : tensor<8xi32>
  %30 = stablehlo.convert %c0 : (tensor<8xi16>) -> tensor<8xi64>
  check.expect_eq_const %30, dense<[-32768, 32767, 32766, 7, 5, 255, -7, -32767]> : tensor<8xi64>
  %31 = stablehlo.convert %c0 : (tensor<8xi16>) -> tensor<8xui8>
  check.expect_eq_const %31, dense<[0, 255, 254, 7, 5, 255, 249, 1]> : tensor<8xui8>
  %32 = stablehlo.convert %c0 : (tensor<8xi16>) -> tensor<8xui16>
  check.expect_eq_const %32, dense<[32768, 32767, 32766, 7, 5, 255, 65529, 32769]> : tensor<8xui16>
  %33 = stablehlo.convert %c0 : (tensor<8xi16>) -> tensor<8xui32>
  check.expect_eq_const %33, dense<[4294934528, 32767, 32766, 7, 5, 255, 4294967289, 4294934529]> : tensor<8xui32>
  %34 = stablehlo.convert %c0 : (tensor<8xi16>) -> tensor<8xui64>
  check.expect_eq_const %34, dense<[18446744073709518848, 32767, 32766, 7, 5, 255, 18446744073709551609, 18446744073709518849]> : tensor<8xui64>
  %35 = stablehlo.convert %c0 : (tensor<8xi16>) -> tensor<8xi1>
  check.expect_eq_const %35, dense<[true, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}
// -----
func.func @i32() {
  %c0 = stablehlo.constant dense<[-2147483648, 2147483647, 2147483646, 7, 5, 65535, -7, -2147483647]> : tensor<8xi32>
  %c1 = stablehlo.constant dense<[2147483647, 1, 429496729, 65539, 0, 65535, 2, -1]> : tensor<8xi32>
  %0 = stablehlo.add %c0, %c1 : tensor<8xi32>
  check.expect_eq_const %0, dense<[-1, -2147483648, -1717986921, 65546, 5, 131070, -5, -2147483648]> : tensor<8xi32>
  %1 = stablehlo.subtract %c0, %c1 : tensor<8xi32>
  check.expect_eq_const %1, dense<[1, 2147483646, 1717986917, -65532, 5, 0, -9, -2147483646]> : tensor<8xi32>
  %2 = stablehlo.multiply %c0, %c1 : tensor<8xi32>
  check.expect_eq_const %2, dense<[-2147483648, 2147483647, 1288490190, 458773, 0, -131071, -14, 2147483647]> : tensor<8xi32>
  %3 = stablehlo.maximum %c0, %c1 : tensor<8xi32>
  check.expect_eq_const %3, dense<[2147483647, 2147483647, 2147483646, 65539, 5, 65535, 2, -1]> : tensor<8xi32>
  %4 = stablehlo.minimum %c0, %c1 : tensor<8xi32>
  check.expect_eq_const %4, dense<[-2147483648, 1, 429496729, 7, 0, 65535, -7, -2147483647]> : tensor<8xi32>
  %5 = stablehlo.and %c0, %c1 : tensor<8xi32>
  check.expect_eq_const %5, dense<[0, 1, 429496728, 3, 0, 65535, 0, -2147483647]> : tensor<8xi32>
  %6 = stablehlo.or %c0, %c1 : tensor<8xi32>
  check.expect_eq_const %6, dense<[-1, 2147483647, 2147483647, 65543, 5, 65535, -5, -1]> : tensor<8xi32>
  %7 = stablehlo.xor %c0, %c1 : tensor<8xi32>
  check.expect_eq_const %7, dense<[-1, 2147483646, 1717986919, 65540, 5, 0, -5, 2147483646]> : tensor<8xi32>
  %8 = stablehlo.compare EQ, %c0, %c1 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, false, true, false, false]> : tensor<8xi1>
  %9 = stablehlo.compare NE, %c0, %c1 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  check.expect_eq_const %9, dense<[true, true, true, true, true, false, true, true]> : tensor<8xi1>
  %10 = stablehlo.compare LT, %c0, %c1 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  check.expect_eq_const %10, dense<[true, false, false, true, false, false, true, true]> : tensor<8xi1>
  %11 = stablehlo.compare LE, %c0, %c1 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  check.expect_eq_const %11, dense<[true, false, false, true, false, true, true, true]> : tensor<8xi1>
  %12 = stablehlo.compare GT, %c0, %c1 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  check.expect_eq_const %12, dense<[false, true, true, false, true, false, false, false]> : tensor<8xi1>
  %13 = stablehlo.compare GE, %c0, %c1 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  check.expect_eq_const %13, dense<[false, true, true, false, true, true, false, false]> : tensor<8xi1>
  %c2 = stablehlo.constant dense<[-2147483648, 2147483647, 2147483646, 7, 65535, -7, -2147483647]> : tensor<7xi32>
  %c3 = stablehlo.constant dense<[2147483647, 1, 429496729, 65539, 65535, 2, -1]> : tensor<7xi32>
  %14 = stablehlo.divide %c2, %c3 : tensor<7xi32>
  check.expect_eq_const %14, dense<[-1, 2147483647, 5, 0, 1, -3, 2147483647]> : tensor<7xi32>
  %15 = stablehlo.remainder %c2, %c3 : tensor<7xi32>
  check.expect_eq_const %15, dense<[-1, 0, 1, 7, 0, -1, 0]> : tensor<7xi32>
  %c4 = stablehlo.constant dense<[0, 31, 32, 3, 2147483647, 63, -1, -2147483648]> : tensor<8xi32>
  %16 = stablehlo.shift_left %c0, %c4 : tensor<8xi32>
  check.expect_eq_const %16, dense<[-2147483648, -2147483648, 0, 56, 0, 0, 0, 0]> : tensor<8xi32>
  %17 = stablehlo.shift_right_logical %c0, %c4 : tensor<8xi32>
  check.expect_eq_const %17, dense<[-2147483648, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi32>
  %18 = stablehlo.shift_right_arithmetic %c0, %c4 : tensor<8xi32>
  check.expect_eq_const %18, dense<[-2147483648, 0, 0, 0, 0, 0, -1, -1]> : tensor<8xi32>
  %19 = stablehlo.negate %c0 : tensor<8xi32>
  check.expect_eq_const %19, dense<[-2147483648, -2147483647, -2147483646, -7, -5, -65535, 7, 2147483647]> : tensor<8xi32>
  %20 = stablehlo.not %c0 : tensor<8xi32>
  check.expect_eq_const %20, dense<[2147483647, -2147483648, -2147483647, -8, -6, -65536, 6, 2147483646]> : tensor<8xi32>
  %21 = stablehlo.popcnt %c0 : tensor<8xi32>
  check.expect_eq_const %21, dense<[1, 31, 30, 3, 2, 16, 30, 2]> : tensor<8xi32>
  %22 = stablehlo.count_leading_zeros %c0 : tensor<8xi32>
  check.expect_eq_const %22, dense<[0, 1, 1, 29, 29, 16, 0, 0]> : tensor<8xi32>
  %23 = stablehlo.abs %c0 : tensor<8xi32>
  check.expect_eq_const %23, dense<[-2147483648, 2147483647, 2147483646, 7, 5, 65535, 7, 2147483647]> : tensor<8xi32>
  %24 = stablehlo.sign %c0 : tensor<8xi32>
  check.expect_eq_const %24, dense<[-1, 1, 1, 1, 1, 1, -1, -1]> : tensor<8xi32>
  %lo = stablehlo.constant dense<-2147483645> : tensor<i32>
  %hi = stablehlo.constant dense<1073741823> : tensor<i32>
  %25 = stablehlo.clamp %lo, %c0, %hi : (tensor<i32>, tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %25, dense<[-2147483645, 1073741823, 1073741823, 7, 5, 65535, -7, -2147483645]> : tensor<8xi32>
  %26 = stablehlo.clamp %hi, %c0, %lo : (tensor<i32>, tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %26, dense<[-2147483645, -2147483645, -2147483645, -2147483645, -2147483645, -2147483645, -2147483645, -2147483645]> : tensor<8xi32>
  %c5 = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3]> : tensor<8xi32>
  %27 = stablehlo.power %c0, %c5 : tensor<8xi32>
  check.expect_eq_const %27, dense<[0, 2147483647, -8, 343, 125, 196607, -343, -2147483647]> : tensor<8xi32>
  %28 = stablehlo.convert %c0 : (tensor<8xi32>) -> tensor<8xi8>
  check.expect_eq_const %28, dense<[0, -1, -2, 7, 5, -1, -7, 1]> : tensor<8xi8>
  %29 = stablehlo.convert %c0 : (tensor<8xi32>) -> tensor<8xi16>
  check.expect_eq_const %29, dense<[0, -1, -2, 7, 5, -1, -7, 1]> : tensor<8xi16>
  %30 = stablehlo.convert %c0 : (tensor<8xi32>) -> tensor<8xi64>
  check.expect_eq_const %30, dense<[-2147483648, 2147483647, 2147483646, 7, 5, 65535, -7, -2147483647]> : tensor<8xi64>
  %31 = stablehlo.convert %c0 : (tensor<8xi32>) -> tensor<8xui8>
  check.expect_eq_const %31, dense<[0, 255, 254, 7, 5, 255, 249, 1]> : tensor<8xui8>
  %32 = stablehlo.convert %c0 : (tensor<8xi32>) -> tensor<8xui16>
  check.expect_eq_const %32, dense<[0, 65535, 65534, 7, 5, 65535, 65529, 1]> : tensor<8xui16>
  %33 = stablehlo.convert %c0 : (tensor<8xi32>) -> tensor<8xui32>
  check.expect_eq_const %33, dense<[2147483648, 2147483647, 2147483646, 7, 5, 65535, 4294967289, 2147483649]> : tensor<8xui32>
  %34 = stablehlo.convert %c0 : (tensor<8xi32>) -> tensor<8xui64>
  check.expect_eq_const %34, dense<[18446744071562067968, 2147483647, 2147483646, 7, 5, 65535, 18446744073709551609, 18446744071562067969]> : tensor<8xui64>
  %35 = stablehlo.convert %c0 : (tensor<8xi32>) -> tensor<8xi1>
  check.expect_eq_const %35, dense<[true, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}
// -----
func.func @i64() {
  %c0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 9223372036854775806, 7, 5, 4294967295, -7, -9223372036854775807]> : tensor<8xi64>
  %c1 = stablehlo.constant dense<[9223372036854775807, 1, 1844674407370955161, 4294967299, 0, 4294967295, 2, -1]> : tensor<8xi64>
  %0 = stablehlo.add %c0, %c1 : tensor<8xi64>
  check.expect_eq_const %0, dense<[-1, -9223372036854775808, -7378697629483820649, 4294967306, 5, 8589934590, -5, -9223372036854775808]> : tensor<8xi64>
  %1 = stablehlo.subtract %c0, %c1 : tensor<8xi64>
  check.expect_eq_const %1, dense<[1, 9223372036854775806, 7378697629483820645, -4294967292, 5, 0, -9, -9223372036854775806]> : tensor<8xi64>
  %2 = stablehlo.multiply %c0, %c1 : tensor<8xi64>
  check.expect_eq_const %2, dense<[-9223372036854775808, 9223372036854775807, 5534023222112865486, 30064771093, 0, -8589934591, -14, 9223372036854775807]> : tensor<8xi64>
  %3 = stablehlo.maximum %c0, %c1 : tensor<8xi64>
  check.expect_eq_const %3, dense<[9223372036854775807, 9223372036854775807, 9223372036854775806, 4294967299, 5, 4294967295, 2, -1]> : tensor<8xi64>
  %4 = stablehlo.minimum %c0, %c1 : tensor<8xi64>
  check.expect_eq_const %4, dense<[-9223372036854775808, 1, 1844674407370955161, 7, 0, 4294967295, -7, -9223372036854775807]> : tensor<8xi64>
  %5 = stablehlo.and %c0, %c1 : tensor<8xi64>
  check.expect_eq_const %5, dense<[0, 1, 1844674407370955160, 3, 0, 4294967295, 0, -9223372036854775807]> : tensor<8xi64>
  %6 = stablehlo.or %c0, %c1 : tensor<8xi64>
  check.expect_eq_const %6, dense<[-1, 9223372036854775807, 9223372036854775807, 4294967303, 5, 4294967295, -5, -1]> : tensor<8xi64>
  %7 = stablehlo.xor %c0, %c1 : tensor<8xi64>
  check.expect_eq_const %7, dense<[-1, 9223372036854775806, 7378697629483820647, 4294967300, 5, 0, -5, 9223372036854775806]> : tensor<8xi64>
  %8 = stablehlo.compare EQ, %c0, %c1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, false, true, false, false]> : tensor<8xi1>
  %9 = stablehlo.compare NE, %c0, %c1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>
  check.expect_eq_const %9, dense<[true, true, true, true, true, false, true, true]> : tensor<8xi1>
  %10 = stablehlo.compare LT, %c0, %c1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>
  check.expect_eq_const %10, dense<[true, false, false, true, false, false, true, true]> : tensor<8xi1>
  %11 = stablehlo.compare LE, %c0, %c1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>
  check.expect_eq_const %11, dense<[true, false, false, true, false, true, true, true]> : tensor<8xi1>
  %12 = stablehlo.compare GT, %c0, %c1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>
  check.expect_eq_const %12, dense<[false, true, true, false, true, false, false, false]> : tensor<8xi1>
  %13 = stablehlo.compare GE, %c0, %c1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>
  check.expect_eq_const %13, dense<[false, true, true, false, true, true, false, false]> : tensor<8xi1>
  %c2 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 9223372036854775806, 7, 4294967295, -7, -9223372036854775807]> : tensor<7xi64>
  %c3 = stablehlo.constant dense<[9223372036854775807, 1, 1844674407370955161, 4294967299, 4294967295, 2, -1]> : tensor<7xi64>
  %14 = stablehlo.divide %c2, %c3 : tensor<7xi64>
  check.expect_eq_const %14, dense<[-1, 9223372036854775807, 5, 0, 1, -3, 9223372036854775807]> : tensor<7xi64>
  %15 = stablehlo.remainder %c2, %c3 : tensor<7xi64>
  check.expect_eq_const %15, dense<[-1, 0, 1, 7, 0, -1, 0]> : tensor<7xi64>
  %c4 = stablehlo.constant dense<[0, 63, 64, 3, 9223372036854775807, 127, -1, -9223372036854775808]> : tensor<8xi64>
  %16 = stablehlo.shift_left %c0, %c4 : tensor<8xi64>
  check.expect_eq_const %16, dense<[-9223372036854775808, -9223372036854775808, 0, 56, 0, 0, 0, 0]> : tensor<8xi64>
  %17 = stablehlo.shift_right_logical %c0, %c4 : tensor<8xi64>
  check.expect_eq_const %17, dense<[-9223372036854775808, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
  %18 = stablehlo.shift_right_arithmetic %c0, %c4 : tensor<8xi64>
  check.expect_eq_const %18, dense<[-9223372036854775808, 0, 0, 0, 0, 0, -1, -1]> : tensor<8xi64>
  %19 = stablehlo.negate %c0 : tensor<8xi64>
  check.expect_eq_const %19, dense<[-9223372036854775808, -9223372036854775807, -9223372036854775806, -7, -5, -4294967295, 7, 9223372036854775807]> : tensor<8xi64>
  %20 = stablehlo.not %c0 : tensor<8xi64>
  check.expect_eq_const %20, dense<[9223372036854775807, -9223372036854775808, -9223372036854775807, -8, -6, -4294967296, 6, 9223372036854775806]> : tensor<8xi64>
  %21 = stablehlo.popcnt %c0 : tensor<8xi64>
  check.expect_eq_const %21, dense<[1, 63, 62, 3, 2, 32, 62, 2]> : tensor<8xi64>
  %22 = stablehlo.count_leading_zeros %c0 : tensor<8xi64>
  check.expect_eq_const %22, dense<[0, 1, 1, 61, 61, 32, 0, 0]> : tensor<8xi64>
  %23 = stablehlo.abs %c0 : tensor<8xi64>
  check.expect_eq_const %23, dense<[-9223372036854775808, 9223372036854775807, 9223372036854775806, 7, 5, 4294967295, 7, 9223372036854775807]> : tensor<8xi64>
  %24 = stablehlo.sign %c0 : tensor<8xi64>
  check.expect_eq_const %24, dense<[-1, 1, 1, 1, 1, 1, -1, -1]> : tensor<8xi64>
  %lo = stablehlo.constant dense<-9223372036854775805> : tensor<i64>
  %hi = stablehlo.constant dense<4611686018427387903> : tensor<i64>
  %25 = stablehlo.clamp %lo, %c0, %hi : (tensor<i64>, tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  check.expect_eq_const %25, dense<[-9223372036854775805, 4611686018427387903, 4611686018427387903, 7, 5, 4294967295, -7, -9223372036854775805]> : tensor<8xi64>
  %26 = stablehlo.clamp %hi, %c0, %lo : (tensor<i64>, tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  check.expect_eq_const %26, dense<[-9223372036854775805, -9223372036854775805, -9223372036854775805, -9223372036854775805, -9223372036854775805, -9223372036854775805, -9223372036854775805, -9223372036854775805]> : tensor<8xi64>
  %c5 = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3]> : tensor<8xi64>
  %27 = stablehlo.power %c0, %c5 : tensor<8xi64>
  check.expect_eq_const %27, dense<[0, 9223372036854775807, -8, 343, 125, 12884901887, -343, -9223372036854775807]> : tensor<8xi64>
  %28 = stablehlo.convert %c0 : (tensor<8xi64>) -> tensor<8xi8>
  check.expect_eq_const %28, dense<[0, -1, -2, 7, 5, -1, -7, 1]> : tensor<8xi8>
  %29 = stablehlo.convert %c0 : (tensor<8xi64>) -> tensor<8xi16>
  check.expect_eq_const %29, dense<[0, -1, -2, 7, 5, -1, -7, 1]> : tensor<8xi16>
  %30 = stablehlo.convert %c0 : (tensor<8xi64>) -> tensor<8xi32>
  check.expect_eq_const %30, dense<[0, -1, -2, 7, 5, -1, -7, 1]> : tensor<8xi32>
  %31 = stablehlo.convert %c0 : (tensor<8xi64>) -> tensor<8xui8>
  check.expect_eq_const %31, dense<[0, 255, 254, 7, 5, 255, 249, 1]> : tensor<8xui8>
  %32 = stablehlo.convert %c0 : (tensor<8xi64>) -> tensor<8xui16>
  check.expect_eq_const %32, dense<[0, 65535, 65534, 7, 5, 65535, 65529, 1]> : tensor<8xui16>
  %33 = stablehlo.convert %c0 : (tensor<8xi64>) -> tensor<8xui32>
  check.expect_eq_const %33, dense<[0, 4294967295, 4294967294, 7, 5, 4294967295, 4294967289, 1]> : tensor<8xui32>
  %34 = stablehlo.convert %c0 : (tensor<8xi64>) -> tensor<8xui64>
  check.expect_eq_const %34, dense<[9223372036854775808, 9223372036854775807, 9223372036854775806, 7, 5, 4294967295, 18446744073709551609, 9223372036854775809]> : tensor<8xui64>
  %35 = stablehlo.convert %c0 : (tensor<8xi64>) -> tensor<8xi1>
  check.expect_eq_const %35, dense<[true, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}
// -----
func.func @ui8() {
  %c0 = stablehlo.constant dense<[0, 255, 254, 7, 5, 15, 6, 255]> : tensor<8xui8>
  %c1 = stablehlo.constant dense<[255, 1, 51, 19, 0, 15, 255, 255]> : tensor<8xui8>
  %0 = stablehlo.add %c0, %c1 : tensor<8xui8>
  check.expect_eq_const %0, dense<[255, 0, 49, 26, 5, 30, 5, 254]> : tensor<8xui8>
  %1 = stablehlo.subtract %c0, %c1 : tensor<8xui8>
  check.expect_eq_const %1, dense<[1, 254, 203, 244, 5, 0, 7, 0]> : tensor<8xui8>
  %2 = stablehlo.multiply %c0, %c1 : tensor<8xui8>
  check.expect_eq_const %2, dense<[0, 255, 154, 133, 0, 225, 250, 1]> : tensor<8xui8>
  %3 = stablehlo.maximum %c0, %c1 : tensor<8xui8>
  check.expect_eq_const %3, dense<[255, 255, 254, 19, 5, 15, 255, 255]> : tensor<8xui8>
  %4 = stablehlo.minimum %c0, %c1 : tensor<8xui8>
  check.expect_eq_const %4, dense<[0, 1, 51, 7, 0, 15, 6, 255]> : tensor<8xui8>
  %5 = stablehlo.and %c0, %c1 : tensor<8xui8>
  check.expect_eq_const %5, dense<[0, 1, 50, 3, 0, 15, 6, 255]> : tensor<8xui8>
  %6 = stablehlo.or %c0, %c1 : tensor<8xui8>
  check.expect_eq_const %6, dense<[255, 255, 255, 23, 5, 15, 255, 255]> : tensor<8xui8>
  %7 = stablehlo.xor %c0, %c1 : tensor<8xui8>
  check.expect_eq_const %7, dense<[255, 254, 205, 20, 5, 0, 249, 0]> : tensor<8xui8>
  %8 = stablehlo.compare EQ, %c0, %c1 : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, false, true, false, true]> : tensor<8xi1>
  %9 = stablehlo.compare NE, %c0, %c1 : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  check.expect_eq_const %9, dense<[true, true, true, true, true, false, true, false]> : tensor<8xi1>
  %10 = stablehlo.compare LT, %c0, %c1 : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  check.expect_eq_const %10, dense<[true, false, false, true, false, false, true, false]> : tensor<8xi1>
  %11 = stablehlo.compare LE, %c0, %c1 : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  check.expect_eq_const %11, dense<[true, false, false, true, false, true, true, true]> : tensor<8xi1>
  %12 = stablehlo.compare GT, %c0, %c1 : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  check.expect_eq_const %12, dense<[false, true, true, false, true, false, false, false]> : tensor<8xi1>
  %13 = stablehlo.compare GE, %c0, %c1 : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  check.expect_eq_const %13, dense<[false, true, true, false, true, true, false, true]> : tensor<8xi1>
  %c2 = stablehlo.constant dense<[0, 255, 254, 7, 15, 6, 255]> : tensor<7xui8>
  %c3 = stablehlo.constant dense<[255, 1, 51, 19, 15, 255, 255]> : tensor<7xui8>
  %14 = stablehlo.divide %c2, %c3 : tensor<7xui8>
  check.expect_eq_const %14, dense<[0, 255, 4, 0, 1, 0, 1]> : tensor<7xui8>
  %15 = stablehlo.remainder %c2, %c3 : tensor<7xui8>
  check.expect_eq_const %15, dense<[0, 0, 50, 7, 0, 6, 0]> : tensor<7xui8>
  %c4 = stablehlo.constant dense<[0, 7, 8, 3, 255, 15, 1, 9]> : tensor<8xui8>
  %16 = stablehlo.shift_left %c0, %c4 : tensor<8xui8>
  check.expect_eq_const %16, dense<[0, 128, 0, 56, 0, 0, 12, 0]> : tensor<8xui8>
  %17 = stablehlo.shift_right_logical %c0, %c4 : tensor<8xui8>
  check.expect_eq_const %17, dense<[0, 1, 0, 0, 0, 0, 3, 0]> : tensor<8xui8>
  %18 = stablehlo.shift_right_arithmetic %c0, %c4 : tensor<8xui8>
  check.expect_eq_const %18, dense<[0, 255, 255, 0, 0, 0, 3, 255]> : tensor<8xui8>
  %19 = stablehlo.negate %c0 : tensor<8xui8>
  check.expect_eq_const %19, dense<[0, 1, 2, 249, 251, 241, 250, 1]> : tensor<8xui8>
  %20 = stablehlo.not %c0 : tensor<8xui8>
  check.expect_eq_const %20, dense<[255, 0, 1, 248, 250, 240, 249, 0]> : tensor<8xui8>
  %21 = stablehlo.popcnt %c0 : tensor<8xui8>
  check.expect_eq_const %21, dense<[0, 8, 7, 3, 2, 4, 2, 8]> : tensor<8xui8>
  %22 = stablehlo.count_leading_zeros %c0 : tensor<8xui8>
  check.expect_eq_const %22, dense<[8, 0, 0, 5, 5, 4, 5, 0]> : tensor<8xui8>
  %lo = stablehlo.constant dense<6> : tensor<ui8>
  %hi = stablehlo.constant dense<127> : tensor<ui8>
  %23 = stablehlo.clamp %lo, %c0, %hi : (tensor<ui8>, tensor<8xui8>, tensor<ui8>) -> tensor<8xui8>
  check.expect_eq_const %23, dense<[6, 127, 127, 7, 6, 15, 6, 127]> : tensor<8xui8>
  %24 = stablehlo.clamp %hi, %c0, %lo : (tensor<ui8>, tensor<8xui8>, tensor<ui8>) -> tensor<8xui8>
  check.expect_eq_const %24, dense<[6, 6, 6, 6, 6, 6, 6, 6]> : tensor<8xui8>
  %c5 = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3]> : tensor<8xui8>
  %25 = stablehlo.power %c0, %c5 : tensor<8xui8>
  check.expect_eq_const %25, dense<[0, 255, 248, 87, 125, 47, 216, 255]> : tensor<8xui8>
  %26 = stablehlo.convert %c0 : (tensor<8xui8>) -> tensor<8xi8>
  check.expect_eq_const %26, dense<[0, -1, -2, 7, 5, 15, 6, -1]> : tensor<8xi8>
  %27 = stablehlo.convert %c0 : (tensor<8xui8>) -> tensor<8xi16>
  check.expect_eq_const %27, dense<[0, 255, 254, 7, 5, 15, 6, 255]> : tensor<8xi16>
  %28 = stablehlo.convert %c0 : (tensor<8xui8>) -> tensor<8xi32>
  check.expect_eq_const %28, dense<[0, 255, 254, 7, 5, 15, 6, 255]> : tensor<8xi32>
  %29 = stablehlo.convert %c0 : (tensor<8xui8>) -> tensor<8xi64>
  check.expect_eq_const %29, dense<[0, 255, 254, 7, 5, 15, 6, 255]> : tensor<8xi64>
  %30 = stablehlo.convert %c0 : (tensor<8xui8>) -> tensor<8xui16>
  check.expect_eq_const %30, dense<[0, 255, 254, 7, 5, 15, 6, 255]> : tensor<8xui16>
  %31 = stablehlo.convert %c0 : (tensor<8xui8>) -> tensor<8xui32>
  check.expect_eq_const %31, dense<[0, 255, 254, 7, 5, 15, 6, 255]> : tensor<8xui32>
  %32 = stablehlo.convert %c0 : (tensor<8xui8>) -> tensor<8xui64>
  check.expect_eq_const %32, dense<[0, 255, 254, 7, 5, 15, 6, 255]> : tensor<8xui64>
  %33 = stablehlo.convert %c0 : (tensor<8xui8>) -> tensor<8xi1>
  check.expect_eq_const %33, dense<[false, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}
// -----
func.func @ui16() {
  %c0 = stablehlo.constant dense<[0, 65535, 65534, 7, 5, 255, 6, 65535]> : tensor<8xui16>
  %c1 = stablehlo.constant dense<[65535, 1, 13107, 259, 0, 255, 65535, 65535]> : tensor<8xui16>
  %0 = stablehlo.add %c0, %c1 : tensor<8xui16>
  check.expect_eq_const %0, dense<[65535, 0, 13105, 266, 5, 510, 5, 65534]> : tensor<8xui16>
  %1 = stablehlo.subtract %c0, %c1 : tensor<8xui16>
  check.expect_eq_const %1, dense<[1, 65534, 52427, 65284, 5, 0, 7, 0]> : tensor<8xui16>
  %2 = stablehlo.multiply %c0, %c1 : tensor<8xui16>
  check.expect_eq_const %2, dense<[0, 65535, 39322, 1813, 0, 65025, 65530, 1]> : tensor<8xui16>
  %3 = stablehlo.maximum %c0, %c1 : tensor<8xui16>
  check.expect_eq_const %3, dense<[65535, 65535, 65534, 259, 5, 255, 65535, 65535]> : tensor<8xui16>
  %4 = stablehlo.minimum %c0, %c1 : tensor<8xui16>
  check.expect_eq_const %4, dense<[0, 1, 13107, 7, 0, 255, 6, 65535]> : tensor<8xui16>
  %5 = stablehlo.and %c0, %c1 : tensor<8xui16>
  check.expect_eq_const %5, dense<[0, 1, 13106, 3, 0, 255, 6, 65535]> : tensor<8xui16>
  %6 = stablehlo.or %c0, %c1 : tensor<8xui16>
  check.expect_eq_const %6, dense<[65535, 65535, 65535, 263, 5, 255, 65535, 65535]> : tensor<8xui16>
  %7 = stablehlo.xor %c0, %c1 : tensor<8xui16>
  check.expect_eq_const %7, dense<[65535, 65534, 52429, 260, 5, 0, 65529, 0]> : tensor<8xui16>
  %8 = stablehlo.compare EQ, %c0, %c1 : (tensor<8xui16>, tensor<8xui16>) -> tensor<8xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, false, true, false, true]> : tensor<8xi1>
  %9 = stablehlo.compare NE, %c0, %c1 : (tensor<8xui16>, tensor<8xui16>) -> tensor<8xi1>
  check.expect_eq_const %9, dense<[true, true, true, true, true, false, true, false]> : tensor<8xi1>
  %10 = stablehlo.compare LT, %c0, %c1 : (tensor<8xui16>, tensor<8xui16>) -> tensor<8xi1>
  check.expect_eq_const %10, dense<[true, false, false, true, false, false, true, false]> : tensor<8xi1>
  %11 = stablehlo.compare LE, %c0, %c1 : (tensor<8xui16>, tensor<8xui16>) -> tensor<8xi1>
  check.expect_eq_const %11, dense<[true, false, false, true, false, true, true, true]> : tensor<8xi1>
  %12 = stablehlo.compare GT, %c0, %c1 : (tensor<8xui16>, tensor<8xui16>) -> tensor<8xi1>
  check.expect_eq_const %12, dense<[false, true, true, false, true, false, false, false]> : tensor<8xi1>
  %13 = stablehlo.compare GE, %c0, %c1 : (tensor<8xui16>, tensor<8xui16>) -> tensor<8xi1>
  check.expect_eq_const %13, dense<[false, true, true, false, true, true, false, true]> : tensor<8xi1>
  %c2 = stablehlo.constant dense<[0, 65535, 65534, 7, 255, 6, 65535]> : tensor<7xui16>
  %c3 = stablehlo.constant dense<[65535, 1, 13107, 259, 255, 65535, 65535]> : tensor<7xui16>
  %14 = stablehlo.divide %c2, %c3 : tensor<7xui16>
  check.expect_eq_const %14, dense<[0, 65535, 4, 0, 1, 0, 1]> : tensor<7xui16>
  %15 = stablehlo.remainder %c2, %c3 : tensor<7xui16>
  check.expect_eq_const %15, dense<[0, 0, 13106, 7, 0, 6, 0]> : tensor<7xui16>
  %c4 = stablehlo.constant dense<[0, 15, 16, 3, 65535, 31, 1, 17]> : tensor<8xui16>
  %16 = stablehlo.shift_left %c0, %c4 : tensor<8xui16>
  check.expect_eq_const %16, dense<[0, 32768, 0, 56, 0, 0, 12, 0]> : tensor<8xui16>
  %17 = stablehlo.shift_right_logical %c0, %c4 : tensor<8xui16>
  check.expect_eq_const %17, dense<[0, 1, 0, 0, 0, 0, 3, 0]> : tensor<8xui16>
  %18 = stablehlo.shift_right_arithmetic %c0, %c4 : tensor<8xui16>
  check.expect_eq_const %18, dense<[0, 65535, 65535, 0, 0, 0, 3, 65535]> : tensor<8xui16>
  %19 = stablehlo.negate %c0 : tensor<8xui16>
  check.expect_eq_const %19, dense<[0, 1, 2, 65529, 65531, 65281, 65530, 1]> : tensor<8xui16>
  %20 = stablehlo.not %c0 : tensor<8xui16>
  check.expect_eq_const %20, dense<[65535, 0, 1, 65528, 65530, 65280, 65529, 0]> : tensor<8xui16>
  %21 = stablehlo.popcnt %c0 : tensor<8xui16>
  check.expect_eq_const %21, dense<[0, 16, 15, 3, 2, 8, 2, 16]> : tensor<8xui16>
  %22 = stablehlo.count_leading_zeros %c0 : tensor<8xui16>
  check.expect_eq_const %22, dense<[16, 0, 0, 13, 13, 8, 13, 0]> : tensor<8xui16>
  %lo = stablehlo.constant dense<6> : tensor<ui16>
  %hi = stablehlo.constant dense<32767> : tensor<ui16>
  %23 = stablehlo.clamp %lo, %c0, %hi : (tensor<ui16>, tensor<8xui16>, tensor<ui16>) -> tensor<8xui16>
  check.expect_eq_const %23, dense<[6, 32767, 32767, 7, 6, 255, 6, 32767]> : tensor<8xui16>
  %24 = stablehlo.clamp %hi, %c0, %lo : (tensor<ui16>, tensor<8xui16>, tensor<ui16>) -> tensor<8xui16>
  check.expect_eq_const %24, dense<[6, 6, 6, 6, 6, 6, 6, 6]> : tensor<8xui16>
  %c5 = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3]> : tensor<8xui16>
  %25 = stablehlo.power %c0, %c5 : tensor<8xui16>
  check.expect_eq_const %25, dense<[0, 65535, 65528, 343, 125, 767, 216, 65535]> : tensor<8xui16>
  %26 = stablehlo.convert %c0 : (tensor<8xui16>) -> tensor<8xi8>
  check.expect_eq_const %26, dense<[0, -1, -2, 7, 5, -1, 6, -1]> : tensor<8xi8>
  %27 = stablehlo.convert %c0 : (tensor<8xui16>) -> tensor<8xi16>
  check.expect_eq_const %27, dense<[0, -1, -2, 7, 5, 255, 6, -1]> : tensor<8xi16>
  %28 = stablehlo.convert %c0 : (tensor<8xui16>) -> tensor<8xi32>
  check.expect_eq_const %28, dense<[0, 65535, 65534, 7, 5, 255, 6, 65535]> : tensor<8xi32>
  %29 = stablehlo.convert %c0 : (tensor<8xui16>) -> tensor<8xi64>
  check.expect_eq_const %29, dense<[0, 65535, 65534, 7, 5, 255, 6, 65535]> : tensor<8xi64>
  %30 = stablehlo.convert %c0 : (tensor<8xui16>) -> tensor<8xui8>
  check.expect_eq_const %30, dense<[0, 255, 254, 7, 5, 255, 6, 255]> : tensor<8xui8>
  %31 = stablehlo.convert %c0 : (tensor<8xui16>) -> tensor<8xui32>
  check.expect_eq_const %31, dense<[0, 65535, 65534, 7, 5, 255, 6, 65535]> : tensor<8xui32>
  %32 = stablehlo.convert %c0 : (tensor<8xui16>) -> tensor<8xui64>
  check.expect_eq_const %32, dense<[0, 65535, 65534, 7, 5, 255, 6, 65535]> : tensor<8xui64>
  %33 = stablehlo.convert %c0 : (tensor<8xui16>) -> tensor<8xi1>
  check.expect_eq_const %33, dense<[false, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}
// -----
func.func @ui32() {
  %c0 = stablehlo.constant dense<[0, 4294967295, 4294967294, 7, 5, 65535, 6, 4294967295]> : tensor<8xui32>
  %c1 = stablehlo.constant dense<[4294967295, 1, 858993459, 65539, 0, 65535, 4294967295, 4294967295]> : tensor<8xui32>
  %0 = stablehlo.add %c0, %c1 : tensor<8xui32>
  check.expect_eq_const %0, dense<[4294967295, 0, 858993457, 65546, 5, 131070, 5, 4294967294]> : tensor<8xui32>
  %1 = stablehlo.subtract %c0, %c1 : tensor<8xui32>
  check.expect_eq_const %1, dense<[1, 4294967294, 3435973835, 4294901764, 5, 0, 7, 0]> : tensor<8xui32>
  %2 = stablehlo.multiply %c0, %c1 : tensor<8xui32>
  check.expect_eq_const %2, dense<[0, 4294967295, 2576980378, 458773, 0, 4294836225, 4294967290, 1]> : tensor<8xui32>
  %3 = stablehlo.maximum %c0, %c1 : tensor<8xui32>
  check.expect_eq_const %3, dense<[4294967295, 4294967295, 4294967294, 65539, 5, 65535, 4294967295, 4294967295]> : tensor<8xui32>
  %4 = stablehlo.minimum %c0, %c1 : tensor<8xui32>
  check.expect_eq_const %4, dense<[0, 1, 858993459, 7, 0, 65535, 6, 4294967295]> : tensor<8xui32>
  %5 = stablehlo.and %c0, %c1 : tensor<8xui32>
  check.expect_eq_const %5, dense<[0, 1, 858993458, 3, 0, 65535, 6, 4294967295]> : tensor<8xui32>
  %6 = stablehlo.or %c0, %c1 : tensor<8xui32>
  check.expect_eq_const %6, dense<[4294967295, 4294967295, 4294967295, 65543, 5, 65535, 4294967295, 4294967295]> : tensor<8xui32>
  %7 = stablehlo.xor %c0, %c1 : tensor<8xui32>
  check.expect_eq_const %7, dense<[4294967295, 4294967294, 3435973837, 65540, 5, 0, 4294967289, 0]> : tensor<8xui32>
  %8 = stablehlo.compare EQ, %c0, %c1 : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, false, true, false, true]> : tensor<8xi1>
  %9 = stablehlo.compare NE, %c0, %c1 : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  check.expect_eq_const %9, dense<[true, true, true, true, true, false, true, false]> : tensor<8xi1>
  %10 = stablehlo.compare LT, %c0, %c1 : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  check.expect_eq_const %10, dense<[true, false, false, true, false, false, true, false]> : tensor<8xi1>
  %11 = stablehlo.compare LE, %c0, %c1 : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  check.expect_eq_const %11, dense<[true, false, false, true, false, true, true, true]> : tensor<8xi1>
  %12 = stablehlo.compare GT, %c0, %c1 : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  check.expect_eq_const %12, dense<[false, true, true, false, true, false, false, false]> : tensor<8xi1>
  %13 = stablehlo.compare GE, %c0, %c1 : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  check.expect_eq_const %13, dense<[false, true, true, false, true, true, false, true]> : tensor<8xi1>
  %c2 = stablehlo.constant dense<[0, 4294967295, 4294967294, 7, 65535, 6, 4294967295]> : tensor<7xui32>
  %c3 = stablehlo.constant dense<[4294967295, 1, 858993459, 65539, 65535, 4294967295, 4294967295]> : tensor<7xui32>
  %14 = stablehlo.divide %c2, %c3 : tensor<7xui32>
  check.expect_eq_const %14, dense<[0, 4294967295, 4, 0, 1, 0, 1]> : tensor<7xui32>
  %15 = stablehlo.remainder %c2, %c3 : tensor<7xui32>
  check.expect_eq_const %15, dense<[0, 0, 858993458, 7, 0, 6, 0]> : tensor<7xui32>
  %c4 = stablehlo.constant dense<[0, 31, 32, 3, 4294967295, 63, 1, 33]> : tensor<8xui32>
  %16 = stablehlo.shift_left %c0, %c4 : tensor<8xui32>
  check.expect_eq_const %16, dense<[0, 2147483648, 0, 56, 0, 0, 12, 0]> : tensor<8xui32>
  %17 = stablehlo.shift_right_logical %c0, %c4 : tensor<8xui32>
  check.expect_eq_const %17, dense<[0, 1, 0, 0, 0, 0, 3, 0]> : tensor<8xui32>
  %18 = stablehlo.shift_right_arithmetic %c0, %c4 : tensor<8xui32>
  check.expect_eq_const %18, dense<[0, 4294967295, 4294967295, 0, 0, 0, 3, 4294967295]> : tensor<8xui32>
  %19 = stablehlo.negate %c0 : tensor<8xui32>
  check.expect_eq_const %19, dense<[0, 1, 2, 4294967289, 4294967291, 4294901761, 4294967290, 1]> : tensor<8xui32>
  %20 = stablehlo.not %c0 : tensor<8xui32>
  check.expect_eq_const %20, dense<[4294967295, 0, 1, 4294967288, 4294967290, 4294901760, 4294967289, 0]> : tensor<8xui32>
  %21 = stablehlo.popcnt %c0 : tensor<8xui32>
  check.expect_eq_const %21, dense<[0, 32, 31, 3, 2, 16, 2, 32]> : tensor<8xui32>
  %22 = stablehlo.count_leading_zeros %c0 : tensor<8xui32>
  check.expect_eq_const %22, dense<[32, 0, 0, 29, 29, 16, 29, 0]> : tensor<8xui32>
  %lo = stablehlo.constant dense<6> : tensor<ui32>
  %hi = stablehlo.constant dense<2147483647> : tensor<ui32>
  %23 = stablehlo.clamp %lo, %c0, %hi : (tensor<ui32>, tensor<8xui32>, tensor<ui32>) -> tensor<8xui32>
  check.expect_eq_const %23, dense<[6, 2147483647, 2147483647, 7, 6, 65535, 6, 2147483647]> : tensor<8xui32>
  %24 = stablehlo.clamp %hi, %c0, %lo : (tensor<ui32>, tensor<8xui32>, tensor<ui32>) -> tensor<8xui32>
  check.expect_eq_const %24, dense<[6, 6, 6, 6, 6, 6, 6, 6]> : tensor<8xui32>
  %c5 = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3]> : tensor<8xui32>
  %25 = stablehlo.power %c0, %c5 : tensor<8xui32>
  check.expect_eq_const %25, dense<[0, 4294967295, 4294967288, 343, 125, 196607, 216, 4294967295]> : tensor<8xui32>
  %26 = stablehlo.convert %c0 : (tensor<8xui32>) -> tensor<8xi8>
  check.expect_eq_const %26, dense<[0, -1, -2, 7, 5, -1, 6, -1]> : tensor<8xi8>
  %27 = stablehlo.convert %c0 : (tensor<8xui32>) -> tensor<8xi16>
  check.expect_eq_const %27, dense<[0, -1, -2, 7, 5, -1, 6, -1]> : tensor<8xi16>
  %28 = stablehlo.convert %c0 : (tensor<8xui32>) -> tensor<8xi32>
  check.expect_eq_const %28, dense<[0, -1, -2, 7, 5, 65535, 6, -1]> : tensor<8xi32>
  %29 = stablehlo.convert %c0 : (tensor<8xui32>) -> tensor<8xi64>
  check.expect_eq_const %29, dense<[0, 4294967295, 4294967294, 7, 5, 65535, 6, 4294967295]> : tensor<8xi64>
  %30 = stablehlo.convert %c0 : (tensor<8xui32>) -> tensor<8xui8>
  check.expect_eq_const %30, dense<[0, 255, 254, 7, 5, 255, 6, 255]> : tensor<8xui8>
  %31 = stablehlo.convert %c0 : (tensor<8xui32>) -> tensor<8xui16>
  check.expect_eq_const %31, dense<[0, 65535, 65534, 7, 5, 65535, 6, 65535]> : tensor<8xui16>
  %32 = stablehlo.convert %c0 : (tensor<8xui32>) -> tensor<8xui64>
  check.expect_eq_const %32, dense<[0, 4294967295, 4294967294, 7, 5, 65535, 6, 4294967295]> : tensor<8xui64>
  %33 = stablehlo.convert %c0 : (tensor<8xui32>) -> tensor<8xi1>
  check.expect_eq_const %33, dense<[false, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}
// -----
func.func @ui64() {
  %c0 = stablehlo.constant dense<[0, 18446744073709551615, 18446744073709551614, 7, 5, 4294967295, 6, 18446744073709551615]> : tensor<8xui64>
  %c1 = stablehlo.constant dense<[18446744073709551615, 1, 3689348814741910323, 4294967299, 0, 4294967295, 18446744073709551615, 18446744073709551615]> : tensor<8xui64>
  %0 = stablehlo.add %c0, %c1 : tensor<8xui64>
  check.expect_eq_const %0, dense<[18446744073709551615, 0, 3689348814741910321, 4294967306, 5, 8589934590, 5, 18446744073709551614]> : tensor<8xui64>
  %1 = stablehlo.subtract %c0, %c1 : tensor<8xui64>
  check.expect_eq_const %1, dense<[1, 18446744073709551614, 14757395258967641291, 18446744069414584324, 5, 0, 7, 0]> : tensor<8xui64>
  %2 = stablehlo.multiply %c0, %c1 : tensor<8xui64>
  check.expect_eq_const %2, dense<[0, 18446744073709551615, 11068046444225730970, 30064771093, 0, 18446744065119617025, 18446744073709551610, 1]> : tensor<8xui64>
  %3 = stablehlo.maximum %c0, %c1 : tensor<8xui64>
  check.expect_eq_const %3, dense<[18446744073709551615, 18446744073709551615, 18446744073709551614, 4294967299, 5, 4294967295, 18446744073709551615, 18446744073709551615]> : tensor<8xui64>
  %4 = stablehlo.minimum %c0, %c1 : tensor<8xui64>
  check.expect_eq_const %4, dense<[0, 1, 3689348814741910323, 7, 0, 4294967295, 6, 18446744073709551615]> : tensor<8xui64>
  %5 = stablehlo.and %c0, %c1 : tensor<8xui64>
  check.expect_eq_const %5, dense<[0, 1, 3689348814741910322, 3, 0, 4294967295, 6, 18446744073709551615]> : tensor<8xui64>
  %6 = stablehlo.or %c0, %c1 : tensor<8xui64>
  check.expect_eq_const %6, dense<[18446744073709551615, 18446744073709551615, 18446744073709551615, 4294967303, 5, 4294967295, 18446744073709551615, 18446744073709551615]> : tensor<8xui64>
  %7 = stablehlo.xor %c0, %c1 : tensor<8xui64>
  check.expect_eq_const %7, dense<[18446744073709551615, 18446744073709551614, 14757395258967641293, 4294967300, 5, 0, 18446744073709551609, 0]> : tensor<8xui64>
  %8 = stablehlo.compare EQ, %c0, %c1 : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, false, true, false, true]> : tensor<8xi1>
  %9 = stablehlo.compare NE, %c0, %c1 : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
  check.expect_eq_const %9, dense<[true, true, true, true, true, false, true, false]> : tensor<8xi1>
  %10 = stablehlo.compare LT, %c0, %c1 : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
  check.expect_eq_const %10, dense<[true, false, false, true, false, false, true, false]> : tensor<8xi1>
  %11 = stablehlo.compare LE, %c0, %c1 : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
  check.expect_eq_const %11, dense<[true, false, false, true, false, true, true, true]> : tensor<8xi1>
  %12 = stablehlo.compare GT, %c0, %c1 : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
  check.expect_eq_const %12, dense<[false, true, true, false, true, false, false, false]> : tensor<8xi1>
  %13 = stablehlo.compare GE, %c0, %c1 : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
  check.expect_eq_const %13, dense<[false, true, true, false, true, true, false, true]> : tensor<8xi1>
  %c2 = stablehlo.constant dense<[0, 63, 64, 3, 18446744073709551615, 127, 1, 65]> : tensor<8xui64>
  %14 = stablehlo.shift_left %c0, %c2 : tensor<8xui64>
  check.expect_eq_const %14, dense<[0, 9223372036854775808, 0, 56, 0, 0, 12, 0]> : tensor<8xui64>
  %15 = stablehlo.shift_right_logical %c0, %c2 : tensor<8xui64>
  check.expect_eq_const %15, dense<[0, 1, 0, 0, 0, 0, 3, 0]> : tensor<8xui64>
  %16 = stablehlo.shift_right_arithmetic %c0, %c2 : tensor<8xui64>
  check.expect_eq_const %16, dense<[0, 18446744073709551615, 18446744073709551615, 0, 0, 0, 3, 18446744073709551615]> : tensor<8xui64>
  %17 = stablehlo.negate %c0 : tensor<8xui64>
  check.expect_eq_const %17, dense<[0, 1, 2, 18446744073709551609, 18446744073709551611, 18446744069414584321, 18446744073709551610, 1]> : tensor<8xui64>
  %18 = stablehlo.not %c0 : tensor<8xui64>
  check.expect_eq_const %18, dense<[18446744073709551615, 0, 1, 18446744073709551608, 18446744073709551610, 18446744069414584320, 18446744073709551609, 0]> : tensor<8xui64>
  %19 = stablehlo.popcnt %c0 : tensor<8xui64>
  check.expect_eq_const %19, dense<[0, 64, 63, 3, 2, 32, 2, 64]> : tensor<8xui64>
  %20 = stablehlo.count_leading_zeros %c0 : tensor<8xui64>
  check.expect_eq_const %20, dense<[64, 0, 0, 61, 61, 32, 61, 0]> : tensor<8xui64>
  %lo = stablehlo.constant dense<6> : tensor<ui64>
  %hi = stablehlo.constant dense<9223372036854775807> : tensor<ui64>
  %21 = stablehlo.clamp %lo, %c0, %hi : (tensor<ui64>, tensor<8xui64>, tensor<ui64>) -> tensor<8xui64>
  check.expect_eq_const %21, dense<[6, 9223372036854775807, 9223372036854775807, 7, 6, 4294967295, 6, 9223372036854775807]> : tensor<8xui64>
  %22 = stablehlo.clamp %hi, %c0, %lo : (tensor<ui64>, tensor<8xui64>, tensor<ui64>) -> tensor<8xui64>
  check.expect_eq_const %22, dense<[6, 6, 6, 6, 6, 6, 6, 6]> : tensor<8xui64>
  %c3 = stablehlo.constant dense<[3, 3, 3, 3, 3, 3, 3, 3]> : tensor<8xui64>
  %23 = stablehlo.power %c0, %c3 : tensor<8xui64>
  check.expect_eq_const %23, dense<[0, 18446744073709551615, 18446744073709551608, 343, 125, 12884901887, 216, 18446744073709551615]> : tensor<8xui64>
  %24 = stablehlo.convert %c0 : (tensor<8xui64>) -> tensor<8xi8>
  check.expect_eq_const %24, dense<[0, -1, -2, 7, 5, -1, 6, -1]> : tensor<8xi8>
  %25 = stablehlo.convert %c0 : (tensor<8xui64>) -> tensor<8xi16>
  check.expect_eq_const %25, dense<[0, -1, -2, 7, 5, -1, 6, -1]> : tensor<8xi16>
  %26 = stablehlo.convert %c0 : (tensor<8xui64>) -> tensor<8xi32>
  check.expect_eq_const %26, dense<[0, -1, -2, 7, 5, -1, 6, -1]> : tensor<8xi32>
  %27 = stablehlo.convert %c0 : (tensor<8xui64>) -> tensor<8xi64>
  check.expect_eq_const %27, dense<[0, -1, -2, 7, 5, 4294967295, 6, -1]> : tensor<8xi64>
  %28 = stablehlo.convert %c0 : (tensor<8xui64>) -> tensor<8xui8>
  check.expect_eq_const %28, dense<[0, 255, 254, 7, 5, 255, 6, 255]> : tensor<8xui8>
  %29 = stablehlo.convert %c0 : (tensor<8xui64>) -> tensor<8xui16>
  check.expect_eq_const %29, dense<[0, 65535, 65534, 7, 5, 65535, 6, 65535]> : tensor<8xui16>
  %30 = stablehlo.convert %c0 : (tensor<8xui64>) -> tensor<8xui32>
  check.expect_eq_const %30, dense<[0, 4294967295, 4294967294, 7, 5, 4294967295, 6, 4294967295]> : tensor<8xui32>
  %31 = stablehlo.convert %c0 : (tensor<8xui64>) -> tensor<8xi1>
  check.expect_eq_const %31, dense<[false, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}
// -----
func.func @booleans() {
  %c0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %c1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = stablehlo.add %c0, %c1 : tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, true, true]> : tensor<4xi1>
  %1 = stablehlo.multiply %c0, %c1 : tensor<4xi1>
  check.expect_eq_const %1, dense<[false, false, false, true]> : tensor<4xi1>
  %2 = stablehlo.maximum %c0, %c1 : tensor<4xi1>
  check.expect_eq_const %2, dense<[false, true, true, true]> : tensor<4xi1>
  %3 = stablehlo.minimum %c0, %c1 : tensor<4xi1>
  check.expect_eq_const %3, dense<[false, false, false, true]> : tensor<4xi1>
  %4 = stablehlo.and %c0, %c1 : tensor<4xi1>
  check.expect_eq_const %4, dense<[false, false, false, true]> : tensor<4xi1>
  %5 = stablehlo.or %c0, %c1 : tensor<4xi1>
  check.expect_eq_const %5, dense<[false, true, true, true]> : tensor<4xi1>
  %6 = stablehlo.xor %c0, %c1 : tensor<4xi1>
  check.expect_eq_const %6, dense<[false, true, true, false]> : tensor<4xi1>
  %7 = stablehlo.compare EQ, %c0, %c1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %7, dense<[true, false, false, true]> : tensor<4xi1>
  %8 = stablehlo.compare NE, %c0, %c1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %8, dense<[false, true, true, false]> : tensor<4xi1>
  %9 = stablehlo.compare LT, %c0, %c1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %9, dense<[false, true, false, false]> : tensor<4xi1>
  %10 = stablehlo.compare LE, %c0, %c1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %10, dense<[true, true, false, true]> : tensor<4xi1>
  %11 = stablehlo.compare GT, %c0, %c1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %11, dense<[false, false, true, false]> : tensor<4xi1>
  %12 = stablehlo.compare GE, %c0, %c1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %12, dense<[true, false, true, true]> : tensor<4xi1>
  %13 = stablehlo.not %c0 : tensor<4xi1>
  check.expect_eq_const %13, dense<[true, true, false, false]> : tensor<4xi1>
  %14 = stablehlo.convert %c0 : (tensor<4xi1>) -> tensor<4xi8>
  check.expect_eq_const %14, dense<[0, 0, 1, 1]> : tensor<4xi8>
  %15 = stablehlo.convert %c0 : (tensor<4xi1>) -> tensor<4xui64>
  check.expect_eq_const %15, dense<[0, 0, 1, 1]> : tensor<4xui64>
  %16 = stablehlo.convert %c0 : (tensor<4xi1>) -> tensor<4xf32>
  check.expect_close_const %16, dense<[0.0, 0.0, 1.0, 1.0]> : tensor<4xf32>, max_ulp_difference = 0
  %17 = stablehlo.convert %c0 : (tensor<4xi1>) -> tensor<4xbf16>
  check.expect_close_const %17, dense<[0.0, 0.0, 1.0, 1.0]> : tensor<4xbf16>, max_ulp_difference = 0
  return
}
// -----
func.func @f16() {
  %c0 = stablehlo.constant dense<[0x7E00, 1.0, 0x7E00, 0xFC00, 0x7C00, 0.0, -2.5, 2.5, 0.5, -0.5, 1.5, -7.0, 5.25]> : tensor<13xf16>
  %c1 = stablehlo.constant dense<[1.0, 0x7E00, 0x7E00, 0x7C00, 3.0, -0.0, 2.0, -2.5, 0x7C00, -0.25, 0xFC00, 2.0, -2.5]> : tensor<13xf16>
  %0 = stablehlo.maximum %c0, %c1 : tensor<13xf16>
  check.expect_close_const %0, dense<[0x7E00, 0x7E00, 0x7E00, 0x7C00, 0x7C00, 0.0, 2.0, 2.5, 0x7C00, -0.25, 1.5, 2.0, 5.25]> : tensor<13xf16>, max_ulp_difference = 0
  %1 = stablehlo.minimum %c0, %c1 : tensor<13xf16>
  check.expect_close_const %1, dense<[0x7E00, 0x7E00, 0x7E00, 0xFC00, 3.0, -0.0, -2.5, -2.5, 0.5, -0.5, 0xFC00, -7.0, -2.5]> : tensor<13xf16>, max_ulp_difference = 0
  %2 = stablehlo.add %c0, %c1 : tensor<13xf16>
  check.expect_close_const %2, dense<[0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7C00, 0.0, -0.5, 0.0, 0x7C00, -0.75, 0xFC00, -5.0, 2.75]> : tensor<13xf16>, max_ulp_difference = 0
  %3 = stablehlo.remainder %c0, %c1 : tensor<13xf16>
  check.expect_close_const %3, dense<[0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00, -0.5, 0.0, 0.5, -0.0, 1.5, -1.0, 0.25]> : tensor<13xf16>, max_ulp_difference = 0
  %4 = stablehlo.compare EQ, %c0, %c1 : (tensor<13xf16>, tensor<13xf16>) -> tensor<13xi1>
  check.expect_eq_const %4, dense<[false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<13xi1>
  %5 = stablehlo.compare NE, %c0, %c1 : (tensor<13xf16>, tensor<13xf16>) -> tensor<13xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<13xi1>
  %6 = stablehlo.compare LT, %c0, %c1 : (tensor<13xf16>, tensor<13xf16>) -> tensor<13xi1>
  check.expect_eq_const %6, dense<[false, false, false, true, false, false, true, false, true, true, false, true, false]> : tensor<13xi1>
  %7 = stablehlo.compare LE, %c0, %c1 : (tensor<13xf16>, tensor<13xf16>) -> tensor<13xi1>
  check.expect_eq_const %7, dense<[false, false, false, true, false, true, true, false, true, true, false, true, false]> : tensor<13xi1>
  %8 = stablehlo.compare GT, %c0, %c1 : (tensor<13xf16>, tensor<13xf16>) -> tensor<13xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, true, false, false, true, false, false, true, false, true]> : tensor<13xi1>
  %9 = stablehlo.compare GE, %c0, %c1 : (tensor<13xf16>, tensor<13xf16>) -> tensor<13xi1>
  check.expect_eq_const %9, dense<[false, false, false, false, true, true, false, true, false, false, true, false, true]> : tensor<13xi1>
  %c2 = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.25, -0.75, 127.0, -3.0, 0.499755859375, 1025.0]> : tensor<17xf16>
  %10 = stablehlo.round_nearest_afz %c2 : tensor<17xf16>
  check.expect_close_const %10, dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -2.0, -3.0, 0.0, -1.0, 127.0, -3.0, 0.0, 1025.0]> : tensor<17xf16>, max_ulp_difference = 0
  %11 = stablehlo.round_nearest_even %c2 : tensor<17xf16>
  check.expect_close_const %11, dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0, 0.0, -0.0, 2.0, 2.0, -2.0, -2.0, 0.0, -1.0, 127.0, -3.0, 0.0, 1025.0]> : tensor<17xf16>, max_ulp_difference = 0
  %12 = stablehlo.sign %c2 : tensor<17xf16>
  check.expect_close_const %12, dense<[0x7E00, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0]> : tensor<17xf16>, max_ulp_difference = 0
  %13 = stablehlo.abs %c2 : tensor<17xf16>
  check.expect_close_const %13, dense<[0x7E00, 0x7C00, 0x7C00, 0.0, 0.0, 0.5, 0.5, 1.5, 2.5, 1.5, 2.5, 0.25, 0.75, 127.0, 3.0, 0.499755859375, 1025.0]> : tensor<17xf16>, max_ulp_difference = 0
  %14 = stablehlo.negate %c2 : tensor<17xf16>
  check.expect_close_const %14, dense<[0x7E00, 0xFC00, 0x7C00, -0.0, 0.0, -0.5, 0.5, -1.5, -2.5, 1.5, 2.5, -0.25, 0.75, -127.0, 3.0, -0.499755859375, -1025.0]> : tensor<17xf16>, max_ulp_difference = 0
  %15 = stablehlo.floor %c2 : tensor<17xf16>
  check.expect_close_const %15, dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0, 0.0, -1.0, 1.0, 2.0, -2.0, -3.0, 0.0, -1.0, 127.0, -3.0, 0.0, 1025.0]> : tensor<17xf16>, max_ulp_difference = 0
  %16 = stablehlo.ceil %c2 : tensor<17xf16>
  check.expect_close_const %16, dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0, 1.0, -0.0, 2.0, 3.0, -1.0, -2.0, 1.0, -0.0, 127.0, -3.0, 1.0, 1025.0]> : tensor<17xf16>, max_ulp_difference = 0
  %17 = stablehlo.is_finite %c2 : (tensor<17xf16>) -> tensor<17xi1>
  check.expect_eq_const %17, dense<[false, false, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<17xi1>
  %18 = stablehlo.convert %c2 : (tensor<17xf16>) -> tensor<17xi1>
  check.expect_eq_const %18, dense<[true, true, true, false, false, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<17xi1>
  %lo = stablehlo.constant dense<-0.75> : tensor<f16>
  %hi = stablehlo.constant dense<2.0> : tensor<f16>
  %19 = stablehlo.clamp %lo, %c2, %hi : (tensor<f16>, tensor<17xf16>, tensor<f16>) -> tensor<17xf16>
  check.expect_close_const %19, dense<[0x7E00, 2.0, -0.75, 0.0, -0.0, 0.5, -0.5, 1.5, 2.0, -0.75, -0.75, 0.25, -0.75, 2.0, -0.75, 0.499755859375, 2.0]> : tensor<17xf16>, max_ulp_difference = 0
  %c3 = stablehlo.constant dense<[0.0, -0.0, 0.75, -0.75, 1.5, -1.5, 126.5, -3.0, 2.5]> : tensor<9xf16>
  %20 = stablehlo.convert %c3 : (tensor<9xf16>) -> tensor<9xi8>
  check.expect_eq_const %20, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi8>
  %21 = stablehlo.convert %c3 : (tensor<9xf16>) -> tensor<9xi32>
  check.expect_eq_const %21, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi32>
  %22 = stablehlo.convert %c3 : (tensor<9xf16>) -> tensor<9xi64>
  check.expect_eq_const %22, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi64>
  %c4 = stablehlo.constant dense<[0.75, 0.0, 126.5, 3.0]> : tensor<4xf16>
  %23 = stablehlo.convert %c4 : (tensor<4xf16>) -> tensor<4xui8>
  check.expect_eq_const %23, dense<[0, 0, 126, 3]> : tensor<4xui8>
  %24 = stablehlo.convert %c4 : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %24, dense<[0, 0, 126, 3]> : tensor<4xui16>
  %25 = stablehlo.convert %c4 : (tensor<4xf16>) -> tensor<4xui32>
  check.expect_eq_const %25, dense<[0, 0, 126, 3]> : tensor<4xui32>
  %26 = stablehlo.convert %c4 : (tensor<4xf16>) -> tensor<4xui64>
  check.expect_eq_const %26, dense<[0, 0, 126, 3]> : tensor<4xui64>
  return
}
// -----
func.func @bf16() {
  %c0 = stablehlo.constant dense<[0x7FC0, 1.0, 0x7FC0, 0xFF80, 0x7F80, 0.0, -2.5, 2.5, 0.5, -0.5, 1.5, -7.0, 5.25]> : tensor<13xbf16>
  %c1 = stablehlo.constant dense<[1.0, 0x7FC0, 0x7FC0, 0x7F80, 3.0, -0.0, 2.0, -2.5, 0x7F80, -0.25, 0xFF80, 2.0, -2.5]> : tensor<13xbf16>
  %0 = stablehlo.maximum %c0, %c1 : tensor<13xbf16>
  check.expect_close_const %0, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7F80, 0x7F80, 0.0, 2.0, 2.5, 0x7F80, -0.25, 1.5, 2.0, 5.25]> : tensor<13xbf16>, max_ulp_difference = 0
  %1 = stablehlo.minimum %c0, %c1 : tensor<13xbf16>
  check.expect_close_const %1, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0xFF80, 3.0, -0.0, -2.5, -2.5, 0.5, -0.5, 0xFF80, -7.0, -2.5]> : tensor<13xbf16>, max_ulp_difference = 0
  %2 = stablehlo.add %c0, %c1 : tensor<13xbf16>
  check.expect_close_const %2, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7F80, 0.0, -0.5, 0.0, 0x7F80, -0.75, 0xFF80, -5.0, 2.75]> : tensor<13xbf16>, max_ulp_difference = 0
  %3 = stablehlo.remainder %c0, %c1 : tensor<13xbf16>
  check.expect_close_const %3, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, -0.5, 0.0, 0.5, -0.0, 1.5, -1.0, 0.25]> : tensor<13xbf16>, max_ulp_difference = 0
  %4 = stablehlo.compare EQ, %c0, %c1 : (tensor<13xbf16>, tensor<13xbf16>) -> tensor<13xi1>
  check.expect_eq_const %4, dense<[false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<13xi1>
  %5 = stablehlo.compare NE, %c0, %c1 : (tensor<13xbf16>, tensor<13xbf16>) -> tensor<13xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<13xi1>
  %6 = stablehlo.compare LT, %c0, %c1 : (tensor<13xbf16>, tensor<13xbf16>) -> tensor<13xi1>
  check.expect_eq_const %6, dense<[false, false, false, true, false, false, true, false, true, true, false, true, false]> : tensor<13xi1>
  %7 = stablehlo.compare LE, %c0, %c1 : (tensor<13xbf16>, tensor<13xbf16>) -> tensor<13xi1>
  check.expect_eq_const %7, dense<[false, false, false, true, false, true, true, false, true, true, false, true, false]> : tensor<13xi1>
  %8 = stablehlo.compare GT, %c0, %c1 : (tensor<13xbf16>, tensor<13xbf16>) -> tensor<13xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, true, false, false, true, false, false, true, false, true]> : tensor<13xi1>
  %9 = stablehlo.compare GE, %c0, %c1 : (tensor<13xbf16>, tensor<13xbf16>) -> tensor<13xi1>
  check.expect_eq_const %9, dense<[false, false, false, false, true, true, false, true, false, false, true, false, true]> : tensor<13xi1>
  %c2 = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.25, -0.75, 127.0, -3.0, 0.498046875, 129.0]> : tensor<17xbf16>
  %10 = stablehlo.round_nearest_afz %c2 : tensor<17xbf16>
  check.expect_close_const %10, dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -2.0, -3.0, 0.0, -1.0, 127.0, -3.0, 0.0, 129.0]> : tensor<17xbf16>, max_ulp_difference = 0
  %11 = stablehlo.round_nearest_even %c2 : tensor<17xbf16>
  check.expect_close_const %11, dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0, 0.0, -0.0, 2.0, 2.0, -2.0, -2.0, 0.0, -1.0, 127.0, -3.0, 0.0, 129.0]> : tensor<17xbf16>, max_ulp_difference = 0
  %12 = stablehlo.sign %c2 : tensor<17xbf16>
  check.expect_close_const %12, dense<[0x7FC0, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0]> : tensor<17xbf16>, max_ulp_difference = 0
  %13 = stablehlo.abs %c2 : tensor<17xbf16>
  check.expect_close_const %13, dense<[0x7FC0, 0x7F80, 0x7F80, 0.0, 0.0, 0.5, 0.5, 1.5, 2.5, 1.5, 2.5, 0.25, 0.75, 127.0, 3.0, 0.498046875, 129.0]> : tensor<17xbf16>, max_ulp_difference = 0
  %14 = stablehlo.negate %c2 : tensor<17xbf16>
  check.expect_close_const %14, dense<[0x7FC0, 0xFF80, 0x7F80, -0.0, 0.0, -0.5, 0.5, -1.5, -2.5, 1.5, 2.5, -0.25, 0.75, -127.0, 3.0, -0.498046875, -129.0]> : tensor<17xbf16>, max_ulp_difference = 0
  %15 = stablehlo.floor %c2 : tensor<17xbf16>
  check.expect_close_const %15, dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0, 0.0, -1.0, 1.0, 2.0, -2.0, -3.0, 0.0, -1.0, 127.0, -3.0, 0.0, 129.0]> : tensor<17xbf16>, max_ulp_difference = 0
  %16 = stablehlo.ceil %c2 : tensor<17xbf16>
  check.expect_close_const %16, dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0, 1.0, -0.0, 2.0, 3.0, -1.0, -2.0, 1.0, -0.0, 127.0, -3.0, 1.0, 129.0]> : tensor<17xbf16>, max_ulp_difference = 0
  %17 = stablehlo.is_finite %c2 : (tensor<17xbf16>) -> tensor<17xi1>
  check.expect_eq_const %17, dense<[false, false, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<17xi1>
  %18 = stablehlo.convert %c2 : (tensor<17xbf16>) -> tensor<17xi1>
  check.expect_eq_const %18, dense<[true, true, true, false, false, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<17xi1>
  %lo = stablehlo.constant dense<-0.75> : tensor<bf16>
  %hi = stablehlo.constant dense<2.0> : tensor<bf16>
  %19 = stablehlo.clamp %lo, %c2, %hi : (tensor<bf16>, tensor<17xbf16>, tensor<bf16>) -> tensor<17xbf16>
  check.expect_close_const %19, dense<[0x7FC0, 2.0, -0.75, 0.0, -0.0, 0.5, -0.5, 1.5, 2.0, -0.75, -0.75, 0.25, -0.75, 2.0, -0.75, 0.498046875, 2.0]> : tensor<17xbf16>, max_ulp_difference = 0
  %c3 = stablehlo.constant dense<[0.0, -0.0, 0.75, -0.75, 1.5, -1.5, 126.5, -3.0, 2.5]> : tensor<9xbf16>
  %20 = stablehlo.convert %c3 : (tensor<9xbf16>) -> tensor<9xi8>
  check.expect_eq_const %20, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi8>
  %21 = stablehlo.convert %c3 : (tensor<9xbf16>) -> tensor<9xi32>
  check.expect_eq_const %21, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi32>
  %22 = stablehlo.convert %c3 : (tensor<9xbf16>) -> tensor<9xi64>
  check.expect_eq_const %22, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi64>
  %c4 = stablehlo.constant dense<[0.75, 0.0, 126.5, 3.0]> : tensor<4xbf16>
  %23 = stablehlo.convert %c4 : (tensor<4xbf16>) -> tensor<4xui8>
  check.expect_eq_const %23, dense<[0, 0, 126, 3]> : tensor<4xui8>
  %24 = stablehlo.convert %c4 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %24, dense<[0, 0, 126, 3]> : tensor<4xui16>
  %25 = stablehlo.convert %c4 : (tensor<4xbf16>) -> tensor<4xui32>
  check.expect_eq_const %25, dense<[0, 0, 126, 3]> : tensor<4xui32>
  %26 = stablehlo.convert %c4 : (tensor<4xbf16>) -> tensor<4xui64>
  check.expect_eq_const %26, dense<[0, 0, 126, 3]> : tensor<4xui64>
  return
}
// -----
func.func @f32() {
  %c0 = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000, 0xFF800000, 0x7F800000, 0.0, -2.5, 2.5, 0.5, -0.5, 1.5, -7.0, 5.25]> : tensor<13xf32>
  %c1 = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 3.0, -0.0, 2.0, -2.5, 0x7F800000, -0.25, 0xFF800000, 2.0, -2.5]> : tensor<13xf32>
  %0 = stablehlo.maximum %c0, %c1 : tensor<13xf32>
  check.expect_close_const %0, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7F800000, 0.0, 2.0, 2.5, 0x7F800000, -0.25, 1.5, 2.0, 5.25]> : tensor<13xf32>, max_ulp_difference = 0
  %1 = stablehlo.minimum %c0, %c1 : tensor<13xf32>
  check.expect_close_const %1, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0xFF800000, 3.0, -0.0, -2.5, -2.5, 0.5, -0.5, 0xFF800000, -7.0, -2.5]> : tensor<13xf32>, max_ulp_difference = 0
  %2 = stablehlo.add %c0, %c1 : tensor<13xf32>
  check.expect_close_const %2, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, 0.0, -0.5, 0.0, 0x7F800000, -0.75, 0xFF800000, -5.0, 2.75]> : tensor<13xf32>, max_ulp_difference = 0
  %3 = stablehlo.remainder %c0, %c1 : tensor<13xf32>
  check.expect_close_const %3, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, -0.5, 0.0, 0.5, -0.0, 1.5, -1.0, 0.25]> : tensor<13xf32>, max_ulp_difference = 0
  %4 = stablehlo.compare EQ, %c0, %c1 : (tensor<13xf32>, tensor<13xf32>) -> tensor<13xi1>
  check.expect_eq_const %4, dense<[false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<13xi1>
  %5 = stablehlo.compare NE, %c0, %c1 : (tensor<13xf32>, tensor<13xf32>) -> tensor<13xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<13xi1>
  %6 = stablehlo.compare LT, %c0, %c1 : (tensor<13xf32>, tensor<13xf32>) -> tensor<13xi1>
  check.expect_eq_const %6, dense<[false, false, false, true, false, false, true, false, true, true, false, true, false]> : tensor<13xi1>
  %7 = stablehlo.compare LE, %c0, %c1 : (tensor<13xf32>, tensor<13xf32>) -> tensor<13xi1>
  check.expect_eq_const %7, dense<[false, false, false, true, false, true, true, false, true, true, false, true, false]> : tensor<13xi1>
  %8 = stablehlo.compare GT, %c0, %c1 : (tensor<13xf32>, tensor<13xf32>) -> tensor<13xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, true, false, false, true, false, false, true, false, true]> : tensor<13xi1>
  %9 = stablehlo.compare GE, %c0, %c1 : (tensor<13xf32>, tensor<13xf32>) -> tensor<13xi1>
  check.expect_eq_const %9, dense<[false, false, false, false, true, true, false, true, false, false, true, false, true]> : tensor<13xi1>
  %c2 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.25, -0.75, 127.0, -3.0, 0.49999997, -0.49999997, 8388609.0]> : tensor<18xf32>
  %10 = stablehlo.round_nearest_afz %c2 : tensor<18xf32>
  check.expect_close_const %10, dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -2.0, -3.0, 0.0, -1.0, 127.0, -3.0, 0.0, -0.0, 8388609.0]> : tensor<18xf32>, max_ulp_difference = 0
  %11 = stablehlo.round_nearest_even %c2 : tensor<18xf32>
  check.expect_close_const %11, dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.0, -0.0, 2.0, 2.0, -2.0, -2.0, 0.0, -1.0, 127.0, -3.0, 0.0, -0.0, 8388609.0]> : tensor<18xf32>, max_ulp_difference = 0
  %12 = stablehlo.sign %c2 : tensor<18xf32>
  check.expect_close_const %12, dense<[0x7FC00000, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]> : tensor<18xf32>, max_ulp_difference = 0
  %13 = stablehlo.abs %c2 : tensor<18xf32>
  check.expect_close_const %13, dense<[0x7FC00000, 0x7F800000, 0x7F800000, 0.0, 0.0, 0.5, 0.5, 1.5, 2.5, 1.5, 2.5, 0.25, 0.75, 127.0, 3.0, 0.49999997, 0.49999997, 8388609.0]> : tensor<18xf32>, max_ulp_difference = 0
  %14 = stablehlo.negate %c2 : tensor<18xf32>
  check.expect_close_const %14, dense<[0x7FC00000, 0xFF800000, 0x7F800000, -0.0, 0.0, -0.5, 0.5, -1.5, -2.5, 1.5, 2.5, -0.25, 0.75, -127.0, 3.0, -0.49999997, 0.49999997, -8388609.0]> : tensor<18xf32>, max_ulp_difference = 0
  %15 = stablehlo.floor %c2 : tensor<18xf32>
  check.expect_close_const %15, dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 0.0, -1.0, 1.0, 2.0, -2.0, -3.0, 0.0, -1.0, 127.0, -3.0, 0.0, -1.0, 8388609.0]> : tensor<18xf32>, max_ulp_difference = 0
  %16 = stablehlo.ceil %c2 : tensor<18xf32>
  check.expect_close_const %16, dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0, 1.0, -0.0, 2.0, 3.0, -1.0, -2.0, 1.0, -0.0, 127.0, -3.0, 1.0, -0.0, 8388609.0]> : tensor<18xf32>, max_ulp_difference = 0
  %17 = stablehlo.is_finite %c2 : (tensor<18xf32>) -> tensor<18xi1>
  check.expect_eq_const %17, dense<[false, false, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<18xi1>
  %18 = stablehlo.convert %c2 : (tensor<18xf32>) -> tensor<18xi1>
  check.expect_eq_const %18, dense<[true, true, true, false, false, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<18xi1>
  %lo = stablehlo.constant dense<-0.75> : tensor<f32>
  %hi = stablehlo.constant dense<2.0> : tensor<f32>
  %19 = stablehlo.clamp %lo, %c2, %hi : (tensor<f32>, tensor<18xf32>, tensor<f32>) -> tensor<18xf32>
  check.expect_close_const %19, dense<[0x7FC00000, 2.0, -0.75, 0.0, -0.0, 0.5, -0.5, 1.5, 2.0, -0.75, -0.75, 0.25, -0.75, 2.0, -0.75, 0.49999997, -0.49999997, 2.0]> : tensor<18xf32>, max_ulp_difference = 0
  %c3 = stablehlo.constant dense<[0.0, -0.0, 0.75, -0.75, 1.5, -1.5, 126.5, -3.0, 2.5]> : tensor<9xf32>
  %20 = stablehlo.convert %c3 : (tensor<9xf32>) -> tensor<9xi8>
  check.expect_eq_const %20, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi8>
  %21 = stablehlo.convert %c3 : (tensor<9xf32>) -> tensor<9xi32>
  check.expect_eq_const %21, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi32>
  %22 = stablehlo.convert %c3 : (tensor<9xf32>) -> tensor<9xi64>
  check.expect_eq_const %22, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi64>
  %c4 = stablehlo.constant dense<[0.75, 0.0, 126.5, 3.0]> : tensor<4xf32>
  %23 = stablehlo.convert %c4 : (tensor<4xf32>) -> tensor<4xui8>
  check.expect_eq_const %23, dense<[0, 0, 126, 3]> : tensor<4xui8>
  %24 = stablehlo.convert %c4 : (tensor<4xf32>) -> tensor<4xui16>
  check.expect_eq_const %24, dense<[0, 0, 126, 3]> : tensor<4xui16>
  %25 = stablehlo.convert %c4 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %25, dense<[0, 0, 126, 3]> : tensor<4xui32>
  %26 = stablehlo.convert %c4 : (tensor<4xf32>) -> tensor<4xui64>
  check.expect_eq_const %26, dense<[0, 0, 126, 3]> : tensor<4xui64>
  return
}
// -----
func.func @f64() {
  %c0 = stablehlo.constant dense<[0x7FF8000000000000, 1.0, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0.0, -2.5, 2.5, 0.5, -0.5, 1.5, -7.0, 5.25]> : tensor<13xf64>
  %c1 = stablehlo.constant dense<[1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 3.0, -0.0, 2.0, -2.5, 0x7FF0000000000000, -0.25, 0xFFF0000000000000, 2.0, -2.5]> : tensor<13xf64>
  %0 = stablehlo.maximum %c0, %c1 : tensor<13xf64>
  check.expect_close_const %0, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 2.0, 2.5, 0x7FF0000000000000, -0.25, 1.5, 2.0, 5.25]> : tensor<13xf64>, max_ulp_difference = 0
  %1 = stablehlo.minimum %c0, %c1 : tensor<13xf64>
  check.expect_close_const %1, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 3.0, -0.0, -2.5, -2.5, 0.5, -0.5, 0xFFF0000000000000, -7.0, -2.5]> : tensor<13xf64>, max_ulp_difference = 0
  %2 = stablehlo.add %c0, %c1 : tensor<13xf64>
  check.expect_close_const %2, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0.0, -0.5, 0.0, 0x7FF0000000000000, -0.75, 0xFFF0000000000000, -5.0, 2.75]> : tensor<13xf64>, max_ulp_difference = 0
  %3 = stablehlo.remainder %c0, %c1 : tensor<13xf64>
  check.expect_close_const %3, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, -0.5, 0.0, 0.5, -0.0, 1.5, -1.0, 0.25]> : tensor<13xf64>, max_ulp_difference = 0
  %4 = stablehlo.compare EQ, %c0, %c1 : (tensor<13xf64>, tensor<13xf64>) -> tensor<13xi1>
  check.expect_eq_const %4, dense<[false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<13xi1>
  %5 = stablehlo.compare NE, %c0, %c1 : (tensor<13xf64>, tensor<13xf64>) -> tensor<13xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<13xi1>
  %6 = stablehlo.compare LT, %c0, %c1 : (tensor<13xf64>, tensor<13xf64>) -> tensor<13xi1>
  check.expect_eq_const %6, dense<[false, false, false, true, false, false, true, false, true, true, false, true, false]> : tensor<13xi1>
  %7 = stablehlo.compare LE, %c0, %c1 : (tensor<13xf64>, tensor<13xf64>) -> tensor<13xi1>
  check.expect_eq_const %7, dense<[false, false, false, true, false, true, true, false, true, true, false, true, false]> : tensor<13xi1>
  %8 = stablehlo.compare GT, %c0, %c1 : (tensor<13xf64>, tensor<13xf64>) -> tensor<13xi1>
  check.expect_eq_const %8, dense<[false, false, false, false, true, false, false, true, false, false, true, false, true]> : tensor<13xi1>
  %9 = stablehlo.compare GE, %c0, %c1 : (tensor<13xf64>, tensor<13xf64>) -> tensor<13xi1>
  check.expect_eq_const %9, dense<[false, false, false, false, true, true, false, true, false, false, true, false, true]> : tensor<13xi1>
  %c2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.25, -0.75, 127.0, -3.0, 0.49999999999999994, 4503599627370497.0]> : tensor<17xf64>
  %10 = stablehlo.round_nearest_afz %c2 : tensor<17xf64>
  check.expect_close_const %10, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -2.0, -3.0, 0.0, -1.0, 127.0, -3.0, 0.0, 4503599627370497.0]> : tensor<17xf64>, max_ulp_difference = 0
  %11 = stablehlo.round_nearest_even %c2 : tensor<17xf64>
  check.expect_close_const %11, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.0, -0.0, 2.0, 2.0, -2.0, -2.0, 0.0, -1.0, 127.0, -3.0, 0.0, 4503599627370497.0]> : tensor<17xf64>, max_ulp_difference = 0
  %12 = stablehlo.sign %c2 : tensor<17xf64>
  check.expect_close_const %12, dense<[0x7FF8000000000000, 1.0, -1.0, 0.0, -0.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0]> : tensor<17xf64>, max_ulp_difference = 0
  %13 = stablehlo.abs %c2 : tensor<17xf64>
  check.expect_close_const %13, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 0.0, 0.5, 0.5, 1.5, 2.5, 1.5, 2.5, 0.25, 0.75, 127.0, 3.0, 0.49999999999999994, 4503599627370497.0]> : tensor<17xf64>, max_ulp_difference = 0
  %14 = stablehlo.negate %c2 : tensor<17xf64>
  check.expect_close_const %14, dense<[0x7FF8000000000000, 0xFFF0000000000000, 0x7FF0000000000000, -0.0, 0.0, -0.5, 0.5, -1.5, -2.5, 1.5, 2.5, -0.25, 0.75, -127.0, 3.0, -0.49999999999999994, -4503599627370497.0]> : tensor<17xf64>, max_ulp_difference = 0
  %15 = stablehlo.floor %c2 : tensor<17xf64>
  check.expect_close_const %15, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 0.0, -1.0, 1.0, 2.0, -2.0, -3.0, 0.0, -1.0, 127.0, -3.0, 0.0, 4503599627370497.0]> : tensor<17xf64>, max_ulp_difference = 0
  %16 = stablehlo.ceil %c2 : tensor<17xf64>
  check.expect_close_const %16, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0, 1.0, -0.0, 2.0, 3.0, -1.0, -2.0, 1.0, -0.0, 127.0, -3.0, 1.0, 4503599627370497.0]> : tensor<17xf64>, max_ulp_difference = 0
  %17 = stablehlo.is_finite %c2 : (tensor<17xf64>) -> tensor<17xi1>
  check.expect_eq_const %17, dense<[false, false, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<17xi1>
  %18 = stablehlo.convert %c2 : (tensor<17xf64>) -> tensor<17xi1>
  check.expect_eq_const %18, dense<[true, true, true, false, false, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<17xi1>
  %lo = stablehlo.constant dense<-0.75> : tensor<f64>
  %hi = stablehlo.constant dense<2.0> : tensor<f64>
  %19 = stablehlo.clamp %lo, %c2, %hi : (tensor<f64>, tensor<17xf64>, tensor<f64>) -> tensor<17xf64>
  check.expect_close_const %19, dense<[0x7FF8000000000000, 2.0, -0.75, 0.0, -0.0, 0.5, -0.5, 1.5, 2.0, -0.75, -0.75, 0.25, -0.75, 2.0, -0.75, 0.49999999999999994, 2.0]> : tensor<17xf64>, max_ulp_difference = 0
  %c3 = stablehlo.constant dense<[0.0, -0.0, 0.75, -0.75, 1.5, -1.5, 126.5, -3.0, 2.5]> : tensor<9xf64>
  %20 = stablehlo.convert %c3 : (tensor<9xf64>) -> tensor<9xi8>
  check.expect_eq_const %20, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi8>
  %21 = stablehlo.convert %c3 : (tensor<9xf64>) -> tensor<9xi32>
  check.expect_eq_const %21, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi32>
  %22 = stablehlo.convert %c3 : (tensor<9xf64>) -> tensor<9xi64>
  check.expect_eq_const %22, dense<[0, 0, 0, 0, 1, -1, 126, -3, 2]> : tensor<9xi64>
  %c4 = stablehlo.constant dense<[0.75, 0.0, 126.5, 3.0]> : tensor<4xf64>
  %23 = stablehlo.convert %c4 : (tensor<4xf64>) -> tensor<4xui8>
  check.expect_eq_const %23, dense<[0, 0, 126, 3]> : tensor<4xui8>
  %24 = stablehlo.convert %c4 : (tensor<4xf64>) -> tensor<4xui16>
  check.expect_eq_const %24, dense<[0, 0, 126, 3]> : tensor<4xui16>
  %25 = stablehlo.convert %c4 : (tensor<4xf64>) -> tensor<4xui32>
  check.expect_eq_const %25, dense<[0, 0, 126, 3]> : tensor<4xui32>
  %26 = stablehlo.convert %c4 : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %26, dense<[0, 0, 126, 3]> : tensor<4xui64>
  return
}
// -----
func.func @random_numbers() {
  %x = stablehlo.constant dense<[0, 4294967295, 512, 2147483648]> : tensor<4xui32>
  %nine = stablehlo.constant dense<9> : tensor<ui32>
  %n = stablehlo.broadcast_in_dim %nine, dims = [] : (tensor<ui32>) -> tensor<4xui32>
  %0 = stablehlo.shift_right_logical %x, %n : tensor<4xui32>
  %one = stablehlo.constant dense<1065353216> : tensor<4xui32>
  %1 = stablehlo.or %0, %one : tensor<4xui32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xui32>) -> tensor<4xf32>
  check.expect_close_const %2, dense<[1.0, 1.99999988, 1.00000012, 1.5]> : tensor<4xf32>, max_ulp_difference = 0
  %y = stablehlo.constant dense<[0, 18446744073709551615, 4096, 9223372036854775808]> : tensor<4xui64>
  %twelve = stablehlo.constant dense<12> : tensor<4xui64>
  %3 = stablehlo.shift_right_logical %y, %twelve : tensor<4xui64>
  %two = stablehlo.constant dense<0x3FF0000000000000> : tensor<4xui64>
  %4 = stablehlo.or %3, %two : tensor<4xui64>
  %5 = stablehlo.bitcast_convert %4 : (tensor<4xui64>) -> tensor<4xf64>
  check.expect_close_const %5, dense<[1.0, 0x3FFFFFFFFFFFFFFF, 0x3FF0000000000001, 1.5]> : tensor<4xf64>, max_ulp_difference = 0
  return
}
