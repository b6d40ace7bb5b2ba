// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The accesses of a dispatch to its operands.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @store_readonly(%v: tensor<4xf32>, %t: !flow.dispatch.tensor<readonly:tensor<4xf32>>) {
  // expected-error @+1 {{operand #1 must be writeonly or readwrite dispatch tensor, but got '!flow.dispatch.tensor<readonly:tensor<4xf32>>'}}
  flow.dispatch.tensor.store %v, %t, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<readonly:tensor<4xf32>>
  return
}
// -----
func.func @store_readonly_tied(%v: tensor<4xf32>, %t: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %d: index) {
  %0 = flow.dispatch.tie_shape %t : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%d}
  // expected-error @+1 {{operand #1 must be writeonly or readwrite dispatch tensor}}
  flow.dispatch.tensor.store %v, %0, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<readonly:tensor<?xf32>>{%d}
  return
}
// -----
func.func @load_writeonly(%t: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
  // expected-error @+1 {{operand #0 must be readonly or readwrite dispatch tensor, but got '!flow.dispatch.tensor<writeonly:tensor<4xf32>>'}}
  %0 = flow.dispatch.tensor.load %t, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<writeonly:tensor<4xf32>> -> tensor<4xf32>
  return
}
// -----
func.func @load_writeonly_tied(%t: !flow.dispatch.tensor<writeonly:tensor<?xf32>>, %d: index) {
  %0 = flow.dispatch.tie_shape %t : !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%d}
  // expected-error @+1 {{operand #0 must be readonly or readwrite dispatch tensor}}
  %1 = flow.dispatch.tensor.load %0, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%d} -> tensor<4xf32>
  return
}
// -----
func.func @tie_changes_access(%t: !flow.dispatch.tensor<readonly:tensor<4xf32>>) {
  // expected-error @+1 {{failed to verify that all of {operand, result} have same type}}
  %0 = "flow.dispatch.tie_shape"(%t) : (!flow.dispatch.tensor<readonly:tensor<4xf32>>) -> !flow.dispatch.tensor<readwrite:tensor<4xf32>>
  return
}
// -----
func.func @tie_dims(%t: !flow.dispatch.tensor<readonly:tensor<?xf32>>) {
  // expected-error @+1 {{expected 1 dynamic dimensions of dispatch tensors, got 0}}
  %0 = flow.dispatch.tie_shape %t : !flow.dispatch.tensor<readonly:tensor<?xf32>>
  return
}
// -----
func.func @load_dims(%t: !flow.dispatch.tensor<readonly:tensor<?xf32>>) {
  // expected-error @+1 {{expected 1 dynamic dimensions of dispatch tensors, got 0}}
  %0 = flow.dispatch.tensor.load %t, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<?xf32>> -> tensor<4xf32>
  return
}
// -----
func.func @store_dims(%v: tensor<4xf32>, %t: !flow.dispatch.tensor<writeonly:tensor<?xf32>>) {
  // expected-error @+1 {{expected 1 dynamic dimensions of dispatch tensors, got 0}}
  flow.dispatch.tensor.store %v, %t, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<?xf32>>
  return
}
// -----
func.func @load_rank(%t: !flow.dispatch.tensor<readonly:tensor<4x4xf32>>) {
  // expected-error @+1 {{expected 2 offset values, got 1}}
  %0 = flow.dispatch.tensor.load %t, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
  return
}
// -----
func.func @load_shape(%t: !flow.dispatch.tensor<readonly:tensor<4x4xf32>>) {
  // expected-error @+1 {{expected a tensor with the sizes of the slice, got 'tensor<3x4xf32>'}}
  %0 = flow.dispatch.tensor.load %t, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<3x4xf32>
  return
}
// -----
// Only a size of 1 may be omitted.
func.func @load_left_out(%t: !flow.dispatch.tensor<readonly:tensor<4x4xf32>>, %n: index) {
  // expected-error @+1 {{expected a tensor with the sizes of the slice, got 'tensor<4xf32>'}}
  %0 = flow.dispatch.tensor.load %t, offsets = [0, 0], sizes = [%n, 4], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<4x4xf32>> -> tensor<4xf32>
  return
}
// -----
func.func @store_shape(%v: tensor<1x1x4xf32>, %t: !flow.dispatch.tensor<writeonly:tensor<4x4xf32>>) {
  // expected-error @+1 {{expected a tensor with the sizes of the slice, got 'tensor<1x1x4xf32>'}}
  flow.dispatch.tensor.store %v, %t, offsets = [0, 0], sizes = [1, 4], strides = [1, 1] : tensor<1x1x4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4x4xf32>>
  return
}
// -----
func.func @store_elements(%v: tensor<4xi32>, %t: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
  // expected-error @+1 {{expected elements of type 'f32', got 'i32'}}
  flow.dispatch.tensor.store %v, %t, offsets = [0], sizes = [4], strides = [1] : tensor<4xi32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
  return
}
