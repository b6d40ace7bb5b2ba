// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums in blocks with a mask: what it excludes of a block is left out if it adds nothing,
// and has no predicted time.
// RUN: mercator explain %s --target=cpu | FileCheck %s
// CHECK: s predicted: {{.*}}multiply-adds
// CHECK: blocks of 128 columns
// CHECK: only columns that the mask leaves
// CHECK: only terms that the mask leaves
// RUN: mercator run %s --check --input=random:1 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's

func.func @main(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %dy: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %none = stablehlo.constant dense<0.0> : tensor<512x512xf32>
  %i = stablehlo.iota dim = 1 : tensor<512x512xi32>
  %j = stablehlo.iota dim = 0 : tensor<512x512xi32>
  %keep = stablehlo.compare GE, %i, %j : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
  %s = stablehlo.dot_general %k, %q, contracting_dims = [1] x [1] : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<512x512xf32>
  %e = stablehlo.exponential %s : tensor<512x512xf32>
  %p = stablehlo.select %keep, %e, %none : tensor<512x512xi1>, tensor<512x512xf32>
  %dv = stablehlo.dot_general %p, %dy, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x16xf32>) -> tensor<512x16xf32>
  return %dv : tensor<512x16xf32>
}
