// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --cse | FileCheck %s

util.global private @fixed : index
util.global private mutable @state : index

// A load of an immutable global has no effect, so two loads are merged.
// CHECK-LABEL: func @loads
// CHECK-NEXT: util.global.load @fixed
// CHECK-NEXT: util.global.load @state
// CHECK-NEXT: util.global.load immutable @state
// CHECK-NEXT: util.global.store
// CHECK-NEXT: util.global.load @state
// CHECK-NEXT: return
func.func @loads(%x: index) -> (index, index, index, index, index, index) {
  %0 = util.global.load @fixed : index
  %1 = util.global.load @state : index
  %2 = util.global.load immutable @state : index
  util.global.store %x, @state : index
  %3 = util.global.load @fixed : index
  %4 = util.global.load @state : index
  %5 = util.global.load immutable @state : index
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, index
}

// But an initializer stores to it.
// CHECK: util.initializer
// CHECK-NEXT: %[[A:.*]] = util.global.load @fixed
// CHECK: util.global.store
// CHECK-NEXT: %[[B:.*]] = util.global.load @fixed
// CHECK-NEXT: util.optimization_barrier %[[A]], %[[B]]
util.initializer {
  %0 = util.global.load @fixed : index
  %1 = util.global.load @state : index
  util.global.store %1, @fixed : index
  %2 = util.global.load @fixed : index
  util.optimization_barrier %0, %2 : index, index
  util.initializer.return
}
