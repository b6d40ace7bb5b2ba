// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dynamic extents: workloads and results do not depend on the dispatch's
// results.
//
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions))' | FileCheck %s

// Extents of the init, which are those of its tensor.empty.

func.func @from_empty(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.exp ins(%0 : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @from_empty
// CHECK-SAME:      %[[M:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// CHECK:         %[[X:.+]] = affine.apply {{.*}}()[%{{.+}}, %[[M]], %{{.+}}]
// CHECK:         %[[Y:.+]] = affine.apply {{.*}}()[%{{.+}}, %[[N]], %{{.+}}]
// CHECK:         flow.dispatch.region[%[[X]], %[[Y]]] -> (tensor<?x?xf32>{%[[M]], %[[N]]}) {
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      linalg.exp

// -----

// Extents of an argument, by tensor.dim. A loop takes its extent from the first
// operand that it indexes.

func.func @from_arguments(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @from_arguments
// CHECK-SAME:      %[[A:[a-z0-9]+]]: tensor<?x?xf32>, %[[B:[a-z0-9]+]]: tensor<?x?xf32>, %[[C:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK-DAG:     %[[M:.+]] = tensor.dim %[[A]], %c0
// CHECK-DAG:     %[[N:.+]] = tensor.dim %[[B]], %c1
// CHECK-DAG:     %[[C0:.+]] = tensor.dim %[[C]], %c0
// CHECK-DAG:     %[[C1:.+]] = tensor.dim %[[C]], %c1
// CHECK:         %[[X:.+]] = affine.apply {{.*}}()[%{{.+}}, %[[M]], %{{.+}}]
// CHECK:         %[[Y:.+]] = affine.apply {{.*}}()[%{{.+}}, %[[N]], %{{.+}}]
// CHECK:         %[[Z:.+]] = affine.apply
// CHECK:         flow.dispatch.region[%[[X]], %[[Y]], %[[Z]]] -> (tensor<?x?xf32>{%[[C0]], %[[C1]]}) {

// -----

// A static extent is preferred.

func.func @static_operand(%a: tensor<?xf32>, %b: tensor<8xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<8xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// CHECK-LABEL: func.func @static_operand
// CHECK:         %[[C8:.+]] = arith.constant 8 : index
// CHECK:         affine.apply {{.*}}()[%{{.+}}, %[[C8]], %{{.+}}]

// -----

// A tensor.dim of a member is no use of it: the extent is known without it.

func.func @dim_is_no_use(%a: tensor<?x8xf32>, %b: tensor<8x4xf32>, %m: index) -> (tensor<?x4xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x4xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x4xf32>
  %1 = linalg.exp ins(%0 : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1, %d0, %d1 : tensor<?x4xf32>, index, index
}
// CHECK-LABEL: func.func @dim_is_no_use
// CHECK-SAME:      %[[M:[a-z0-9]+]]: index
// CHECK-NOT:     tensor.dim
// CHECK:         %[[C4:.+]] = arith.constant 4 : index
// CHECK:         %[[R:.+]] = flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      linalg.exp
// CHECK:         return %[[R]], %[[M]], %[[C4]]

// -----

// A tensor.dim of an unknown dimension is a use: it stays, and queries the
// result of the dispatch.

func.func @dim_of_unknown_dimension(%a: tensor<?x8xf32>, %b: tensor<8x4xf32>, %m: index, %i: index) -> (tensor<?x4xf32>, index) {
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = tensor.dim %0, %i : tensor<?x4xf32>
  %1 = linalg.exp ins(%0 : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1, %d : tensor<?x4xf32>, index
}
// CHECK-LABEL: func.func @dim_of_unknown_dimension
// CHECK:         %[[R:.+]] = flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return
// CHECK:         tensor.dim %[[R]]
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp

// -----

// Through a slice of another dispatch's result.

func.func @through_slice(%a: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.extract_slice %0[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %2 = linalg.negf ins(%1 : tensor<?xf32>) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
// CHECK-LABEL: func.func @through_slice
// CHECK-SAME:      %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK:         %[[R:.+]] = flow.dispatch.region[%{{.+}}] -> (tensor<?xf32>{%[[N]]}) {
// CHECK:         %[[S:.+]] = tensor.extract_slice %[[R]]
// CHECK:         flow.dispatch.region[%{{.+}}] -> (tensor<?xf32>{%[[M]]}) {
// CHECK-NEXT:      linalg.negf ins(%[[S]]

// -----

// Through a pad, whose extents are computed from those of its operand.

func.func @through_pad(%a: tensor<?xf32>, %n: index, %p: index, %z: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.pad %0 low[%p] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %2 = linalg.negf ins(%1 : tensor<?xf32>) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
// CHECK: #[[$SUM:.+]] = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-LABEL: func.func @through_pad
// CHECK-SAME:      %[[N:[a-z0-9]+]]: index, %[[P:[a-z0-9]+]]: index
// CHECK:         flow.dispatch.region
// CHECK:         %[[D:.+]] = affine.apply #[[$SUM]]()[%[[N]], %[[P]]]
// CHECK:         flow.dispatch.region[%{{.+}}] -> (tensor<?xf32>{%[[D]]}) {

// -----

// In the body of a loop the extents come from its argument.

func.func @in_loop(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %1 = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
// CHECK-LABEL: func.func @in_loop
// CHECK:         scf.for {{.*}} iter_args(%[[X:.+]] = %arg0)
// CHECK:           %[[D:.+]] = tensor.dim %[[X]]
// CHECK:           flow.dispatch.region[%{{.+}}] -> (tensor<?xf32>{%[[D]]}) {

// -----

// An extent that is a number although the type is dynamic comes before the
// region.
func.func @known_behind_a_cast(%x: tensor<?x2xf32>) -> tensor<?x?xf32> {
  %cst = arith.constant 1.0 : f32
  %c = tensor.cast %x : tensor<?x2xf32> to tensor<?x?xf32>
  %p = tensor.pad %c low[1, 1] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @known_behind_a_cast
// CHECK:         flow.dispatch.region[{{.+}}] -> (tensor<?x?xf32>{%{{.+}}, %{{.+}}})
// CHECK-NEXT:      tensor.pad
