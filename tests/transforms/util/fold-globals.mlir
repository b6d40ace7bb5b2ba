// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --iree-util-fold-globals | FileCheck %s

// Stored constants, and loaded constants.
// CHECK: util.global public mutable @stored = 5 : i32
// CHECK: util.global public @loaded = 7 : i32
util.global public mutable @stored : i32
util.global public @loaded = 7 : i32
// CHECK-LABEL: func.func @store
// CHECK-NEXT: return
func.func @store() {
  %c5 = arith.constant 5 : i32
  util.global.store %c5, @stored : i32
  return
}
// CHECK-LABEL: func.func @load
// CHECK-NEXT: %[[C:.+]] = arith.constant 7 : i32
// CHECK-NEXT: return %[[C]]
func.func @load() -> i32 {
  %0 = util.global.load @loaded : i32
  return %0 : i32
}

// -----
// @read may be called before @write, so it may see 1.
// CHECK: util.global private mutable @seen = 1 : i32
util.global private mutable @seen = 1 : i32
// CHECK-LABEL: func.func @write
// CHECK: util.global.store
func.func @write() {
  %c5 = arith.constant 5 : i32
  util.global.store %c5, @seen : i32
  return
}
// CHECK-LABEL: func.func @read
// CHECK: %[[V:.+]] = util.global.load @seen
// CHECK-NEXT: return %[[V]]
func.func @read() -> i32 {
  %0 = util.global.load @seen : i32
  return %0 : i32
}

// -----
// Also if it begins undefined: the reader could distinguish undefined from 5.
// CHECK: util.global private mutable @seen : i32
util.global private mutable @seen : i32
func.func @write() {
  %c5 = arith.constant 5 : i32
  // CHECK: util.global.store
  util.global.store %c5, @seen : i32
  return
}
func.func @read() -> i32 {
  // CHECK: util.global.load @seen
  %0 = util.global.load @seen : i32
  return %0 : i32
}

// -----
// The same function stores first, before it branches or loops.
// CHECK-NOT: @local
util.global private mutable @local = 1 : i32
// CHECK-LABEL: func.func @blocks
// CHECK: %[[C:.+]] = arith.constant 5 : i32
// CHECK-NOT: util.global
// CHECK: return %[[C]]
func.func @blocks(%c: i1) -> i32 {
  %c5 = arith.constant 5 : i32
  util.global.store %c5, @local : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = scf.if %c -> i32 {
    %1 = util.global.load @local : i32
    scf.yield %1 : i32
  } else {
    %2 = util.global.load @local : i32
    scf.yield %2 : i32
  }
  return %0 : i32
^bb2:
  %3 = util.global.load @local : i32
  return %3 : i32
}

// -----
// A store on one path does not count as a store before the load.
// CHECK: util.global private mutable @branch = 1 : i32
util.global private mutable @branch = 1 : i32
// CHECK-LABEL: func.func @one_way
// CHECK: scf.if
// CHECK-NEXT: util.global.store
// CHECK: util.global.load @branch
func.func @one_way(%c: i1) -> i32 {
  scf.if %c {
    %c5 = arith.constant 5 : i32
    util.global.store %c5, @branch : i32
  }
  %0 = util.global.load @branch : i32
  return %0 : i32
}
// CHECK-LABEL: func.func @load_first
// CHECK: util.global.load @branch
func.func @load_first() -> i32 {
  %c5 = arith.constant 5 : i32
  %0 = util.global.load @branch : i32
  util.global.store %c5, @branch : i32
  return %0 : i32
}

// -----
// Initializers run before functions, so these functions see 7 and not the
// initial value.
// CHECK: return
// CHECK-NOT: @table
// CHECK-NOT: util.initializer
util.global private @table = 6 : index
util.initializer {
  %c7 = arith.constant 7 : index
  util.global.store %c7, @table : index
  util.initializer.return
}
// CHECK-LABEL: func.func @after
// CHECK: %[[C:.+]] = arith.constant 7 : index
// CHECK-NEXT: return %[[C]]
func.func @after() -> index {
  %0 = util.global.load @table : index
  return %0 : index
}

// -----
// But not one that an earlier initializer calls.
// CHECK: util.global private mutable @early = 6 : index
util.global private mutable @early = 6 : index
util.global public mutable @copy : index
func.func private @read() -> index {
  // CHECK: util.global.load @early
  %0 = util.global.load @early : index
  return %0 : index
}
util.initializer {
  %0 = func.call @read() : () -> index
  util.global.store %0, @copy : index
  util.initializer.return
}
util.initializer {
  %c7 = arith.constant 7 : index
  // CHECK: util.global.store %{{.+}}, @early
  util.global.store %c7, @early : index
  util.initializer.return
}

// -----
// Nor one that external code may call back.
// CHECK: util.global private mutable @early = 6 : index
util.global private mutable @early = 6 : index
func.func private @outside()
util.initializer {
  func.call @outside() : () -> ()
  %c7 = arith.constant 7 : index
  // CHECK: util.global.store %{{.+}}, @early
  util.global.store %c7, @early : index
  util.initializer.return
}
func.func @read() -> index {
  // CHECK: util.global.load @early
  %0 = util.global.load @early : index
  return %0 : index
}

// -----
// An initializer may skip its store.
// CHECK: util.global private mutable @maybe = 6 : index
util.global private mutable @maybe = 6 : index
util.global private mutable @flag : i1
util.initializer {
  %c = "vendor.flag"() : () -> i1
  scf.if %c {
    %c7 = arith.constant 7 : index
    util.global.store %c7, @maybe : index
  }
  util.initializer.return
}
func.func @read() -> index {
  // CHECK: util.global.load @maybe
  %0 = util.global.load @maybe : index
  return %0 : index
}

// -----
// Public globals may be loaded elsewhere before. Two constants cannot be
// folded.
// CHECK: util.global public mutable @public = 1 : i32
// CHECK: util.global public mutable @two : i32
// CHECK: util.global public mutable @same = 5 : i32
util.global public mutable @public = 1 : i32
util.global public mutable @two : i32
util.global public mutable @same = 5 : i32
// CHECK-LABEL: func.func @store
// CHECK: util.global.store %{{.+}}, @public
// CHECK: util.global.store %{{.+}}, @two
// CHECK: util.global.store %{{.+}}, @two
// CHECK-NEXT: return
func.func @store() {
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  util.global.store %c5, @public : i32
  util.global.store %c5, @two : i32
  util.global.store %c6, @two : i32
  util.global.store %c5, @same : i32
  return
}

// -----
// Code with the address may do anything, and so may code with the name.
// CHECK: util.global private mutable @addressed = 5 : i32
// CHECK: util.global private mutable @named = 5 : i32
util.global private mutable @addressed = 5 : i32
util.global private mutable @named = 5 : i32
// CHECK-LABEL: func.func @uses
// CHECK: util.global.load @addressed
// CHECK: util.global.load @named
func.func @uses() -> (i32, i32) {
  %p = util.global.address @addressed : !util.ptr<i32>
  "vendor.use"(%p) : (!util.ptr<i32>) -> ()
  "vendor.use"() {what = [@named]} : () -> ()
  %0 = util.global.load @addressed : i32
  %1 = util.global.load @named : i32
  return %0, %1 : i32, i32
}
