// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --mercator-flow-decompose-tensor-ops | FileCheck %s

// CHECK-LABEL: func.func @concat
// CHECK: %[[E:.*]] = tensor.empty(
// CHECK: %[[F:.*]] = tensor.insert_slice %{{.*}} into %[[E]][0, 0]
// CHECK: tensor.insert_slice %{{.*}} into %[[F]]
// CHECK-NOT: tensor.concat
func.func @concat(%a: tensor<2x?xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @generate
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?xi32>
// CHECK: linalg.generic {{.*}} outs(%[[E]] : tensor<?xi32>)
// CHECK: linalg.index 0
func.func @generate(%n: index) -> tensor<?xi32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %1 = arith.index_cast %i : index to i32
    tensor.yield %1 : i32
  } : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// No dispatch returns a tensor of indices.
// CHECK-LABEL: func.func @indices
// CHECK: tensor.generate
func.func @indices() -> tensor<4xindex> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<4xindex>
  return %0 : tensor<4xindex>
}
