// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --canonicalize --split-input-file | FileCheck %s

// A constant stored by an initializer becomes the initial value.
// CHECK: util.global private @a = dense<4> : tensor<4xi32>
// CHECK-NOT: util.initializer
util.global private @a = dense<3> : tensor<4xi32>
util.initializer {
  %0 = arith.constant dense<4> : tensor<4xi32>
  util.global.store %0, @a : tensor<4xi32>
  util.initializer.return
}

// -----

// The last of several stores counts.
// CHECK: util.global private @last = 2 : index
// CHECK-NOT: util.initializer
util.global private @last : index
util.initializer {
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  util.global.store %1, @last : index
  util.global.store %2, @last : index
  util.initializer.return
}

// -----

// Another value may be stored after it, not before.
// CHECK: util.global private @first = 1 : index
// CHECK: util.global private @second : index
// CHECK: util.initializer
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2
// CHECK: util.global.store %[[X:.*]], @first
// CHECK-NEXT: util.global.store %[[X]], @second
// CHECK-NEXT: util.global.store %[[TWO]], @second
// CHECK-NEXT: util.initializer.return
util.global private @first : index
util.global private @second : index
util.initializer {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  util.global.store %c1, @first : index
  %0 = util.unfoldable_constant 1 : index
  util.global.store %0, @first : index
  util.global.store %0, @second : index
  util.global.store %c2, @second : index
  util.initializer.return
}

// -----

// Nothing is folded if something may load before: here, in an earlier
// initializer, or in a called function.
// CHECK: util.global private mutable @here = 7 : index
// CHECK: util.global private mutable @above = 7 : index
// CHECK: util.global private mutable @called = 7 : index
// CHECK: util.global.store %{{.*}}, @here
// CHECK: util.global.store %{{.*}}, @above
// CHECK: util.global.store %{{.*}}, @called
util.global private mutable @here = 7 : index
util.global private mutable @above = 7 : index
util.global private mutable @called = 7 : index
util.initializer {
  %0 = util.global.load @above : index
  util.optimization_barrier %0 : index
  util.initializer.return
}
util.initializer {
  %c2 = arith.constant 2 : index
  %0 = util.global.load @here : index
  util.optimization_barrier %0 : index
  util.global.store %c2, @here : index
  util.global.store %c2, @above : index
  func.call @unknown() : () -> ()
  util.global.store %c2, @called : index
  util.initializer.return
}
func.func private @unknown()

// -----

// A store in one branch may not happen; a store may have a value of another
// type.
// CHECK: util.global private @maybe : index
// CHECK: util.global private @shape : tensor<?xi32>
// CHECK: util.global.store %{{.*}}, @shape
// CHECK: ^bb1:
// CHECK-NEXT: util.global.store %{{.*}}, @maybe
// CHECK: scf.if
// CHECK-NEXT: util.global.store %{{.*}}, @maybe
util.global private @maybe : index
util.global private @shape : tensor<?xi32>
util.initializer {
  %c2 = arith.constant 2 : index
  %t = arith.constant dense<2> : tensor<4xi32>
  %f = arith.constant false
  %c:2 = util.optimization_barrier %f, %f : i1, i1
  util.global.store %t, @shape : tensor<4xi32>
  cf.cond_br %c#0, ^bb1, ^bb2
^bb1:
  util.global.store %c2, @maybe : index
  util.optimization_barrier
  util.initializer.return
^bb2:
  scf.if %c#1 {
    util.global.store %c2, @maybe : index
  }
  util.initializer.return
}

// -----

// CHECK-LABEL: func @unused
// CHECK-NEXT: return
util.global private @immutable : index
util.global private mutable @mutable : index
func.func @unused() {
  %0 = util.global.load @immutable : index
  %1 = util.global.load @mutable : index
  return
}

// -----

// CHECK-LABEL: func @indirect
// CHECK-NEXT: %[[X:.*]] = util.global.load @g : tensor<?xi32>
// CHECK-NEXT: util.global.store %arg0, @g : tensor<4xi32>
// CHECK-NEXT: return %[[X]]
util.global private mutable @g : tensor<?xi32>
func.func @indirect(%arg0: tensor<4xi32>) -> tensor<?xi32> {
  %p = util.global.address @g : !util.ptr<tensor<?xi32>>
  %0 = util.global.load.indirect %p : !util.ptr<tensor<?xi32>> -> tensor<?xi32>
  util.global.store.indirect %arg0, %p : tensor<4xi32> -> !util.ptr<tensor<?xi32>>
  return %0 : tensor<?xi32>
}

// -----

// The type of an address may agree with two types that do not agree with each
// other; a store that would not verify is kept.
// CHECK-LABEL: func @disagree
// CHECK: util.global.load.indirect
// CHECK: util.global.store.indirect
util.global private @g : tensor<4xi32>
func.func @disagree(%arg0: tensor<4xi32>) -> tensor<5xi32> {
  %p = util.global.address @g : !util.ptr<tensor<?xi32>>
  %0 = util.global.load.indirect %p : !util.ptr<tensor<?xi32>> -> tensor<5xi32>
  util.global.store.indirect %arg0, %p : tensor<4xi32> -> !util.ptr<tensor<?xi32>>
  return %0 : tensor<5xi32>
}

// -----

// A stored-back loaded value: nothing remains.
// CHECK-LABEL: func @back
// CHECK-NEXT: util.global.store %arg0, @other
// CHECK-NEXT: return
util.global private mutable @g : index
util.global private mutable @other : index
func.func @back(%arg0: index) {
  %0 = util.global.load @g : index
  util.global.store %arg0, @other : index
  util.global.store %0, @g : index
  return
}

// -----

// Unless the global changed in between.
// CHECK-LABEL: func @changed
// CHECK-NEXT: util.global.load
// CHECK-NEXT: util.global.store %arg0
// CHECK-NEXT: util.global.store %g
// CHECK-LABEL: func @perhaps
// CHECK-NEXT: util.global.load
// CHECK-NEXT: call
// CHECK-NEXT: util.global.store
// CHECK-LABEL: func @nested
// CHECK-NEXT: util.global.load
// CHECK-NEXT: scf.if
// CHECK: util.global.store %g
// CHECK: util.global.store %g
util.global private mutable @g : index
func.func @changed(%arg0: index) {
  %0 = util.global.load @g : index
  util.global.store %arg0, @g : index
  util.global.store %0, @g : index
  return
}
func.func @perhaps() {
  %0 = util.global.load @g : index
  func.call @unknown() : () -> ()
  util.global.store %0, @g : index
  return
}
func.func @nested(%c: i1, %arg0: index) {
  %0 = util.global.load @g : index
  scf.if %c {
    util.global.store %arg0, @g : index
    util.global.store %0, @g : index
  }
  util.global.store %0, @g : index
  return
}
func.func private @unknown()

// -----

// FoldGlobals may do this; it is not done here.
// CHECK-LABEL: func @kept
// CHECK: util.global.load @noinline
util.global private @noinline {noinline} = 4 : index
func.func @kept() -> index {
  %0 = util.global.load @noinline : index
  return %0 : index
}
