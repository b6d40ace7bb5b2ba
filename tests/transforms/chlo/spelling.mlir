// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations that need more than a formula, and formulas with dynamic extents.
// RUN: mercator-opt %s --chlo-legalize-to-stablehlo | FileCheck %s
// RUN: mercator-opt %s --chlo-legalize-to-stablehlo -o %t.mlir
// RUN: mercator conformance %t.mlir
// CHECK-NOT: chlo.

func.func @next_after() {
  %x = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0, -1.0, 0x7F800000, 0x7FC00000, 2.0, 0x00000001]> : tensor<9xf32>
  %y = stablehlo.constant dense<[1.0, -1.0, 2.0, 0.0, -2.0, 0.0, 1.0, 2.0, -1.0]> : tensor<9xf32>
  %0 = chlo.next_after %x, %y : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
  check.expect_almost_eq_const %0, dense<[0x00000001, 0x80000001, 0x3F800001, 0x3F7FFFFF, 0xBF800001, 0x7F7FFFFF, 0x7FC00000, 2.0, 0.0]> : tensor<9xf32>, tolerance = 0.0
  return
}

// No integer has six bits.
func.func @next_after_of_six_bits() {
  %x = stablehlo.constant dense<[0.0, -0.0, 0.875, 1.0, -1.875, 7.5, -0.125, 2.0]> : tensor<8xf6E2M3FN>
  %y = stablehlo.constant dense<[1.0, -1.0, 1.0, 0.0, -7.0, -7.5, 1.0, 2.0]> : tensor<8xf6E2M3FN>
  %0 = chlo.next_after %x, %y : tensor<8xf6E2M3FN>, tensor<8xf6E2M3FN> -> tensor<8xf6E2M3FN>
  check.expect_eq_const %0, dense<[0.125, -0.125, 1.0, 0.875, -2.0, 7.0, -0.0, 2.0]> : tensor<8xf6E2M3FN>
  %u = stablehlo.constant dense<[0.0, -0.0, 0.1875, 0.25, -1.75, 28.0, -0.0625, 2.0]> : tensor<8xf6E3M2FN>
  %v = stablehlo.constant dense<[1.0, -1.0, 1.0, 0.0, -7.0, -28.0, 1.0, 2.0]> : tensor<8xf6E3M2FN>
  %1 = chlo.next_after %u, %v : tensor<8xf6E3M2FN>, tensor<8xf6E3M2FN> -> tensor<8xf6E3M2FN>
  check.expect_eq_const %1, dense<[0.0625, -0.0625, 0.25, 0.1875, -2.0, 24.0, -0.0, 2.0]> : tensor<8xf6E3M2FN>
  return
}

// The bits of -0 are NaN.
func.func @next_after_without_minus_zero() {
  %x = stablehlo.constant dense<[0.0, -9.765625e-4, -9.765625e-4, 9.765625e-4, 240.0]> : tensor<5xf8E4M3FNUZ>
  %y = stablehlo.constant dense<[-1.0, 0.0, 1.0, 0.0, 0.0]> : tensor<5xf8E4M3FNUZ>
  %0 = chlo.next_after %x, %y : tensor<5xf8E4M3FNUZ>, tensor<5xf8E4M3FNUZ> -> tensor<5xf8E4M3FNUZ>
  check.expect_eq_const %0, dense<[-9.765625e-4, 0.0, 0.0, 0.0, 224.0]> : tensor<5xf8E4M3FNUZ>
  return
}

// Powers of two have no sign.
func.func @next_after_of_powers() {
  %x = stablehlo.constant dense<[1.0, 1.0, 2.0, 0.5]> : tensor<4xf8E8M0FNU>
  %y = stablehlo.constant dense<[4.0, 0.25, 0.5, 0.5]> : tensor<4xf8E8M0FNU>
  %0 = chlo.next_after %x, %y : tensor<4xf8E8M0FNU>, tensor<4xf8E8M0FNU> -> tensor<4xf8E8M0FNU>
  check.expect_eq_const %0, dense<[2.0, 0.5, 1.0, 0.5]> : tensor<4xf8E8M0FNU>
  return
}

func.func @polygamma_and_zeta() {
  %n = stablehlo.constant dense<[0.0, 1.0, 2.0, -1.0, 0.5]> : tensor<5xf64>
  %x = stablehlo.constant dense<[1.0, 1.0, 0.5, 1.0, 1.0]> : tensor<5xf64>
  %0 = chlo.polygamma %n, %x : tensor<5xf64>, tensor<5xf64> -> tensor<5xf64>
  check.expect_close_const %0, dense<[-0.5772156649015329, 1.6449340668482264, -16.828796644234320, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<5xf64>, max_ulp_difference = 20
  %s = stablehlo.constant dense<[2.0, 1.0, 0.5, 4.0, 2.0]> : tensor<5xf64>
  %q = stablehlo.constant dense<[1.0, 1.0, 1.0, 3.0, -2.0]> : tensor<5xf64>
  %1 = chlo.zeta %s, %q : tensor<5xf64>, tensor<5xf64> -> tensor<5xf64>
  check.expect_close_const %1, dense<[1.6449340668482264, 0x7FF0000000000000, 0x7FF8000000000000, 0.019823233711138192, 0x7FF0000000000000]> : tensor<5xf64>, max_ulp_difference = 10
  return
}

func.func @mulhi() {
  %x = stablehlo.constant dense<[-1, -9223372036854775808, 9223372036854775807, 4294967296]> : tensor<4xi64>
  %0 = chlo.mulhi %x, %x : tensor<4xi64>, tensor<4xi64> -> tensor<4xi64>
  check.expect_eq_const %0, dense<[0, 4611686018427387904, 4611686018427387903, 1]> : tensor<4xi64>
  %y = stablehlo.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %1 = chlo.mulhi %y, %y : tensor<2xui64>, tensor<2xui64> -> tensor<2xui64>
  check.expect_eq_const %1, dense<[18446744073709551614, 0]> : tensor<2xui64>
  return
}

func.func @top_k() {
  %x = stablehlo.constant dense<[[1.0, 0x7FC00000, 3.0, 3.0], [0.0, -0.0, -1.0, -2.0]]> : tensor<2x4xf32>
  %v, %i = chlo.top_k(%x, k = 3) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_almost_eq_const %v, dense<[[0x7FC00000, 3.0, 3.0], [0.0, -0.0, -1.0]]> : tensor<2x3xf32>, tolerance = 0.0
  check.expect_eq_const %i, dense<[[1, 2, 3], [0, 1, 2]]> : tensor<2x3xi32>
  return
}

func.func @broadcast() {
  %x = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %0 = chlo.broadcast_add %x, %y : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[11, 21, 31], [12, 22, 32]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
  %1 = chlo.broadcast_subtract %0, %z {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %1, dense<[[-89, -79, -69], [-188, -178, -168]]> : tensor<2x3xi32>
  %2 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  check.expect_eq_const %2, dense<true> : tensor<2x3xi1>
  %3 = chlo.broadcast_select %2, %x, %y : (tensor<2x3xi1>, tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %3, dense<[[1, 1, 1], [2, 2, 2]]> : tensor<2x3xi32>
  return
}

func.func @complex() {
  %z = stablehlo.constant dense<[(-2.0, 0.0), (-2.0, -0.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %0 = chlo.acosh %z : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_close_const %0, dense<[(1.3169578969248166, 3.141592653589793), (1.3169578969248166, -3.141592653589793), (0.0, 0.0)]> : tensor<3xcomplex<f64>>, max_ulp_difference = 1
  %1 = chlo.square %z : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  check.expect_eq_const %1, dense<[(4.0, -0.0), (4.0, 0.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

func.func @dynamic(%x: tensor<?x4xbf16>, %y: tensor<4xbf16>) -> (tensor<?x4xbf16>, tensor<?x2xbf16>) {
  %0 = chlo.erf %x : tensor<?x4xbf16> -> tensor<?x4xbf16>
  %1 = chlo.broadcast_add %0, %y : (tensor<?x4xbf16>, tensor<4xbf16>) -> tensor<?x4xbf16>
  %2, %3 = chlo.top_k(%1, k = 2) : tensor<?x4xbf16> -> (tensor<?x2xbf16>, tensor<?x2xi32>)
  return %1, %2 : tensor<?x4xbf16>, tensor<?x2xbf16>
}

// The sum of the sizes, and the indices, have no room in i4.
func.func @ragged_dot_of_narrow_sizes() {
  %x = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0], [9.0], [10.0]]> : tensor<10x1xf32>
  %y = stablehlo.constant dense<[[[10.0]], [[100.0]]]> : tensor<2x1x1xf32>
  %sizes = stablehlo.constant dense<[5, 4]> : tensor<2xi4>
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<10x1xf32>, tensor<2x1x1xf32>, tensor<2xi4>) -> tensor<10x1xf32>
  check.expect_eq_const %0, dense<[[10.0], [20.0], [30.0], [40.0], [50.0], [600.0], [700.0], [800.0], [900.0], [0.0]]> : tensor<10x1xf32>
  return
}

// Formats without infinities.
func.func @is_inf_of_narrow_floats() {
  %x = stablehlo.constant dense<[6.0, -6.0, 0.0]> : tensor<3xf4E2M1FN>
  %0 = chlo.is_inf %x : tensor<3xf4E2M1FN> -> tensor<3xi1>
  check.expect_eq_const %0, dense<false> : tensor<3xi1>
  %y = stablehlo.constant dense<[448.0, -448.0, 0x7F]> : tensor<3xf8E4M3FN>
  %1 = chlo.is_pos_inf %y : tensor<3xf8E4M3FN> -> tensor<3xi1>
  check.expect_eq_const %1, dense<false> : tensor<3xi1>
  return
}
