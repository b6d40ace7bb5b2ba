// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(iree-util-simplify-global-accesses))' | FileCheck %s

util.global private @bias : tensor<?xf32>
util.global private @scale : f32

// Loads of constant globals move to the entry, in their order.
// CHECK-LABEL: func.func @constants_of_blocks
// CHECK-NEXT: %[[SCALE:.+]] = util.global.load @scale : f32
// CHECK-NEXT: %[[BIAS:.+]] = util.global.load @bias : tensor<?xf32>
// CHECK-NEXT: cf.cond_br
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.br ^bb3(%[[SCALE]], %[[BIAS]]
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%{{.+}}, %[[BIAS]]
// CHECK-NOT: util.global.load
func.func @constants_of_blocks(%c: i1, %x: f32) -> (f32, tensor<?xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %s = util.global.load @scale : f32
  %b = util.global.load @bias : tensor<?xf32>
  cf.br ^bb3(%s, %b : f32, tensor<?xf32>)
^bb2:
  %b1 = util.global.load @bias : tensor<?xf32>
  cf.br ^bb3(%x, %b1 : f32, tensor<?xf32>)
^bb3(%r: f32, %t: tensor<?xf32>):
  return %r, %t : f32, tensor<?xf32>
}

// Also out of regions that are not isolated.
// CHECK-LABEL: func.func @constants_of_loops
// CHECK-NEXT: %[[SCALE:.+]] = util.global.load @scale : f32
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NEXT: arith.mulf %{{.+}}, %[[SCALE]] : f32
// CHECK-NOT: util.global.load
func.func @constants_of_loops(%n: index, %c: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
    %1 = scf.if %c -> f32 {
      %s = util.global.load @scale : f32
      %2 = arith.mulf %a, %s : f32
      scf.yield %2 : f32
    } else {
      scf.yield %a : f32
    }
    scf.yield %1 : f32
  }
  return %0 : f32
}

// -----
util.global private mutable @a : i32
util.global private mutable @b : i32

// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.+]]: i32)
// CHECK-NEXT: %[[A:.+]] = util.global.load @a {first}
// CHECK-NEXT: %[[SUM:.+]] = arith.addi %[[A]], %[[A]]
// CHECK-NEXT: %[[MORE:.+]] = arith.addi %[[SUM]], %[[X]]
// CHECK-NEXT: util.global.store %[[MORE]], @a {last}
// CHECK-NEXT: return %[[MORE]]
func.func @forward(%x: i32) -> i32 {
  %0 = util.global.load @a {first} : i32
  %1 = util.global.load @a : i32
  %2 = arith.addi %0, %1 : i32
  util.global.store %2, @a : i32
  %3 = util.global.load @a : i32
  %4 = arith.addi %3, %x : i32
  util.global.store %4, @a {last} : i32
  %5 = util.global.load @a : i32
  return %5 : i32
}

// First loads move up, last stores down, each in their order.
// CHECK-LABEL: func.func @float_and_sink
// CHECK-NEXT: %[[B:.+]] = util.global.load @b
// CHECK-NEXT: %[[A:.+]] = util.global.load @a
// CHECK-NEXT: %[[C:.+]] = arith.constant 1
// CHECK-NEXT: %[[SUM:.+]] = arith.addi %[[B]], %[[C]]
// CHECK-NEXT: %[[SUM2:.+]] = arith.addi %[[SUM]], %[[A]]
// CHECK-NEXT: util.global.store %[[SUM]], @b
// CHECK-NEXT: util.global.store %[[SUM2]], @a
// CHECK-NEXT: return
func.func @float_and_sink() -> i32 {
  %c1 = arith.constant 1 : i32
  %b = util.global.load @b : i32
  %0 = arith.addi %b, %c1 : i32
  util.global.store %0, @b : i32
  %a = util.global.load @a : i32
  %1 = arith.addi %0, %a : i32
  util.global.store %1, @a : i32
  return %1 : i32
}

// A callee may read and write any global.
// CHECK-LABEL: func.func @call_between
// CHECK-NEXT: util.global.store %{{.+}}, @a
// CHECK-NEXT: call @other
// CHECK-NEXT: %[[B:.+]] = util.global.load @b
// CHECK-NEXT: %[[A:.+]] = util.global.load @a
// CHECK-NEXT: arith.addi %[[B]], %[[A]]
func.func @call_between(%x: i32) -> i32 {
  util.global.store %x, @a : i32
  call @other() : () -> ()
  %0 = util.global.load @b : i32
  %1 = util.global.load @a : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
func.func private @other()

// So may unknown operations.
// CHECK-LABEL: func.func @unknown_between
// CHECK: util.global.store %{{.+}}, @a
// CHECK-NEXT: "vendor.barrier"
// CHECK-NEXT: util.global.load @a
func.func @unknown_between(%x: i32) -> i32 {
  util.global.store %x, @a : i32
  "vendor.barrier"() : () -> ()
  %0 = util.global.load @a : i32
  return %0 : i32
}

// A call that fails an assertion ends there, and a later call sees the values
// stored before.
// CHECK-LABEL: func.func @assertion_between
// CHECK: util.global.store %{{.+}}, @a
// CHECK-NEXT: cf.assert
// CHECK-NEXT: util.global.store %{{.+}}, @a
func.func @assertion_between(%x: i32, %y: i32, %c: i1) {
  util.global.store %x, @a : i32
  cf.assert %c, "c"
  util.global.store %y, @a : i32
  return
}

// A pointer may point to any global.
// CHECK-LABEL: func.func @pointer_between
// CHECK: util.global.store %{{.+}}, @a
// CHECK-NEXT: util.global.store.indirect
// CHECK-NEXT: util.global.load @a
func.func @pointer_between(%x: i32, %p: !util.ptr<i32>) -> i32 {
  util.global.store %x, @a : i32
  util.global.store.indirect %x, %p : i32 -> !util.ptr<i32>
  %0 = util.global.load @a : i32
  return %0 : i32
}

// -----
util.global private mutable @a : i32

// A store in one branch is not the value before: a region that uses globals is
// a barrier.
// CHECK-LABEL: func.func @store_in_branch
// CHECK: util.global.store %[[X:.+]], @a
// CHECK-NEXT: scf.if
// CHECK-NEXT: util.global.store %[[Y:.+]], @a
// CHECK: %[[A:.+]] = util.global.load @a
// CHECK-NEXT: return %[[A]]
func.func @store_in_branch(%c: i1, %x: i32, %y: i32) -> i32 {
  util.global.store %x, @a : i32
  scf.if %c {
    util.global.store %y, @a : i32
  }
  %0 = util.global.load @a : i32
  return %0 : i32
}

// The store before a loop that loads is not dead; the loop's loads are merged.
// CHECK-LABEL: func.func @load_in_loop
// CHECK: util.global.store %{{.+}}, @a
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[A:.+]] = util.global.load @a
// CHECK-NEXT: %[[SUM:.+]] = arith.addi %[[A]], %[[A]]
// CHECK-NEXT: util.global.store %[[SUM]], @a
// CHECK: util.global.store %{{.+}}, @a
func.func @load_in_loop(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  util.global.store %x, @a : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = util.global.load @a : i32
    %1 = util.global.load @a : i32
    %2 = arith.addi %0, %1 : i32
    util.global.store %2, @a : i32
  }
  util.global.store %x, @a : i32
  return
}

// A call inside a region is a call.
// CHECK-LABEL: func.func @call_in_region
// CHECK: util.global.store %{{.+}}, @a
// CHECK-NEXT: scf.if
// CHECK: util.global.load @a
func.func @call_in_region(%c: i1, %x: i32) -> i32 {
  util.global.store %x, @a : i32
  scf.if %c {
    func.call @other() : () -> ()
  }
  %0 = util.global.load @a : i32
  return %0 : i32
}
func.func private @other()

// A region without uses is no barrier.
// CHECK-LABEL: func.func @pure_region
// CHECK-SAME: (%{{.+}}: i1, %[[X:.+]]: i32)
// CHECK-NEXT: %[[R:.+]] = scf.if
// CHECK: util.global.store %[[R]], @a
// CHECK-NEXT: return %[[X]]
func.func @pure_region(%c: i1, %x: i32) -> i32 {
  util.global.store %x, @a : i32
  %r = scf.if %c -> i32 {
    %0 = arith.addi %x, %x : i32
    scf.yield %0 : i32
  } else {
    scf.yield %x : i32
  }
  %1 = util.global.load @a : i32
  util.global.store %r, @a : i32
  return %1 : i32
}

// -----
// A load may use the value with a less precise type; the two are then different
// values.
util.global private mutable @t : tensor<4xf32>
util.global private @k : tensor<4xf32>

// CHECK-LABEL: func.func @types_differ
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[K:.+]] = util.global.load @k : tensor<4xf32>
// CHECK-NEXT: %[[KD:.+]] = util.global.load @k : tensor<?xf32>
// CHECK-NEXT: util.global.store %[[X]], @t
// CHECK-NEXT: %[[D:.+]] = util.global.load @t : tensor<?xf32>
// CHECK-NEXT: return %[[K]], %[[KD]], %[[D]], %[[D]]
func.func @types_differ(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = util.global.load @k : tensor<4xf32>
  %1 = util.global.load @k : tensor<?xf32>
  util.global.store %x, @t : tensor<4xf32>
  %2 = util.global.load @t : tensor<?xf32>
  %3 = util.global.load @t : tensor<?xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Known values end with the block.
// CHECK-LABEL: func.func @between_blocks
// CHECK: util.global.store %{{.+}}, @t
// CHECK-NEXT: cf.br
// CHECK: ^bb1:
// CHECK-NEXT: util.global.load @t
func.func @between_blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  util.global.store %x, @t : tensor<4xf32>
  cf.br ^bb1
^bb1:
  %0 = util.global.load @t : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: func.func private @declared()
func.func private @declared()

// -----
// A training step: the call sees the value stored before it, and the load after
// the store becomes the stored value.
util.global private mutable @param0 : tensor<1x2xf32>
util.global private @param1 : tensor<1x2xf32>
func.func private @add(!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub}

// CHECK-LABEL: func.func @run
// CHECK-SAME: (%[[ARG:.+]]: !hal.buffer_view)
// CHECK-NEXT: %[[P0:.+]] = util.global.load @param0 : tensor<1x2xf32>
// CHECK-NEXT: %[[P1:.+]] = util.global.load @param1 : tensor<1x2xf32>
// CHECK-NEXT: %[[E0:.+]] = hal.tensor.export %[[P0]]
// CHECK-NEXT: %[[R0:.+]] = call @add(%[[E0]], %[[ARG]])
// CHECK-NEXT: %[[I0:.+]] = hal.tensor.import %[[R0]]
// CHECK-NEXT: %[[E1:.+]] = hal.tensor.export %[[I0]]
// CHECK-NEXT: %[[E2:.+]] = hal.tensor.export %[[P1]]
// CHECK-NEXT: util.global.store %[[I0]], @param0
// CHECK-NEXT: %[[R1:.+]] = call @add(%[[E1]], %[[E2]])
// CHECK-NEXT: %[[I1:.+]] = hal.tensor.import %[[R1]]
// CHECK-NEXT: util.global.store %[[I1]], @param0
// CHECK-NEXT: return
func.func @run(%arg0: !hal.buffer_view) attributes {iree.abi.stub} {
  %param0 = util.global.load @param0 : tensor<1x2xf32>
  %0 = hal.tensor.export %param0 : tensor<1x2xf32> -> !hal.buffer_view
  %1 = call @add(%0, %arg0) : (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view
  %2 = hal.tensor.import %1 : !hal.buffer_view -> tensor<1x2xf32>
  util.global.store %2, @param0 : tensor<1x2xf32>
  %param0_0 = util.global.load @param0 : tensor<1x2xf32>
  %param1 = util.global.load @param1 : tensor<1x2xf32>
  %3 = hal.tensor.export %param0_0 : tensor<1x2xf32> -> !hal.buffer_view
  %4 = hal.tensor.export %param1 : tensor<1x2xf32> -> !hal.buffer_view
  %5 = call @add(%3, %4) : (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view
  %6 = hal.tensor.import %5 : !hal.buffer_view -> tensor<1x2xf32>
  util.global.store %6, @param0 : tensor<1x2xf32>
  return
}
