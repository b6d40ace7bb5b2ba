// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Start indices of dimensions of extent 1 are clamped to 0, so the lowered
// program does not read them. Maps after the sort are not exact. They give only
// elements that were read before, which is no move.

// RUN: mercator compile %s --stop-after=linalg --verify-maps 2>&1 >/dev/null | FileCheck %s
// CHECK: maps: {{[1-9]}} proved
// CHECK-SAME: 0 refuted

func.func @main(%x: tensor<2x3x1xf64>, %i: tensor<3x3xi32>) -> tensor<3xf64> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [2, 1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x1xf64>, tensor<3x3xi32>) -> tensor<3xf64>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3xf64>) -> tensor<3xf64>
  return %1 : tensor<3xf64>
}
