// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --mercator-flow-convert-elementwise-to-linalg | FileCheck %s

// A select between two tensors stays, for any extents. A select for each
// element is elementwise.

// CHECK-LABEL: func.func @choice
// CHECK-NEXT: %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x4xf32>
// CHECK-NEXT: %[[R:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[S]]
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]
func.func @choice(%c: i1, %a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = arith.select %c, %a, %b : tensor<?x4xf32>
  %1 = arith.mulf %0, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @each
// CHECK-NEXT: linalg.generic
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
func.func @each(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}
