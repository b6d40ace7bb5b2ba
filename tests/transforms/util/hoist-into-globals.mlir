// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --iree-util-hoist-into-globals | FileCheck %s

// Values that the rest needs are stored; intermediate values are not.
// CHECK: util.global private @hoisted : tensor<4xf32>
// CHECK-NOT: util.global
// CHECK-LABEL: func.func @simple
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[H:.+]] = util.global.load @hoisted
// CHECK-NEXT: %[[R:.+]] = arith.addf %[[X]], %[[H]]
// CHECK-NEXT: return %[[R]]
// CHECK: util.initializer {
// CHECK-NEXT: %[[C:.+]] = arith.constant dense<[
// CHECK-NEXT: %[[M:.+]] = arith.mulf %[[C]], %[[C]]
// CHECK-NEXT: %[[S:.+]] = math.sqrt %[[M]]
// CHECK-NEXT: util.global.store %[[S]], @hoisted
// CHECK-NEXT: util.initializer.return
func.func @simple(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = arith.mulf %c, %c : tensor<4xf32>
  %1 = math.sqrt %0 : tensor<4xf32>
  %2 = arith.addf %x, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----
// Two that are needed: the second initializer loads what the first stored, in
// program order, although blocks and names have another order.
util.global private @weights : tensor<4xf32>
// CHECK-LABEL: func.func @two
// CHECK-DAG: %[[A:.+]] = util.global.load @hoisted :
// CHECK-DAG: %[[B:.+]] = util.global.load @hoisted_0 :
// CHECK: return %[[A]], %[[B]]
// CHECK: util.initializer {
// CHECK: util.global.load @weights
// CHECK: util.global.store %{{.+}}, @hoisted :
// CHECK: util.initializer {
// CHECK-NEXT: %[[LOAD:.+]] = util.global.load @hoisted :
// CHECK-NOT: @weights
// CHECK: util.global.store %{{.+}}, @hoisted_0 :
func.func @two() -> (tensor<4xf32>, tensor<4xf32>) {
  %w = util.global.load @weights : tensor<4xf32>
  %0 = arith.mulf %w, %w : tensor<4xf32>
  %1 = math.sqrt %0 : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----
// Excluded: changing values, effects, operations that may trap, and queries of
// the place of execution.
util.global private mutable @state : tensor<4xf32>
// CHECK-NOT: hoisted
// CHECK-LABEL: func.func @variable
func.func @variable(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>, i32, i32) {
  %s = util.global.load @state : tensor<4xf32>
  %0 = arith.mulf %s, %s : tensor<4xf32>
  util.global.store %x, @state : tensor<4xf32>
  %k = util.unfoldable_constant dense<1.0> : tensor<4xf32>
  %1 = arith.mulf %k, %k : tensor<4xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %2 = scf.if %c -> i32 {
    %q = arith.divsi %one, %zero : i32
    scf.yield %q : i32
  } else {
    scf.yield %one : i32
  }
  %3 = "vendor.op"(%one) : (i32) -> i32
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, i32, i32
}

// -----
// Not worth a global: repeated values, empty tensors, integers of 4 bits,
// overwritten values, and unknown shapes.
#id = affine_map<(d0) -> (d0)>
// CHECK-NOT: util.global private @hoisted
// CHECK-LABEL: func.func @leaves
func.func @leaves(%x: tensor<8xf32>, %i: tensor<8xi4>) -> (tensor<8xf32>, tensor<8x8xf32>, tensor<8xi4>, tensor<8xf32>, tensor<?xf32>) {
  %c = arith.constant 1.0 : f32
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = arith.addf %x, %fill : tensor<8xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %b = linalg.broadcast ins(%v : tensor<8xf32>) outs(%e2 : tensor<8x8xf32>) dimensions = [0]
  %four = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi4>
  %4 = arith.addi %four, %four : tensor<8xi4>
  %5 = arith.addi %4, %i : tensor<8xi4>
  %init = arith.addf %v, %v : tensor<8xf32>
  %6 = linalg.exp ins(%x : tensor<8xf32>) outs(%init : tensor<8xf32>) -> tensor<8xf32>
  %n = arith.constant 8 : index
  %7 = tensor.generate %n {
  ^bb0(%k: index):
    tensor.yield %c : f32
  } : tensor<?xf32>
  return %0, %b, %5, %6, %7 : tensor<8xf32>, tensor<8x8xf32>, tensor<8xi4>, tensor<8xf32>, tensor<?xf32>
}

// -----
// They are part of larger expressions.
#id = affine_map<(d0) -> (d0)>
// CHECK: util.global private @hoisted : tensor<8xi32>
// CHECK-LABEL: func.func @through
// CHECK-NEXT: util.global.load @hoisted
// CHECK-NEXT: return
// CHECK: util.initializer
// CHECK: linalg.fill
// CHECK: arith.extui
func.func @through() -> tensor<8xi32> {
  %c = arith.constant 3 : i4
  %e = tensor.empty() : tensor<8xi4>
  %0 = linalg.fill ins(%c : i4) outs(%e : tensor<8xi4>) -> tensor<8xi4>
  %1 = arith.extui %0 : tensor<8xi4> to tensor<8xi32>
  return %1 : tensor<8xi32>
}

// -----
// A MiB more than its operands is accepted, one byte more is not. The small
// part of the larger expression is stored for it.
// CHECK-DAG: util.global private @{{.+}} : tensor<262144xf32>
// CHECK-DAG: util.global private @{{.+}} : tensor<1xf32>
// CHECK-NOT: util.global private
// CHECK-LABEL: func.func @sizes
// CHECK: util.global.load @{{.+}} : tensor<262144xf32>
// CHECK: util.global.load @{{.+}} : tensor<1xf32>
// CHECK: tensor.pad
func.func @sizes() -> (tensor<262144xf32>, tensor<262147xf32>) {
  %one = arith.constant dense<[2.0]> : tensor<1xf32>
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %one low[0] high[262143] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<1xf32> to tensor<262144xf32>
  %small = arith.addf %one, %one : tensor<1xf32>
  %1 = tensor.pad %small low[0] high[262146] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<1xf32> to tensor<262147xf32>
  return %0, %1 : tensor<262144xf32>, tensor<262147xf32>
}

// -----
// Captured values of a region are hoisted too, also out of loops and branches.
// CHECK-LABEL: func.func @regions
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NEXT: %[[H:.+]] = util.global.load @hoisted
// CHECK-NEXT: arith.addf %{{.+}}, %[[H]]
// CHECK: util.initializer
// CHECK-DAG: %[[C:.+]] = arith.constant 3.000000e+00 : f32
// CHECK-DAG: %[[V:.+]] = arith.constant dense<[
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.+}}, %[[C]]
// CHECK: util.global.store %{{.+}}, @hoisted
#id = affine_map<(d0) -> (d0)>
func.func @regions(%n: index, %c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3.0 : f32
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %s = scf.if %c -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%v : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %m = arith.mulf %in, %three : f32
        linalg.yield %m : f32
      } -> tensor<4xf32>
      %1 = arith.addf %a, %0 : tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----
// A whole constant loop is one expression.
// CHECK: util.global private @hoisted : tensor<4xf32>
// CHECK-NOT: util.global private
// CHECK-LABEL: func.func @loop
// CHECK-NEXT: util.global.load @hoisted
// CHECK-NEXT: return
// CHECK: util.initializer
// CHECK: scf.for
func.func @loop() -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %v) -> tensor<4xf32> {
    %w = math.sqrt %v : tensor<4xf32>
    %0 = arith.addf %a, %w : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----
// Functions run by initializers are too early for values computed at the end.
// CHECK-NOT: util.global private @hoisted
// CHECK-LABEL: func.func private @helper
util.global private @table : tensor<4xf32>
func.func private @helper() -> tensor<4xf32> {
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = math.sqrt %v : tensor<4xf32>
  return %0 : tensor<4xf32>
}
util.initializer {
  %0 = func.call @helper() : () -> tensor<4xf32>
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = arith.addf %0, %v : tensor<4xf32>
  util.global.store %1, @table : tensor<4xf32>
  util.initializer.return
}
func.func @use() -> tensor<4xf32> {
  %0 = util.global.load @table : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// Blocks in another order than they run in.
// CHECK-LABEL: func.func @blocks
// CHECK: util.global.load @hoisted
// CHECK: return
func.func @blocks() -> tensor<4xf32> {
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  cf.br ^bb2
^bb1:
  %1 = arith.addf %0, %v : tensor<4xf32>
  return %1 : tensor<4xf32>
^bb2:
  %0 = math.sqrt %v : tensor<4xf32>
  cf.br ^bb1
}

// -----
// A name that is taken; a constant alone, which needs no global.
// CHECK: util.global private @hoisted_0 : tensor<2xf32>
// CHECK: util.global private @hoisted : tensor<2xf32>
util.global private @hoisted : tensor<2xf32>
func.func @names() -> (tensor<2xf32>, tensor<2xf32>) {
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = math.sqrt %v : tensor<2xf32>
  // CHECK: %[[C:.+]] = arith.constant dense<[1.0
  // CHECK: return %[[C]]
  return %v, %0 : tensor<2xf32>, tensor<2xf32>
}
