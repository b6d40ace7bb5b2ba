// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline="builtin.module(func.func(iree-flow-fusion-of-tensor-ops{recompute=false}))" --split-input-file | FileCheck %s
// RUN: mercator-opt %s --pass-pipeline="builtin.module(func.func(iree-flow-fusion-of-tensor-ops))" --split-input-file | FileCheck %s --check-prefix=ALL

// The user would compute each root 256 times. A sum costs no more than a read.

// CHECK-LABEL: func.func @rows
// CHECK:       linalg.generic
// CHECK:         math.rsqrt
// CHECK:       linalg.generic
// CHECK:         arith.addf
// CHECK:         arith.mulf
// ALL-LABEL: func.func @rows
// ALL-COUNT-1: linalg.generic
// ALL-NOT:     linalg.generic
// ALL:         return
func.func @rows(%x: tensor<64x256xf32>, %v: tensor<64xf32>, %b: tensor<256xf32>) -> tensor<64x256xf32> {
  %one = arith.constant 1.0 : f32
  %ev = tensor.empty() : tensor<64xf32>
  %eb = tensor.empty() : tensor<256xf32>
  %e = tensor.empty() : tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%v : tensor<64xf32>) outs(%ev : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.rsqrt %p : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%b : tensor<256xf32>) outs(%eb : tensor<256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %one : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r, %s : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %q: f32, %t: f32, %o: f32):
    %a = arith.mulf %p, %q : f32
    %c = arith.mulf %a, %t : f32
    linalg.yield %c : f32
  } -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}

// -----

// Through a permutation each element is computed once.

// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @transposed(%x: tensor<64x256xf32>) -> tensor<256x64xf32> {
  %e = tensor.empty() : tensor<64x256xf32>
  %f = tensor.empty() : tensor<256x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.exp %p : f32
    linalg.yield %q : f32
  } -> tensor<64x256xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<64x256xf32>) outs(%f : tensor<256x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<256x64xf32>
  return %y : tensor<256x64xf32>
}
