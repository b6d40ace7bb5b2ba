// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s | mercator-opt | FileCheck %s

// Spellings of earlier years are read; the current ones are printed.

// CHECK-LABEL: func @arrays_as_tensors
func.func @arrays_as_tensors(%a: tensor<4x8xf32>, %v: tensor<f32>, %i: tensor<i32>) {
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0]
  %0 = "stablehlo.transpose"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0]
  %1 = "stablehlo.transpose"(%a) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK: stablehlo.pad %{{.*}}, low = [1, 1], high = [0, 0], interior = [0, 0]
  %2 = "stablehlo.pad"(%a, %v) {edge_padding_low = dense<1> : tensor<2xi64>, edge_padding_high = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x9xf32>
  // CHECK: stablehlo.slice %{{.*}} [0:4, 2:8:2]
  %3 = "stablehlo.slice"(%a) {start_indices = dense<[0, 2]> : tensor<2xi64>, limit_indices = dense<[4, 8]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} : (tensor<4x8xf32>) -> tensor<4x3xf32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = []
  %4 = "stablehlo.broadcast_in_dim"(%v) {broadcast_dimensions = dense<> : tensor<0xi64>} : (tensor<f32>) -> tensor<2xf32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1]
  %5 = "stablehlo.reduce"(%a, %v) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.dynamic_slice %{{.*}} sizes = [1, 8]
  %6 = "stablehlo.dynamic_slice"(%a, %i, %i) {slice_sizes = dense<[1, 8]> : tensor<2xi64>} : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  return
}

// CHECK-LABEL: func @beside_a_pretty_form
func.func @beside_a_pretty_form(%a: tensor<4xf32>, %n: tensor<2xi64>) {
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, dims = [1] {known_nonexpanding_dimensions = array<i64: 0>}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [1] {known_nonexpanding_dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @booleans
func.func @booleans(%l: tensor<1x4x4x1xf32>, %r: tensor<2x2x1x1xf32>) {
  // CHECK: window = {stride = [2, 2], reverse = [false, true]}
  %0 = "stablehlo.convolution"(%l, %r) {window_strides = dense<2> : tensor<2xi64>, window_reversal = dense<[false, true]> : tensor<2xi1>, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
  return
}

// CHECK-LABEL: func @constants
func.func @constants() {
  // CHECK: stablehlo.constant() <{value = dense<3> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 2.000000e+00:15>>
  %0 = stablehlo.constant() {value = dense<3> : tensor<1xi8>} : () -> tensor<1x!quant.uniform<i8:f32, 2.0:15>>
  // CHECK: stablehlo.constant() <{value = dense<3> : tensor<1xi8>}> {note = 1 : i32} : () -> tensor<1x!quant.uniform<i8:f32, 2.000000e+00:15>>
  %1 = stablehlo.constant() {note = 1 : i32, value = dense<3> : tensor<1xi8>} : () -> tensor<1x!quant.uniform<i8:f32, 2.0:15>>
  // CHECK: stablehlo.constant {note = 1 : i32} dense<3> : tensor<1xi8>
  %2 = stablehlo.constant() {value = dense<3> : tensor<1xi8>, note = 1 : i32} : () -> tensor<1xi8>
  return
}

// `ui8` means the same as `u8`.
// CHECK-LABEL: func @unsigned_storage
// CHECK-SAME: tensor<2x!quant.uniform<u8:f32, 3.400000e+01:16>>
func.func @unsigned_storage(%a: tensor<2x!quant.uniform<ui8:f32, 34.0:16>>) -> tensor<2x!quant.uniform<u8:f32, 2.0:3>> {
  // CHECK: value = dense<[1, 200]> : tensor<2xui8>
  %0 = stablehlo.constant() <{value = dense<[1, 200]> : tensor<2xui8>}> : () -> tensor<2x!quant.uniform<u8:f32, 34.0:16>>
  %1 = stablehlo.add %a, %0 : (tensor<2x!quant.uniform<ui8:f32, 34.0:16>>, tensor<2x!quant.uniform<u8:f32, 34.0:16>>) -> tensor<2x!quant.uniform<u8:f32, 2.0:3>>
  return %1 : tensor<2x!quant.uniform<u8:f32, 2.0:3>>
}
