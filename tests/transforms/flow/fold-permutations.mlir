// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mercator-flow-fold-permutations))' | FileCheck %s
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mercator-flow-fold-permutations,iree-flow-fusion-of-tensor-ops))' | FileCheck %s --check-prefix=FUSED

// The weight is read transposed, and the product keeps its name.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: @weight
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#[[X]], #[[W]],
// CHECK-SAME: ins(%arg0, %arg1 : tensor<7x8xf32>, tensor<9x8xf32>)
func.func @weight(%x: tensor<7x8xf32>, %w: tensor<9x8xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %t = linalg.transpose ins(%w : tensor<9x8xf32>) outs(%e : tensor<8x9xf32>) permutation = [1, 0]
  %i = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%x, %t : tensor<7x8xf32>, tensor<8x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}

// -----

// A batch that is not in front: a linalg.generic.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-LABEL: @heads
// CHECK: linalg.generic
// CHECK-SAME: indexing_maps = [#[[A]],
// CHECK-SAME: ins(%arg0, %arg1 :
func.func @heads(%x: tensor<7x2x8xf32>, %y: tensor<2x8x9xf32>) -> tensor<2x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x8xf32>
  %t = linalg.transpose ins(%x : tensor<7x2x8xf32>) outs(%e : tensor<2x7x8xf32>) permutation = [1, 0, 2]
  %i = tensor.empty() : tensor<2x7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<2x7x9xf32>) -> tensor<2x7x9xf32>
  %0 = linalg.batch_matmul ins(%t, %y : tensor<2x7x8xf32>, tensor<2x8x9xf32>) outs(%f : tensor<2x7x9xf32>) -> tensor<2x7x9xf32>
  return %0 : tensor<2x7x9xf32>
}

// -----

// Two copies one after the other, of dynamic extents; the copy has another use.
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: @chain
// CHECK: %[[COPY:.*]] = linalg.broadcast
// CHECK: linalg.generic
// CHECK-SAME: indexing_maps = [#[[ROW]], #[[T]]
// CHECK-SAME: ins(%arg0, %arg1 :
func.func @chain(%r: tensor<?xf32>, %x: tensor<?x4xf32>, %n: index) -> (tensor<4x?xf32>, tensor<?x4xf32>) {
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %b = linalg.broadcast ins(%r : tensor<?xf32>) outs(%e : tensor<?x4xf32>) dimensions = [1]
  %et = tensor.empty(%n) : tensor<4x?xf32>
  %t = linalg.transpose ins(%b : tensor<?x4xf32>) outs(%et : tensor<4x?xf32>) permutation = [1, 0]
  %xt = linalg.transpose ins(%x : tensor<?x4xf32>) outs(%et : tensor<4x?xf32>) permutation = [1, 0]
  %0 = linalg.add ins(%t, %xt : tensor<4x?xf32>, tensor<4x?xf32>) outs(%et : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0, %b : tensor<4x?xf32>, tensor<?x4xf32>
}

// -----

// A broadcast that alone gives the extent of a loop stays.
// CHECK-LABEL: @only_extent
// CHECK: linalg.broadcast
// CHECK: linalg.reduce
func.func @only_extent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %b = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<4x5xf32>) dimensions = [1]
  %i = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%b : tensor<4x5xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

// A transpose after a product: the product writes in that order.
// CHECK-DAG: #[[L:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[R:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[O:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @after
// CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<9x7xf32>
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[L]], #[[R]], #[[O]]]
// CHECK-SAME: outs(%[[F]] : tensor<9x7xf32>)
// CHECK: return %[[Y]]
func.func @after(%x: tensor<7x8xf32>, %w: tensor<8x9xf32>) -> tensor<9x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<7x8xf32>, tensor<8x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %e = tensor.empty() : tensor<9x7xf32>
  %t = linalg.transpose ins(%0 : tensor<7x9xf32>) outs(%e : tensor<9x7xf32>) permutation = [1, 0]
  return %t : tensor<9x7xf32>
}

// -----

// The product has another use, or accumulates: the transpose stays.
// CHECK-LABEL: @two_uses
// CHECK: linalg.transpose
// CHECK-LABEL: @accumulates
// CHECK: linalg.transpose
func.func @two_uses(%x: tensor<7x8xf32>, %w: tensor<8x9xf32>) -> (tensor<9x7xf32>, tensor<7x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<7x8xf32>, tensor<8x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %e = tensor.empty() : tensor<9x7xf32>
  %t = linalg.transpose ins(%0 : tensor<7x9xf32>) outs(%e : tensor<9x7xf32>) permutation = [1, 0]
  return %t, %0 : tensor<9x7xf32>, tensor<7x9xf32>
}
func.func @accumulates(%x: tensor<7x8xf32>, %w: tensor<8x9xf32>, %y: tensor<7x9xf32>) -> tensor<9x7xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<7x8xf32>, tensor<8x9xf32>) outs(%y : tensor<7x9xf32>) -> tensor<7x9xf32>
  %e = tensor.empty() : tensor<9x7xf32>
  %t = linalg.transpose ins(%0 : tensor<7x9xf32>) outs(%e : tensor<9x7xf32>) permutation = [1, 0]
  return %t : tensor<9x7xf32>
}

// -----

// Batches that were merged after a transpose: the product gets both loops.
// FUSED-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
// FUSED-LABEL: @merged_batches
// FUSED-COUNT-1: linalg.generic {indexing_maps = [#[[X]],
// FUSED-NOT: linalg.generic
// CHECK-LABEL: @merged_batches
// CHECK-NOT: linalg.batch_matmul
func.func @merged_batches(%x: tensor<2x7x3x8xf32>, %y: tensor<6x8x9xf32>) -> tensor<6x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x7x8xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x7x3x8xf32>) outs(%e : tensor<2x3x7x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x7x8xf32>
  %c = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %i = tensor.empty() : tensor<6x7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<6x7x9xf32>) -> tensor<6x7x9xf32>
  %0 = linalg.batch_matmul ins(%c, %y : tensor<6x7x8xf32>, tensor<6x8x9xf32>) outs(%f : tensor<6x7x9xf32>) -> tensor<6x7x9xf32>
  return %0 : tensor<6x7x9xf32>
}
