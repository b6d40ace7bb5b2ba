// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-interchange-transpose-generic-ops | FileCheck %s

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[ID3:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[ROTATED:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-DAG: #[[BACK:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

// The input is read in order, the result is written transposed.
// CHECK-LABEL: func @transposed
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[T]]]
func.func @transposed(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %init: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf32>) outs(%init : tensor<6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = math.exp %in : f32
    linalg.yield %2 : f32
  } -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

// A rotation of three loops is not its own inverse; other operands and indices
// follow.
// CHECK-LABEL: func @rotated
// CHECK: linalg.generic {indexing_maps = [#[[ROTATED]], #[[ID3]], #[[BACK]]]
// CHECK: linalg.index 1
func.func @rotated(%p: tensor<?x?x?xf32>, %f: f32, %other: tensor<?x?x?xf32>, %init: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%p : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%other, %0 : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%init : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %2 = arith.addf %a, %b : f32
    %3 = arith.addf %2, %k : f32
    linalg.yield %3 : f32
  } -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// One input in order is enough.
// CHECK-LABEL: func @one_in_order
// CHECK: linalg.generic {indexing_maps = [#[[T]], #[[ID]], #[[ID]]]
func.func @one_in_order(%f: f32, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %2 = arith.addf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Arguments are not results of linalg operations.
// CHECK-LABEL: func @argument
// CHECK: linalg.generic {indexing_maps = [#[[T]], #[[ID]]]
func.func @argument(%x: tensor<4x6xf32>, %init: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6xf32>) outs(%init : tensor<6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

// A broadcast is no permutation, and a reduction is not elementwise.
// CHECK-LABEL: func @others
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ID]]]
// CHECK: linalg.generic {indexing_maps = [#[[T]], #[[ROW]]]
func.func @others(%f: f32, %x: tensor<4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %0 = linalg.fill ins(%f : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4xf32>) outs(%y : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @in_a_branch
// CHECK: scf.if
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[T]]]
func.func @in_a_branch(%c: i1, %f: f32, %x: tensor<?x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = scf.if %c -> tensor<?x?xf32> {
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x?xf32>
    scf.yield %2 : tensor<?x?xf32>
  } else {
    scf.yield %init : tensor<?x?xf32>
  }
  return %1 : tensor<?x?xf32>
}
