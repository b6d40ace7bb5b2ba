// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @import_dims(%v: !hal.buffer_view) {
  // expected-error @+1 {{expected 1 dynamic dimensions of results, got 0}}
  %0 = hal.tensor.import %v : !hal.buffer_view -> tensor<?xf32>
  return
}
// -----
func.func @export_dims(%t: tensor<4xf32>, %d: index) {
  // expected-error @+1 {{expected 0 dynamic dimensions of operands, got 1}}
  %0 = hal.tensor.export %t : tensor<4xf32>{%d} -> !hal.buffer_view
  return
}
// -----
func.func @import_rank(%v: !hal.buffer_view, %d: index) {
  // expected-error @+1 {{expected a type with 1 dynamic dimensions, as 'tensor<?xf32>' has, got 'tensor<?x?xf32>'}}
  %0 = hal.tensor.import %v : !hal.buffer_view -> tensor<?x?xf32> as tensor<?xf32>{%d}
  return
}
// -----
func.func @export_size(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a type of the size of 'tensor<4xf32>', got 'tensor<4xf64>'}}
  %0 = hal.tensor.export %t : tensor<4xf64> as tensor<4xf32> -> !hal.buffer_view
  return
}
// -----
func.func @source(%v: i32) {
  // expected-error @+1 {{operand #0 must be bytes that a device can reach or a buffer with a shape and an element type known at run time}}
  %0 = "hal.tensor.import"(%v) <{operandSegmentSizes = array<i32: 1, 0, 0>, target_encoding = tensor<4xf32>}> : (i32) -> tensor<4xf32>
  return
}
// -----
func.func @barrier(%t: tensor<4xf32>, %f: !hal.fence) {
  // expected-error @+1 {{each result is of the type of its source}}
  %0 = "hal.tensor.barrier"(%t, %f) : (tensor<4xf32>, !hal.fence) -> tensor<5xf32>
  return
}
// -----
func.func @dimension(%v: !hal.buffer_view) {
  // expected-error @+1 {{expected a dimension, got -1}}
  %0 = hal.buffer_view.dim<%v : !hal.buffer_view>[-1] : index
  return
}
// -----
util.global mutable @g : !hal.buffer
func.func @global(%v: !hal.buffer_view) {
  %p = util.global.address @g : !util.ptr<!hal.buffer>
  // expected-error @+1 {{expected a value of type '!hal.buffer', got '!hal.buffer_view'}}
  util.global.store.indirect %v, %p : !hal.buffer_view -> !util.ptr<!hal.buffer>
  return
}
// -----
// expected-error @+1 {{expected a queue below 64, got 64}}
func.func private @queue() attributes {hal.a = #hal.affinity.queue<[64]>}
// -----
func.func @descriptor() {
  // expected-error @+1 {{expected 'storage_buffer' or 'uniform_buffer', got "image"}}
  %0 = hal.interface.binding.subspan set(0) binding(1) type(image) : memref<4xf32>
  return
}
// -----
func.func @binding_dims() {
  // expected-error @+1 {{expected 1 dynamic dimensions of results, got 0}}
  %0 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) : memref<?xf32>
  return
}
