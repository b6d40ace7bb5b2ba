// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(iree-flow-inject-dispatch-tracing))' | FileCheck %s

// Tensors are traced, other operands are not.
// CHECK-LABEL: func @operands
// CHECK-SAME: (%[[N:.*]]: index, %[[A:.*]]: tensor<4xf32>, %[[F:.*]]: f32, %[[B:.*]]: tensor<2x2xi8>)
// CHECK-NEXT: flow.tensor.trace {key = "ex::fn inputs"} %[[A]], %[[B]] : tensor<4xf32>, tensor<2x2xi8>
// CHECK-NEXT: %[[R:.*]]:2 = flow.dispatch @ex::@fn[%[[N]]](%[[A]], %[[F]], %[[B]])
// CHECK-NEXT: flow.tensor.trace {key = "ex::fn outputs"} %[[R]]#0, %[[R]]#1 : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: return %[[R]]#1
func.func @operands(%n: index, %a: tensor<4xf32>, %f: f32, %b: tensor<2x2xi8>) -> tensor<4xf32> {
  %0:2 = flow.dispatch @ex::@fn[%n](%a, %f, %b) : (tensor<4xf32>, f32, tensor<2x2xi8>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}

// CHECK-LABEL: func @dynamic
// CHECK: flow.tensor.trace {key = "ex::fn inputs"} %{{.*}} : tensor<?xf32>
// CHECK-NEXT: flow.dispatch
// CHECK-NEXT: flow.tensor.trace {key = "ex::fn outputs"} %{{.*}} : tensor<?xf32>
func.func @dynamic(%n: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = flow.dispatch @ex::@fn[%n](%a) : (tensor<?xf32>{%n}) -> %a{%n}
  return %0 : tensor<?xf32>
}

// The last of three dispatches depends on the two others.
// CHECK-LABEL: func @several
// CHECK: trace {key = "e::a inputs"}
// CHECK-NEXT: %[[A:.*]] = flow.dispatch @e::@a
// CHECK-NEXT: trace {key = "e::a outputs"} %[[A]]
// CHECK-NEXT: trace {key = "e::b inputs"}
// CHECK-NEXT: %[[B:.*]] = flow.dispatch @e::@b
// CHECK-NEXT: trace {key = "e::b outputs"} %[[B]]
// CHECK-NEXT: trace {key = "e::c inputs"} %[[A]], %[[B]]
// CHECK-NEXT: flow.dispatch @e::@c
// CHECK-NEXT: trace {key = "e::c outputs"}
func.func @several(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = flow.dispatch @e::@a(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = flow.dispatch @e::@b(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = flow.dispatch @e::@c(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Also in loops and branches.
// CHECK-LABEL: func @control_flow
// CHECK: scf.for
// CHECK: trace {key = "e::a inputs"}
// CHECK-NEXT: flow.dispatch
// CHECK-NEXT: trace {key = "e::a outputs"}
// CHECK: ^bb1:
// CHECK-NEXT: trace {key = "e::b inputs"}
// CHECK-NEXT: flow.dispatch
// CHECK-NEXT: trace {key = "e::b outputs"}
func.func @control_flow(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<4xf32> {
    %1 = flow.dispatch @e::@a(%acc) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  cf.br ^next
^next:
  %2 = flow.dispatch @e::@b(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Nothing to trace, but the positions are marked.
// CHECK-LABEL: func @no_tensors
// CHECK: flow.tensor.trace {key = "ex inputs"}
// CHECK-NEXT: flow.dispatch @ex(
// CHECK-NEXT: flow.tensor.trace {key = "ex outputs"} %{{.*}} : tensor<4xf32>
func.func @no_tensors(%f: f32) -> tensor<4xf32> {
  %0 = flow.dispatch @ex(%f) : (f32) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @no_dispatch
// CHECK-NOT: trace
func.func @no_dispatch(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @declared()
