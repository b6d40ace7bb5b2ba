// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Windows as linalg.generic, cumulative reductions as loops.
// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --cse --split-input-file | FileCheck %s

// The loops are those of a pooling operation. A dimension along which the window
// has one element has no loop. What no window covers is not padded.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5 * 3, d3)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @pool(
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x3xf32>)
// CHECK: %[[Z:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[INIT:.*]] = linalg.fill ins(%[[Z]] : f32)
// CHECK: %[[PAD:.*]] = tensor.pad %[[X]] low[0, 0, 0, 0] high[0, 1, 0, 0]
// CHECK: tensor.yield %[[Z]]
// CHECK: %[[SHAPE:.*]] = tensor.empty() : tensor<3x2xi1>
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[WINDOW]], #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[PAD]], %[[SHAPE]] : tensor<1x9x8x3xf32>, tensor<3x2xi1>) outs(%[[INIT]] : tensor<1x4x3x3xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: i1, %[[B:.*]]: f32):
// CHECK-NEXT: arith.maximumf %[[B]], %[[A]]
func.func @pool(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x3x3xf32> {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, window_dilations = array<i64: 1, 1, 3, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<1x8x8x3xf32>, tensor<f32>) -> tensor<1x4x3x3xf32>
  return %0 : tensor<1x4x3x3xf32>
}

// -----

// Holes and padding are one insertion.
// CHECK-LABEL: func.func @holes(
// CHECK: linalg.fill {{.*}} -> tensor<12xi32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1] [5] [2] : tensor<5xi32> into tensor<12xi32>
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @holes(%x: tensor<5xi32>) -> tensor<11xi32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<11xi32>
  return %0 : tensor<11xi32>
}

// -----

// Each sum extends the previous one, in a wider type.
// CHECK-LABEL: func.func @cumsum(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>)
// CHECK-DAG: %[[Z:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<4x6xf32>
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %c4 step %c1 iter_args(%[[A:.*]] = %[[E]])
// CHECK: %[[WIDE:.*]] = arith.extf %[[Z]] : f32 to f64
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c6 step %c1 iter_args(%[[SUM:.*]] = %[[WIDE]], %[[B:.*]] = %[[A]])
// CHECK-NEXT: %[[ELEMENT:.*]] = tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %{{.*}} : f64
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[NEXT]] : f64 to f32
// CHECK: %[[C:.*]] = tensor.insert %[[ROUNDED]] into %[[B]][%[[I]], %[[J]]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[C]]
// CHECK: return %[[R]]
func.func @cumsum(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 6>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// An initial value that is not known may not be the identity element.
// CHECK-LABEL: func.func @unknown_initial_value(
// CHECK-NOT: scf.for
// CHECK: linalg.generic
func.func @unknown_initial_value(%x: tensor<6xf32>, %z: tensor<f32>) -> tensor<6xf32> {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
