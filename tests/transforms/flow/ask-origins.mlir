// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --allow-unregistered-dialect --mercator-flow-ask-origins | FileCheck %s

// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %{{.*}}: f32)
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %{{.*}}, %[[D]]
func.func @chain(%x: tensor<?x?xf32>, %f: f32) -> (tensor<?x?xf32>, index) {
  %c1 = arith.constant 1 : index
  %0 = linalg.fill ins(%f : f32) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.exp ins(%0 : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.exp ins(%x : tensor<?x?xf32>) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = tensor.dim %2, %c1 : tensor<?x?xf32>
  return %2, %d : tensor<?x?xf32>, index
}

// The extent is an operand of tensor.empty.
// CHECK-LABEL: func @empty
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %{{.*}}: index, %[[N:.*]]: index)
// CHECK: return %{{.*}}, %[[N]]
func.func @empty(%x: tensor<?x?xf32>, %m: index, %n: index) -> (tensor<?x?xf32>, index) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %0, %d : tensor<?x?xf32>, index
}

// Other producers of tensors are asked themselves, and so are loops.
// CHECK-LABEL: func @others
// CHECK: %[[L:.*]] = scf.for
// CHECK: tensor.dim %{{.*}}, %c0
// CHECK: tensor.dim %[[L]], %c0
// CHECK: tensor.dim %{{.*}}, %{{.*}}
func.func @others(%x: tensor<?xf32>, %n: index, %u: tensor<*xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<?xf32> {
    %0 = linalg.exp ins(%acc : tensor<?xf32>) outs(%acc : tensor<?xf32>) -> tensor<?xf32>
    %d = tensor.dim %0, %c0 : tensor<?xf32>
    "test.use"(%d) : (index) -> ()
    scf.yield %0 : tensor<?xf32>
  }
  %1 = tensor.dim %l, %c0 : tensor<?xf32>
  %2 = tensor.dim %l, %n : tensor<?xf32>
  %3 = tensor.dim %u, %c0 : tensor<*xf32>
  return %1, %2, %3 : index, index, index
}
