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
