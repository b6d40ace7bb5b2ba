// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @element_type(%x: tensor<4xcomplex<f32>>, %i: tensor<4xi32>) {
  // expected-error @+1 {{expected 'x' of float32, float16, int8, int32, uint8, int16, uint16, uint32, int64, uint64, float64, bool, bfloat16, got 'complex<f32>'}}
  %0 = ascend.GatherElements(%x, %i) : (tensor<4xcomplex<f32>>, tensor<4xi32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @index_type(%x: tensor<4xf32>, %i: tensor<4xi16>) {
  // expected-error @+1 {{expected 'index' of int32, int64, got 'i16'}}
  %0 = ascend.GatherElements(%x, %i) : (tensor<4xf32>, tensor<4xi16>) -> tensor<4xf32>
  return
}

// -----

func.func @rank(%x: tensor<1x1x1x1x1x1x1x1x4xf32>) {
  // expected-error @+1 {{operand #0 must be tensor of at most 8 dimensions}}
  %0 = ascend.Tanh(%x) : (tensor<1x1x1x1x1x1x1x1x4xf32>) -> tensor<1x1x1x1x1x1x1x1x4xf32>
  return
}

// -----

func.func @result_shape(%x: tensor<5x4xf32>, %i: tensor<3xi32>) {
  %axis = ascend.Const dense<0> : tensor<i32>
  // expected-error @+1 {{expected a result of shape [3, 4], got 'tensor<4x3xf32>'}}
  %0 = ascend.GatherV2(%x, %i, %axis) : (tensor<5x4xf32>, tensor<3xi32>, tensor<i32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @batch_dims(%x: tensor<5x4xf32>, %i: tensor<3xi32>) {
  %axis = ascend.Const dense<0> : tensor<i32>
  // expected-error @+1 {{expected batch_dims in [0, axis] and at most the rank of the indices, got 1 with axis 0}}
  %0 = ascend.GatherV2(%x, %i, %axis) {batch_dims = 1} : (tensor<5x4xf32>, tensor<3xi32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @batches(%x: tensor<5x4xf32>, %i: tensor<3x1xi32>) {
  %axis = ascend.Const dense<1> : tensor<i32>
  // expected-error @+1 {{expected batch dimension 0 of x and the indices to be the same, got 5 and 3}}
  %0 = ascend.GatherV2(%x, %i, %axis) {batch_dims = 1} : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<i32>) -> tensor<5x1xf32>
  return
}

// -----

func.func @axis(%x: tensor<5x4xf32>, %i: tensor<3xi32>) {
  // expected-error @+1 {{expected an axis in [-2, 2), got 2}}
  %0 = ascend.GatherV2D(%x, %i) {axis = 2} : (tensor<5x4xf32>, tensor<3xi32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @index_width(%x: tensor<5x4xf32>, %i: tensor<7x3xi32>) {
  // expected-error @+1 {{expected index vectors of 1 to 2 components, got 3}}
  %0 = ascend.GatherNd(%x, %i) : (tensor<5x4xf32>, tensor<7x3xi32>) -> tensor<7xf32>
  return
}

// -----

func.func @elements_rank(%x: tensor<5x4xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{expected x and index of one rank, got 2 and 1}}
  %0 = ascend.GatherElements(%x, %i) : (tensor<5x4xf32>, tensor<5xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @elements_extent(%x: tensor<5x4xf32>, %i: tensor<6x4xi32>) {
  // expected-error @+1 {{expected dimension 0 of the index to be at most 5, as that of x, got 6}}
  %0 = ascend.GatherElements(%x, %i) {dim = 1} : (tensor<5x4xf32>, tensor<6x4xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @perm(%x: tensor<5x4xf32>) {
  %perm = ascend.Const dense<[0, 0]> : tensor<2xi32>
  // expected-error @+1 {{expected perm to hold each axis of x once}}
  %0 = ascend.Transpose(%x, %perm) : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @reshape(%x: tensor<5x4xf32>) {
  %shape = ascend.Const dense<[3, 7]> : tensor<2xi32>
  // expected-error @+1 {{expected a shape of 20 elements, as x has}}
  %0 = ascend.Reshape(%x, %shape) : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<3x7xf32>
  return
}

// -----

func.func @broadcast(%x: tensor<5x4xf32>) {
  %shape = ascend.Const dense<[5, 3]> : tensor<2xi32>
  // expected-error @+1 {{expected a dimension of 1 or 3, got 4}}
  %0 = ascend.BroadcastTo(%x, %shape) : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @slice(%x: tensor<5x4xf32>) {
  %offsets = ascend.Const dense<[0, 2]> : tensor<2xi32>
  %size = ascend.Const dense<[5, 3]> : tensor<2xi32>
  // expected-error @+1 {{expected a slice inside dimension 1 of 4, got 3 elements from 2}}
  %0 = ascend.Slice(%x, %offsets, %size) : (tensor<5x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @concat(%x: tensor<5x4xf32>, %y: tensor<5x3xf32>) {
  %dim = ascend.Const dense<0> : tensor<i32>
  // expected-error @+1 {{expected dimension 1 to be 4 in all inputs, got 3}}
  %0 = ascend.ConcatV2(%x, %y, %dim) {N = 2} : (tensor<5x4xf32>, tensor<5x3xf32>, tensor<i32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @pack(%x: tensor<5x4xf32>) {
  // expected-error @+1 {{expected N inputs, and at least one, got 1 with N = 2}}
  %0 = ascend.Pack(%x) {N = 2} : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
  return
}

// -----

func.func @cast(%x: tensor<5xf32>) {
  // expected-error @+1 {{expected a result of 'i32', got 'i64'}}
  %0 = ascend.Cast(%x) {dst_type = 3} : (tensor<5xf32>) -> tensor<5xi64>
  return
}

// -----

func.func @cast_number(%x: tensor<5xf32>) {
  // expected-error @+1 {{expected dst_type to be the number of a type, got 99}}
  %0 = ascend.Cast(%x) {dst_type = 99} : (tensor<5xf32>) -> tensor<5xi64>
  return
}

// -----

func.func @one_type(%x: tensor<5xf32>, %y: tensor<5xf16>) {
  // expected-error @+1 {{expected inputs of one type, got 'f32' and 'f16'}}
  %0 = ascend.Add(%x, %y) : (tensor<5xf32>, tensor<5xf16>) -> tensor<5xf32>
  return
}

// -----

func.func @shapes_broadcast(%x: tensor<5xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected shapes that broadcast, got 5 and 4}}
  %0 = ascend.Add(%x, %y) : (tensor<5xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @product(%x: tensor<5x4xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{expected as many columns as rows, got 4 and 3}}
  %0 = ascend.MatMul(%x, %y) : (tensor<5x4xf32>, tensor<3x2xf32>) -> tensor<5x2xf32>
  return
}

// -----

ascend.graph @inputs {
  %a = ascend.Data {index = 0} : tensor<f32>
  // expected-error @+1 {{expected each index once, got 0 again}}
  %b = ascend.Data {index = 0} : tensor<f32>
  ascend.NetOutput %a, %b : tensor<f32>, tensor<f32>
}

// -----

ascend.graph @no_output {
  // expected-error @+1 {{block with no terminator}}
  %a = ascend.Data {index = 0} : tensor<f32>
}
