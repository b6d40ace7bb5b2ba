// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(iree-flow-dispatch-with-transform-dialect{transform-file-name=%S/Inputs/dispatch-script.mlir}))' | FileCheck %s
// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(iree-flow-dispatch-with-transform-dialect))' | FileCheck %s --check-prefix=NONE
// RUN: not mercator-opt %s --pass-pipeline='builtin.module(func.func(iree-flow-dispatch-with-transform-dialect{transform-file-name=%S/Inputs/absent.mlir}))' 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}absent.mlir

// NONE-NOT: flow.dispatch

// CHECK-LABEL: func @static
// CHECK-SAME: (%[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x6xf32>)
// CHECK: %[[R:.*]] = flow.dispatch.workgroups[
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: flow.dispatch.tensor.store
// CHECK: count(
// CHECK: flow.dispatch.workgroup_count_from_dag_root
// CHECK: return %[[R]]
func.func @static(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// CHECK-LABEL: func @dynamic
// CHECK: flow.dispatch.workgroups[
// CHECK: linalg.matmul
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
