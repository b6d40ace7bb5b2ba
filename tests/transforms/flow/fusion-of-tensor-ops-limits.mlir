// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(iree-flow-fusion-of-tensor-ops))' | FileCheck %s

// Fusion stops at 31 operands. The last three operations here have 29 inputs of
// their own and an init; with those of the first there would be 39.
// CHECK-LABEL: func @operands
// CHECK: %[[FIRST:.*]] = linalg.generic
// CHECK-COUNT-9: arith.addf
// CHECK-NOT: arith.addf
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[FIRST]],
// CHECK-COUNT-29: arith.addf
// CHECK-NOT: arith.addf
func.func @operands(%x0: tensor<8xf32>, %x1: tensor<8xf32>, %x2: tensor<8xf32>, %x3: tensor<8xf32>, %x4: tensor<8xf32>, %x5: tensor<8xf32>, %x6: tensor<8xf32>, %x7: tensor<8xf32>, %x8: tensor<8xf32>, %x9: tensor<8xf32>, %x10: tensor<8xf32>, %x11: tensor<8xf32>, %x12: tensor<8xf32>, %x13: tensor<8xf32>, %x14: tensor<8xf32>, %x15: tensor<8xf32>, %x16: tensor<8xf32>, %x17: tensor<8xf32>, %x18: tensor<8xf32>, %x19: tensor<8xf32>, %x20: tensor<8xf32>, %x21: tensor<8xf32>, %x22: tensor<8xf32>, %x23: tensor<8xf32>, %x24: tensor<8xf32>, %x25: tensor<8xf32>, %x26: tensor<8xf32>, %x27: tensor<8xf32>, %x28: tensor<8xf32>, %x29: tensor<8xf32>, %x30: tensor<8xf32>, %x31: tensor<8xf32>, %x32: tensor<8xf32>, %x33: tensor<8xf32>, %x34: tensor<8xf32>, %x35: tensor<8xf32>, %x36: tensor<8xf32>, %x37: tensor<8xf32>, %x38: tensor<8xf32>, %x39: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %out: f32):
    %s0 = arith.addf %a0, %a1 : f32
    %s1 = arith.addf %s0, %a2 : f32
    %s2 = arith.addf %s1, %a3 : f32
    %s3 = arith.addf %s2, %a4 : f32
    %s4 = arith.addf %s3, %a5 : f32
    %s5 = arith.addf %s4, %a6 : f32
    %s6 = arith.addf %s5, %a7 : f32
    %s7 = arith.addf %s6, %a8 : f32
    %s8 = arith.addf %s7, %a9 : f32
    linalg.yield %s8 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %x10, %x11, %x12, %x13, %x14, %x15, %x16, %x17, %x18, %x19 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %out: f32):
    %s0 = arith.addf %a0, %a1 : f32
    %s1 = arith.addf %s0, %a2 : f32
    %s2 = arith.addf %s1, %a3 : f32
    %s3 = arith.addf %s2, %a4 : f32
    %s4 = arith.addf %s3, %a5 : f32
    %s5 = arith.addf %s4, %a6 : f32
    %s6 = arith.addf %s5, %a7 : f32
    %s7 = arith.addf %s6, %a8 : f32
    %s8 = arith.addf %s7, %a9 : f32
    %s9 = arith.addf %s8, %a10 : f32
    linalg.yield %s9 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1, %x20, %x21, %x22, %x23, %x24, %x25, %x26, %x27, %x28, %x29 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %out: f32):
    %s0 = arith.addf %a0, %a1 : f32
    %s1 = arith.addf %s0, %a2 : f32
    %s2 = arith.addf %s1, %a3 : f32
    %s3 = arith.addf %s2, %a4 : f32
    %s4 = arith.addf %s3, %a5 : f32
    %s5 = arith.addf %s4, %a6 : f32
    %s6 = arith.addf %s5, %a7 : f32
    %s7 = arith.addf %s6, %a8 : f32
    %s8 = arith.addf %s7, %a9 : f32
    %s9 = arith.addf %s8, %a10 : f32
    linalg.yield %s9 : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2, %x30, %x31, %x32, %x33, %x34, %x35, %x36, %x37, %x38 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %out: f32):
    %s0 = arith.addf %a0, %a1 : f32
    %s1 = arith.addf %s0, %a2 : f32
    %s2 = arith.addf %s1, %a3 : f32
    %s3 = arith.addf %s2, %a4 : f32
    %s4 = arith.addf %s3, %a5 : f32
    %s5 = arith.addf %s4, %a6 : f32
    %s6 = arith.addf %s5, %a7 : f32
    %s7 = arith.addf %s6, %a8 : f32
    %s8 = arith.addf %s7, %a9 : f32
    linalg.yield %s8 : f32
  } -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

