// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The 8 channels of a point are a vector, though LLVM would have to ask whether the
// buffers of a part overlap.
// RUN: mercator compile %s --target=cpu --emit=llvm --cpu=znver4 -o - | FileCheck %s
// RUN: mercator run %s --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's

// CHECK: fdiv <8 x float>
func.func @main(%x: tensor<4x32x32x4xf32>, %w: tensor<3x3x4x8xf32>, %b: tensor<8xf32>) -> tensor<4x32x32x8xf32> {
  %c = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x32x32x4xf32>, tensor<3x3x4x8xf32>) -> tensor<4x32x32x8xf32>
  %bs = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<8xf32>) -> tensor<4x32x32x8xf32>
  %y = stablehlo.add %c, %bs : tensor<4x32x32x8xf32>
  %t = stablehlo.tanh %y : tensor<4x32x32x8xf32>
  %z = stablehlo.multiply %t, %y : tensor<4x32x32x8xf32>
  return %z : tensor<4x32x32x8xf32>
}
