// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A softmax of long rows is computed in blocks, of a batch of 1 too.
// RUN: mercator explain %s --target=cpu | FileCheck %s
// CHECK: 512 cells, tiles of {{[0-9]+}} rows, blocks of 128 columns
// CHECK: product of {{[0-9]+}} x 128 x 16
// CHECK: product of {{[0-9]+}} x 16 x 128
func.func @main(%q: tensor<1x512x16xf32>, %k: tensor<1x512x16xf32>, %v: tensor<1x512x16xf32>) -> tensor<1x512x16xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<1x512x16xf32>, tensor<1x512x16xf32>) -> tensor<1x512x512xf32>
  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2]
      : (tensor<1x512x512xf32>, tensor<f32>) -> tensor<1x512xf32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<1x512xf32>) -> tensor<1x512x512xf32>
  %c = stablehlo.subtract %s, %ms : tensor<1x512x512xf32>
  %e = stablehlo.exponential %c : tensor<1x512x512xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<1x512x512xf32>, tensor<f32>) -> tensor<1x512xf32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<1x512xf32>) -> tensor<1x512x512xf32>
  %p = stablehlo.divide %e, %ns : tensor<1x512x512xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1x512x512xf32>, tensor<1x512x16xf32>) -> tensor<1x512x16xf32>
  return %o : tensor<1x512x16xf32>
}
