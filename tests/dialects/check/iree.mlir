// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s | mercator-opt | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s
// RUN: %exits 3 mercator conformance %s | FileCheck %s --check-prefix=CASES

// The checks of IREE's tests, in IREE's syntax.

func.func @equal() {
  %x = util.unfoldable_constant dense<[1, 2, 3]> : tensor<3xi32>
  %0 = stablehlo.reverse %x, dims = [0] : tensor<3xi32>
  // CHECK: check.expect_eq_const %{{.*}}, dense<[3, 2, 1]> : tensor<3xi32>
  check.expect_eq_const(%0, dense<[3, 2, 1]> : tensor<3xi32>) : tensor<3xi32>
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : tensor<3xi32>
  check.expect_eq(%0, %0) : tensor<3xi32>
  return
}

func.func @almost() {
  %x = util.unfoldable_constant dense<[1.0, 100.0]> : tensor<2xf32>
  %y = util.unfoldable_constant dense<[1.0, 101.0]> : tensor<2xf32>
  // CHECK: check.expect_almost_eq_const %{{.*}}, dense<[1.000010e+00, 100.000008]> : tensor<2xf32>{{$}}
  check.expect_almost_eq_const(%x, dense<[1.00001, 100.00001]> : tensor<2xf32>) : tensor<2xf32>
  // CHECK: check.expect_almost_eq_const(%{{.*}}, dense<[1.000000e+00, 1.010000e+02]> : tensor<2xf32>, atol 1.000000e+00) : tensor<2xf32>
  check.expect_almost_eq_const(%x, dense<[1.0, 101.0]> : tensor<2xf32>, atol 1.0) : tensor<2xf32>
  // CHECK: check.expect_almost_eq(%{{.*}}, %{{.*}}, atol 0.{{0+}}e+00, rtol 9.{{.*}}e-03) : tensor<2xf32>
  check.expect_almost_eq(%x, %y, atol 0.0, rtol 0.00999) : tensor<2xf32>
  return
}

func.func @too_far() {
  %x = util.unfoldable_constant dense<[1.0, 100.0]> : tensor<2xf32>
  check.expect_almost_eq_const(%x, dense<[1.0, 101.0]> : tensor<2xf32>, atol 0.0, rtol 0.0098) : tensor<2xf32>
  return
}

func.func @truth() {
  %x = util.unfoldable_constant dense<[1, -2]> : tensor<2xi32>
  %t = arith.constant true
  %f = arith.constant false
  // CHECK: check.expect_all_true(%{{.*}}) : tensor<2xi32>
  check.expect_all_true(%x) : tensor<2xi32>
  // CHECK: check.expect_true(%{{.*}}) : i1
  check.expect_true(%t) : i1
  // CHECK: check.expect_false(%{{.*}}) : i1
  check.expect_false(%f) : i1
  return
}

// StableHLO's own form.
func.func @stablehlo() {
  %x = stablehlo.constant dense<[1.0, 100.0]> : tensor<2xf32>
  // CHECK: check.expect_almost_eq_const %{{.*}}, dense<[1.000000e+00, 1.010000e+02]> : tensor<2xf32>, tolerance = 1.000000e+00
  check.expect_almost_eq_const %x, dense<[1.0, 101.0]> : tensor<2xf32>, tolerance = 1.0
  // CHECK: check.expect_almost_eq %{{.*}}, %{{.*}}, tolerance = 1.000000e+00 : tensor<2xf32>
  check.expect_almost_eq %x, %x, tolerance = 1.0 : tensor<2xf32>
  return
}

// CASES: too_far
// CASES: 1 file, 5 cases, 11 checks: 4 pass, 1 fail
