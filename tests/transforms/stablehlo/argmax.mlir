// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The place of the greatest element of a long row is searched after the element.

// RUN: mercator-opt %s --mercator-linalg-pipeline | FileCheck %s
// RUN: mercator run %s --check 2>/dev/null | FileCheck %s --check-prefix=VALUES

// VALUES: result 0: tensor<7xi32>, equal to the evaluator's
// VALUES: result 1: tensor<i64>, equal to the evaluator's
// VALUES: result 2: tensor<7xi16>, equal to the evaluator's

// CHECK-LABEL: func.func @main
// CHECK: arith.maximumf
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpf uno
// CHECK: arith.minsi
// CHECK: arith.minui
// CHECK: arith.cmpi eq
// CHECK: arith.minsi
// A short row.
// CHECK: arith.cmpf ogt
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i16
func.func @main(%x: tensor<7x200xf32>, %y: tensor<100xui8>, %z: tensor<7x63xf32>) -> (tensor<7xi32>, tensor<i64>, tensor<7xi16>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %high = stablehlo.constant dense<255> : tensor<ui8>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zero64 = stablehlo.constant dense<0> : tensor<i64>
  %zero16 = stablehlo.constant dense<0> : tensor<i16>
  %i = stablehlo.iota dim = 1 : tensor<7x200xi32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<7x200xf32>, tensor<7x200xi32>, tensor<f32>, tensor<i32>) -> (tensor<7xf32>, tensor<7xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%k: tensor<i32>, %n: tensor<i32>) {
    %2 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %k, %n : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  %j = stablehlo.iota dim = 0 : tensor<100xi64>
  %1:2 = stablehlo.reduce(%y init: %high), (%j init: %zero64) across dimensions = [0] : (tensor<100xui8>, tensor<100xi64>, tensor<ui8>, tensor<i64>) -> (tensor<ui8>, tensor<i64>)
   reducer(%a: tensor<ui8>, %b: tensor<ui8>) (%k: tensor<i64>, %n: tensor<i64>) {
    %2 = stablehlo.compare LT, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %5 = stablehlo.compare EQ, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %6 = stablehlo.compare LT, %k, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %2, %7 : tensor<i1>
    %9 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<ui8>
    %10 = stablehlo.select %8, %k, %n : tensor<i1>, tensor<i64>
    stablehlo.return %9, %10 : tensor<ui8>, tensor<i64>
  }
  %l = stablehlo.iota dim = 1 : tensor<7x63xi16>
  %11:2 = stablehlo.reduce(%z init: %low), (%l init: %zero16) across dimensions = [1] : (tensor<7x63xf32>, tensor<7x63xi16>, tensor<f32>, tensor<i16>) -> (tensor<7xf32>, tensor<7xi16>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%k: tensor<i16>, %n: tensor<i16>) {
    %2 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %k, %n : (tensor<i16>, tensor<i16>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %k, %n : tensor<i1>, tensor<i16>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i16>
  }
  return %0#1, %1#1, %11#1 : tensor<7xi32>, tensor<i64>, tensor<7xi16>
}
