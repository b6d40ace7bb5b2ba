// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func @named
// CHECK: tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
func.func @named(%x: tensor<1x5x5x3xf32>, %k: tensor<3x3x3x8xf32>) -> tensor<1x5x5x8xf32> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x5x5x8xf32>
  return %r : tensor<1x5x5x8xf32>
}

// -----

// Padding that no position reads is not created.
// CHECK-LABEL: func @unread
// CHECK: tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 0, 0]
// CHECK: linalg.conv_2d_nchw_fchw
func.func @unread(%x: tensor<1x3x6x6xf32>, %k: tensor<8x3x3x3xf32>) -> tensor<1x8x3x3xf32> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x6x6xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x3x3xf32>
  return %r : tensor<1x8x3x3xf32>
}

// -----

// CHECK-LABEL: func @depthwise
// CHECK: tensor.collapse_shape %arg1 {{\[}}[0], [1], [2, 3]]
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @depthwise(%x: tensor<1x5x5x4xf32>, %k: tensor<3x3x1x4xf32>) -> tensor<1x3x3x4xf32> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x5x5x4xf32>, tensor<3x3x1x4xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}

// -----

// A group is a loop; the layout of the kernel is that of no named operation.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d5, d1 * 2 + d4)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d3, d4, d5)>
// CHECK-LABEL: func @groups
// CHECK: tensor.expand_shape %arg0 {{\[}}[0], [1, 2], [3]] output_shape [1, 2, 3, 9]
// CHECK: tensor.expand_shape %arg1 {{\[}}[0, 1], [2], [3]] output_shape [2, 4, 3, 3]
// CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #{{.*}}]
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]]
func.func @groups(%x: tensor<1x6x9xf32>, %k: tensor<8x3x3xf32>) -> tensor<1x4x8xf32> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, 0, i]->[b, 0, f], window = {stride = [2]}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x6x9xf32>, tensor<8x3x3xf32>) -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}

// -----

// The transpose of a strided convolution: zeros between the elements of lhs, and
// a reversed kernel.
// CHECK-DAG: #[[REVERSED:.*]] = affine_map<(d0, d1, d2) -> (-d0 + 2, d1, d2)>
// CHECK-LABEL: func @transposed
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<1x11x2xf32>
// CHECK: tensor.insert_slice %arg0 into %[[ZEROS]][0, 2, 0] [1, 4, 2] [1, 2, 1]
// CHECK: linalg.generic {indexing_maps = [#[[REVERSED]], #{{.*}}]
// CHECK: linalg.conv_1d_nwc_wcf
func.func @transposed(%x: tensor<1x4x2xf32>, %k: tensor<3x2x5xf32>) -> tensor<1x9x5xf32> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]], lhs_dilate = [2], reverse = [true]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x9x5xf32>
  return %r : tensor<1x9x5xf32>
}

// -----

// Only the batch is dynamic.
// CHECK-LABEL: func @batch
// CHECK: tensor.dim %arg0
// CHECK: %[[SIZE:.*]] = tensor.dim %arg0
// CHECK: tensor.empty(%[[SIZE]]) : tensor<?x3x8xf32>
// CHECK: linalg.conv_1d_nwc_wcf
func.func @batch(%x: tensor<?x5x3xf32>, %k: tensor<3x3x8xf32>) -> tensor<?x3x8xf32> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x5x3xf32>, tensor<3x3x8xf32>) -> tensor<?x3x8xf32>
  return %r : tensor<?x3x8xf32>
}
