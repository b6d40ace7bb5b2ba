// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Large tensors that two products read in different orders are computed for each.
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mercator-flow-recompute-tensors{least-bytes=4096}))' | FileCheck %s
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mercator-flow-recompute-tensors))' | FileCheck %s --check-prefix=SMALL
// The pass marks what formation must not store.
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mercator-flow-recompute-tensors{least-bytes=4096},iree-flow-form-dispatch-regions{fusion=maps}))' | FileCheck %s --check-prefix=FORMED
// SMALL-NOT: mercator.unstored

// y[i] = sum over j of e[i, j] v[j], then z[j] = sum over i of e[i, j] y[i].
// CHECK-DAG: #[[$IJ:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$TERMS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func @exponentials(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<64x4xf32>, %[[K:[^:]*]]: tensor<64x4xf32>, %[[V:[^:]*]]: tensor<64x4xf32>
// CHECK: %[[S:.*]] = linalg.matmul {{.*}}mercator.unstored = array<i64: 0>{{.*}} ins(%[[Q]], %[[K]]
// CHECK: %[[E:.*]] = linalg.generic {{.*}}ins(%[[S]] :
// CHECK: mercator.unstored = array<i64: 0>
// CHECK: %[[Y:.*]] = linalg.matmul ins(%[[E]], %[[V]]
// CHECK: %[[S2:.*]] = linalg.generic {indexing_maps = [#[[$COLUMN]], #[[$ROW]], {{.*}}ins(%[[Q]], %[[K]]
// CHECK: %[[E2:.*]] = linalg.generic {indexing_maps = [#[[$IJ]], #[[$IJ]]]{{.*}}ins(%[[S2]] :
// CHECK: linalg.generic {indexing_maps = [#[[$ROW]], #[[$TERMS]], {{.*}}ins(%[[E2]], %[[Y]]
// FORMED-LABEL: func.func @exponentials(
// FORMED: flow.dispatch.region{{.*}} -> (tensor<64x4xf32>)
// FORMED: flow.dispatch.region{{.*}} -> (tensor<64x4xf32>)
// FORMED-NOT: mercator.unstored
#t = affine_map<(i, j, k) -> (j, k)>
#q = affine_map<(i, j, k) -> (i, k)>
#s = affine_map<(i, j, k) -> (i, j)>
func.func @exponentials(%q: tensor<64x4xf32>, %k: tensor<64x4xf32>, %v: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %zero = arith.constant 0.0 : f32
  %large = tensor.empty() : tensor<64x64xf32>
  %small = tensor.empty() : tensor<64x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%large : tensor<64x64xf32>) -> tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%small : tensor<64x4xf32>) -> tensor<64x4xf32>
  %s = linalg.matmul indexing_maps = [#q, #t, #s] ins(%q, %k : tensor<64x4xf32>, tensor<64x4xf32>) outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<64x64xf32>) outs(%large : tensor<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %y = linalg.matmul ins(%e, %v : tensor<64x64xf32>, tensor<64x4xf32>) outs(%none : tensor<64x4xf32>) -> tensor<64x4xf32>
  %z = linalg.matmul indexing_maps = [affine_map<(j, d, i) -> (i, j)>, affine_map<(j, d, i) -> (i, d)>, affine_map<(j, d, i) -> (j, d)>] ins(%e, %y : tensor<64x64xf32>, tensor<64x4xf32>) outs(%none : tensor<64x4xf32>) -> tensor<64x4xf32>
  return %z : tensor<64x4xf32>
}

// -----

// A result is stored anyway.
// CHECK-LABEL: func.func @result(
// CHECK-NOT: mercator.unstored
// CHECK: linalg.matmul
// CHECK: linalg.matmul
// CHECK: linalg.matmul
// CHECK-NOT: linalg.generic
#t = affine_map<(i, j, k) -> (j, k)>
#q = affine_map<(i, j, k) -> (i, k)>
#s = affine_map<(i, j, k) -> (i, j)>
func.func @result(%q: tensor<64x4xf32>, %k: tensor<64x4xf32>) -> (tensor<64x64xf32>, tensor<64x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %large = tensor.empty() : tensor<64x64xf32>
  %small = tensor.empty() : tensor<64x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%large : tensor<64x64xf32>) -> tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%small : tensor<64x4xf32>) -> tensor<64x4xf32>
  %s = linalg.matmul indexing_maps = [#q, #t, #s] ins(%q, %k : tensor<64x4xf32>, tensor<64x4xf32>) outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%s, %k : tensor<64x64xf32>, tensor<64x4xf32>) outs(%none : tensor<64x4xf32>) -> tensor<64x4xf32>
  %z = linalg.matmul indexing_maps = [affine_map<(j, d, i) -> (i, j)>, affine_map<(j, d, i) -> (i, d)>, affine_map<(j, d, i) -> (j, d)>] ins(%s, %y : tensor<64x64xf32>, tensor<64x4xf32>) outs(%none : tensor<64x4xf32>) -> tensor<64x4xf32>
  return %s, %z : tensor<64x64xf32>, tensor<64x4xf32>
}

// -----

// Rows and columns are normalized in turn: a chain needs maxima of another one in another order.
// CHECK-LABEL: func.func @turns(
// CHECK-NOT: mercator.unstored
// CHECK-LABEL: func.func @powers(
func.func @turns(%v: tensor<64xf32>, %u: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %large = tensor.empty() : tensor<64x64xf32>
  %row = tensor.empty() : tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v, %u : tensor<64xf32>, tensor<64xf32>) outs(%large : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x64xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<64x64xf32>, tensor<64xf32>) outs(%large : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<64x64xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// Each product needs the one before: all of s would be computed six times, in place of being stored once.
// CHECK-COUNT-7: linalg.matmul
// CHECK-NOT: linalg.generic
// CHECK: return
#t = affine_map<(i, j, k) -> (j, k)>
#q = affine_map<(i, j, k) -> (i, k)>
#s = affine_map<(i, j, k) -> (i, j)>
func.func @powers(%q: tensor<256x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x4xf32>) -> tensor<256x4xf32> {
  %zero = arith.constant 0.0 : f32
  %large = tensor.empty() : tensor<256x256xf32>
  %small = tensor.empty() : tensor<256x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%large : tensor<256x256xf32>) -> tensor<256x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%small : tensor<256x4xf32>) -> tensor<256x4xf32>
  %s = linalg.matmul indexing_maps = [#q, #t, #s] ins(%q, %k : tensor<256x64xf32>, tensor<256x64xf32>) outs(%zeros : tensor<256x256xf32>) -> tensor<256x256xf32>
  %y1 = linalg.matmul ins(%s, %v : tensor<256x256xf32>, tensor<256x4xf32>) outs(%none : tensor<256x4xf32>) -> tensor<256x4xf32>
  %y2 = linalg.matmul ins(%s, %y1 : tensor<256x256xf32>, tensor<256x4xf32>) outs(%none : tensor<256x4xf32>) -> tensor<256x4xf32>
  %y3 = linalg.matmul ins(%s, %y2 : tensor<256x256xf32>, tensor<256x4xf32>) outs(%none : tensor<256x4xf32>) -> tensor<256x4xf32>
  %y4 = linalg.matmul ins(%s, %y3 : tensor<256x256xf32>, tensor<256x4xf32>) outs(%none : tensor<256x4xf32>) -> tensor<256x4xf32>
  %y5 = linalg.matmul ins(%s, %y4 : tensor<256x256xf32>, tensor<256x4xf32>) outs(%none : tensor<256x4xf32>) -> tensor<256x4xf32>
  %y6 = linalg.matmul ins(%s, %y5 : tensor<256x256xf32>, tensor<256x4xf32>) outs(%none : tensor<256x4xf32>) -> tensor<256x4xf32>
  return %y6 : tensor<256x4xf32>
}
