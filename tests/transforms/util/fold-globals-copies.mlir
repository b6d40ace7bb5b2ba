// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --iree-util-fold-globals | FileCheck %s

// Globals that an initializer copies become one global.
// CHECK: util.global private @source : tensor<?xf32>
// CHECK-NOT: @copy
util.global private mutable @source : tensor<?xf32>
util.global private mutable @copy : tensor<?xf32>
util.initializer {
  %n = util.unfoldable_constant 3 : index
  %0 = tensor.empty(%n) : tensor<?xf32>
  util.global.store %0, @source : tensor<?xf32>
  util.initializer.return
}
util.initializer {
  %0 = util.global.load @source : tensor<?xf32>
  util.global.store %0, @copy : tensor<?xf32>
  util.initializer.return
}
// CHECK-LABEL: func.func @use
// CHECK-NEXT: %[[V:.+]] = util.global.load @source
// CHECK-NEXT: return %[[V]]
func.func @use() -> tensor<?xf32> {
  %0 = util.global.load @copy : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// The source changes afterwards, and the copy does not.
// CHECK: util.global private mutable @source : i32
// CHECK: util.global private mutable @copy : i32
util.global private mutable @source : i32
util.global private mutable @copy : i32
func.func @save(%x: i32) -> i32 {
  %0 = util.global.load @source : i32
  util.global.store %0, @copy : i32
  util.global.store %x, @source : i32
  // CHECK: util.global.load @copy
  %1 = util.global.load @copy : i32
  return %1 : i32
}

// -----
// The source is never stored to, but the copy may be loaded before.
// CHECK: util.global private mutable @copy = 3 : i32
util.global private @source {noinline} = 4 : i32
util.global private mutable @copy = 3 : i32
func.func @save() {
  %0 = util.global.load @source : i32
  util.global.store %0, @copy : i32
  return
}
func.func @read() -> i32 {
  // CHECK: util.global.load @copy
  %0 = util.global.load @copy : i32
  return %0 : i32
}

// -----
// Two sources cannot be merged, and a public copy stays.
util.global private @a {noinline} = 4 : i32
util.global private @b {noinline} = 5 : i32
// CHECK: util.global private mutable @copy : i32
// CHECK: util.global public mutable @kept : i32
util.global private mutable @copy : i32
util.global public mutable @kept : i32
func.func @save(%c: i1) -> i32 {
  %0 = util.global.load @a : i32
  %1 = util.global.load @b : i32
  scf.if %c {
    util.global.store %0, @copy : i32
  } else {
    util.global.store %1, @copy : i32
  }
  util.global.store %0, @kept : i32
  %2 = util.global.load @copy : i32
  return %2 : i32
}

// -----
// Equal and immutable: the first stays. Not for different types with equal
// attributes, nor for mutable, public or undefined globals.
// CHECK: util.global private @first {noinline} = 5 : i32
// CHECK-NOT: @second
// CHECK: util.global private @typed {noinline} : tensor<?xi32> = dense<5> : tensor<4xi32>
// CHECK: util.global private @typed_otherwise {noinline} = dense<5> : tensor<4xi32>
// CHECK: util.global private mutable @mutable {noinline} = 5 : i32
// CHECK: util.global public @public {noinline} = 5 : i32
// CHECK: util.global private @undefined {noinline} : i32
// CHECK: util.global private @undefined_too {noinline} : f32
// CHECK: util.global private @marked {noinline, vendor.mark} = 5 : i32
util.global private @first {noinline} = 5 : i32
util.global private @second {noinline} = 5 : i32
util.global private @typed {noinline} : tensor<?xi32> = dense<5> : tensor<4xi32>
util.global private @typed_otherwise {noinline} = dense<5> : tensor<4xi32>
util.global private mutable @mutable {noinline} = 5 : i32
util.global public @public {noinline} = 5 : i32
util.global private @undefined {noinline} : i32
util.global private @undefined_too {noinline} : f32
util.global private @marked {noinline, vendor.mark} = 5 : i32
// CHECK-LABEL: func.func @use
// CHECK-NEXT: util.global.load @first
// CHECK-NEXT: util.global.load @first
// CHECK-NEXT: util.global.load @typed : tensor<?xi32>
// CHECK-NEXT: util.global.load @typed_otherwise
// CHECK-NEXT: util.global.load @mutable
// CHECK-NEXT: util.global.load @public
// CHECK-NEXT: util.global.load @undefined
// CHECK-NEXT: util.global.load @undefined_too
// CHECK-NEXT: util.global.load @marked
func.func @use(%x: i32) {
  %0 = util.global.load @first : i32
  %1 = util.global.load @second : i32
  %2 = util.global.load @typed : tensor<?xi32>
  %3 = util.global.load @typed_otherwise : tensor<4xi32>
  %4 = util.global.load @mutable : i32
  %5 = util.global.load @public : i32
  %6 = util.global.load @undefined : i32
  %7 = util.global.load @undefined_too : f32
  %8 = util.global.load @marked : i32
  "vendor.use"(%0, %1, %2, %3, %4, %5, %6, %7, %8) : (i32, i32, tensor<?xi32>, tensor<4xi32>, i32, i32, i32, f32, i32) -> ()
  util.global.store %x, @mutable : i32
  return
}

// -----
// Stored only by initializers, and loaded only after them: it never changes.
// CHECK: util.global private @settled : tensor<?xf32>
// CHECK: util.global private mutable @changing : tensor<?xf32>
util.global private mutable @settled : tensor<?xf32>
util.global private mutable @changing : tensor<?xf32>
util.initializer {
  %n = util.unfoldable_constant 3 : index
  %0 = tensor.empty(%n) : tensor<?xf32>
  util.global.store %0, @settled : tensor<?xf32>
  util.global.store %0, @changing : tensor<?xf32>
  util.initializer.return
}
util.initializer {
  %0 = util.global.load @settled : tensor<?xf32>
  %1 = util.global.load @changing : tensor<?xf32>
  %2 = arith.addf %0, %1 : tensor<?xf32>
  util.global.store %2, @changing : tensor<?xf32>
  util.initializer.return
}
func.func @use() -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = util.global.load @settled : tensor<?xf32>
  %1 = util.global.load @changing : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----
// Never loaded: it is erased with its stores, unless it is public.
// CHECK-NOT: @unused
// CHECK: util.global public @exported = 3 : i32
util.global private mutable @unused : i32
util.global public @exported = 3 : i32
// CHECK-LABEL: func.func @store
// CHECK-NEXT: return
func.func @store(%x: i32) {
  util.global.store %x, @unused : i32
  return
}

// -----
// A chain of globals is resolved over several rounds.
// CHECK-NOT: util.global
util.global private mutable @a : i32
util.global private mutable @b : i32
util.global private mutable @c : i32
util.initializer {
  %0 = arith.constant 5 : i32
  util.global.store %0, @a : i32
  %1 = util.global.load @a : i32
  util.global.store %1, @b : i32
  %2 = util.global.load @b : i32
  util.global.store %2, @c : i32
  util.initializer.return
}
// CHECK-LABEL: func.func @use
// CHECK-NEXT: %[[C:.+]] = arith.constant 5 : i32
// CHECK-NEXT: return %[[C]]
func.func @use() -> i32 {
  %0 = util.global.load @c : i32
  return %0 : i32
}

// -----
// Globals of a nested module are different, although they have the same name.
// CHECK: util.global private mutable @x = 1 : i32
// CHECK: module @inner
// CHECK: util.global private mutable @x = 2 : i32
util.global private mutable @x = 1 : i32
func.func @outer(%v: i32) -> i32 {
  %0 = util.global.load @x : i32
  util.global.store %v, @x : i32
  return %0 : i32
}
module @inner {
  util.global private mutable @x = 2 : i32
  func.func @f(%v: i32) -> i32 {
    %0 = util.global.load @x : i32
    util.global.store %v, @x : i32
    return %0 : i32
  }
}
