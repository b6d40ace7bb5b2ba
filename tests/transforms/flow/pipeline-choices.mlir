// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --mercator-flow-pipeline | FileCheck %s

// Control flow that yields one of two tensors: their extents are selected too,
// and the select is no dispatch.

// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[AD:.*]]: index, %[[B:.*]]: tensor<?x4xf32>, %[[BD:.*]]: index, %[[C:.*]]: i1)
// CHECK-DAG: %[[R:.*]] = arith.select %[[C]], %[[A]], %[[B]] : tensor<?x4xf32>
// CHECK-DAG: %[[D:.*]] = arith.select %[[C]], %[[AD]], %[[BD]] : index
// CHECK: flow.dispatch @{{[^(]*}}(%[[R]], %[[D]]) : (tensor<?x4xf32>{%[[D]]}, index) -> tensor<?x4xf32>{%[[D]]}
// CHECK-NEXT: return
func.func @select(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: i1) -> tensor<?x4xf32> {
  %0 = arith.select %c, %a, %b : tensor<?x4xf32>
  %1 = arith.mulf %0, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @conditional(
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[AD:.*]]: index, %[[B:.*]]: tensor<?x4xf32>, %[[BD:.*]]: index, %[[C:.*]]: i1)
// CHECK-DAG: %[[R:.*]] = arith.select %[[C]], %[[A]], %[[B]] : tensor<?x4xf32>
// CHECK-DAG: %[[D:.*]] = arith.select %[[C]], %[[AD]], %[[BD]] : index
// CHECK: flow.dispatch @{{[^(]*}}(%[[R]], %[[D]]) : (tensor<?x4xf32>{%[[D]]}, index) -> tensor<?x4xf32>{%[[D]]}
func.func @conditional(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: i1) -> tensor<?x4xf32> {
  %0 = scf.if %c -> tensor<?x4xf32> {
    scf.yield %a : tensor<?x4xf32>
  } else {
    scf.yield %b : tensor<?x4xf32>
  }
  %1 = arith.mulf %0, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @branches(
// CHECK: %[[Y:.*]] = flow.dispatch
// CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[Y]], %{{.*}} : tensor<?x4xf32>
// CHECK: flow.dispatch @{{[^(]*}}(%[[R]],
func.func @branches(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: i1) -> tensor<?x4xf32> {
  %0 = arith.addf %a, %a : tensor<?x4xf32>
  cf.cond_br %c, ^join(%0 : tensor<?x4xf32>), ^join(%b : tensor<?x4xf32>)
^join(%r: tensor<?x4xf32>):
  %1 = arith.mulf %r, %r : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// With static shapes it is free too.

// CHECK-NOT: flow.executable
// CHECK-LABEL: func.func @static(
// CHECK-NEXT: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x4xf32>
// CHECK-NEXT: return
func.func @static(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>, %c: i1) -> tensor<8x4xf32> {
  %0 = arith.select %c, %a, %b : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// A loop may change extents, also if it begins with a static shape.

// CHECK-LABEL: func.func @swap(
// CHECK-SAME: %[[A:.*]]: tensor<4x?xf32>, %[[AD:.*]]: index, %[[B:.*]]: tensor<4x6xf32>
// CHECK: %[[C:.*]] = flow.tensor.reshape %[[B]] : tensor<4x6xf32> -> tensor<4x?xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[C]], {{.*}} = %[[A]], {{.*}} = %[[AD]]) -> (tensor<4x?xf32>, index, tensor<4x?xf32>, index)
func.func @swap(%a: tensor<4x?xf32>, %b: tensor<4x6xf32>, %n: index) -> tensor<4x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.cast %b : tensor<4x6xf32> to tensor<4x?xf32>
  %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0, %y = %a) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
    scf.yield %y, %x : tensor<4x?xf32>, tensor<4x?xf32>
  }
  return %1#0 : tensor<4x?xf32>
}
