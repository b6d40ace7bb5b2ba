// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @there_and_back
// CHECK-NEXT: return %arg0, %arg1
func.func @there_and_back(%v: !hal.buffer_view, %t: tensor<?xi32>, %d: index) -> (!hal.buffer_view, tensor<?xi32>) {
  %0 = hal.tensor.import %v : !hal.buffer_view -> tensor<?xf32> as tensor<?xi32>{%d}
  %1 = hal.tensor.export %0 : tensor<?xf32> as tensor<?xi32>{%d} -> !hal.buffer_view
  %2 = hal.tensor.export %t : tensor<?xi32>{%d} -> !hal.buffer
  %3 = hal.tensor.import %2 : !hal.buffer -> tensor<?xi32>{%d}
  return %1, %3 : !hal.buffer_view, tensor<?xi32>
}

// Another kind of buffer, another tensor, another encoding.
// CHECK-LABEL: func @not_the_same
// CHECK: hal.tensor.import
// CHECK: hal.tensor.export
// CHECK: hal.tensor.import
// CHECK: hal.tensor.export
// CHECK: hal.tensor.export
// CHECK: hal.tensor.import
func.func @not_the_same(%v: !hal.buffer_view, %t: tensor<4xi32>) -> (!hal.buffer, !hal.buffer_view, tensor<2x2xi32>) {
  %0 = hal.tensor.import %v : !hal.buffer_view -> tensor<4xi32>
  %1 = hal.tensor.export %0 : tensor<4xi32> -> !hal.buffer
  %2 = hal.tensor.import %v : !hal.buffer_view -> tensor<4xf32> as tensor<4xi32>
  %3 = hal.tensor.export %2 : tensor<4xi32> -> !hal.buffer_view
  %4 = hal.tensor.export %t : tensor<4xi32> -> !hal.buffer_view
  %5 = hal.tensor.import %4 : !hal.buffer_view -> tensor<2x2xi32>
  return %1, %3, %5 : !hal.buffer, !hal.buffer_view, tensor<2x2xi32>
}

// The elements are there only after the fence, which the buffer does not
// record.
// CHECK-LABEL: func @waits
// CHECK: hal.tensor.import wait
// CHECK: hal.tensor.export
// CHECK: hal.tensor.export
// CHECK: hal.tensor.import wait
func.func @waits(%v: !hal.buffer_view, %t: tensor<4xi32>, %f: !hal.fence) -> (!hal.buffer_view, tensor<4xi32>) {
  %0 = hal.tensor.import wait(%f) => %v : !hal.buffer_view -> tensor<4xi32>
  %1 = hal.tensor.export %0 : tensor<4xi32> -> !hal.buffer_view
  %2 = hal.tensor.export %t : tensor<4xi32> -> !hal.buffer_view
  %3 = hal.tensor.import wait(%f) => %2 : !hal.buffer_view -> tensor<4xi32>
  return %1, %3 : !hal.buffer_view, tensor<4xi32>
}

// The elements must be in that buffer, for all users of the result.
// CHECK-LABEL: func @into
// CHECK: hal.tensor.import
// CHECK: hal.tensor.export %{{.*}} into %arg1
// CHECK-NOT: hal.tensor.export
func.func @into(%v: !hal.buffer_view, %b: !hal.buffer) {
  %0 = hal.tensor.import %v : !hal.buffer_view -> tensor<4xi32>
  %1 = hal.tensor.export %0 into %b : tensor<4xi32> -> !hal.buffer_view
  %2 = hal.tensor.export %0 : tensor<4xi32> -> !hal.buffer_view
  return
}

// CHECK-LABEL: func @barrier
// CHECK: %[[R:.*]]:2 = hal.tensor.barrier join(%arg0, %arg1 : tensor<4xi32>, tensor<5xi32>) => %arg2 : !hal.fence attributes {note}
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#0
func.func @barrier(%a: tensor<4xi32>, %b: tensor<5xi32>, %f: !hal.fence) -> (tensor<4xi32>, tensor<5xi32>, tensor<4xi32>) {
  %0:3 = hal.tensor.barrier join(%a, %b, %a : tensor<4xi32>, tensor<5xi32>, tensor<4xi32>) => %f : !hal.fence attributes {note}
  return %0#0, %0#1, %0#2 : tensor<4xi32>, tensor<5xi32>, tensor<4xi32>
}

// CHECK-LABEL: func @extents
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[V:.*]] = hal.tensor.export %arg0
// CHECK: %[[OUT:.*]] = hal.buffer_view.dim<%[[V]] : !hal.buffer_view>[2]
// CHECK: %[[W:.*]] = hal.tensor.export %arg0
// CHECK: %[[OTHER:.*]] = hal.buffer_view.dim<%[[W]] : !hal.buffer_view>[0]
// CHECK: return %[[C4]], %arg1, %[[OUT]], %[[OTHER]]
func.func @extents(%t: tensor<4x?xi32>, %d: index) -> (index, index, index, index) {
  %v = hal.tensor.export %t : tensor<4x?xi32>{%d} -> !hal.buffer_view
  %0 = hal.buffer_view.dim<%v : !hal.buffer_view>[0] : index
  %1 = hal.buffer_view.dim<%v : !hal.buffer_view>[1] : index
  %2 = hal.buffer_view.dim<%v : !hal.buffer_view>[2] : index
  %w = hal.tensor.export %t : tensor<?x4xi32> as tensor<4x?xi32>{%d} -> !hal.buffer_view
  %3 = hal.buffer_view.dim<%w : !hal.buffer_view>[0] : index
  return %0, %1, %2, %3 : index, index, index, index
}
