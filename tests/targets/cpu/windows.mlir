// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The elements of a small window are operands of one elementwise operation. Pads are read
// where they come from, also in steps: the interior, its last column, its last row and
// their corner.
// RUN: mercator compile %s --stop-after=kernels --cpu=znver4 | FileCheck %s
// RUN: mercator run %s --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %s --function=sums --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %s --function=dilated --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %s --function=chain --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %s --function=large --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %s --function=border --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %s --function=between --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's

// CHECK-LABEL: func.func private @kernel_0
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: func.func @
func.func @main(%x: tensor<3x40x50xf32>) -> tensor<3x20x25xf32> {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 2, 2>, padding = dense<[[0, 0], [0, 1], [0, 1]]> : tensor<3x2xi64>} : (tensor<3x40x50xf32>, tensor<f32>) -> tensor<3x20x25xf32>
  return %0 : tensor<3x20x25xf32>
}

// A sum that begins with 5.
func.func @sums(%x: tensor<33x47xf32>) -> tensor<33x47xf32> {
  %i = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 5, 3>, padding = dense<[[2, 2], [1, 1]]> : tensor<2x2xi64>} : (tensor<33x47xf32>, tensor<f32>) -> tensor<33x47xf32>
  return %0 : tensor<33x47xf32>
}

// Elements of a window that are apart, of integers.
func.func @dilated(%x: tensor<40x60xi32>) -> tensor<12x17xi32> {
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %m : tensor<i32>
  }) {window_dimensions = array<i64: 2, 4>, window_strides = array<i64: 3, 3>, window_dilations = array<i64: 4, 3>, padding = dense<0> : tensor<2x2xi64>} : (tensor<40x60xi32>, tensor<i32>) -> tensor<12x17xi32>
  return %0 : tensor<12x17xi32>
}

// Before and after other operations.
func.func @chain(%x: tensor<2x31x30x17xf32>) -> tensor<2x15x15x17xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<2x31x30x17xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.maximum %x, %z : tensor<2x31x30x17xf32>
  %0 = "stablehlo.reduce_window"(%r, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<0> : tensor<4x2xi64>} : (tensor<2x31x30x17xf32>, tensor<f32>) -> tensor<2x15x15x17xf32>
  %q = stablehlo.constant dense<0.25> : tensor<2x15x15x17xf32>
  %1 = stablehlo.multiply %0, %q : tensor<2x15x15x17xf32>
  return %1 : tensor<2x15x15x17xf32>
}

// A window of more elements stays a loop.
func.func @large(%x: tensor<500xf32>) -> tensor<140xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 83>, window_strides = array<i64: 3>, padding = dense<0> : tensor<1x2xi64>} : (tensor<500xf32>, tensor<f32>) -> tensor<140xf32>
  return %0 : tensor<140xf32>
}

// Pads between elements: a number, in steps.
func.func @between(%x: tensor<20x21xf32>) -> tensor<20x20xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<20x21xf32>, tensor<f32>) -> tensor<20x20xf32>
  return %0 : tensor<20x20xf32>
}

// A border of more than a step.
func.func @border(%x: tensor<20x50xf32>) -> tensor<20x26xf32> {
  %i = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [3, 2]]> : tensor<2x2xi64>} : (tensor<20x50xf32>, tensor<f32>) -> tensor<20x26xf32>
  return %0 : tensor<20x26xf32>
}
