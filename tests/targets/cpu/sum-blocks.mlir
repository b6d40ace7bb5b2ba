// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A product adds chains of 256 terms: blocks of 256 columns keep the bits of whole rows.
// RUN: mercator compile %s --stop-after=schedule -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK: block=128
// RUN: sed -E 's/, mercator.products = \[[^]]*\]//; s/block=128/block=256/' %t.mlir > %t.blocks.mlir
// RUN: sed -E 's/, mercator.products = \[[^]]*\]//; s/block=128//' %t.mlir > %t.whole.mlir
// RUN: mercator run %t.blocks.mlir --input=random:1 -o %t.blocks.npy > %t.txt
// RUN: mercator run %t.whole.mlir --input=random:1 -o %t.whole.npy > %t.txt
// RUN: cmp %t.blocks.npy %t.whole.npy

func.func @main(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %dy: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %s = stablehlo.dot_general %k, %q, contracting_dims = [1] x [1] : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<512x512xf32>
  %p = stablehlo.exponential %s : tensor<512x512xf32>
  %dv = stablehlo.dot_general %p, %dy, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x16xf32>) -> tensor<512x16xf32>
  return %dv : tensor<512x16xf32>
}
