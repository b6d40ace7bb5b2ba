// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operands whose columns are far apart in memory, and whose terms are neighbors:
// squares of them are transposed in registers. Sizes with rests on each side.
// RUN: mercator run %s --check --input=random:1 | FileCheck %s
// RUN: mercator run %s --check --input=random:1 --sanitize | FileCheck %s
// CHECK-COUNT-6: equal to the evaluator's
// CHECK-NOT: differ
// RUN: mercator compile %s --function=step --target=cpu --cpu=x86-64-v4 --emit=llvm | FileCheck %s --check-prefix=CODE
// CODE-COUNT-20: shufflevector <8 x float>

func.func @main(%h: tensor<16xf32>, %w: tensor<16x16xf32>, %a: tensor<50x37xf32>, %b: tensor<75x37xf32>, %c: tensor<61x2x11xf64>, %d: tensor<2x13x11xf64>,
                %e: tensor<3x9xf32>, %f: tensor<21x9xf32>, %g: tensor<70x300xf32>, %k: tensor<131x300xf32>, %l: tensor<31x2x13xf32>, %m: tensor<40x2x13xf32>)
    -> (tensor<16xf32>, tensor<50x75xf32>, tensor<2x61x13xf64>, tensor<3x21xf32>, tensor<70x131xf32>, tensor<31x40xf32>) {
  %0 = stablehlo.dot_general %w, %h, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<50x37xf32>, tensor<75x37xf32>) -> tensor<50x75xf32>
  %2 = stablehlo.dot_general %c, %d, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<61x2x11xf64>, tensor<2x13x11xf64>) -> tensor<2x61x13xf64>
  %3 = stablehlo.dot_general %e, %f, contracting_dims = [1] x [1] : (tensor<3x9xf32>, tensor<21x9xf32>) -> tensor<3x21xf32>
  %4 = stablehlo.dot_general %g, %k, contracting_dims = [1] x [1] : (tensor<70x300xf32>, tensor<131x300xf32>) -> tensor<70x131xf32>
  %5 = stablehlo.dot_general %l, %m, contracting_dims = [1, 2] x [1, 2] : (tensor<31x2x13xf32>, tensor<40x2x13xf32>) -> tensor<31x40xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<16xf32>, tensor<50x75xf32>, tensor<2x61x13xf64>, tensor<3x21xf32>, tensor<70x131xf32>, tensor<31x40xf32>
}

func.func @step(%h: tensor<16xf32>, %w: tensor<16x16xf32>) -> tensor<16xf32> {
  %0 = stablehlo.dot_general %w, %h, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
