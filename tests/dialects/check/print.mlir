// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | mercator-opt | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s
// RUN: mercator conformance %s | FileCheck %s --check-prefix=CASES

func.func @close() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[0x3F800001, 0x40000001]> : tensor<2xf32>
  // The second difference may be omitted, the first may not.
  // CHECK: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 1, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %b, max_ulp_difference = 1, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  // CHECK: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %b, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  // CHECK: check.expect_close_const %{{.*}}, dense<{{.*}}> : tensor<2xf32>, max_ulp_difference = 1, min_ulp_difference = 1
  check.expect_close_const %a, dense<[0x3F800001, 0x40000001]> : tensor<2xf32>, max_ulp_difference = 1, min_ulp_difference = 1
  return
}

// No files are written that could be compared.
func.func @serialized() {
  %a = stablehlo.constant dense<1.0> : tensor<2xf32>
  %b = interpreter.probe %a, probe_id = "a/b" : tensor<2xf32>
  // CHECK: check.expect_serialized_eq %{{.*}}, probe_id = "a/b" : tensor<2xf32>
  check.expect_serialized_eq %b, probe_id = "a/b" : tensor<2xf32>
  // CHECK: check.expect_serialized_eq %{{.*}}, probe_id = "a/b", iter = 1 : tensor<2xf32>
  check.expect_serialized_eq %b, probe_id = "a/b", iter = 1 : tensor<2xf32>
  return
}

// CASES: 1 file, 2 cases, 3 checks: 1 pass, 0 fail, 1 unsupported
