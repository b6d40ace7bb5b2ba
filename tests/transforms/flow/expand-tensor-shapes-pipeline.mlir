// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-transformation-pipeline | FileCheck %s

// Extents pass through a loop, a conditional, a global and calls, and no tensor
// is queried for them.

// CHECK: util.global private mutable @state : tensor<?xf32>
// CHECK: util.global private mutable @state__d0 : index
// CHECK-NOT: tensor.dim
// CHECK: func.func private @half(%[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index) -> tensor<?xf32>
// CHECK: flow.dispatch @{{.*}}[%[[D]]](%[[A]], %[[D]]) : (tensor<?xf32>{%[[D]]}, index) -> tensor<?xf32>{%[[D]]}
// CHECK: func.func @run(%[[V:.*]]: !hal.buffer_view
// CHECK-DAG: %[[S:.*]] = util.global.load @state : tensor<?xf32>
// CHECK-DAG: %[[SD:.*]] = util.global.load @state__d0 : index
// CHECK: %[[E:.*]] = hal.buffer_view.dim<%[[V]] : !hal.buffer_view>[0]
// CHECK: %[[I:.*]] = hal.tensor.import %[[V]] : !hal.buffer_view -> tensor<?xf32>{%[[E]]}
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %[[I]], %[[XD:.*]] = %[[E]])
// CHECK: func.call @half(%[[X]], %[[XD]])
// CHECK: %[[YD:.*]] = arith.select %{{.*}}, %[[XD]], %[[SD]] : index
// CHECK: func.call @half(%[[S]], %[[SD]])
// CHECK: scf.yield %{{.*}}, %[[YD]]
// CHECK: hal.tensor.export %[[R]]#0 : tensor<?xf32>{%[[R]]#1}
// CHECK: util.global.store %[[R]]#0, @state
// CHECK: util.global.store %[[R]]#1, @state__d0
#id = affine_map<(d0) -> (d0)>
util.global private mutable @state : tensor<?xf32>
func.func private @half(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %h = arith.constant 0.5 : f32
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %h : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @run(%v: !hal.buffer_view, %n: index, %c: i1) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = hal.buffer_view.dim<%v : !hal.buffer_view>[0] : index
  %a = hal.tensor.import %v : !hal.buffer_view -> tensor<?xf32>{%d}
  %s = util.global.load @state : tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %1 = func.call @half(%x) : (tensor<?xf32>) -> tensor<?xf32>
    %2 = scf.if %c -> tensor<?xf32> {
      scf.yield %1 : tensor<?xf32>
    } else {
      %3 = func.call @half(%s) : (tensor<?xf32>) -> tensor<?xf32>
      scf.yield %3 : tensor<?xf32>
    }
    scf.yield %2 : tensor<?xf32>
  }
  util.global.store %0, @state : tensor<?xf32>
  %dd = tensor.dim %0, %c0 : tensor<?xf32>
  %r = hal.tensor.export %0 : tensor<?xf32>{%dd} -> !hal.buffer_view
  return %r : !hal.buffer_view
}
