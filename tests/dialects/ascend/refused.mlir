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
  // expected-error @+1 {{expected x and index of the same rank, got 2 and 1}}
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
  // expected-error @+1 {{expected inputs of the same type, got 'f32' and 'f16'}}
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

func.func @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @+1 {{expected inputs of the same shape}}
  %0 = ascend.Select(%c, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_v2(%c: tensor<4xi1>) {
  // expected-error @+1 {{expected 'then' of}}
  %0 = ascend.SelectV2(%c, %c, %c) : (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @choice(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @+1 {{expected the two inputs to select from to have the same type}}
  %0 = ascend.SelectV2(%c, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @tan_bf16(%x: tensor<4xbf16>) {
  // expected-error @+1 {{expected 'x' of float32, float16, int32, int64, float64, complex64, complex128, got 'bf16'}}
  %0 = ascend.Tan(%x) : (tensor<4xbf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @rint_bf16(%x: tensor<4xbf16>) {
  // expected-error @+1 {{expected 'x' of float32, float16, float64, got 'bf16'}}
  %0 = ascend.Rint(%x) : (tensor<4xbf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @round_ui8(%x: tensor<4xui8>) {
  // expected-error @+1 {{got 'ui8'}}
  %0 = ascend.Round(%x) : (tensor<4xui8>) -> tensor<4xui8>
  return
}

// -----

func.func @isfinite_i32(%x: tensor<4xi32>) {
  // expected-error @+1 {{got 'i32'}}
  %0 = ascend.IsFinite(%x) : (tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @isfinite_f32(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of 'i1', got 'f32'}}
  %0 = ascend.IsFinite(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @populationcount_i32(%x: tensor<4xi32>) {
  // expected-error @+1 {{expected a result of 'ui8', got 'i32'}}
  %0 = ascend.PopulationCount(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @real_complex_f64(%x: tensor<4xcomplex<f64>>) {
  // expected-error @+1 {{expected 'input' of complex64, got 'complex<f64>'}}
  %0 = ascend.Real(%x) : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return
}

// -----

func.func @imag_complex_f32(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected a result of 'f32', got 'complex<f32>'}}
  %0 = ascend.Imag(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @complexabs_f32(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'x' of complex64, got 'f32'}}
  %0 = ascend.ComplexAbs(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @truncatediv_ui32(%x: tensor<4xui32>) {
  // expected-error @+1 {{expected 'x1' of}}
  %0 = ascend.TruncateDiv(%x, %x) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
  return
}

// -----

func.func @truncatemod_i16(%x: tensor<4xi16>) {
  // expected-error @+1 {{expected 'x1' of}}
  %0 = ascend.TruncateMod(%x, %x) : (tensor<4xi16>, tensor<4xi16>) -> tensor<4xi16>
  return
}

// -----

func.func @atan2_i32(%x: tensor<4xi32>) {
  // expected-error @+1 {{expected 'x1' of}}
  %0 = ascend.Atan2(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @leftshift_f32(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'x' of}}
  %0 = ascend.LeftShift(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @rightshift_i1(%x: tensor<4xi1>) {
  // expected-error @+1 {{expected 'x' of}}
  %0 = ascend.RightShift(%x, %x) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @complex_f32(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of 'complex<f32>', got 'f32'}}
  %0 = ascend.Complex(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reverse(%x: tensor<4xbf16>, %axis: tensor<1xi32>) {
  // expected-error @+1 {{expected 'x' of}}
  %0 = ascend.ReverseV2(%x, %axis) : (tensor<4xbf16>, tensor<1xi32>) -> tensor<4xbf16>
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

// -----

func.func @slice_beyond(%x: tensor<5xf32>) {
  %offset = ascend.Const dense<6> : tensor<1xi64>
  %rest = ascend.Const dense<-1> : tensor<1xi64>
  // expected-error @+1 {{expected a slice inside dimension 0 of 5, got -1 elements from 6}}
  %0 = ascend.Slice(%x, %offset, %rest) : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

// Overflow is an error; it does not wrap around.
func.func @padded_beyond(%x: tensor<5xf32>, %v: tensor<f32>) {
  %paddings = ascend.Const dense<9223372036854775807> : tensor<1x2xi64>
  // expected-error @+1 {{expected a result of extents below 2^63}}
  %0 = ascend.PadV2(%x, %paddings, %v) : (tensor<5xf32>, tensor<1x2xi64>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @range_beyond() {
  %low = ascend.Const dense<-9223372036854775808> : tensor<i64>
  %high = ascend.Const dense<9223372036854775807> : tensor<i64>
  %one = ascend.Const dense<1> : tensor<i64>
  // expected-error @+1 {{expected a result of extents below 2^63}}
  %0 = ascend.Range(%low, %high, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return
}

// -----

func.func @concatenated_beyond(%x: tensor<9223372036854775807xf32>) {
  %axis = ascend.Const dense<0> : tensor<i64>
  // expected-error @+1 {{expected a result of extents below 2^63}}
  %0 = ascend.ConcatV2(%x, %x, %axis) {N = 2} : (tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32>, tensor<i64>) -> tensor<?xf32>
  return
}

// -----

func.func @steps(%x: tensor<5xf32>) {
  %from = ascend.Const dense<1> : tensor<1xi64>
  %to = ascend.Const dense<5> : tensor<1xi64>
  %by = ascend.Const dense<9223372036854775807> : tensor<1xi64>
  // expected-error @+1 {{expected a result of shape [1], got 'tensor<2xf32>'}}
  %0 = ascend.StridedSlice(%x, %from, %to, %by) : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @range_down() {
  %low = ascend.Const dense<-1> : tensor<i64>
  %high = ascend.Const dense<6> : tensor<i64>
  %by = ascend.Const dense<-3> : tensor<i64>
  // expected-error @+1 {{expected a result of shape [3], got 'tensor<2xi64>'}}
  %0 = ascend.Range(%high, %low, %by) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2xi64>
  return
}

// -----

func.func @conv_rank(%x: tensor<4x5x6xf32>, %k: tensor<6x2x3x2xf32>) {
  // expected-error @+1 {{expected inputs of rank 4, got 3 and 4}}
  %0 = ascend.Conv2D(%x, %k) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<4x5x6xf32>, tensor<6x2x3x2xf32>) -> tensor<6x3x5xf32>
  return
}

// -----

func.func @conv_strides(%x: tensor<2x4x5x6xf32>, %k: tensor<6x4x3x2xf32>) {
  // expected-error @+1 {{expected 'strides' of 4 integers, got 2}}
  %0 = ascend.Conv2D(%x, %k) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x4x5x6xf32>, tensor<6x4x3x2xf32>) -> tensor<2x6x3x5xf32>
  return
}

// -----

func.func @conv_channel_stride(%x: tensor<2x4x5x6xf32>, %k: tensor<6x4x3x2xf32>) {
  // expected-error @+1 {{expected 'strides' of 1 for batches and channels, got 1 and 2}}
  %0 = ascend.Conv2D(%x, %k) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 2, 1>} : (tensor<2x4x5x6xf32>, tensor<6x4x3x2xf32>) -> tensor<2x6x3x5xf32>
  return
}

// -----

func.func @conv_pads(%x: tensor<2x4x5x6xf32>, %k: tensor<6x4x3x2xf32>) {
  // expected-error @+1 {{expected 'pads' of at least 0, got -1}}
  %0 = ascend.Conv2D(%x, %k) {pads = array<i64: -1, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x5x6xf32>, tensor<6x4x3x2xf32>) -> tensor<2x6x2x5xf32>
  return
}

// -----

func.func @conv_groups(%x: tensor<2x4x5x6xf32>, %k: tensor<6x4x3x2xf32>) {
  // expected-error @+1 {{expected 2 groups of 4 channels, got 4}}
  %0 = ascend.Conv2D(%x, %k) {groups = 2 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x5x6xf32>, tensor<6x4x3x2xf32>) -> tensor<2x6x3x5xf32>
  return
}

// -----

func.func @conv_kernels(%x: tensor<2x4x5x6xf32>, %k: tensor<6x1x3x2xf32>) {
  // expected-error @+1 {{expected groups that divide the 6 kernels, got 4}}
  %0 = ascend.Conv2D(%x, %k) {groups = 4 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x5x6xf32>, tensor<6x1x3x2xf32>) -> tensor<2x6x3x5xf32>
  return
}

// -----

func.func @conv_reach(%x: tensor<1x2x3x4x5xf32>, %k: tensor<3x2x2x2x2xf32>) {
  // expected-error @+1 {{expected windows of at most the 3 elements of the padded dimension, got 4}}
  %0 = ascend.Conv3D(%x, %k) {dilations = array<i64: 1, 1, 3, 1, 1>, pads = array<i64: 0, 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>} : (tensor<1x2x3x4x5xf32>, tensor<3x2x2x2x2xf32>) -> tensor<1x3x1x3x4xf32>
  return
}

// -----

func.func @conv_shape(%x: tensor<2x4x5x6xf32>, %k: tensor<6x4x3x2xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 6, 3, 5], got 'tensor<2x6x3x6xf32>'}}
  %0 = ascend.Conv2D(%x, %k) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x5x6xf32>, tensor<6x4x3x2xf32>) -> tensor<2x6x3x6xf32>
  return
}

// -----

func.func @pool_pads(%x: tensor<2x4x5x6xf32>) {
  // expected-error @+1 {{expected 'pads' less than the window of 2, got 2 and 0}}
  %0 = ascend.MaxPoolV3(%x) {ksize = array<i64: 1, 1, 2, 2>, pads = array<i64: 2, 0, 0, 0>, strides = array<i64: 1, 1, 2, 2>} : (tensor<2x4x5x6xf32>) -> tensor<2x4x3x3xf32>
  return
}

// -----

func.func @pool_window(%x: tensor<2x4x5x6xf32>) {
  // expected-error @+1 {{expected 'ksize' of 1 for batches and channels, got 1 and 2}}
  %0 = ascend.AvgPoolV2(%x) {ksize = array<i64: 1, 2, 2, 2>, strides = array<i64: 1, 1, 2, 2>} : (tensor<2x4x5x6xf32>) -> tensor<2x4x2x3xf32>
  return
}

// -----

func.func @pool_types(%x: tensor<2x4x5x6xui32>) {
  // expected-error @+1 {{expected 'x' of float32, float16, int8, int32, uint8, int16, uint16, int64, float64, bfloat16, got 'ui32'}}
  %0 = ascend.MaxPoolV3(%x) {ksize = array<i64: 1, 1, 2, 2>, strides = array<i64: 1, 1, 2, 2>} : (tensor<2x4x5x6xui32>) -> tensor<2x4x2x3xui32>
  return
}

// -----

func.func @cumsum_axis(%x: tensor<2x4xf32>) {
  %axis = ascend.Const dense<2> : tensor<i64>
  // expected-error @+1 {{expected an axis in [-2, 2), got 2}}
  %0 = ascend.Cumsum(%x, %axis) : (tensor<2x4xf32>, tensor<i64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @softmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an axis in [-2, 2), got 2}}
  %0 = ascend.SoftmaxV2(%x) {axes = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @softmax_axes(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected each axis once, got 1 again}}
  %0 = ascend.SoftmaxV2(%x) {axes = array<i64: 1, -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gelu_f64(%x: tensor<2x3xf64>) {
  // expected-error @+1 {{expected 'x' of float32, float16, bfloat16, got 'f64'}}
  %0 = ascend.GeluV2(%x) : (tensor<2x3xf64>) -> tensor<2x3xf64>
  return
}

// -----

func.func @layernorm_gamma(%x: tensor<2x3xf32>, %g: tensor<2xf32>) {
  // expected-error @+1 {{expected 'gamma' of shape [3], got [2]}}
  %0:3 = ascend.LayerNormV3(%x, %g, %g) {begin_norm_axis = 1, begin_params_axis = 1} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @layernorm_beta(%x: tensor<2x3xbf16>, %g: tensor<3xf32>, %b: tensor<3xbf16>) {
  // expected-error @+1 {{expected 'beta' of 'f32', the type of 'gamma', got 'bf16'}}
  %0:3 = ascend.LayerNormV3(%x, %g, %b) {begin_norm_axis = 1, begin_params_axis = 1} : (tensor<2x3xbf16>, tensor<3xf32>, tensor<3xbf16>) -> (tensor<2x3xbf16>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @layernorm_mean(%x: tensor<2x3xf32>, %g: tensor<3xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 1], got 'tensor<2xf32>'}}
  %0:3 = ascend.LayerNormV3(%x, %g, %g) {begin_norm_axis = 1, begin_params_axis = 1} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @rmsnorm_gamma(%x: tensor<2x3xf32>, %g: tensor<3xbf16>) {
  // expected-error @+1 {{expected 'gamma' of 'f32', got 'bf16'}}
  %0:2 = ascend.RmsNorm(%x, %g) : (tensor<2x3xf32>, tensor<3xbf16>) -> (tensor<2x3xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @rmsnorm_rank(%x: tensor<3xf32>, %g: tensor<2x3xf32>) {
  // expected-error @+1 {{expected 'gamma' of at most 1 dimensions, got 2}}
  %0:2 = ascend.RmsNorm(%x, %g) : (tensor<3xf32>, tensor<2x3xf32>) -> (tensor<3xf32>, tensor<1xf32>)
  return
}
