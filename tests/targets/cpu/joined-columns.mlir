// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The columns of a sum are one row where rows of nine follow each other, also in a group.
// RUN: mercator compile %s --stop-after=kernels --cpu=znver4 -o - | FileCheck %s
// RUN: mercator run %s --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL-COUNT-2: equal to the evaluator's

// CHECK: memref.collapse_shape %{{.*}} {{\[\[0\], \[1, 2\]\]}} : memref<7x{{.*}}x9xf32
// CHECK: arith.addf
func.func @main(%x: tensor<7x395x9xf32>) -> (tensor<395x9xf32>, tensor<395x9xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<7x395x9xf32>, tensor<f32>) -> tensor<395x9xf32>
  %q = stablehlo.multiply %x, %x : tensor<7x395x9xf32>
  %m = stablehlo.reduce(%q init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<7x395x9xf32>, tensor<f32>) -> tensor<395x9xf32>
  return %s, %m : tensor<395x9xf32>, tensor<395x9xf32>
}
