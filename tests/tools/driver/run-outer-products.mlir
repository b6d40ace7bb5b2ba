// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products of one term, whose columns are no neighbors in memory.
// RUN: mercator run %s --check --input=random:1 | FileCheck %s
// RUN: mercator run %s --check --input=random:1 --schedule=random:3 | FileCheck %s
// CHECK-COUNT-2: equal to the evaluator's

func.func @main(%a: tensor<70x1x3xf32>, %b: tensor<90x1x3xf32>, %c: tensor<5x1x3xf64>, %d: tensor<7x1x3xf64>) -> (tensor<3x70x90xf32>, tensor<3x5x7xf64>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [2] x [2], contracting_dims = [1] x [1] : (tensor<70x1x3xf32>, tensor<90x1x3xf32>) -> tensor<3x70x90xf32>
  %1 = stablehlo.dot_general %c, %d, batching_dims = [2] x [2], contracting_dims = [1] x [1] : (tensor<5x1x3xf64>, tensor<7x1x3xf64>) -> tensor<3x5x7xf64>
  return %0, %1 : tensor<3x70x90xf32>, tensor<3x5x7xf64>
}
