// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs at the limits of the verifiers: unknown extents, mixed
// precision, empty windows, numbers near 2^63 that do not overflow, and
// properties that the specification checks at run time.

// RUN: mercator-opt %s -o /dev/null

func.func @reduce_mixed_precision(%a: tensor<4x?xbf16>, %s: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<bf16>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x?xbf16>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @reduce_wider_integers(%a: tensor<4x8xi8>, %s: tensor<i32>) -> tensor<8xi32> {
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4x8xi8>, tensor<i32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

func.func @reduce_quantized(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %s: tensor<!quant.uniform<i8:f32, 0.5>>)
    -> tensor<!quant.uniform<i32:f32, 0.25:3>> {
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<!quant.uniform<i32:f32, 0.25:3>>, %y: tensor<!quant.uniform<i32:f32, 0.25:3>>):
    stablehlo.return %x : tensor<!quant.uniform<i32:f32, 0.25:3>>
  }) {dimensions = array<i64: 0>} : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i32:f32, 0.25:3>>
  return %0 : tensor<!quant.uniform<i32:f32, 0.25:3>>
}

// The window is longer than the padded input, whose extent may be negative.
func.func @windows_none(%a: tensor<4x8xf32>, %s: tensor<f32>) -> tensor<0x0xf32> {
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 9>, window_strides = array<i64: 9223372036854775807, 1>,
      padding = dense<[[-9, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<0x0xf32>
  return %0 : tensor<0x0xf32>
}

func.func @windows_wide(%a: tensor<4x?xf32>, %s: tensor<f32>) -> tensor<1x?xf32> {
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 9223372036854775807>, window_strides = array<i64: 9223372036854775807, 1>,
      window_dilations = array<i64: 3, 9223372036854775807>} : (tensor<4x?xf32>, tensor<f32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

func.func @dot_two_formats(%a: tensor<4x8xf8E4M3FN>, %b: tensor<8x5xf8E5M2>) -> tensor<4x5xf32> {
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>,
      precision_config = [#stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E5M2, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>}
      : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E5M2>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

func.func @dot_algorithm_in_parts(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>,
      algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 3, rhs_component_count = 3, num_primitive_operations = 6, allow_imprecise_accumulation = false>}
      : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

func.func @dot_unknown_batch(%a: tensor<?x4x8xf32>, %b: tensor<2x8x?xf32>) -> tensor<2x4x7xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x4x8xf32>, tensor<2x8x?xf32>) -> tensor<2x4x7xf32>
  return %0 : tensor<2x4x7xf32>
}

// A kernel and a padding that are known at run time.
func.func @convolution_unknown(%x: tensor<?x?x3xf32>, %k: tensor<?x3x4xf32>, %p: tensor<1x2xi32>) -> (tensor<?x?x4xf32>, tensor<2x9x4xf64>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [9223372036854775807]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x3xf32>, tensor<?x3x4xf32>) -> tensor<?x?x4xf32>
  %1 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x3xf32>, tensor<?x3x4xf32>, tensor<1x2xi32>) -> tensor<2x9x4xf64>
  return %0, %1 : tensor<?x?x4xf32>, tensor<2x9x4xf64>
}

// An extra entry, as JAX exports it.
func.func @convolution_strides(%x: tensor<1x?x3xf32>, %k: tensor<2x3x4xf32>, %p: tensor<1x2xi32>) -> tensor<1x?x4xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {window_strides = array<i64: 2, 2>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x?x3xf32>, tensor<2x3x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return %0 : tensor<1x?x4xf32>
}

func.func @fft_empty(%a: tensor<4x0xf32>, %b: tensor<?x?xcomplex<f64>>) -> (tensor<4x0xcomplex<f32>>, tensor<?x15xf64>) {
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 0>} : (tensor<4x0xf32>) -> tensor<4x0xcomplex<f32>>
  %1 = "stablehlo.fft"(%b) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 15>} : (tensor<?x?xcomplex<f64>>) -> tensor<?x15xf64>
  return %0, %1 : tensor<4x0xcomplex<f32>>, tensor<?x15xf64>
}

func.func @gather_unknown(%a: tensor<?x10x20xf32>, %i: tensor<?x5x?xi32>, %s: tensor<3xi32>) -> (tensor<?x5x7xf32>, tensor<3x5x9xf32>) {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<?x10x20xf32>, tensor<?x5x?xi32>) -> tensor<?x5x7xf32>
  %1 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<?x10x20xf32>, tensor<?x5x?xi32>, tensor<3xi32>) -> tensor<3x5x9xf32>
  return %0, %1 : tensor<?x5x7xf32>, tensor<3x5x9xf32>
}

func.func @scatter_wider(%a: tensor<10xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) -> tensor<10xf64> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    stablehlo.return %y : tensor<f64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<10xf64>
  return %0 : tensor<10xf64>
}

func.func @branches_of_unknown_extent(%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Short rows; no groups; a group of one; groups that a channel extends over
// partitions, so that a process group is larger than a row.
func.func @groups(%x: tensor<4xf32>) -> tensor<12xf32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {replica_groups = dense<-1> : tensor<1000000000x1000000000xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_gather"(%1) {all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.collective_permute"(%2) {source_target_pairs = dense<[[0, 1], [7, 9223372036854775807]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "stablehlo.collective_broadcast"(%3) {replica_groups = dense<[[5, 7]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "stablehlo.all_gather"(%4) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<4xf32>) -> tensor<12xf32>
  return %5 : tensor<12xf32>
}

func.func @host(%token: !stablehlo.token) -> !stablehlo.token {
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %1 = "stablehlo.send"(%0#0, %0#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %2:2 = "stablehlo.infeed"(%1) {infeed_config = "", layout = [[0]]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %2#1 : !stablehlo.token
}

func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
func.func @outside(%x: tensor<4xf32>, %m: memref<4xf32>, %t: tuple<tensor<4xf32>>) -> memref<4xf32> {
  %0 = stablehlo.composite "a.b$.c_1" %x {decomposition = @callee} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.custom_call"(%0, %m, %t) {call_target_name = "t", api_version = 4 : i32, backend_config = {a = 1},
      operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<0> : tensor<1xindex>],
      output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]}
      : (tensor<4xf32>, memref<4xf32>, tuple<tensor<4xf32>>) -> memref<4xf32>
  %2 = "stablehlo.custom_call"(%1) {call_target_name = "Unpin", api_version = 4 : i32} : (memref<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.custom_call"(%2) {call_target_name = "Pin", api_version = 4 : i32} : (tensor<4xf32>) -> memref<4xf32>
  return %3 : memref<4xf32>
}

func.func @random(%a: tensor<f32>, %s: tensor<2xi64>, %k: tensor<4xui32>) -> tensor<3x?xf32> {
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x?xf32>
  %1:2 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<4xui32>) -> (tensor<4xui32>, tensor<8xui32>)
  return %0 : tensor<3x?xf32>
}

func.func @einsum(%a: tensor<4x?xf32>, %b: tensor<8x5xf32>) -> tensor<5x4xf32> {
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ca" : (tensor<4x?xf32>, tensor<8x5xf32>) -> tensor<5x4xf32>
  %1 = stablehlo.unary_einsum %0, config = "...a->..." : (tensor<5x4xf32>) -> tensor<5xf32>
  return %0 : tensor<5x4xf32>
}
