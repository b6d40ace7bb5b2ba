// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Short rows are computed side by side, also where blocks and vectors do not divide
// the rows. All accesses are checked, and the bits do not depend on threads.
// RUN: mercator run %s --check --input=random:1 --sanitize --threads=2 | FileCheck %s
// RUN: mercator run %s --check --input=random:2 --fusion=seed | FileCheck %s
// RUN: mercator run %s --input=random:1 --threads=1 > %t.one
// RUN: mercator run %s --input=random:1 --threads=2 | diff %t.one -
// CHECK-COUNT-8: equal to the evaluator's
// CHECK-NOT: differ

// The schedule says so.
// RUN: mercator explain %s --target=cpu | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: blocks of {{[0-9]+}} rows side by side, lanes={{[0-9]+}} parts=
func.func @softmax(%x: tensor<2051x9xf32>) -> tensor<2051x9xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<2051x9xf32>, tensor<f32>) -> tensor<2051xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<2051xf32>) -> tensor<2051x9xf32>
  %less = stablehlo.subtract %x, %maxes : tensor<2051x9xf32>
  %exp = stablehlo.exponential %less : tensor<2051x9xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2051x9xf32>, tensor<f32>) -> tensor<2051xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<2051xf32>) -> tensor<2051x9xf32>
  %y = stablehlo.divide %exp, %sums : tensor<2051x9xf32>
  return %y : tensor<2051x9xf32>
}

func.func @main(%x: tensor<2051x9xf32>, %a: tensor<300x4x5xf64>, %b: tensor<1000x7xi32>, %c: tensor<20x300xf32>, %d: tensor<515x33xf32>, %e: tensor<33xf32>, %f: tensor<600x3xbf16>)
    -> (tensor<2051x9xf32>, tensor<300x4xf64>, tensor<1000xi32>, tensor<20x300xf32>, tensor<515x33xf32>, tensor<600x3xbf16>, tensor<515x33xf32>, tensor<300x4x5xf64>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zero64 = stablehlo.constant dense<0.0> : tensor<f64>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0 = func.call @softmax(%x) : (tensor<2051x9xf32>) -> tensor<2051x9xf32>
  // Two loops inside of a row, of 8 bytes.
  %exp64 = stablehlo.exponential %a : tensor<300x4x5xf64>
  %1 = stablehlo.reduce(%exp64 init: %zero64) applies stablehlo.add across dimensions = [2] : (tensor<300x4x5xf64>, tensor<f64>) -> tensor<300x4xf64>
  // A row is one number of another type.
  %signs = stablehlo.sign %b : tensor<1000x7xi32>
  %squares = stablehlo.multiply %b, %signs : tensor<1000x7xi32>
  %quotient = stablehlo.divide %squares, %b : tensor<1000x7xi32>
  %2 = stablehlo.reduce(%quotient init: %none) applies stablehlo.add across dimensions = [1] : (tensor<1000x7xi32>, tensor<i32>) -> tensor<1000xi32>
  // Rows that are neighbors in memory already.
  %exp = stablehlo.exponential %c : tensor<20x300xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<20x300xf32>, tensor<f32>) -> tensor<300xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [1] : (tensor<300xf32>) -> tensor<20x300xf32>
  %3 = stablehlo.divide %exp, %sums : tensor<20x300xf32>
  // What all rows share, and the number of a row.
  %bias = stablehlo.broadcast_in_dim %e, dims = [1] : (tensor<33xf32>) -> tensor<515x33xf32>
  %n = stablehlo.iota dim = 0 : tensor<515x33xf32>
  %plus = stablehlo.add %d, %bias : tensor<515x33xf32>
  %numbered = stablehlo.add %plus, %n : tensor<515x33xf32>
  %4 = stablehlo.tanh %numbered : tensor<515x33xf32>
  // Elements of two bytes, and what is not shared, in one loop.
  %5 = stablehlo.exponential %f : tensor<600x3xbf16>
  %6 = stablehlo.exponential %d : tensor<515x33xf32>
  %spread = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<300x4xf64>) -> tensor<300x4x5xf64>
  %7 = stablehlo.divide %exp64, %spread : tensor<300x4x5xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2051x9xf32>, tensor<300x4xf64>, tensor<1000xi32>, tensor<20x300xf32>, tensor<515x33xf32>, tensor<600x3xbf16>, tensor<515x33xf32>, tensor<300x4x5xf64>
}
