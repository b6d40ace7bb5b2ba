// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A sum over products of large tensors becomes one over the result that they add up to.
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mercator-flow-factor-sums{least-bytes=4096}))' | FileCheck %s
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mercator-flow-factor-sums))' | FileCheck %s --check-prefix=SMALL

// With e = exp(s - m), its sums l, y = (e / l) v and x = a v^T, the sum over j of x * e
// is that over k of a * y, times l.
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$IK:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @weights(
// CHECK-SAME: tensor<64x64xf32>, %{{[^:]*}}: tensor<64xf32>, %[[A:[^:]*]]: tensor<64x4xf32>, %[[V:[^:]*]]: tensor<64x4xf32>
// CHECK: %[[Y:.*]] = linalg.matmul
// CHECK: linalg.matmul
// CHECK: linalg.generic {indexing_maps = [#[[$IK]], #[[$IK]], #[[$ROW]], #[[$ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[A]], %[[Y]], %{{.*}}#1 :
// CHECK: %[[AY:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.mulf %[[AY]]
// SMALL-LABEL: func.func @weights(
// SMALL-NOT: linalg.generic {{.*}}["parallel", "reduction"]{{.*}}ins(%{{.*}}tensor<64x4xf32>, tensor<64x4xf32>
#t = affine_map<(i, j, k) -> (j, k)>
#q = affine_map<(i, j, k) -> (i, k)>
#s = affine_map<(i, j, k) -> (i, j)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @weights(%s: tensor<64x64xf32>, %m: tensor<64xf32>, %a: tensor<64x4xf32>, %v: tensor<64x4xf32>) -> (tensor<64xf32>, tensor<64x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %large = tensor.empty() : tensor<64x64xf32>
  %small = tensor.empty() : tensor<64x4xf32>
  %row = tensor.empty() : tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%large : tensor<64x64xf32>) -> tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%small : tensor<64x4xf32>) -> tensor<64x4xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %el:2 = linalg.generic {indexing_maps = [#ij, #i, #ij, #i], iterator_types = ["parallel", "reduction"]} ins(%s, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%large, %nil : tensor<64x64xf32>, tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32, %p: f32):
    %0 = arith.subf %x, %y : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %p, %1 : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<64x64xf32>, tensor<64xf32>)
  %w = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%el#0, %el#1 : tensor<64x64xf32>, tensor<64xf32>) outs(%large : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.divf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %y = linalg.matmul ins(%w, %v : tensor<64x64xf32>, tensor<64x4xf32>) outs(%none : tensor<64x4xf32>) -> tensor<64x4xf32>
  %x = linalg.matmul indexing_maps = [#q, #t, #s] ins(%a, %v : tensor<64x4xf32>, tensor<64x4xf32>) outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x, %el#0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%nil : tensor<64xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %0 = arith.mulf %p, %r : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %d, %y : tensor<64xf32>, tensor<64x4xf32>
}

// -----

// Where the divisor is 0, y is infinite, and the sum of x * e is not.
// CHECK-LABEL: func.func @any_divisor(
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]{{.*}}tensor<64x64xf32>, tensor<64x64xf32>
#t = affine_map<(i, j, k) -> (j, k)>
#q = affine_map<(i, j, k) -> (i, k)>
#s = affine_map<(i, j, k) -> (i, j)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @any_divisor(%e: tensor<64x64xf32>, %l: tensor<64xf32>, %a: tensor<64x4xf32>, %v: tensor<64x4xf32>) -> (tensor<64xf32>, tensor<64x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %large = tensor.empty() : tensor<64x64xf32>
  %small = tensor.empty() : tensor<64x4xf32>
  %row = tensor.empty() : tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%large : tensor<64x64xf32>) -> tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%small : tensor<64x4xf32>) -> tensor<64x4xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %w = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%e, %l : tensor<64x64xf32>, tensor<64xf32>) outs(%large : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.divf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %y = linalg.matmul ins(%w, %v : tensor<64x64xf32>, tensor<64x4xf32>) outs(%none : tensor<64x4xf32>) -> tensor<64x4xf32>
  %x = linalg.matmul indexing_maps = [#q, #t, #s] ins(%a, %v : tensor<64x4xf32>, tensor<64x4xf32>) outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x, %e : tensor<64x64xf32>, tensor<64x64xf32>) outs(%nil : tensor<64xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %0 = arith.mulf %p, %r : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %d, %y : tensor<64xf32>, tensor<64x4xf32>
}

// -----

// The two sums are over other indices of the weights.
// CHECK-LABEL: func.func @turned(
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]{{.*}}tensor<64x64xf32>, tensor<64x64xf32>
#t = affine_map<(i, j, k) -> (j, k)>
#q = affine_map<(i, j, k) -> (i, k)>
#s = affine_map<(i, j, k) -> (i, j)>
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
func.func @turned(%w: tensor<64x64xf32>, %a: tensor<64x4xf32>, %v: tensor<64x4xf32>) -> (tensor<64xf32>, tensor<64x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %large = tensor.empty() : tensor<64x64xf32>
  %small = tensor.empty() : tensor<64x4xf32>
  %row = tensor.empty() : tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%large : tensor<64x64xf32>) -> tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%small : tensor<64x4xf32>) -> tensor<64x4xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.matmul ins(%w, %v : tensor<64x64xf32>, tensor<64x4xf32>) outs(%none : tensor<64x4xf32>) -> tensor<64x4xf32>
  %x = linalg.matmul indexing_maps = [#q, #t, #s] ins(%a, %v : tensor<64x4xf32>, tensor<64x4xf32>) outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#ij, #ji, #i], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%nil : tensor<64xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %0 = arith.mulf %p, %r : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %d, %y : tensor<64xf32>, tensor<64x4xf32>
}
