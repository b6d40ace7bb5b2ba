// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A function for each rule, and one where it must not apply.

// RUN: mercator-opt %s --canonicalize --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func @tie_static
func.func @tie_static(%t: !flow.dispatch.tensor<readonly:tensor<4xf32>>) {
  // CHECK-NEXT: "test.use"(%arg0)
  %0 = flow.dispatch.tie_shape %t : !flow.dispatch.tensor<readonly:tensor<4xf32>>
  "test.use"(%0) : (!flow.dispatch.tensor<readonly:tensor<4xf32>>) -> ()
  return
}

// -----

// CHECK-LABEL: func @tied_dims
func.func @tied_dims(%t: !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>, %d: index, %e: index, %f: index, %g: index) {
  // CHECK: %[[T:.*]] = flow.dispatch.tie_shape %arg0 : !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>{%arg1, %arg2}
  %0 = flow.dispatch.tie_shape %t : !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>{%d, %e}
  // CHECK: flow.dispatch.tensor.load %[[T]], {{.*}} : !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>{%arg1, %arg2} -> tensor<2x?xf32>
  %1 = flow.dispatch.tensor.load %0, offsets = [0, 0], sizes = [2, %d], strides = [1, 1] : !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>{%f, %e} -> tensor<2x?xf32>
  // CHECK: flow.dispatch.tensor.store %{{.*}}, %[[T]], {{.*}} -> !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>{%arg1, %arg2}
  flow.dispatch.tensor.store %1, %0, offsets = [4, 0], sizes = [2, %d], strides = [1, 1] : tensor<2x?xf32> -> !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>{%f, %g}
  return
}

// -----

// CHECK-LABEL: func @load_constants
func.func @load_constants(%t: !flow.dispatch.tensor<readonly:tensor<4x?x8xf32>>, %d: index, %n: index) -> tensor<?x?x?xf32> {
  // CHECK: %[[L:.*]] = flow.dispatch.tensor.load %arg0, offsets = [1, %arg2, 2], sizes = [3, %arg2, 2], strides = [1, 1, 3]
  // CHECK-SAME: -> tensor<3x?x2xf32>
  // CHECK: %[[C:.*]] = tensor.cast %[[L]] : tensor<3x?x2xf32> to tensor<?x?x?xf32>
  // CHECK: return %[[C]]
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = flow.dispatch.tensor.load %t, offsets = [%c1, %n, 2], sizes = [%c3, %n, %c2], strides = [%c1, 1, %c3] : !flow.dispatch.tensor<readonly:tensor<4x?x8xf32>>{%d} -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

// A size that turns out to be 1 does not change which dimension is omitted.
// CHECK-LABEL: func @load_constants_left_out
func.func @load_constants_left_out(%t: !flow.dispatch.tensor<readonly:tensor<4x5x6xf32>>, %n: index) -> tensor<?x?xf32> {
  // CHECK: %[[L:.*]] = flow.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [%arg1, 1, 1], strides = [1, 1, 1]
  // CHECK-SAME: -> tensor<?x1xf32>
  // CHECK: tensor.cast %[[L]] : tensor<?x1xf32> to tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %0 = flow.dispatch.tensor.load %t, offsets = [0, 0, 0], sizes = [%n, %c1, 1], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<4x5x6xf32>> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Known extents of the result stay known; a negative size is kept.
// CHECK-LABEL: func @load_constants_kept
func.func @load_constants_kept(%t: !flow.dispatch.tensor<readonly:tensor<4x5xf32>>, %n: index) -> (tensor<3x2xf32>, tensor<?xf32>) {
  // CHECK-DAG: %[[M:.*]] = arith.constant -1 : index
  // CHECK-DAG: flow.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [%arg1, 2], {{.*}} -> tensor<3x2xf32>
  // CHECK-DAG: flow.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [1, %[[M]]], {{.*}} -> tensor<?xf32>
  // CHECK-NOT: tensor.cast
  %c2 = arith.constant 2 : index
  %cm1 = arith.constant -1 : index
  %0 = flow.dispatch.tensor.load %t, offsets = [0, 0], sizes = [%n, %c2], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<4x5xf32>> -> tensor<3x2xf32>
  %1 = flow.dispatch.tensor.load %t, offsets = [0, 0], sizes = [1, %cm1], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<4x5xf32>> -> tensor<?xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func @store_constants
func.func @store_constants(%v: tensor<?x?xf32>, %w: tensor<3xf32>, %t: !flow.dispatch.tensor<writeonly:tensor<8x?xf32>>, %d: index, %n: index) {
  // CHECK: %[[C:.*]] = tensor.cast %arg0 : tensor<?x?xf32> to tensor<3x?xf32>
  // CHECK: flow.dispatch.tensor.store %[[C]], %arg2, offsets = [1, %arg4], sizes = [3, %arg4], strides = [2, 1] : tensor<3x?xf32>
  // CHECK: flow.dispatch.tensor.store %arg1, %arg2, offsets = [1, 0], sizes = [1, 3], strides = [1, 1] : tensor<3xf32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  flow.dispatch.tensor.store %v, %t, offsets = [%c1, %n], sizes = [%c3, %n], strides = [%c2, 1] : tensor<?x?xf32> -> !flow.dispatch.tensor<writeonly:tensor<8x?xf32>>{%d}
  flow.dispatch.tensor.store %w, %t, offsets = [%c1, 0], sizes = [1, %c3], strides = [1, 1] : tensor<3xf32> -> !flow.dispatch.tensor<writeonly:tensor<8x?xf32>>{%d}
  return
}

// -----

// CHECK-LABEL: func @store_cast
func.func @store_cast(%v: tensor<3x?xf32>, %w: tensor<?x?xf32>, %t: !flow.dispatch.tensor<writeonly:tensor<8x8xf32>>, %n: index) {
  // CHECK: flow.dispatch.tensor.store %arg0, %arg2, {{.*}} : tensor<3x?xf32>
  %0 = tensor.cast %v : tensor<3x?xf32> to tensor<?x?xf32>
  flow.dispatch.tensor.store %0, %t, offsets = [0, 0], sizes = [3, %n], strides = [1, 1] : tensor<?x?xf32> -> !flow.dispatch.tensor<writeonly:tensor<8x8xf32>>
  // A more precise cast stays.
  // CHECK: %[[C:.*]] = tensor.cast %arg1
  // CHECK: flow.dispatch.tensor.store %[[C]], %arg2
  %1 = tensor.cast %w : tensor<?x?xf32> to tensor<3x?xf32>
  flow.dispatch.tensor.store %1, %t, offsets = [4, 0], sizes = [3, %n], strides = [1, 1] : tensor<3x?xf32> -> !flow.dispatch.tensor<writeonly:tensor<8x8xf32>>
  return
}

// -----

// An impossible access is kept.
// CHECK-LABEL: func @store_cast_impossible
func.func @store_cast_impossible(%v: tensor<5xf32>, %t: !flow.dispatch.tensor<writeonly:tensor<8xf32>>) {
  // CHECK: %[[C:.*]] = tensor.cast %arg0
  // CHECK: flow.dispatch.tensor.store %[[C]], %arg1
  %0 = tensor.cast %v : tensor<5xf32> to tensor<?xf32>
  flow.dispatch.tensor.store %0, %t, offsets = [0], sizes = [3], strides = [1] : tensor<?xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  return
}

// -----

// The extent of a loaded slice is its size, also if a dimension is omitted.
// CHECK-LABEL: func @load_dims
func.func @load_dims(%t: !flow.dispatch.tensor<readonly:tensor<4x?x?xf32>>, %d: index, %e: index, %n: index, %m: index) -> (index, index) {
  // CHECK: return %arg3, %arg4
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = flow.dispatch.tensor.load %t, offsets = [0, 0, 0], sizes = [1, %n, %m], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<4x?x?xf32>>{%d, %e} -> tensor<?x?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %2 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1, %2 : index, index
}

// -----

// A size is not the extent of another dimension, nor are the extents of the
// tensor those of the slice.
// CHECK-LABEL: func @load_dims_unknown
func.func @load_dims_unknown(%t: !flow.dispatch.tensor<readonly:tensor<?x?xf32>>, %d: index, %e: index, %n: index) -> (index, index, index) {
  // CHECK-DAG: %[[X:.*]] = tensor.dim %{{.*}}, %c0 : tensor<?x5xf32>
  // CHECK-DAG: %[[Y:.*]] = tensor.dim %{{.*}}, %c0 : tensor<?x?xf32>
  // CHECK-DAG: %[[Z:.*]] = tensor.dim %{{.*}}, %c1 : tensor<?x?xf32>
  // CHECK: return %[[X]], %[[Y]], %[[Z]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = flow.dispatch.tie_shape %t : !flow.dispatch.tensor<readonly:tensor<?x?xf32>>{%d, %e}
  %1 = flow.dispatch.tensor.load %0, offsets = [0, 0], sizes = [2, %n], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<?x?xf32>>{%d, %e} -> tensor<?x5xf32>
  %2 = flow.dispatch.tensor.load %0, offsets = [0, 0], sizes = [2, 3], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<?x?xf32>>{%d, %e} -> tensor<?x?xf32>
  %x = tensor.dim %1, %c0 : tensor<?x5xf32>
  %y = tensor.dim %2, %c0 : tensor<?x?xf32>
  %z = tensor.dim %2, %c1 : tensor<?x?xf32>
  return %x, %y, %z : index, index, index
}
