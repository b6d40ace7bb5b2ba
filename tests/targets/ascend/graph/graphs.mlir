// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --mercator-ascend-inline-calls --form-ascend-graphs --verify-diagnostics | FileCheck %s

// Parameters keep their order and names, also unused ones.
// CHECK-LABEL: ascend.graph @main {
// CHECK-NEXT:  %[[X:.+]] = ascend.Data {index = 0 : i64, name = "x"} : tensor<4xf32>
// CHECK-NEXT:  %{{.+}} = ascend.Data {index = 1 : i64} : tensor<3xi32>
// CHECK-NEXT:  %[[Z:.+]] = ascend.Data {index = 2 : i64, name = "z"} : tensor<4xf32>
// CHECK-NEXT:  %[[SUM:.+]] = ascend.Add(%[[X]], %[[Z]])
// CHECK-NEXT:  ascend.NetOutput %[[SUM]] : tensor<4xf32>
func.func @main(%x: tensor<4xf32> loc("x"), %unused: tensor<3xi32>, %z: tensor<4xf32> {jax.arg_info = "z"}) -> tensor<4xf32> {
  %0 = ascend.Add(%x, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Dead operations of any kind are erased; equal constants are merged.
// CHECK-LABEL: ascend.graph @tidy {
// CHECK-NEXT:  %[[X:.+]] = ascend.Data
// CHECK-NEXT:  %[[ONE:.+]] = ascend.Const dense<1> : tensor<i32>
// CHECK-NEXT:  %[[TWO:.+]] = ascend.Add(%[[X]], %[[ONE]])
// CHECK-NEXT:  %[[THREE:.+]] = ascend.Add(%[[TWO]], %[[ONE]])
// CHECK-NEXT:  ascend.NetOutput %[[THREE]]
func.func @tidy(%x: tensor<i32>) -> tensor<i32> {
  %one = ascend.Const dense<1> : tensor<i32>
  %0 = ascend.Add(%x, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %dead = stablehlo.iota dim = 0 : tensor<4xi32>
  %deader = stablehlo.negate %dead : tensor<4xi32>
  %again = ascend.Const dense<1> : tensor<i32>
  %1 = ascend.Add(%0, %again) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// -----

// A result may be a parameter, a constant, or the same as another result.
// CHECK-LABEL: ascend.graph @results {
// CHECK-NEXT:  %[[X:.+]] = ascend.Data
// CHECK-NEXT:  %[[ONE:.+]] = ascend.Const
// CHECK-NEXT:  ascend.NetOutput %[[X]], %[[ONE]], %[[X]] : tensor<i32>, tensor<i32>, tensor<i32>
func.func @results(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %one = ascend.Const dense<1> : tensor<i32>
  return %x, %one, %x : tensor<i32>, tensor<i32>, tensor<i32>
}

// CHECK-LABEL: ascend.graph @no_results {
// CHECK-NEXT:  ascend.Data
// CHECK-NEXT:  ascend.NetOutput
// CHECK-NEXT:  }
func.func @no_results(%x: tensor<i32>) {
  return
}

// -----

// Calls are inlined at any depth, and helpers are erased.
// CHECK-LABEL: ascend.graph @calls {
// CHECK-NEXT:  %[[X:.+]] = ascend.Data
// CHECK-NEXT:  %[[A:.+]] = ascend.Neg(%[[X]])
// CHECK-NEXT:  %[[B:.+]] = ascend.Exp(%[[A]])
// CHECK-NEXT:  %[[C:.+]] = ascend.Neg(%[[B]])
// CHECK-NEXT:  ascend.NetOutput %[[C]], %[[B]]
// CHECK-NOT:   func.func
func.func public @calls(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = call @outer(%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1, %0#0 : tensor<f32>, tensor<f32>
}
func.func private @outer(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = call @inner(%x) : (tensor<f32>) -> tensor<f32>
  %1 = ascend.Exp(%0) : (tensor<f32>) -> tensor<f32>
  %2 = call @inner(%1) : (tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<f32>, tensor<f32>
}
func.func private @inner(%x: tensor<f32>) -> tensor<f32> {
  %0 = ascend.Neg(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A public function that is also called becomes its own graph.
// CHECK-LABEL: ascend.graph @both {
// CHECK:       ascend.Neg
// CHECK-LABEL: ascend.graph @seen {
// CHECK:       ascend.Neg
func.func @both(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @seen(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @seen(%x: tensor<f32>) -> tensor<f32> {
  %0 = ascend.Neg(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A function with an unsupported operation stays a function.
// CHECK-LABEL: func.func @stays
// CHECK:       ascend.Neg
// CHECK:       stablehlo.sort
// CHECK-LABEL: func.func @other_types
// CHECK-LABEL: func.func private @blocks
// CHECK:       call @blocks
// CHECK-LABEL: ascend.graph @goes
func.func @stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ascend.Neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @other_types(%x: tensor<4xi4>, %y: tensor<*xf32>, %z: tuple<tensor<f32>>, %u: tensor<1x1x1x1x1x1x1x1x1xf32>) {
  return
}
func.func private @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}
func.func @calls_blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @blocks(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @goes(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @even(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @odd(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @odd(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected functions without recursion, because a graph has no calls, got a call of @even from within it}}
  %0 = call @even(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A function that an initializer calls stays a function.
// CHECK: func.func private @read
// CHECK: func.call @read
func.func private @read() -> index {
  %0 = arith.constant 3 : index
  return %0 : index
}
util.initializer {
  %0 = func.call @read() : () -> index
  util.initializer.return
}
