// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(resolve-ranked-shaped-type-result-dims))' | FileCheck %s
// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(resolve-shaped-type-result-dims))' | FileCheck %s

// CHECK-LABEL: func @generic
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32>)
// CHECK: %[[D:.*]] = tensor.dim %[[X]]
// CHECK: return %[[D]]
func.func @generic(%x: tensor<?x4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<?x4xf32>
  %d = tensor.dim %0, %c0 : tensor<?x4xf32>
  return %d : index
}

// CHECK-LABEL: func @pad_and_slice
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %{{.*}}: f32, %[[N:.*]]: index, %{{.*}}: index)
// CHECK: tensor.dim %[[X]]
// CHECK: %[[P:.*]] = affine.apply #{{.*}}()[%{{.*}}, %{{.*}}]
// CHECK: return %[[P]], %[[N]]
func.func @pad_and_slice(%x: tensor<?xf32>, %f: f32, %n: index, %l: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %x low[%l] high[3] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %0[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  %e = tensor.dim %1, %c0 : tensor<?xf32>
  return %d, %e : index, index
}

// The extent of an argument must be queried.
// CHECK-LABEL: func @argument
// CHECK: tensor.dim
func.func @argument(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  return %d : index
}
