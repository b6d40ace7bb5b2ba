// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The last eleven elements of a row compute their functions as a vector, under a mask.
// RUN: mercator compile %s --target=cpu --emit=llvm --cpu=znver4 -o - | FileCheck %s
// RUN: mercator run %s --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's

// CHECK-NOT: fdiv float
// CHECK: fdiv <16 x float>
// CHECK-NOT: fdiv float
func.func @main(%x: tensor<162x91xf32>, %r: tensor<91xf32>) -> tensor<162x91xf32> {
  %rs = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<91xf32>) -> tensor<162x91xf32>
  %y = stablehlo.add %x, %rs : tensor<162x91xf32>
  %z = stablehlo.divide %x, %y : tensor<162x91xf32>
  return %z : tensor<162x91xf32>
}
