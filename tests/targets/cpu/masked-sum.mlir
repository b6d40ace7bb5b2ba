// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The last 9 terms of a row of 201 are loaded under a mask. All accumulators are added
// to: what is stored under a mask is not there for the load that follows.
// RUN: mercator compile %s --target=cpu --emit=llvm --cpu=znver4 -o - | FileCheck %s
// RUN: mercator run %s --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's

// CHECK-NOT: masked.store
// CHECK: call {{.*}}<16 x float> @llvm.masked.load.v16f32
// CHECK-NOT: masked.store
func.func @main(%x: tensor<674x201xf32>) -> tensor<674xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<674x201xf32>, tensor<f32>) -> tensor<674xf32>
  return %s : tensor<674xf32>
}
