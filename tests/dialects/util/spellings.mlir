// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s | mercator-opt | FileCheck %s
// RUN: not mercator-opt %S/Inputs/tied-to-nothing.mlir 2>&1 | FileCheck %s --check-prefix=TIED
// RUN: not mercator-opt %S/Inputs/half-named.mlir 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not mercator-opt %S/Inputs/unknown-operation.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// IREE's current spellings of functions are read as those of `func`.

// CHECK: func.func @plain(%[[A:.*]]: tensor<?xf32> {util.note}, %[[B:.*]]: index) -> tensor<?xf32> {
// CHECK-NEXT: return %[[A]] : tensor<?xf32>
util.func public @plain(%arg0: tensor<?xf32> {util.note}, %arg1: index) -> tensor<?xf32> {
  util.return %arg0 : tensor<?xf32>
}

// Reused names of values, and a block.
// CHECK: func.func private @branch(%[[A:.*]]: tensor<?xf32>, %[[C:.*]]: i1) -> (tensor<?xf32> {util.note}, index) attributes {here} {
// CHECK: %[[R:.*]] = call @plain(%[[A]], %{{.*}}) : (tensor<?xf32>, index) -> tensor<?xf32>
// CHECK: cf.cond_br %[[C]], ^bb1, ^bb2
// CHECK: ^bb2:
// CHECK-NEXT: return %[[R]], %{{.*}} : tensor<?xf32>, index
util.func private @branch(%arg0: tensor<?xf32>, %c: i1) -> (tensor<?xf32> {util.note}, index) attributes {here} {
  %arg1 = arith.constant 1 : index
  %0 = util.call @plain(%arg0, %arg1) : (tensor<?xf32>, index) -> tensor<?xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  util.return %arg0, %arg1 : tensor<?xf32>, index
^bb2:
  util.return %0, %arg1 : tensor<?xf32>, index
}

// CHECK: func.func private @outside(tensor<?xf32>, index {util.note}) -> (i32, f32)
util.func private @outside(tensor<?xf32>, index {util.note}) -> (i32, f32)
// CHECK: func.func private @nothing()
util.func private @nothing()

// A tie is dropped; the type is kept.
// CHECK: func.func @tied(%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: i32) -> (tensor<4xf32>, tensor<2x2xf32>, i32) {
// CHECK: call @tied(%[[A]], %[[B]]) : (tensor<4xf32>, i32) -> (tensor<4xf32>, tensor<2x2xf32>, i32)
// CHECK: call @same(%[[A]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: call @nothing() : () -> ()
util.func @tied(%a: tensor<4xf32>, %b: i32) -> (%a, %a as tensor<2x2xf32>, i32) {
  %0:3 = util.call @tied(%a, %b) : (tensor<4xf32>, i32) -> (%a, %a as tensor<2x2xf32>, i32)
  %1 = util.call @same(%a) : (tensor<4xf32>) -> %a
  util.call @nothing() : () -> ()
  util.return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<2x2xf32>, i32
}
// CHECK: func.func @same(%[[A:.*]]: tensor<4xf32>) -> tensor<4xf32>
util.func @same(%a: tensor<4xf32>) -> %a {
  util.return %a : tensor<4xf32>
}

// CHECK: util.initializer {
// CHECK-NEXT: call @nothing
// CHECK-NEXT: util.initializer.return
util.initializer {
  util.call @nothing() : () -> ()
  util.return
}

// TIED: expected an operand that the result is tied to, got %b
// NAMED: expected all parameters to have names, or none
// UNKNOWN: custom op 'util.fun' is unknown
