// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The form of a region: its place, its workload, its results.
//
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions))' | FileCheck %s
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions{genereate-workload-region=false}))' | FileCheck %s --check-prefix=PLAIN

// A dispatch of two operations has the workload of its root, the consumer: two
// loops, not the three of the product. Constants are not shared.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @matmul_bias(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<2x10xf32>
  %1 = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<10x5xf32>
  %2 = hal.tensor.import %arg2 : !hal.buffer_view -> tensor<5xf32>
  %3 = tensor.empty() : tensor<2x5xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %5 = linalg.matmul ins(%0, %1 : tensor<2x10xf32>, tensor<10x5xf32>) outs(%4 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %6 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%5, %2 : tensor<2x5xf32>, tensor<5xf32>) outs(%3 : tensor<2x5xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %8 = arith.addf %in, %in_0 : f32
    linalg.yield %8 : f32
  } -> tensor<2x5xf32>
  %7 = hal.tensor.export %6 : tensor<2x5xf32> -> !hal.buffer_view
  return %7 : !hal.buffer_view
}
// CHECK: #[[$COUNT:.+]] = affine_map<()[s0, s1, s2] -> ((s1 - s0) ceildiv s2)>
// CHECK-LABEL: func.func @matmul_bias
// CHECK:         %[[EMPTY:.+]] = tensor.empty() : tensor<2x5xf32>
// CHECK-NEXT:    %[[FILL:.+]] = linalg.fill
// CHECK-NEXT:    arith.constant 1 : index
// CHECK-NEXT:    %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C2:.+]] = arith.constant 2 : index
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT:    %[[X:.+]] = affine.apply #[[$COUNT]]()[%[[C0]], %[[C2]], %[[C1]]]
// CHECK-NEXT:    %[[C0_1:.+]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C5:.+]] = arith.constant 5 : index
// CHECK-NEXT:    %[[C1_1:.+]] = arith.constant 1 : index
// CHECK-NEXT:    %[[Y:.+]] = affine.apply #[[$COUNT]]()[%[[C0_1]], %[[C5]], %[[C1_1]]]
// CHECK-NEXT:    %[[R:.+]] = flow.dispatch.region[%[[X]], %[[Y]]] -> (tensor<2x5xf32>) {
// CHECK-NEXT:      %[[MATMUL:.+]] = linalg.matmul {{.*}} outs(%[[FILL]] : tensor<2x5xf32>)
// CHECK-NEXT:      %[[ADD:.+]] = linalg.generic {{.*}} ins(%[[MATMUL]], {{.*}} outs(%[[EMPTY]] : tensor<2x5xf32>)
// CHECK:           flow.return %[[ADD]] : tensor<2x5xf32>
// CHECK-NEXT:    } count(%[[A:.+]]: index, %[[B:.+]]: index) -> (index, index, index) {
// CHECK-NEXT:      %[[NX:.+]], %[[NY:.+]], %[[NZ:.+]] = flow.dispatch.workgroup_count_from_dag_root %[[A]], %[[B]]
// CHECK-NEXT:      flow.return %[[NX]], %[[NY]], %[[NZ]] : index, index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    hal.tensor.export %[[R]]
// PLAIN-LABEL: func.func @matmul_bias
// PLAIN-NOT:     affine.apply
// PLAIN:         flow.dispatch.region -> (tensor<2x5xf32>) {
// PLAIN-NEXT:      linalg.matmul
// PLAIN-NEXT:      linalg.generic
// PLAIN:         }
// PLAIN-NOT:     count

// -----

// A root that reduces counts 1 for its reduction loop.

func.func @reduction_alone(%a: tensor<8x16xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x16xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @reduction_alone
// CHECK:         %[[ONE:.+]] = arith.constant 1 : index
// CHECK:         %[[C8:.+]] = arith.constant 8 : index
// CHECK:         %[[X:.+]] = affine.apply {{.*}}()[%{{.+}}, %[[C8]], %{{.+}}]
// CHECK:         %[[Y:.+]] = affine.apply {{.*}}()[%{{.+}}, %[[ONE]], %{{.+}}]
// CHECK:         flow.dispatch.region[%[[X]], %[[Y]]] -> (tensor<8xf32>) {

// -----

// No loops: no workload, and a count region without arguments.

func.func @rank_zero(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = linalg.add ins(%a, %b : tensor<f32>, tensor<f32>) outs(%a : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// CHECK-LABEL: func.func @rank_zero
// CHECK:         flow.dispatch.region -> (tensor<f32>) {
// CHECK:         } count() -> (index, index, index) {
// CHECK-NEXT:      flow.dispatch.workgroup_count_from_dag_root

// -----

// Several results used outside: those of the root come first.

#id = affine_map<(d0) -> (d0)>
func.func @results_of_producers(%a: tensor<4x8xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%b, %b : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %p: f32):
    %sum = arith.addf %in, %s : f32
    %product = arith.mulf %in, %p : f32
    linalg.yield %sum, %product : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#1, %0#0 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @results_of_producers
// CHECK:         %[[R:.+]]:2 = flow.dispatch.region[{{.*}}] -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK:           %[[G:.+]]:2 = linalg.generic
// CHECK:           flow.return %[[G]]#0, %[[G]]#1
// CHECK:         return %[[R]]#1, %[[R]]#0

// -----

// An unused result is not returned.

func.func @unused_result(%a: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%b, %b : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %p: f32):
    %sum = arith.addf %in, %s : f32
    linalg.yield %sum, %p : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @unused_result
// CHECK:         flow.dispatch.region[{{.*}}] -> (tensor<4xf32>) {

// -----

// Functions in executables are already dispatched; declarations and empty
// functions are unchanged.

func.func private @declaration(tensor<4xf32>) -> tensor<4xf32>
func.func @nothing() {
  return
}
// CHECK-LABEL: func.func private @declaration
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT:    return

// -----

// Operations on memrefs are no dispatches.

func.func @memrefs(%a: memref<4x4xf32>, %t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.exp ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return %t : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @memrefs
// CHECK-NOT:     flow.dispatch.region
// CHECK:         return

// -----

// No dispatch takes a tensor of index.

#id = affine_map<(d0) -> (d0)>
func.func @index_tensor(%a: tensor<4xindex>) -> tensor<4xindex> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : tensor<4xindex>) {
  ^bb0(%out: index):
    %1 = linalg.index 0 : index
    linalg.yield %1 : index
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}
// CHECK-LABEL: func.func @index_tensor
// CHECK-NOT:     flow.dispatch.region
// CHECK:         linalg.generic

// -----

// A dispatch cannot have effects: it runs once for each workgroup, in any
// order, and only computes its results.

func.func private @log(f32)
#id = affine_map<(d0) -> (d0)>
func.func @effects(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
  ^bb0(%out: f32):
    func.call @log(%out) : (f32) -> ()
    linalg.yield %out : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @effects
// CHECK-NOT:     flow.dispatch.region
// CHECK:         linalg.generic

// -----

// No dispatches inside a dispatch.

func.func @inside(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    %1 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @inside
// CHECK-COUNT-1: flow.dispatch.region
// CHECK-NOT:     flow.dispatch.region
