// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(mercator-flow-generalize-named-ops))' | FileCheck %s
// RUN: mercator-opt %s --mercator-flow-pipeline='compose-maps=true enable-aggressive-fusion=true' | FileCheck %s --check-prefix=FLOW

// CHECK-LABEL: @batch_of_one
// CHECK: linalg.generic
// CHECK-SAME: ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK: linalg.generic
// CHECK-NOT: linalg.broadcast
// CHECK-LABEL: @batch_of_two
// CHECK: linalg.conv_2d_nhwc_hwcf

// The bias is in the dispatch of its convolution.
// FLOW-LABEL: func.func @batch_of_one
// FLOW-COUNT-1: flow.dispatch @
// FLOW-NOT: flow.dispatch @
// FLOW-LABEL: func.func @batch_of_two
func.func @batch_of_one(%x: tensor<1x9x9x8xf32>, %w: tensor<3x3x8x16xf32>, %b: tensor<16xf32>) -> tensor<1x7x7x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x9x8xf32>, tensor<3x3x8x16xf32>) outs(%f : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  %bb = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<1x7x7x16xf32>) dimensions = [0, 1, 2]
  %r = arith.addf %c, %bb : tensor<1x7x7x16xf32>
  return %r : tensor<1x7x7x16xf32>
}
func.func @batch_of_two(%x: tensor<2x9x9x8xf32>, %w: tensor<3x3x8x16xf32>) -> tensor<2x7x7x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x7x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x9x9x8xf32>, tensor<3x3x8x16xf32>) outs(%f : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  return %c : tensor<2x7x7x16xf32>
}
