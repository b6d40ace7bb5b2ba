// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-expand-tensor-shapes --split-input-file | FileCheck %s

// A global of unknown extents, loaded and stored, next to a function that only
// takes buffers.

// CHECK: func.func private @add(!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub}
func.func private @add(!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub}
// CHECK-NEXT: util.global private mutable @param : tensor<?x2xf32>
// CHECK-NEXT: util.global private mutable @param__d0 : index
util.global private mutable @param : tensor<?x2xf32>
// CHECK-NEXT: func.func @run(%[[A:.*]]: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub}
func.func @run(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  // CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[P:.*]] = util.global.load @param : tensor<?x2xf32>
  // CHECK-NEXT: %[[D:.*]] = util.global.load @param__d0 : index
  // CHECK-NEXT: %[[T:.*]] = flow.tensor.tie_shape %[[P]] : tensor<?x2xf32>{%[[D]]}
  // CHECK-NEXT: %[[DIM:.*]] = tensor.dim %[[T]], %[[C0]] : tensor<?x2xf32>
  // CHECK-NEXT: %[[V:.*]] = hal.tensor.export %[[T]] : tensor<?x2xf32>{%[[DIM]]} -> !hal.buffer_view
  // CHECK-NEXT: %[[R:.*]] = call @add(%[[V]], %[[A]]) : (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view
  // CHECK-NEXT: %[[E:.*]] = hal.buffer_view.dim<%[[R]] : !hal.buffer_view>[0] : index
  // CHECK-NEXT: %[[I:.*]] = hal.tensor.import %[[R]] : !hal.buffer_view -> tensor<?x2xf32>{%[[E]]}
  // CHECK-NEXT: util.global.store %[[I]], @param : tensor<?x2xf32>
  // CHECK-NEXT: util.global.store %[[E]], @param__d0 : index
  // CHECK-NEXT: return %[[R]] : !hal.buffer_view
  %c0 = arith.constant 0 : index
  %param = util.global.load @param : tensor<?x2xf32>
  %dim = tensor.dim %param, %c0 : tensor<?x2xf32>
  %0 = hal.tensor.export %param : tensor<?x2xf32>{%dim} -> !hal.buffer_view
  %1 = call @add(%0, %arg0) : (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view
  %2 = hal.buffer_view.dim<%1 : !hal.buffer_view>[0] : index
  %3 = hal.tensor.import %1 : !hal.buffer_view -> tensor<?x2xf32>{%2}
  util.global.store %3, @param : tensor<?x2xf32>
  return %1 : !hal.buffer_view
}

// -----

// The extents of a global have its visibility and mutability. A name in use is
// not used again.

// CHECK: util.global public @fixed : tensor<?x2x?xf32>
// CHECK-NEXT: util.global public @fixed__d0 : index
// CHECK-NEXT: util.global public @[[D2:fixed__d2_.*]] : index
util.global public @fixed : tensor<?x2x?xf32>
// CHECK: util.global private @fixed__d2 : i32
util.global private @fixed__d2 : i32
// CHECK: util.global nested mutable @changed : tensor<?xf32>
// CHECK-NEXT: util.global nested mutable @changed__d0 : index
util.global nested mutable @changed : tensor<?xf32>
// CHECK: util.global private @static : tensor<4xf32>
// CHECK-NOT: util.global
util.global private @static : tensor<4xf32>

// An initializer stores the extents too.
// CHECK: util.initializer {
// CHECK-NEXT: %[[T:.*]]:3 = func.call @make() : () -> (tensor<?x2x?xf32>, index, index)
// CHECK-NEXT: flow.tensor.tie_shape
// CHECK-NEXT: util.global.store %[[T]]#0, @fixed : tensor<?x2x?xf32>
// CHECK-NEXT: util.global.store %[[T]]#1, @fixed__d0 : index
// CHECK-NEXT: util.global.store %[[T]]#2, @[[D2]] : index
util.initializer {
  %0 = func.call @make() : () -> tensor<?x2x?xf32>
  util.global.store %0, @fixed : tensor<?x2x?xf32>
  util.initializer.return
}
// CHECK: func.func private @make() -> (tensor<?x2x?xf32>, index, index)
func.func private @make() -> tensor<?x2x?xf32>

// CHECK-LABEL: func @load_immutable
// CHECK-NEXT: %[[T:.*]] = util.global.load immutable @fixed
// CHECK-NEXT: %[[D0:.*]] = util.global.load immutable @fixed__d0
// CHECK-NEXT: %[[D2_:.*]] = util.global.load immutable @[[D2]]
// CHECK-NEXT: flow.tensor.tie_shape %[[T]] : tensor<?x2x?xf32>{%[[D0]], %[[D2_]]}
// CHECK: util.global.load @static
func.func @load_immutable() {
  %0 = util.global.load immutable @fixed : tensor<?x2x?xf32>
  %1 = util.global.load @static : tensor<4xf32>
  return
}

// -----

// Static shapes have known extents: the initial value of a global, a stored
// tensor.

// CHECK: util.global private mutable @g : tensor<?x?xf32> = dense<1.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: util.global private mutable @g__d0 = 2 : index
// CHECK-NEXT: util.global private mutable @g__d1 = 3 : index
util.global private mutable @g : tensor<?x?xf32> = dense<1.0> : tensor<2x3xf32>
// CHECK: util.global private mutable @h : tensor<4x?xf32>
// CHECK-NEXT: util.global private mutable @h__d1 : index
util.global private mutable @h : tensor<4x?xf32>

// CHECK-LABEL: func @known
// CHECK-SAME: (%[[A:.*]]: tensor<5x6xf32>, %[[B:.*]]: tensor<7x?xf32>, %[[D:.*]]: index)
// CHECK: util.global.store %[[A]], @g : tensor<5x6xf32>
// CHECK-NEXT: %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT: util.global.store %[[C5]], @g__d0 : index
// CHECK-NEXT: %[[C6:.*]] = arith.constant 6 : index
// CHECK-NEXT: util.global.store %[[C6]], @g__d1 : index
// CHECK: util.global.store %[[B]], @g : tensor<7x?xf32>
// CHECK-NEXT: %[[C7:.*]] = arith.constant 7 : index
// CHECK-NEXT: util.global.store %[[C7]], @g__d0 : index
// CHECK-NEXT: util.global.store %[[D]], @g__d1 : index
func.func @known(%a: tensor<5x6xf32>, %b: tensor<7x?xf32>) {
  util.global.store %a, @g : tensor<5x6xf32>
  util.global.store %b, @g : tensor<7x?xf32>
  return
}

// The type of the tensor is less or more precise than that of the global.
// CHECK-LABEL: func @less_and_more
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %[[D0:.*]]: index, %[[D1:.*]]: index)
// CHECK: util.global.store %[[A]], @h : tensor<?x?xf32>
// CHECK-NEXT: util.global.store %[[D1]], @h__d1 : index
// CHECK: %[[L:.*]] = util.global.load @h : tensor<?x?xf32>
// CHECK-NEXT: %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT: %[[H1:.*]] = util.global.load @h__d1 : index
// CHECK-NEXT: flow.tensor.tie_shape %[[L]] : tensor<?x?xf32>{%[[C4]], %[[H1]]}
// CHECK-NEXT: %[[M:.*]] = util.global.load @h : tensor<4x8xf32>
// CHECK-NEXT: util.optimization_barrier %[[M]]
func.func @less_and_more(%a: tensor<?x?xf32>) {
  util.global.store %a, @h : tensor<?x?xf32>
  %0 = util.global.load @h : tensor<?x?xf32>
  %1 = util.global.load @h : tensor<4x8xf32>
  util.optimization_barrier %1 : tensor<4x8xf32>
  return
}

// -----

// A store through an address stores no extents.

// CHECK: util.global private mutable @g : tensor<?xf32>
// CHECK-NOT: util.global private
util.global private mutable @g : tensor<?xf32>
// CHECK-LABEL: func @address
// CHECK: %[[G:.*]] = util.global.load @g : tensor<?xf32>
// CHECK-NEXT: util.optimization_barrier %[[G]]
// CHECK-NEXT: return
func.func @address(%a: tensor<4xf32>) {
  %p = util.global.address @g : !util.ptr<tensor<?xf32>>
  util.global.store.indirect %a, %p : tensor<4xf32> -> !util.ptr<tensor<?xf32>>
  %0 = util.global.load @g : tensor<?xf32>
  util.optimization_barrier %0 : tensor<?xf32>
  return
}
