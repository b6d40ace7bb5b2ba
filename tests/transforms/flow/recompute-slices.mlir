// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A step after a step of a stencil is computed in one loop, where that takes less time
// than to store what is between them.
// RUN: sed -e 's/"bytes": [0-9]*/"bytes": 256/; s/"core_gflop_per_s": 96/"core_gflop_per_s": 24/' %S/../../../devices/x86-64-v3.json > %t.json
// RUN: mercator compile %s --stop-after=flow --device=%t.json --verify-maps | FileCheck %s
// RUN: mercator run %s --function=steps --device=%t.json --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %s --function=scaled --device=%t.json --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's

// Of three steps two are one: the third would compute too much again.
// CHECK-LABEL: func.func @steps(
// CHECK-COUNT-2: flow.dispatch @
// CHECK-NOT: flow.dispatch @
func.func @steps(%x: tensor<6000xf32>) -> tensor<5994xf32> {
  %a = stablehlo.slice %x [0:5998] : (tensor<6000xf32>) -> tensor<5998xf32>
  %b = stablehlo.slice %x [1:5999] : (tensor<6000xf32>) -> tensor<5998xf32>
  %c = stablehlo.slice %x [2:6000] : (tensor<6000xf32>) -> tensor<5998xf32>
  %d = stablehlo.add %a, %c : tensor<5998xf32>
  %e = stablehlo.multiply %d, %b : tensor<5998xf32>
  %y = stablehlo.subtract %e, %a : tensor<5998xf32>
  %a1 = stablehlo.slice %y [0:5996] : (tensor<5998xf32>) -> tensor<5996xf32>
  %b1 = stablehlo.slice %y [1:5997] : (tensor<5998xf32>) -> tensor<5996xf32>
  %c1 = stablehlo.slice %y [2:5998] : (tensor<5998xf32>) -> tensor<5996xf32>
  %d1 = stablehlo.add %a1, %c1 : tensor<5996xf32>
  %e1 = stablehlo.multiply %d1, %b1 : tensor<5996xf32>
  %f1 = stablehlo.multiply %e1, %e1 : tensor<5996xf32>
  %g1 = stablehlo.add %f1, %a1 : tensor<5996xf32>
  %z = stablehlo.subtract %g1, %c1 : tensor<5996xf32>
  %a2 = stablehlo.slice %z [0:5994] : (tensor<5996xf32>) -> tensor<5994xf32>
  %b2 = stablehlo.slice %z [1:5995] : (tensor<5996xf32>) -> tensor<5994xf32>
  %c2 = stablehlo.slice %z [2:5996] : (tensor<5996xf32>) -> tensor<5994xf32>
  %d2 = stablehlo.add %a2, %c2 : tensor<5994xf32>
  %w = stablehlo.multiply %d2, %b2 : tensor<5994xf32>
  return %w : tensor<5994xf32>
}

// A part of a row that is the same for all rows.
// CHECK-LABEL: func.func @scaled(
// CHECK-COUNT-1: flow.dispatch @
// CHECK-NOT: flow.dispatch @
func.func @scaled(%x: tensor<60x50xf32>, %r: tensor<50xf32>) -> tensor<58x48xf32> {
  %s = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<50xf32>) -> tensor<60x50xf32>
  %y = stablehlo.multiply %x, %s : tensor<60x50xf32>
  %a = stablehlo.slice %y [0:58, 2:50] : (tensor<60x50xf32>) -> tensor<58x48xf32>
  %b = stablehlo.slice %y [2:60, 1:49] : (tensor<60x50xf32>) -> tensor<58x48xf32>
  %c = stablehlo.subtract %a, %b : tensor<58x48xf32>
  return %c : tensor<58x48xf32>
}

// Exponentials take longer than memory.
// CHECK-LABEL: func.func @functions(
// CHECK-COUNT-2: flow.dispatch @
func.func @functions(%x: tensor<60x50xf32>) -> tensor<58x48xf32> {
  %y = stablehlo.exponential %x : tensor<60x50xf32>
  %a = stablehlo.slice %y [0:58, 2:50] : (tensor<60x50xf32>) -> tensor<58x48xf32>
  %b = stablehlo.slice %y [2:60, 1:49] : (tensor<60x50xf32>) -> tensor<58x48xf32>
  %c = stablehlo.subtract %a, %b : tensor<58x48xf32>
  return %c : tensor<58x48xf32>
}

// What is a result is stored in any case.
// CHECK-LABEL: func.func @result(
// CHECK-COUNT-2: flow.dispatch @
func.func @result(%x: tensor<60x50xf32>) -> (tensor<60x50xf32>, tensor<58x48xf32>) {
  %y = stablehlo.add %x, %x : tensor<60x50xf32>
  %a = stablehlo.slice %y [0:58, 2:50] : (tensor<60x50xf32>) -> tensor<58x48xf32>
  %b = stablehlo.slice %y [2:60, 1:49] : (tensor<60x50xf32>) -> tensor<58x48xf32>
  %c = stablehlo.subtract %a, %b : tensor<58x48xf32>
  return %y, %c : tensor<60x50xf32>, tensor<58x48xf32>
}
