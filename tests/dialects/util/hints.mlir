// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @barrier
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: index)
func.func @barrier(%a: tensor<?xf32>, %b: index) {
  // CHECK: util.optimization_barrier %[[A]] : tensor<?xf32>
  %0 = util.optimization_barrier %a : tensor<?xf32>
  // CHECK: %{{.*}}:2 = util.optimization_barrier %[[A]], %[[B]] : tensor<?xf32>, index
  %1:2 = util.optimization_barrier %a, %b : tensor<?xf32>, index
  // CHECK: util.optimization_barrier {note = 1 : i32} %[[B]] : index
  %2 = util.optimization_barrier {note = 1 : i32} %b : index
  // CHECK: {{^ *}}util.optimization_barrier{{$}}
  util.optimization_barrier
  return
}

// CHECK-LABEL: func @unfoldable
func.func @unfoldable() {
  // CHECK: util.unfoldable_constant 42 : i32
  %0 = util.unfoldable_constant 42 : i32
  // CHECK: util.unfoldable_constant dense<[1, 2]> : tensor<2xi8>
  %1 = util.unfoldable_constant dense<[1, 2]> : tensor<2xi8>
  // CHECK: util.unfoldable_constant {note} 4.300000e+01 : f32
  %2 = util.unfoldable_constant {note} 43.0 : f32
  // CHECK: util.unfoldable_constant @barrier : (tensor<?xf32>, index) -> ()
  %3 = util.unfoldable_constant @barrier : (tensor<?xf32>, index) -> ()
  return
}

// CHECK-LABEL: func @narrow
// CHECK-SAME: (%[[A:.*]]: tensor<?xi32>, %[[B:.*]]: f64)
func.func @narrow(%a: tensor<?xi32>, %b: f64) {
  // CHECK: util.numeric.optional_narrow %[[A]] : tensor<?xi32> as ui7 {max_value = 90 : ui7, min_value = 0 : ui7}
  %0 = util.numeric.optional_narrow %a : tensor<?xi32> as ui7 {min_value = 0 : ui7, max_value = 90 : ui7}
  // CHECK: util.numeric.optional_narrow %[[B]] : f64 as f16
  %1 = util.numeric.optional_narrow %b : f64 as f16
  // CHECK: util.numeric.optional_narrow %[[B]] : f64 as si8
  %2 = util.numeric.optional_narrow %b : f64 as si8
  return
}

// CHECK-LABEL: func @indices
// CHECK-SAME: (%[[A:.*]]: index, %[[B:.*]]: index, %[[C:.*]]: i32)
func.func @indices(%a: index, %b: index, %c: i32) {
  // CHECK: util.range.min %[[A]] : index
  %0 = util.range.min %a : index
  // CHECK: util.range.min %[[A]], %[[B]], %[[A]] {note} : index
  %1 = util.range.min %a, %b, %a {note} : index
  // CHECK: util.range.max %[[C]], %[[C]] : i32
  %2 = util.range.max %c, %c : i32
  // CHECK: util.range.extents [%[[A]] for %[[B]]] : index
  %3:2 = util.range.extents [%a for %b] : index
  // CHECK: util.range.extents [%[[C]] for %[[C]]], [%[[C]] for %[[C]]] {note} : i32
  %4:2 = util.range.extents [%c for %c], [%c for %c] {note} : i32
  // CHECK: util.align %[[A]], %[[B]] : index
  %5 = util.align %a, %b : index
  // CHECK: util.align %[[C]], %[[C]] : i32
  %6 = util.align %c, %c : i32
  // CHECK: util.sizeof tensor<4xf32>
  %7 = util.sizeof tensor<4xf32>
  // CHECK: util.sizeof index attributes {note}
  %8 = util.sizeof index attributes {note}
  return
}
