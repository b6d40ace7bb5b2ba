// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each part of the rows has one block. What it computes on the way, a tensor larger than
// the cache of a core, has the rows of a block for each worker.
// RUN: mercator compile %s --stop-after=schedule -o - | FileCheck %s --check-prefix=ROWS
// ROWS: mercator.rows = "group=0 loop=0 rows=1 parts=64"
// RUN: mercator compile %s --stop-after=kernels -o - | FileCheck %s
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [64, 1, 65536], strides: [131072, 65536, 1]
// CHECK: {mercator.worker}
// RUN: mercator run %s --check --sanitize --threads=3 --input=random:1

func.func @main(%x: tensor<64x65536xf32>) -> tensor<64x65536xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.tanh %x : tensor<64x65536xf32>
  %s = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<64x65536xf32>, tensor<f32>) -> tensor<64xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x65536xf32>
  %c = stablehlo.subtract %t, %b : tensor<64x65536xf32>
  %m = stablehlo.reduce(%c init: %zero) applies stablehlo.maximum across dimensions = [1]
      : (tensor<64x65536xf32>, tensor<f32>) -> tensor<64xf32>
  %d = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x65536xf32>
  %y = stablehlo.divide %c, %d : tensor<64x65536xf32>
  return %y : tensor<64x65536xf32>
}
