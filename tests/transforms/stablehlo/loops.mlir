// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts, scatters and select_and_scatter are loops that carry tensors and touch
// them one element at a time, so that they run in place.
// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --cse --split-input-file | FileCheck %s

// Runs of w elements are merged into the second tensor, and runs of 2 w elements
// back into the first. Two rounds merge runs of 1, 2, 4 and 8 elements.
// CHECK-LABEL: func.func @sort(
// CHECK-SAME: %[[X:.*]]: tensor<10xi32>)
// CHECK: %[[S:.*]] = tensor.empty() : tensor<10xi32>
// CHECK: %[[R:.*]]:2 = scf.for %[[ROUND:.*]] = %c0 to %c2 step %c1 iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[S]])
// CHECK: %[[TWICE:.*]] = arith.shli %[[ROUND]], %c1
// CHECK: %[[W:.*]] = arith.shli %c1, %[[TWICE]]
// CHECK: scf.for %{{.*}} = %c0 to %c10 step %{{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
// CHECK: scf.for
// CHECK: scf.if
// CHECK: %[[LEFT:.*]] = tensor.extract %[[FROM:.*]][%{{.*}}]
// CHECK: %[[RIGHT:.*]] = tensor.extract %[[FROM]][%{{.*}}]
// CHECK: arith.cmpi slt, %[[RIGHT]], %[[LEFT]]
// CHECK: tensor.insert
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK: return %[[R]]#0
func.func @sort(%x: tensor<10xi32>) -> tensor<10xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<10xi32>) -> tensor<10xi32>
  return %0 : tensor<10xi32>
}

// -----

// A row of one element is sorted.
// CHECK-LABEL: func.func @one(
// CHECK-SAME: %[[X:.*]]: tensor<10x1xi32>)
// CHECK-NEXT: return %[[X]]
func.func @one(%x: tensor<10x1xi32>) -> tensor<10x1xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<10x1xi32>) -> tensor<10x1xi32>
  return %0 : tensor<10x1xi32>
}

// -----

// The index vector is read before the loop over the window.
// CHECK-LABEL: func.func @scatter(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[I:.*]]: tensor<5xi32>, %[[U:.*]]: tensor<5x4xf32>)
// CHECK: %[[R:.*]] = scf.for %[[N:.*]] = %c0 to %c5 step %c1 iter_args(%[[A:.*]] = %[[X]])
// CHECK-NEXT: %[[INDEX:.*]] = tensor.extract %[[I]][%[[N]]]
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[INDEX]] : i32 to index
// CHECK: scf.for %[[J:.*]] = %c0 to %c4 step %c1 iter_args(%[[B:.*]] = %[[A]])
// CHECK: arith.cmpi ult, %[[ROW]], %c8
// CHECK: %[[C:.*]] = scf.if %{{.*}} -> (tensor<8x4xf32>)
// CHECK-NEXT: %[[OLD:.*]] = tensor.extract %[[B]][%[[ROW]], %[[COLUMN:.*]]]
// CHECK-NEXT: %[[UPDATE:.*]] = tensor.extract %[[U]][%[[N]], %[[J]]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[OLD]], %[[UPDATE]]
// CHECK-NEXT: %[[NEW:.*]] = tensor.insert %[[SUM]] into %[[B]][%[[ROW]], %[[COLUMN]]]
// CHECK-NEXT: scf.yield %[[NEW]]
// CHECK-NEXT: else
// CHECK-NEXT: scf.yield %[[B]]
// CHECK: return %[[R]]
func.func @scatter(%x: tensor<8x4xf32>, %i: tensor<5xi32>, %u: tensor<5x4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<5xi32>, tensor<5x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// The chosen element is carried as a flag, its value and its index.
// CHECK-LABEL: func.func @select_and_scatter(
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>, %[[S:.*]]: tensor<3xf32>)
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: scf.for %[[P:.*]] = %c0 to %c3 step %c1 iter_args(%[[A:.*]] = %[[F]])
// CHECK: %[[BEST:.*]]:3 = scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(%{{.*}} = %false, %{{.*}} = %{{.*}}, %{{.*}} = %c0) -> (i1, f32, index)
// CHECK: tensor.extract %[[X]]
// CHECK: tensor.extract %[[S]][%[[P]]]
// CHECK: scf.if %[[BEST]]#0
// CHECK: tensor.insert %{{.*}} into %[[A]][%[[BEST]]#2]
func.func @select_and_scatter(%x: tensor<6xf32>, %s: tensor<3xf32>) -> tensor<6xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// CHECK-LABEL: func.func @case(
// CHECK: scf.index_switch
// CHECK-NEXT: case 0
// CHECK: case 1
// CHECK: default
// CHECK-NOT: case 2
func.func @case(%i: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %1 = stablehlo.constant dense<1.0> : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
