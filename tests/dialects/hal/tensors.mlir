// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @imports
// CHECK-SAME: (%[[V:.*]]: !hal.buffer_view, %[[B:.*]]: !hal.buffer, %[[F:.*]]: !hal.fence)
func.func @imports(%v: !hal.buffer_view, %b: !hal.buffer, %f: !hal.fence) {
  // CHECK: %[[D:.*]] = hal.buffer_view.dim<%[[V]] : !hal.buffer_view>[1] : index
  %d = hal.buffer_view.dim<%v : !hal.buffer_view>[1] : index
  // CHECK: hal.tensor.import %[[B]] : !hal.buffer -> tensor<4xf32>
  %0 = hal.tensor.import %b : !hal.buffer -> tensor<4xf32>
  // CHECK: hal.tensor.import %[[V]] "input 0" : !hal.buffer_view -> tensor<2x?xf32>{%[[D]]} attributes {note}
  %1 = hal.tensor.import %v "input 0" : !hal.buffer_view -> tensor<2x?xf32>{%d} attributes {note}
  // CHECK: hal.tensor.import wait(%[[F]]) => %[[V]] : !hal.buffer_view -> tensor<4xf32>
  %2 = hal.tensor.import wait(%f) => %v : !hal.buffer_view -> tensor<4xf32>
  // CHECK: hal.tensor.import wait(%[[F]]) => %[[V]] : !hal.buffer_view -> tensor<1x?xf32> as tensor<?xi32>{%[[D]]}
  %3 = hal.tensor.import wait(%f) => %v : !hal.buffer_view -> tensor<1x?xf32> as tensor<?xi32>{%d}
  // CHECK: hal.tensor.import %[[V]] : !hal.buffer_view -> tensor<8xi1> as tensor<1xi8>
  %4 = hal.tensor.import %v : !hal.buffer_view -> tensor<8xi1> as tensor<1xi8>
  // CHECK: hal.tensor.import %[[V]] : !hal.buffer_view -> tensor<2x4xi1> as tensor<8xi8>
  %5 = hal.tensor.import %v : !hal.buffer_view -> tensor<2x4xi1> as tensor<8xi8>
  // CHECK: hal.tensor.import %[[V]] : !hal.buffer_view -> tensor<2xcomplex<f32>> as tensor<2x2xf32>
  %6 = hal.tensor.import %v : !hal.buffer_view -> tensor<2xcomplex<f32>> as tensor<2x2xf32>
  return
}

// CHECK-LABEL: func @exports
// CHECK-SAME: (%[[T:.*]]: tensor<?x4xf32>, %[[S:.*]]: tensor<f32>, %[[D:.*]]: index, %[[B:.*]]: !hal.buffer, %[[F:.*]]: !hal.fence)
func.func @exports(%t: tensor<?x4xf32>, %s: tensor<f32>, %d: index, %b: !hal.buffer, %f: !hal.fence) {
  // CHECK: hal.tensor.export %[[S]] : tensor<f32> -> !hal.buffer
  %0 = hal.tensor.export %s : tensor<f32> -> !hal.buffer
  // CHECK: hal.tensor.export %[[T]] "output 0" : tensor<?x4xf32>{%[[D]]} -> !hal.buffer_view attributes {note}
  %1 = hal.tensor.export %t "output 0" : tensor<?x4xf32>{%d} -> !hal.buffer_view attributes {note}
  // CHECK: hal.tensor.export %[[T]] into %[[B]] : tensor<4x?xi32> as tensor<?x4xf32>{%[[D]]} -> !hal.buffer_view
  %2 = hal.tensor.export %t into %b : tensor<4x?xi32> as tensor<?x4xf32>{%d} -> !hal.buffer_view
  // CHECK: %{{.*}}:2 = hal.tensor.barrier join(%[[T]], %[[S]] : tensor<?x4xf32>, tensor<f32>) => %[[F]] : !hal.fence
  %3:2 = hal.tensor.barrier join(%t, %s : tensor<?x4xf32>, tensor<f32>) => %f : !hal.fence
  // CHECK: hal.tensor.barrier join() => %[[F]] : !hal.fence
  hal.tensor.barrier join() => %f : !hal.fence
  return
}

// CHECK-LABEL: func @queues
// CHECK-SAME: attributes {hal.a = #hal.affinity.queue<*>, hal.b = #hal.affinity.queue<[0, 63]>, hal.c = #hal.affinity.queue<[]>}
func.func @queues() attributes {hal.a = #hal.affinity.queue<*>, hal.b = #hal.affinity.queue<[63, 0, 0]>, hal.c = #hal.affinity.queue<[]>} {
  return
}

// CHECK-LABEL: func @interface
// CHECK-SAME: (%[[O:.*]]: index)
func.func @interface(%o: index) {
  // CHECK: %[[D:.*]] = hal.interface.constant.load[0] : index
  %d = hal.interface.constant.load[0] : index
  // CHECK: hal.interface.constant.load[3] alignment(16) values([16 : i32, 32 : i32]) {note} : i32
  %0 = hal.interface.constant.load[3] alignment(16) values([16 : i32, 32 : i32]) {note} : i32
  // CHECK: hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) : memref<4xf32>
  %1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) : memref<4xf32>
  // CHECK: hal.interface.binding.subspan set(1) binding(0) type(uniform_buffer) offset(%[[O]]) alignment(64) {note} : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%[[D]]}
  %2 = hal.interface.binding.subspan set(1) binding(0) type(uniform_buffer) offset(%o) alignment(64) {note} : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%d}
  return
}
