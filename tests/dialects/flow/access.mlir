// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s | mercator-opt | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @types
// CHECK-SAME: %{{.*}}: !flow.dispatch.tensor<readonly:tensor<f32>>
// CHECK-SAME: %{{.*}}: !flow.dispatch.tensor<readwrite:tensor<4x?xi8>>
// CHECK-SAME: %{{.*}}: !flow.dispatch.tensor<writeonly:tensor<2x3xcomplex<f32>>>
// CHECK-SAME: %{{.*}}: !flow.dispatch.tensor<readonly:f64>
// CHECK-SAME: %{{.*}}: !flow.dispatch.tensor<readonly:tensor<4xf32, "layout">>
func.func @types(%a: !flow.dispatch.tensor<readonly:tensor<f32>>,
                 %b: !flow.dispatch.tensor<readwrite:tensor<4x?xi8>>,
                 %c: !flow.dispatch.tensor<writeonly:tensor<2x3xcomplex<f32>>>,
                 %d: !flow.dispatch.tensor<readonly:f64>,
                 %e: !flow.dispatch.tensor<readonly:tensor<4xf32, "layout">>) {
  return
}

// CHECK-LABEL: func @tie_shape
func.func @tie_shape(%t: !flow.dispatch.tensor<readonly:tensor<?x4x?xf32>>,
                     %s: !flow.dispatch.tensor<writeonly:tensor<4xf32>>, %d: index, %e: index) {
  // CHECK: flow.dispatch.tie_shape %{{.*}} : !flow.dispatch.tensor<readonly:tensor<?x4x?xf32>>{%{{.*}}, %{{.*}}}
  %0 = flow.dispatch.tie_shape %t : !flow.dispatch.tensor<readonly:tensor<?x4x?xf32>>{%d, %e}
  // CHECK: flow.dispatch.tie_shape %{{.*}} : !flow.dispatch.tensor<writeonly:tensor<4xf32>>{{$}}
  %1 = flow.dispatch.tie_shape %s : !flow.dispatch.tensor<writeonly:tensor<4xf32>>
  return
}

// CHECK-LABEL: func @load
// CHECK-SAME: %[[T:[a-z0-9]+]]: !flow.dispatch.tensor<readonly:tensor<?x8x?xf32>>
// CHECK-SAME: %[[D:[a-z0-9]+]]: index, %[[E:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
func.func @load(%t: !flow.dispatch.tensor<readonly:tensor<?x8x?xf32>>,
                %s: !flow.dispatch.tensor<readwrite:tensor<i32>>,
                %d: index, %e: index, %i: index, %n: index) {
  // CHECK: flow.dispatch.tensor.load %[[T]], offsets = [%[[I]], 0, 2], sizes = [%[[N]], 8, 3], strides = [1, 1, %[[I]]] : !flow.dispatch.tensor<readonly:tensor<?x8x?xf32>>{%[[D]], %[[E]]} -> tensor<?x8x3xf32>
  %0 = flow.dispatch.tensor.load %t, offsets = [%i, 0, 2], sizes = [%n, 8, 3], strides = [1, 1, %i] : !flow.dispatch.tensor<readonly:tensor<?x8x?xf32>>{%d, %e} -> tensor<?x8x3xf32>
  // Dimensions of size 1 are omitted, one or both.
  // CHECK: sizes = [1, 8, 1]{{.*}} -> tensor<8xf32>
  %1 = flow.dispatch.tensor.load %t, offsets = [0, 0, 0], sizes = [1, 8, 1], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<?x8x?xf32>>{%d, %e} -> tensor<8xf32>
  // CHECK: sizes = [1, 8, 1]{{.*}} -> tensor<1x8xf32>
  %2 = flow.dispatch.tensor.load %t, offsets = [0, 0, 0], sizes = [1, 8, 1], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<?x8x?xf32>>{%d, %e} -> tensor<1x8xf32>
  // The result type may be less or more precise than the sizes.
  // CHECK: sizes = [2, %[[N]], 1]{{.*}} -> tensor<?x5xf32>
  %3 = flow.dispatch.tensor.load %t, offsets = [0, 0, 0], sizes = [2, %n, 1], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<?x8x?xf32>>{%d, %e} -> tensor<?x5xf32>
  // CHECK: offsets = [], sizes = [], strides = [] {note} : !flow.dispatch.tensor<readwrite:tensor<i32>> -> tensor<i32>
  %4 = flow.dispatch.tensor.load %s, offsets = [], sizes = [], strides = [] {note} : !flow.dispatch.tensor<readwrite:tensor<i32>> -> tensor<i32>
  return
}

// CHECK-LABEL: func @store
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<?x8xf32>, %[[T:[a-z0-9]+]]: !flow.dispatch.tensor<writeonly:tensor<?x8x?xf32>>
// CHECK-SAME: %[[D:[a-z0-9]+]]: index, %[[E:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
func.func @store(%v: tensor<?x8xf32>, %t: !flow.dispatch.tensor<writeonly:tensor<?x8x?xf32>>,
                 %d: index, %e: index, %i: index, %n: index) {
  // CHECK: flow.dispatch.tensor.store %[[V]], %[[T]], offsets = [0, 0, %[[I]]], sizes = [%[[N]], 8, 1], strides = [1, 1, 1] {note} : tensor<?x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<?x8x?xf32>>{%[[D]], %[[E]]}
  flow.dispatch.tensor.store %v, %t, offsets = [0, 0, %i], sizes = [%n, 8, 1], strides = [1, 1, 1] {note} : tensor<?x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<?x8x?xf32>>{%d, %e}
  return
}
