// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --convert-stablehlo-to-ascend=soc=910b --form-ascend-graphs | FileCheck %s

// NCHW and OIHW need no transposes.
// CHECK-LABEL: ascend.graph @images
// CHECK-NOT:   Transpose
// CHECK:       ascend.Conv2D(%0, %1) {groups = 3 : i64, pads = array<i64: 1, 2, 0, 1>, strides = array<i64: 1, 1, 2, 1>}
// CHECK-NOT:   Transpose
func.func @images(%x: tensor<2x6x8x8xf32>, %k: tensor<9x2x3x3xf32>) -> tensor<2x9x5x7xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 2], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x6x8x8xf32>, tensor<9x2x3x3xf32>) -> tensor<2x9x5x7xf32>
  return %0 : tensor<2x9x5x7xf32>
}

// Transposed convolutions have zeros between the elements.
// CHECK-LABEL: ascend.graph @transposed
// CHECK:       ascend.Conv2D({{.*}}) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x7x7xf32>, tensor<2x2x3x3xf32>)
func.func @transposed(%x: tensor<1x2x4x4xf32>, %k: tensor<2x2x3x3xf32>) -> tensor<1x2x7x7xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x7x7xf32>
  return %0 : tensor<1x2x7x7xf32>
}

// A line is an image of height 1, or of width 1 if it is long.
// CHECK-LABEL: ascend.graph @line
// CHECK:       ascend.Conv2D({{.*}} : (tensor<1x2x1x9xf32>, tensor<3x2x1x3xf32>) -> tensor<1x3x1x7xf32>
func.func @line(%x: tensor<1x2x9xf32>, %k: tensor<3x2x3xf32>) -> tensor<1x3x7xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x9xf32>, tensor<3x2x3xf32>) -> tensor<1x3x7xf32>
  return %0 : tensor<1x3x7xf32>
}
// CHECK-LABEL: ascend.graph @long
// CHECK:       ascend.Conv2D({{.*}} {pads = array<i64: 2, 0, 0, 0>, {{.*}} : (tensor<1x2x9000x1xf32>, tensor<3x2x3x1xf32>)
func.func @long(%x: tensor<1x2x9000xf32>, %k: tensor<3x2x3xf32>) -> tensor<1x3x9000xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[2, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x9000xf32>, tensor<3x2x3xf32>) -> tensor<1x3x9000xf32>
  return %0 : tensor<1x3x9000xf32>
}

// Paddings beyond the limits of an operator come before it.
// CHECK-LABEL: ascend.graph @far
// CHECK:       PadV2
// CHECK:       ascend.Conv2D({{.*}} {pads = array<i64: 0, 0, 255, 255>
func.func @far(%x: tensor<1x1x4x4xf32>, %k: tensor<1x1x2x2xf32>) -> tensor<1x1x259x513xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[256, 0], [255, 255]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x259x513xf32>
  return %0 : tensor<1x1x259x513xf32>
}
// CHECK-LABEL: ascend.graph @volume
// CHECK:       PadV2
// CHECK:       ascend.Conv3D({{.*}} {pads = array<i64: 0, 0, 1, 0, 0, 0>
func.func @volume(%x: tensor<1x1x4x4x4xf16>, %k: tensor<1x1x2x2x2xf16>) -> tensor<1x1x5x4x3xf16> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {pad = [[2, 0], [1, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4x4x4xf16>, tensor<1x1x2x2x2xf16>) -> tensor<1x1x5x4x3xf16>
  return %0 : tensor<1x1x5x4x3xf16>
}

// The cores of the 910B have no Conv3D of float32, and strides are below 64.
// CHECK-LABEL: ascend.graph @slices
// CHECK-NOT:   Conv3D
// CHECK:       MatMul
func.func @slices(%x: tensor<1x1x4x4x4xf32>, %k: tensor<1x1x2x2x2xf32>) -> tensor<1x1x3x3x3xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4x4x4xf32>, tensor<1x1x2x2x2xf32>) -> tensor<1x1x3x3x3xf32>
  return %0 : tensor<1x1x3x3x3xf32>
}
// CHECK-LABEL: ascend.graph @strides
// CHECK-NOT:   Conv2D
// CHECK:       MatMul
func.func @strides(%x: tensor<1x1x130x4xf32>, %k: tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [64, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x130x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
  return %0 : tensor<1x1x3x3xf32>
}

// CHECK-LABEL: ascend.graph @greatest
// CHECK:       ascend.MaxPoolV3({{.*}}) {ksize = array<i64: 1, 1, 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1, 2, 2>} : (tensor<1x4x8x8xf32>)
func.func @greatest(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<1x8x8x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: ascend.graph @mean
// CHECK-NOT:   Div
// CHECK:       ascend.AvgPoolV2(%0) {ksize = array<i64: 1, 1, 2, 2>, strides = array<i64: 1, 1, 2, 2>}
// CHECK-NOT:   Div
func.func @mean(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %four = stablehlo.constant dense<4.0> : tensor<1x4x4x4xf32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
  %1 = stablehlo.divide %0, %four : tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// GE does not define overflow of bytes.
// CHECK-LABEL: ascend.graph @bytes
// CHECK:       ascend.Cumsum({{.*}}) {reverse = true} : (tensor<2x5xi32>, tensor<i64>)
// CHECK-NOT:   Add
func.func @bytes(%x: tensor<2x5xi8>) -> tensor<2x5xi8> {
  %i = stablehlo.constant dense<0> : tensor<i8>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 5>, padding = dense<[[0, 0], [0, 4]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<2x5xi8>, tensor<i8>) -> tensor<2x5xi8>
  return %0 : tensor<2x5xi8>
}
