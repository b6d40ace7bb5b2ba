// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-expand-tensor-shapes --split-input-file --allow-unregistered-dialect | FileCheck %s

// Attributes stay with their values.

// CHECK: func.func @attributes(%{{.*}}: i32, %[[A:.*]]: tensor<?x4x?xf32> {util.a}, %[[A0:.*]]: index, %[[A2:.*]]: index, %[[B:.*]]: f32 {util.b})
// CHECK-SAME: -> (f32 {util.c}, tensor<?x4x?xf32> {util.d}, index, index, f32 {util.e}) attributes {here}
// CHECK-NEXT: %[[T:.*]] = flow.tensor.tie_shape %[[A]] : tensor<?x4x?xf32>{%[[A0]], %[[A2]]}
// CHECK-NEXT: util.optimization_barrier %[[T]]
// CHECK-NEXT: return %[[B]], %[[A]], %[[A0]], %[[A2]], %[[B]] : f32, tensor<?x4x?xf32>, index, index, f32
func.func @attributes(%i: i32, %a: tensor<?x4x?xf32> {util.a}, %b: f32 {util.b}) -> (f32 {util.c}, tensor<?x4x?xf32> {util.d}, f32 {util.e}) attributes {here} {
  util.optimization_barrier %a : tensor<?x4x?xf32>
  return %b, %a, %b : f32, tensor<?x4x?xf32>, f32
}

// CHECK: func.func private @outside(tensor<?xf32> {util.a}, index, i32 {util.b}) -> (i32 {util.c}, tensor<?xf32>, index)
func.func private @outside(tensor<?xf32> {util.a}, i32 {util.b}) -> (i32 {util.c}, tensor<?xf32>)
// CHECK: func.func private @static(tensor<4xf32>, tensor<*xf32>)
func.func private @static(tensor<4xf32>, tensor<*xf32>)

// -----

// A call passes extents and receives some. A known extent of a value is passed
// on; an unknown one is queried from the value.

// CHECK-LABEL: func @caller
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index)
// CHECK-NEXT: flow.tensor.tie_shape
// CHECK-NEXT: %[[R:.*]]:4 = call @callee(%[[A]], %[[D]]) {note} : (tensor<?xf32>, index) -> (tensor<?xf32>, index, tensor<?xi8>, index)
// CHECK-NEXT: flow.tensor.tie_shape %[[R]]#0 : tensor<?xf32>{%[[R]]#1}
// CHECK-NEXT: %[[R1:.*]] = flow.tensor.tie_shape %[[R]]#2 : tensor<?xi8>{%[[R]]#3}
// CHECK-NEXT: util.optimization_barrier %[[R1]]
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @caller(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0:2 = call @callee(%a) {note} : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi8>)
  util.optimization_barrier %0#1 : tensor<?xi8>
  return %0#0 : tensor<?xf32>
}
func.func private @callee(tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi8>)

// CHECK-LABEL: func @asked
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>, %[[D:.*]]: index)
// CHECK: %[[C:.*]] = tensor.cast %[[A]]
// CHECK: %[[S:.*]] = flow.tensor.tie_shape %[[C]] : tensor<?xf32>{%[[D]]}
// CHECK: %[[U:.*]] = util.optimization_barrier %[[C]]
// CHECK: %[[DIM:.*]] = tensor.dim %[[U]], %{{.*}} : tensor<?xf32>
// CHECK: return %[[C]], %[[D]], %[[U]], %[[DIM]]
func.func @asked(%a: tensor<4xf32>, %d: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = flow.tensor.tie_shape %0 : tensor<?xf32>{%d}
  %2 = util.optimization_barrier %0 : tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A function with other references keeps its type, and so do its calls.

// CHECK: func.func private @named(%[[A:.*]]: tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %[[A]]
func.func private @named(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
// CHECK-LABEL: func @indirect
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index) -> (tensor<?xf32>, index, tensor<?xf32>, index)
// CHECK: %[[T:.*]] = flow.tensor.tie_shape
// CHECK: %[[R:.*]] = call @named(%[[T]]) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[S:.*]] = call_indirect %{{.*}}(%[[T]]) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-DAG: %[[RD:.*]] = tensor.dim %[[R]]
// CHECK-DAG: %[[SD:.*]] = tensor.dim %[[S]]
// CHECK: return %[[R]], %[[RD]], %[[S]], %[[SD]]
func.func @indirect(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %f = func.constant @named : (tensor<?xf32>) -> tensor<?xf32>
  %0 = call @named(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call_indirect %f(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Nested modules are not changed.

// CHECK: module @inner {
// CHECK-NEXT: func.func @f(%{{.*}}: tensor<?xf32>) -> tensor<?xf32>
module @inner {
  func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
    return %a : tensor<?xf32>
  }
}
// CHECK: func.func @f(%{{.*}}: tensor<?xf32>, %{{.*}}: index) {
func.func @f(%a: tensor<?xf32>) {
  return
}
// Neither is a function of the same name in an unknown operation.
// CHECK: "test.unknown"
// CHECK-NEXT: func.func @f(%{{.*}}: tensor<?xf32>) -> tensor<?xf32>
"test.unknown"() ({
  func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
    return %a : tensor<?xf32>
  }
}) : () -> ()
