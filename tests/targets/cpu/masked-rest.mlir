// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The last 7 terms of a row of 87 are one vector under a mask. This sum also stores what
// it adds up, to a buffer that LLVM has to compare with the others.
// RUN: mercator compile %s --target=cpu --emit=llvm --cpu=znver4 --fusion=aggressive -o - | FileCheck %s
// RUN: mercator run %s --input=random:1 --check --sanitize --fusion=aggressive | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's

// CHECK: call <16 x float> @llvm.masked.load.v16f32
// CHECK: call <16 x float> @llvm.ldexp.v16f32
// CHECK: call void @llvm.masked.store.v16f32
func.func @main(%x: tensor<2008x87xf32>) -> tensor<2008x87xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<2008x87xf32>, tensor<f32>) -> tensor<2008xf32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<2008xf32>) -> tensor<2008x87xf32>
  %c = stablehlo.subtract %x, %ms : tensor<2008x87xf32>
  %e = stablehlo.exponential %c : tensor<2008x87xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2008x87xf32>, tensor<f32>) -> tensor<2008xf32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<2008xf32>) -> tensor<2008x87xf32>
  %p = stablehlo.divide %e, %ns : tensor<2008x87xf32>
  return %p : tensor<2008x87xf32>
}
