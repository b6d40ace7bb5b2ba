// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-cleanup-tensor-shapes | FileCheck %s

// CHECK-LABEL: func @dropped
// CHECK-SAME: (%[[A:.*]]: tensor<?xi32>, %[[D:.*]]: index)
// CHECK-NEXT: util.optimization_barrier %[[A]] : tensor<?xi32>
// CHECK-NEXT: return %[[A]]
func.func @dropped(%a: tensor<?xi32>, %d: index) -> tensor<?xi32> {
  %0 = flow.tensor.tie_shape %a : tensor<?xi32>{%d}
  %1 = flow.tensor.tie_shape %0 : tensor<?xi32>{%d}
  util.optimization_barrier %1 : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func @inside
// CHECK-SAME: (%[[C:.*]]: i1, %[[A:.*]]: tensor<?xi32>
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A]]
func.func @inside(%c: i1, %a: tensor<?xi32>, %d: index) -> tensor<?xi32> {
  %0 = scf.if %c -> tensor<?xi32> {
    %1 = flow.tensor.tie_shape %a : tensor<?xi32>{%d}
    scf.yield %1 : tensor<?xi32>
  } else {
    scf.yield %a : tensor<?xi32>
  }
  return %0 : tensor<?xi32>
}

// A block before the one that defines the value.
// CHECK-LABEL: func @blocks
// CHECK-NOT: tie_shape
// CHECK: return %[[T:.*]] :
// CHECK: %[[T]] = util.global.load @g
util.global private mutable @g : tensor<?xi32>
func.func @blocks(%d: index) -> tensor<?xi32> {
  cf.br ^bb2
^bb1:
  return %1 : tensor<?xi32>
^bb2:
  %0 = util.global.load @g : tensor<?xi32>
  %1 = flow.tensor.tie_shape %0 : tensor<?xi32>{%d}
  cf.br ^bb1
}

// The ties of tensors in a dispatch belong to another operation.
// CHECK-LABEL: func @dispatch_tensors
// CHECK: flow.dispatch.tie_shape
func.func @dispatch_tensors(%a: !flow.dispatch.tensor<readonly:tensor<?xi32>>, %d: index) {
  %0 = flow.dispatch.tie_shape %a : !flow.dispatch.tensor<readonly:tensor<?xi32>>{%d}
  util.optimization_barrier %0 : !flow.dispatch.tensor<readonly:tensor<?xi32>>
  return
}
func.func private @declaration(tensor<?xi32>)

// -----

// An extent that a loop keeps is the extent before it, within the loop and
// after it.

flow.executable private @ex {
  flow.executable.export public @f
}

// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[F:.+]]: f32, %[[D:.+]]: index, %[[N:.+]]: index)
// CHECK-NOT:    tensor.dim
// CHECK:        scf.for
// CHECK:          flow.tensor.reshape %{{.+}} : tensor<4x?xf32>{%[[D]]} -> tensor<?x4xf32>{%[[D]]}
// CHECK:        return %{{.+}}, %[[D]]
func.func @loop(%f: f32, %d: index, %n: index) -> (tensor<4x?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = flow.tensor.splat %f : tensor<4x?xf32>{%d}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4x?xf32>) {
    %dim = tensor.dim %a, %c1 : tensor<4x?xf32>
    %0 = flow.tensor.reshape %a : tensor<4x?xf32>{%dim} -> tensor<?x4xf32>{%dim}
    %1 = flow.dispatch @ex::@f(%0, %t) : (tensor<?x4xf32>{%dim}, tensor<4x?xf32>{%d}) -> tensor<4x?xf32>{%dim}
    scf.yield %1 : tensor<4x?xf32>
  }
  %after = tensor.dim %r, %c1 : tensor<4x?xf32>
  return %r, %after : tensor<4x?xf32>, index
}
