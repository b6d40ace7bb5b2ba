// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --resolve-ranked-shaped-type-result-dims | FileCheck %s

// CHECK-LABEL: func @load
// CHECK-SAME: %{{.*}}: !flow{{.*}}, %[[D:[a-z0-9]+]]: index, %[[E:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
func.func @load(%t: !flow.dispatch.tensor<readonly:tensor<?x1x1x?xf32>>, %d: index, %e: index, %n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // CHECK: %[[C1:.*]] = arith.constant 1 : index
  %0 = flow.dispatch.tensor.load %t, offsets = [0, 0, 0, 0], sizes = [%d, 1, 1, %n], strides = [1, 1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<?x1x1x?xf32>>{%d, %e} -> tensor<?x1x?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x1x?xf32>
  %2 = tensor.dim %0, %c1 : tensor<?x1x?xf32>
  %3 = tensor.dim %0, %c2 : tensor<?x1x?xf32>
  // CHECK: return %[[D]], %[[C1]], %[[N]]
  return %1, %2, %3 : index, index, index
}

// CHECK-LABEL: func @tie_shape
func.func @tie_shape(%a: tensor<4x?xf32>, %d: index) -> index {
  // CHECK: return %arg1
  %c1 = arith.constant 1 : index
  %0 = flow.tensor.tie_shape %a : tensor<4x?xf32>{%d}
  %1 = tensor.dim %0, %c1 : tensor<4x?xf32>
  return %1 : index
}
