// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Merging and removal: a load of a readonly tensor is a pure value.

// RUN: mercator-opt %s --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func @readonly
func.func @readonly(%t: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %o: !flow.dispatch.tensor<writeonly:tensor<8xf32>>) {
  // CHECK-COUNT-1: flow.dispatch.tensor.load
  // CHECK-NOT: flow.dispatch.tensor.load
  %0 = flow.dispatch.tensor.load %t, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
  flow.dispatch.tensor.store %0, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  %1 = flow.dispatch.tensor.load %t, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
  flow.dispatch.tensor.store %1, %o, offsets = [4], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  return
}

// -----

// CHECK-LABEL: func @readwrite
func.func @readwrite(%t: !flow.dispatch.tensor<readwrite:tensor<4xf32>>) {
  // CHECK: %[[X:.*]] = flow.dispatch.tensor.load
  // CHECK: flow.dispatch.tensor.store
  // CHECK: %[[Y:.*]] = flow.dispatch.tensor.load
  // CHECK: flow.dispatch.tensor.store %[[Y]]
  %0 = flow.dispatch.tensor.load %t, offsets = [0], sizes = [2], strides = [1] : !flow.dispatch.tensor<readwrite:tensor<4xf32>> -> tensor<2xf32>
  flow.dispatch.tensor.store %0, %t, offsets = [1], sizes = [2], strides = [1] : tensor<2xf32> -> !flow.dispatch.tensor<readwrite:tensor<4xf32>>
  %1 = flow.dispatch.tensor.load %t, offsets = [0], sizes = [2], strides = [1] : !flow.dispatch.tensor<readwrite:tensor<4xf32>> -> tensor<2xf32>
  flow.dispatch.tensor.store %1, %t, offsets = [2], sizes = [2], strides = [1] : tensor<2xf32> -> !flow.dispatch.tensor<readwrite:tensor<4xf32>>
  return
}

// -----

// CHECK-LABEL: func @unused
func.func @unused(%t: !flow.dispatch.tensor<readwrite:tensor<4xf32>>, %a: tensor<4xf32>) {
  // CHECK-NEXT: flow.tensor.trace {key = "k"} %arg1
  // CHECK-NEXT: return
  %0 = flow.dispatch.tensor.load %t, offsets = [0], sizes = [2], strides = [1] : !flow.dispatch.tensor<readwrite:tensor<4xf32>> -> tensor<2xf32>
  %1 = flow.tensor.clone %a : tensor<4xf32>
  flow.tensor.trace {key = "k"} %a : tensor<4xf32>
  return
}
