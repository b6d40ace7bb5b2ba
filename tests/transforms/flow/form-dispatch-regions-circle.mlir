// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Groups that would need each other stay apart.

// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions{fusion=maps genereate-workload-region=false}))' | FileCheck %s

// The extent of what is read is no operation between the two.

// CHECK-LABEL: func.func @extent_between
// CHECK:       flow.dispatch.region
// CHECK:         linalg.exp
// CHECK:         linalg.exp
// CHECK-NOT:   flow.dispatch.region
func.func @extent_between(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %0 = linalg.exp ins(%a : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = tensor.dim %0, %c0 : tensor<?x8xf32>
  %e2 = tensor.empty(%m) : tensor<?x8xf32>
  %1 = linalg.exp ins(%0 : tensor<?x8xf32>) outs(%e2 : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}
