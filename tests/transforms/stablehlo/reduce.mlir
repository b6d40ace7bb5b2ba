// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[KEPT:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: func @sum
// CHECK: %[[V:.*]] = tensor.extract %arg1[]
// CHECK: %[[INIT:.*]] = linalg.fill ins(%[[V]] : f32) outs(%{{.*}} : tensor<3xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[KEPT]]], iterator_types = ["reduction", "parallel", "reduction"]} ins(%arg0 : tensor<2x3x4xf32>) outs(%[[INIT]]
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[OUT]], %[[IN]] : f32
// CHECK-NEXT: linalg.yield %[[SUM]]
func.func @sum(%x: tensor<2x3x4xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %r = stablehlo.reduce(%x init: %v) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Elements become those of the accumulator; the body uses a value from outside.
// CHECK-LABEL: func @promoted
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: linalg.fill
// CHECK: ^bb0(%[[IN:.*]]: f16, %[[OUT:.*]]: f32):
// CHECK-DAG: %[[WIDE:.*]] = arith.extf %[[IN]] : f16 to f32
// CHECK-DAG: %[[BIAS:.*]] = tensor.extract %arg2[]
// CHECK: %[[X:.*]] = arith.addf %[[WIDE]], %[[BIAS]]
// CHECK: arith.addf %[[OUT]], %[[X]]
func.func @promoted(%x: tensor<?x3xf16>, %v: tensor<f16>, %bias: tensor<f32>) -> tensor<?xf32> {
  %r = "stablehlo.reduce"(%x, %v) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %b, %bias : tensor<f32>
    %d = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) : (tensor<?x3xf16>, tensor<f16>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Several operands are one operation.
// CHECK-LABEL: func @pairs
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xi32>)
// CHECK-NOT: linalg.generic
func.func @pairs(%x: tensor<4xf32>, %y: tensor<4xi32>, %v: tensor<f32>, %w: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %r:2 = "stablehlo.reduce"(%x, %y, %v, %w) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %e = stablehlo.add %a, %c : tensor<f32>
    %f = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %e, %f : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
}

// -----

// CHECK-LABEL: func @map
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
func.func @map(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    %d = stablehlo.add %c, %b : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
