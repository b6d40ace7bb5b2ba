// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts of which the first elements are used keep the best ones: equal elements in
// their order, along any dimension, for slices of several lengths and places.
// RUN: mercator run %s --check --input=random:1 | FileCheck %s
// RUN: mercator run %s --through=linalg --input=random:2 > %t.linalg
// RUN: mercator run %s --reference --input=random:2 | diff %t.linalg -
// RUN: mercator run %s --sanitize --check --input=random:3 | FileCheck %s
// CHECK-COUNT-9: equal to the evaluator's
// CHECK-NOT: differ

// RUN: mercator compile %s --stop-after=flow --verify-maps -o %t.flow

// A sort of all elements has a second row of storage; a selection has none, and its
// results have the selected elements alone.
// RUN: mercator-opt %s --stablehlo-legalize-to-linalg | FileCheck %s --check-prefix=LOOPS
// LOOPS-LABEL: func.func @main
// LOOPS-NOT: tensor.empty() : tensor<80xf32>
// LOOPS: tensor.empty() : tensor<3x9xf32>

func.func @main(%x: tensor<3x80xf32>, %y: tensor<40x3xi8>, %z: tensor<2x64x2xf64>, %b: tensor<30xi1>)
    -> (tensor<3x9xf32>, tensor<3x9xi32>, tensor<2x1xi32>, tensor<5x3xi8>, tensor<5x3xi32>, tensor<2x8x2xf64>, tensor<3xi1>, tensor<1xi32>, tensor<1x80xf32>) {
  // The largest first, and where they are.
  %places = stablehlo.iota dim = 1 : tensor<3x80xi32>
  %0:2 = "stablehlo.sort"(%x, %places) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>, %d: tensor<i32>, %e: tensor<i32>):
    %r = stablehlo.compare GT, %a, %c, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3x80xf32>, tensor<3x80xi32>) -> (tensor<3x80xf32>, tensor<3x80xi32>)
  %1 = stablehlo.slice %0#0 [0:3, 0:9] : (tensor<3x80xf32>) -> tensor<3x9xf32>
  %2 = stablehlo.slice %0#1 [0:3, 0:9] : (tensor<3x80xi32>) -> tensor<3x9xi32>
  %3 = stablehlo.slice %0#1 [0:2, 4:5] : (tensor<3x80xi32>) -> tensor<2x1xi32>
  // Many are equal.
  %lines = stablehlo.iota dim = 0 : tensor<40x3xi32>
  %few = stablehlo.constant dense<7> : tensor<40x3xi8>
  %small = stablehlo.and %y, %few : tensor<40x3xi8>
  %4:2 = "stablehlo.sort"(%small, %lines) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i8>, %c: tensor<i8>, %d: tensor<i32>, %e: tensor<i32>):
    %r = stablehlo.compare LT, %a, %c : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<40x3xi8>, tensor<40x3xi32>) -> (tensor<40x3xi8>, tensor<40x3xi32>)
  %5 = stablehlo.slice %4#0 [0:5, 0:3] : (tensor<40x3xi8>) -> tensor<5x3xi8>
  %6 = stablehlo.slice %4#1 [0:5, 0:3] : (tensor<40x3xi32>) -> tensor<5x3xi32>
  // Along a dimension in the middle.
  %7 = "stablehlo.sort"(%z) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f64>, %c: tensor<f64>):
    %r = stablehlo.compare LT, %a, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<2x64x2xf64>) -> tensor<2x64x2xf64>
  %8 = stablehlo.slice %7 [0:2, 0:8, 0:2] : (tensor<2x64x2xf64>) -> tensor<2x8x2xf64>
  // Booleans.
  %9 = "stablehlo.sort"(%b) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i1>, %c: tensor<i1>):
    %r = stablehlo.compare GT, %a, %c : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<30xi1>) -> tensor<30xi1>
  %10 = stablehlo.slice %9 [0:3] : (tensor<30xi1>) -> tensor<3xi1>
  // The first of the elements that no other precedes.
  %nothing = stablehlo.constant dense<5> : tensor<90xi32>
  %count = stablehlo.iota dim = 0 : tensor<90xi32>
  %11:2 = "stablehlo.sort"(%nothing, %count) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<i32>):
    %r = stablehlo.compare LT, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<90xi32>, tensor<90xi32>) -> (tensor<90xi32>, tensor<90xi32>)
  %12 = stablehlo.slice %11#1 [0:1] : (tensor<90xi32>) -> tensor<1xi32>
  // Too many of the elements are used: a sort.
  %13 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %r = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3x80xf32>) -> tensor<3x80xf32>
  %14 = stablehlo.slice %13 [0:1, 0:80] : (tensor<3x80xf32>) -> tensor<1x80xf32>
  return %1, %2, %3, %5, %6, %8, %10, %12, %14 : tensor<3x9xf32>, tensor<3x9xi32>, tensor<2x1xi32>, tensor<5x3xi8>, tensor<5x3xi32>, tensor<2x8x2xf64>, tensor<3xi1>, tensor<1xi32>, tensor<1x80xf32>
}
