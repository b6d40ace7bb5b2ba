// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --mercator-flow-pipeline | FileCheck %s
// RUN: mercator-opt %s --mercator-flow-pipeline=enable-aggressive-fusion=true | FileCheck %s

// No dispatch takes unwritten tensors. The row maxima are computed in one shape
// and used in another, so their init is reshaped.

// CHECK-NOT: flow.tensor.empty
// CHECK-NOT: readwrite
// CHECK-LABEL: func.func @maxima
// CHECK-NOT: flow.tensor.empty
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @maxima(%a: tensor<16x64x32xf32>, %b: tensor<16x32x64xf32>) -> tensor<2x8x64xf32> {
  %least = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<16x64x32xf32>, tensor<16x32x64xf32>) outs(%f : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2], [3]] output_shape [2, 8, 64, 64] : tensor<16x64x64xf32> into tensor<2x8x64x64xf32>
  %2 = tensor.empty() : tensor<2x8x64xf32>
  %3 = linalg.fill ins(%least : f32) outs(%2 : tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  %4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<2x8x64x64xf32>) outs(%3 : tensor<2x8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.maximumf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<2x8x64xf32>
  return %4 : tensor<2x8x64xf32>
}
