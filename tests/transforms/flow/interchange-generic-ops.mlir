// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-interchange-generic-ops | FileCheck %s

// CHECK-DAG: #[[DC:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[D0:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[DD:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[MIX:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3, d1)>
// CHECK-DAG: #[[KEPT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// A sum over the rows of a matrix.
// CHECK-LABEL: func @sum_of_rows
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[DC]], #[[D0]]], iterator_types = ["parallel", "reduction"]}
// CHECK-SAME: ins(%{{.*}} : tensor<2x3xf32>) outs(%[[FILL]] : tensor<3xf32>)
func.func @sum_of_rows(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<2x3xf32>
  %1 = tensor.empty() : tensor<3xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3xf32>) -> tensor<3xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<2x3xf32>) outs(%2 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.addf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<3xf32>
  %4 = hal.tensor.export %3 : tensor<3xf32> -> !hal.buffer_view
  return %4 : !hal.buffer_view
}

// Loops of each kind keep their order: d1 and d3 stay outside in that order, d0
// and d2 inside.
// CHECK-LABEL: func @order_is_kept
// CHECK: linalg.generic {indexing_maps = [#[[MIX]], #[[KEPT]]], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
func.func @order_is_kept(%x: tensor<?x?x?x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d3)>], iterator_types = ["reduction", "parallel", "reduction", "parallel"]} ins(%x : tensor<?x?x?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The index of a loop follows the loop.
// CHECK-LABEL: func @indices
// CHECK: linalg.generic
// CHECK: %[[ROW:.*]] = linalg.index 1
// CHECK: %[[COLUMN:.*]] = linalg.index 0
// CHECK: arith.subi %[[ROW]], %[[COLUMN]]
func.func @indices(%init: tensor<?xindex>, %x: tensor<?x?xindex>) -> tensor<?xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<?x?xindex>) outs(%init : tensor<?xindex>) {
  ^bb0(%in: index, %out: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %1 = arith.subi %i, %j : index
    %2 = arith.addi %1, %out : index
    linalg.yield %2 : index
  } -> tensor<?xindex>
  return %0 : tensor<?xindex>
}

// CHECK-LABEL: func @in_order_already
// CHECK: linalg.generic {indexing_maps = [#[[DD]], #[[D0]]], iterator_types = ["parallel", "reduction"]}
func.func @in_order_already(%x: tensor<4x?xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x?xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @reductions_only
// CHECK: linalg.generic {indexing_maps = [#[[DC]], #{{.*}}], iterator_types = ["reduction", "reduction"]}
func.func @reductions_only(%x: tensor<?x?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// Named operations keep the loops that their name defines.
// CHECK-LABEL: func @named
// CHECK: linalg.reduce
// CHECK-SAME: dimensions = [0]
func.func @named(%x: tensor<2x3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<2x3xf32>) outs(%init : tensor<3xf32>) dimensions = [0]
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @on_buffers
// CHECK: linalg.generic {indexing_maps = [#[[DC]], #[[D0]]], iterator_types = ["parallel", "reduction"]}
func.func @on_buffers(%x: memref<2x3xf32>, %out: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : memref<2x3xf32>) outs(%out : memref<3xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.addf %in, %o : f32
    linalg.yield %1 : f32
  }
  return
}

// In a loop, and in the second block of a function.
// CHECK-LABEL: func @control_flow
// CHECK: scf.for
// CHECK: linalg.generic {indexing_maps = [#[[DC]], #[[D0]]], iterator_types = ["parallel", "reduction"]}
// CHECK: ^bb1
// CHECK: linalg.generic {indexing_maps = [#[[DC]], #[[D0]]], iterator_types = ["parallel", "reduction"]}
func.func @control_flow(%x: tensor<2x3xf32>, %init: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<3xf32> {
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<2x3xf32>) outs(%acc : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %out : f32
      linalg.yield %2 : f32
    } -> tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  }
  cf.br ^next(%0 : tensor<3xf32>)
^next(%y: tensor<3xf32>):
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<2x3xf32>) outs(%y : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.addf %in, %out : f32
    linalg.yield %4 : f32
  } -> tensor<3xf32>
  return %3 : tensor<3xf32>
}

// CHECK: func private @declared
func.func private @declared(tensor<2xf32>)
