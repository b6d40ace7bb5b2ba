// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Test programs as machine code: checks that stand alone, and one whose outcome
// the program returns.
// RUN: mercator conformance %s --target=cpu | FileCheck %s
// CHECK: 1 file, 3 cases, 4 checks: 3 pass, 0 fail, 0 unsupported

func.func @alone() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.add %a, %a : tensor<2xf32>
  check.expect_eq_const %b, dense<[2.0, 4.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @main() -> tensor<i1> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.add %a, %a : tensor<2xf32>
  %c = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %d = stablehlo.custom_call @check.eq(%c, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  func.return %d : tensor<i1>
}

// -----

func.func @several() {
  %a = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %b = stablehlo.multiply %a, %a : tensor<2xi32>
  check.expect_eq_const %b, dense<[9, 16]> : tensor<2xi32>
  check.expect_eq %a, %a : tensor<2xi32>
  func.return
}
