// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-expand-tensor-shapes --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func @br
// CHECK-SAME: (%[[A:.*]]: tensor<?x2x?xf32>, %[[D0:.*]]: index, %[[D2:.*]]: index, %[[I:.*]]: i32)
// CHECK: cf.br ^bb1(%[[I]], %[[A]], %[[D0]], %[[D2]], %[[I]] : i32, tensor<?x2x?xf32>, index, index, i32)
// CHECK: ^bb1(%[[J:.*]]: i32, %[[B:.*]]: tensor<?x2x?xf32>, %[[B0:.*]]: index, %[[B2:.*]]: index, %[[K:.*]]: i32):
// CHECK-NEXT: %[[T:.*]] = flow.tensor.tie_shape %[[B]] : tensor<?x2x?xf32>{%[[B0]], %[[B2]]}
// CHECK-NEXT: util.optimization_barrier %[[T]], %[[J]], %[[K]]
// CHECK-NEXT: return %[[B]], %[[B0]], %[[B2]]
func.func @br(%a: tensor<?x2x?xf32>, %i: i32) -> tensor<?x2x?xf32> {
  cf.br ^bb1(%i, %a, %i : i32, tensor<?x2x?xf32>, i32)
^bb1(%j: i32, %b: tensor<?x2x?xf32>, %k: i32):
  util.optimization_barrier %b, %j, %k : tensor<?x2x?xf32>, i32, i32
  return %b : tensor<?x2x?xf32>
}

// Both branches to one block, with different extents.
// CHECK-LABEL: func @cond_br
// CHECK-SAME: (%[[C:.*]]: i1, %[[A:.*]]: tensor<?xf32>, %[[DA:.*]]: index, %[[B:.*]]: tensor<?xf32>, %[[DB:.*]]: index)
// CHECK: cf.cond_br %[[C]], ^bb1(%[[A]], %[[DA]] : tensor<?xf32>, index), ^bb1(%[[B]], %[[DB]] : tensor<?xf32>, index)
// CHECK: ^bb1(%[[X:.*]]: tensor<?xf32>, %[[DX:.*]]: index):
// CHECK: return %[[X]], %[[DX]]
func.func @cond_br(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %c, ^bb1(%a : tensor<?xf32>), ^bb1(%b : tensor<?xf32>)
^bb1(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
}

// CHECK-LABEL: func @switch
// CHECK-SAME: (%[[F:.*]]: i32, %[[A:.*]]: tensor<?xf32>, %[[DA:.*]]: index, %[[B:.*]]: tensor<?x?xf32>, %[[B0:.*]]: index, %[[B1:.*]]: index)
// CHECK: cf.switch %[[F]] : i32, [
// CHECK-NEXT: default: ^bb1(%[[A]], %[[DA]] : tensor<?xf32>, index),
// CHECK-NEXT: 4: ^bb2(%[[B]], %[[B0]], %[[B1]], %[[F]] : tensor<?x?xf32>, index, index, i32),
// CHECK-NEXT: 5: ^bb3,
// CHECK-NEXT: 6: ^bb1(%[[A]], %[[DA]] : tensor<?xf32>, index)
// CHECK: ^bb1(%{{.*}}: tensor<?xf32>, %{{.*}}: index):
// CHECK: ^bb2(%{{.*}}: tensor<?x?xf32>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: i32):
func.func @switch(%flag: i32, %a: tensor<?xf32>, %b: tensor<?x?xf32>) {
  cf.switch %flag : i32, [
    default: ^bb1(%a : tensor<?xf32>),
    4: ^bb2(%b, %flag : tensor<?x?xf32>, i32),
    5: ^bb3,
    6: ^bb1(%a : tensor<?xf32>)
  ]
^bb1(%x: tensor<?xf32>):
  util.optimization_barrier %x : tensor<?xf32>
  return
^bb2(%y: tensor<?x?xf32>, %z: i32):
  util.optimization_barrier %y : tensor<?x?xf32>
  return
^bb3:
  return
}

// A block may precede the one that defines its values, also in a loop.
// CHECK-LABEL: func @order
// CHECK-SAME: (%[[C:.*]]: i1, %[[A:.*]]: tensor<?xf32>, %[[DA:.*]]: index)
// CHECK: cf.br ^bb2(%[[A]], %[[DA]] : tensor<?xf32>, index)
// CHECK: ^bb1:
// CHECK-NEXT: return %[[S:.*]]#0, %[[S]]#1 : tensor<?xf32>, index
// CHECK: ^bb2(%[[X:.*]]: tensor<?xf32>, %[[DX:.*]]: index):
// CHECK: %[[S]]:2 = call @order(%[[C]], %[[X]], %[[DX]])
// CHECK: cf.cond_br %[[C]], ^bb1, ^bb2(%[[S]]#0, %[[S]]#1 : tensor<?xf32>, index)
func.func @order(%c: i1, %a: tensor<?xf32>) -> tensor<?xf32> {
  cf.br ^bb2(%a : tensor<?xf32>)
^bb1:
  return %0 : tensor<?xf32>
^bb2(%x: tensor<?xf32>):
  %0 = call @order(%c, %x) : (i1, tensor<?xf32>) -> tensor<?xf32>
  cf.cond_br %c, ^bb1, ^bb2(%0 : tensor<?xf32>)
}

// If branches cannot pass more values, a block keeps its arguments.
// CHECK-LABEL: func @unknown_branch
// CHECK: ^bb1(%[[X:.*]]: tensor<?xf32>):
// CHECK: %[[D:.*]] = tensor.dim %[[X]]
// CHECK: return %[[X]], %[[D]]
func.func @unknown_branch(%c: i1, %a: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %c, ^bb1(%a : tensor<?xf32>), ^bb2
^bb1(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
^bb2:
  "test.branch"()[^bb1] : () -> ()
}

// A block without branches to it.
// CHECK-LABEL: func @unreachable
// CHECK: return
// CHECK: ^bb1(%{{.*}}: tensor<?xf32>, %{{.*}}: index):
func.func @unreachable() {
  return
^bb1(%x: tensor<?xf32>):
  cf.br ^bb1(%x : tensor<?xf32>)
}

// CHECK-LABEL: func @select
// CHECK-SAME: (%[[C:.*]]: i1, %[[A:.*]]: tensor<?x?xf32>, %[[A0:.*]]: index, %[[A1:.*]]: index, %[[B:.*]]: tensor<?x?xf32>, %[[B0:.*]]: index, %[[B1:.*]]: index)
// CHECK: %[[TA:.*]] = flow.tensor.tie_shape %[[A]]
// CHECK: %[[TB:.*]] = flow.tensor.tie_shape %[[B]]
// CHECK: %[[S:.*]] = arith.select %[[C]], %[[TA]], %[[TB]] : tensor<?x?xf32>
// CHECK: %[[S0:.*]] = arith.select %[[C]], %[[A0]], %[[B0]] : index
// CHECK: %[[S1:.*]] = arith.select %[[C]], %[[A1]], %[[B1]] : index
// CHECK: %[[TS:.*]] = flow.tensor.tie_shape %[[S]] : tensor<?x?xf32>{%[[S0]], %[[S1]]}
// CHECK: %[[R:.*]] = arith.select %[[C]], %[[TS]], %[[TA]] : tensor<?x?xf32>
// CHECK: %[[R0:.*]] = arith.select %[[C]], %[[S0]], %[[A0]] : index
// CHECK: %[[R1:.*]] = arith.select %[[C]], %[[S1]], %[[A1]] : index
// CHECK: return %[[R]], %[[R0]], %[[R1]]
func.func @select(%c: i1, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.select %c, %a, %b : tensor<?x?xf32>
  %1 = arith.select %c, %0, %a : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// An elementwise select has the extents of either operand.
// CHECK-LABEL: func @select_elements
// CHECK: %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi1>, tensor<?xf32>
// CHECK-NEXT: util.optimization_barrier %[[S]]
func.func @select_elements(%c: tensor<?xi1>, %a: tensor<?xf32>) {
  %0 = arith.select %c, %a, %a : tensor<?xi1>, tensor<?xf32>
  util.optimization_barrier %0 : tensor<?xf32>
  return
}

// CHECK-LABEL: func @for
// CHECK-SAME: (%[[N:.*]]: index, %[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index)
// CHECK: %[[R:.*]]:3 = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[X:.*]] = %[[A]], %[[DX:.*]] = %[[D]], %[[I:.*]] = %[[N]]) -> (tensor<?xf32>, index, index) {
// CHECK-NEXT: %[[TX:.*]] = flow.tensor.tie_shape %[[X]] : tensor<?xf32>{%[[DX]]}
// CHECK-NEXT: %[[Y:.*]]:2 = func.call @next(%[[X]], %[[DX]])
// CHECK: scf.yield %[[Y]]#0, %[[Y]]#1, %[[I]] : tensor<?xf32>, index, index
// CHECK: } {note}
// CHECK-NEXT: flow.tensor.tie_shape %[[R]]#0 : tensor<?xf32>{%[[R]]#1}
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @for(%n: index, %a: tensor<?xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %j = %n) -> (tensor<?xf32>, index) {
    %1 = func.call @next(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1, %j : tensor<?xf32>, index
  } {note}
  return %0#0, %0#1 : tensor<?xf32>, index
}
func.func private @next(tensor<?xf32>) -> tensor<?xf32>

// CHECK-LABEL: func @nested
// CHECK-SAME: (%[[C:.*]]: i1, %[[N:.*]]: index, %[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index)
// CHECK: %[[R:.*]]:2 = scf.if %[[C]] -> (tensor<?xf32>, index) {
// CHECK: %[[L:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %[[A]], %[[DX:.*]] = %[[D]]) -> (tensor<?xf32>, index) {
// CHECK: %[[I:.*]]:2 = scf.if %[[C]] -> (tensor<?xf32>, index) {
// CHECK: scf.yield %[[X]], %[[DX]]
// CHECK: } else {
// CHECK: scf.yield %[[A]], %[[D]]
// CHECK: }
// CHECK: scf.yield %[[I]]#0, %[[I]]#1
// CHECK: }
// CHECK: scf.yield %[[L]]#0, %[[L]]#1
// CHECK: } else {
// CHECK: scf.yield %[[A]], %[[D]]
// CHECK: }
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @nested(%c: i1, %n: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %c -> tensor<?xf32> {
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
      %2 = scf.if %c -> tensor<?xf32> {
        scf.yield %x : tensor<?xf32>
      } else {
        scf.yield %a : tensor<?xf32>
      }
      scf.yield %2 : tensor<?xf32>
    }
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// Operands, block arguments and results of a loop are separate lists.
// CHECK-LABEL: func @while
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index)
// CHECK: %[[R:.*]]:4 = scf.while (%[[X:.*]] = %[[A]], %[[DX:.*]] = %[[D]]) : (tensor<?xf32>, index) -> (i32, tensor<?x?xf32>, index, index) {
// CHECK: %[[G:.*]]:5 = func.call @grow(%[[X]], %[[DX]])
// CHECK: scf.condition(%[[G]]#0) %[[G]]#1, %[[G]]#2, %[[G]]#3, %[[G]]#4 : i32, tensor<?x?xf32>, index, index
// CHECK: ^bb0(%{{.*}}: i32, %[[Y:.*]]: tensor<?x?xf32>, %[[Y0:.*]]: index, %[[Y1:.*]]: index):
// CHECK: %[[F:.*]]:2 = func.call @flatten(%[[Y]], %[[Y0]], %[[Y1]])
// CHECK: scf.yield %[[F]]#0, %[[F]]#1 : tensor<?xf32>, index
// CHECK: return %[[R]]#1, %[[R]]#2, %[[R]]#3
func.func @while(%a: tensor<?xf32>) -> tensor<?x?xf32> {
  %0:2 = scf.while (%x = %a) : (tensor<?xf32>) -> (i32, tensor<?x?xf32>) {
    %1:3 = func.call @grow(%x) : (tensor<?xf32>) -> (i1, i32, tensor<?x?xf32>)
    scf.condition(%1#0) %1#1, %1#2 : i32, tensor<?x?xf32>
  } do {
  ^bb0(%i: i32, %y: tensor<?x?xf32>):
    %1 = func.call @flatten(%y) : (tensor<?x?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0#1 : tensor<?x?xf32>
}
func.func private @grow(tensor<?xf32>) -> (i1, i32, tensor<?x?xf32>)
func.func private @flatten(tensor<?x?xf32>) -> tensor<?xf32>

// CHECK-LABEL: func @index_switch
// CHECK-SAME: (%[[I:.*]]: index, %[[A:.*]]: tensor<?xf32>, %[[DA:.*]]: index, %[[B:.*]]: tensor<?xf32>, %[[DB:.*]]: index)
// CHECK: %[[R:.*]]:2 = scf.index_switch %[[I]] -> tensor<?xf32>, index
// CHECK: case 2 {
// CHECK: scf.yield %[[A]], %[[DA]]
// CHECK: default {
// CHECK: scf.yield %[[B]], %[[DB]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @index_switch(%i: index, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.index_switch %i -> tensor<?xf32>
  case 2 {
    scf.yield %a : tensor<?xf32>
  }
  default {
    scf.yield %b : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// A region of several blocks.
// CHECK-LABEL: func @execute_region
// CHECK-SAME: (%[[C:.*]]: i1, %[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index)
// CHECK: %[[R:.*]]:2 = scf.execute_region -> (tensor<?xf32>, index) {
// CHECK: cf.cond_br %[[C]], ^bb1(%[[A]], %[[D]] : tensor<?xf32>, index), ^bb2
// CHECK: ^bb1(%[[X:.*]]: tensor<?xf32>, %[[DX:.*]]: index):
// CHECK: scf.yield %[[X]], %[[DX]]
// CHECK: ^bb2:
// CHECK: scf.yield %[[A]], %[[D]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @execute_region(%c: i1, %a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.execute_region -> tensor<?xf32> {
    cf.cond_br %c, ^bb1(%a : tensor<?xf32>), ^bb2
  ^bb1(%x: tensor<?xf32>):
    scf.yield %x : tensor<?xf32>
  ^bb2:
    scf.yield %a : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// Other operations with regions keep their operands and results.
// CHECK-LABEL: func @other_regions
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index)
// CHECK: %[[T:.*]] = flow.tensor.tie_shape %[[A]]
// CHECK: %[[U:.*]] = "test.loop"(%[[T]]) ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<?xf32>):
// CHECK-NEXT: "test.yield"(%[[X]])
// CHECK: %[[DIM:.*]] = tensor.dim %[[U]]
// CHECK: return %[[U]], %[[DIM]]
func.func @other_regions(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "test.loop"(%a) ({
  ^bb0(%x: tensor<?xf32>):
    "test.yield"(%x) : (tensor<?xf32>) -> ()
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
