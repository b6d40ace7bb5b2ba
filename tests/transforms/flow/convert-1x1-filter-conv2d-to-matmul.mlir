// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-convert-1x1-filter-conv2d-to-matmul --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @zero_init(
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[IMAGE:.*]] = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x2x2x3xf32>
// CHECK: %[[FILTER:.*]] = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<1x2x2x4xf32>
// CHECK-NEXT: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]]
// CHECK-NEXT: %[[X:.*]] = tensor.collapse_shape %[[IMAGE]] {{\[\[}}0, 1, 2], [3]] : tensor<1x2x2x3xf32> into tensor<4x3xf32>
// CHECK-NEXT: %[[W:.*]] = tensor.collapse_shape %[[FILTER]] {{\[\[}}0, 1, 2], [3]] : tensor<1x1x3x4xf32> into tensor<3x4xf32>
// CHECK-NEXT: %[[Y:.*]] = tensor.collapse_shape %[[FILL]] {{\[\[}}0, 1, 2], [3]] : tensor<1x2x2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: %[[MM:.*]] = linalg.matmul ins(%[[X]], %[[W]] : tensor<4x3xf32>, tensor<3x4xf32>) outs(%[[Y]] : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[R:.*]] = tensor.expand_shape %[[MM]] {{\[\[}}0, 1, 2], [3]] output_shape [1, 2, 2, 4] : tensor<4x4xf32> into tensor<1x2x2x4xf32>
// CHECK-NEXT: %[[EXPORT:.*]] = hal.tensor.export %[[R]] : tensor<1x2x2x4xf32> -> !hal.buffer_view
// CHECK-NEXT: return %[[EXPORT]]
func.func @zero_init(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %image = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x2x2x3xf32>
  %filter = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<1x1x3x4xf32>
  %0 = tensor.empty() : tensor<1x2x2x4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%image, %filter : tensor<1x2x2x3xf32>, tensor<1x1x3x4xf32>) outs(%1 : tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %result = hal.tensor.export %2 : tensor<1x2x2x4xf32> -> !hal.buffer_view
  return %result : !hal.buffer_view
}

// Rows of all images are contiguous.
// CHECK-LABEL: func.func @batch_channels_last(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] : tensor<5x6x7x3xf32> into tensor<210x3xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<210x3xf32>, tensor<3x4xf32>) outs({{.*}} : tensor<210x4xf32>)
// CHECK: tensor.expand_shape {{.*}} output_shape [5, 6, 7, 4] : tensor<210x4xf32> into tensor<5x6x7x4xf32>
func.func @batch_channels_last(%image: tensor<5x6x7x3xf32>, %filter: tensor<1x1x3x4xf32>, %init: tensor<5x6x7x4xf32>) -> tensor<5x6x7x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<5x6x7x3xf32>, tensor<1x1x3x4xf32>) outs(%init : tensor<5x6x7x4xf32>) -> tensor<5x6x7x4xf32>
  return %0 : tensor<5x6x7x4xf32>
}

// One dynamic extent, here that of the batch.
// CHECK-LABEL: func.func @dynamic_batch(
// CHECK-SAME: %[[IMAGE:[^:]*]]: tensor<?x6x7x3xf32>
// CHECK: tensor.collapse_shape %[[IMAGE]] {{.*}} : tensor<?x6x7x3xf32> into tensor<?x3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[INIT:.*]], %c0
// CHECK: tensor.expand_shape {{.*}} output_shape [%[[N]], 6, 7, 4] : tensor<?x4xf32> into tensor<?x6x7x4xf32>
func.func @dynamic_batch(%image: tensor<?x6x7x3xf32>, %filter: tensor<1x1x3x4xf32>, %init: tensor<?x6x7x4xf32>) -> tensor<?x6x7x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<?x6x7x3xf32>, tensor<1x1x3x4xf32>) outs(%init : tensor<?x6x7x4xf32>) -> tensor<?x6x7x4xf32>
  return %0 : tensor<?x6x7x4xf32>
}

// All rows of the image are read, because the result has equally many.
// CHECK-LABEL: func.func @dynamic_rows(
// CHECK-SAME: %[[IMAGE:[^:]*]]: tensor<1x?x7x3xbf16>
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.collapse_shape %[[IMAGE]] {{.*}} : tensor<1x?x7x3xbf16> into tensor<?x3xbf16>
// CHECK: linalg.matmul ins({{.*}} : tensor<?x3xbf16>, tensor<3x4xbf16>) outs({{.*}} : tensor<?x4xf32>)
// CHECK: tensor.expand_shape {{.*}} output_shape [1, %{{.*}}, 7, 4]
func.func @dynamic_rows(%image: tensor<1x?x7x3xbf16>, %filter: tensor<1x1x3x4xbf16>) -> tensor<1x?x7x4xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %h = tensor.dim %image, %c1 : tensor<1x?x7x3xbf16>
  %empty = tensor.empty(%h) : tensor<1x?x7x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x7x4xf32>) -> tensor<1x?x7x4xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x?x7x3xbf16>, tensor<1x1x3x4xbf16>) outs(%init : tensor<1x?x7x4xf32>) -> tensor<1x?x7x4xf32>
  return %0 : tensor<1x?x7x4xf32>
}

// The loops of a convolution are those of its result: not all rows are read.
// CHECK-LABEL: func.func @larger_image(
// CHECK-SAME: %[[IMAGE:[^:]*]]: tensor<1x9x8x3xf32>
// CHECK: %[[READ:.*]] = tensor.extract_slice %[[IMAGE]][0, 0, 0, 0] [1, 6, 7, 3] [1, 1, 1, 1] : tensor<1x9x8x3xf32> to tensor<1x6x7x3xf32>
// CHECK: tensor.collapse_shape %[[READ]]
// CHECK: linalg.matmul ins({{.*}} : tensor<42x3xf32>, tensor<3x4xf32>)
func.func @larger_image(%image: tensor<1x9x8x3xf32>, %filter: tensor<1x1x3x4xf32>, %init: tensor<1x6x7x4xf32>) -> tensor<1x6x7x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x9x8x3xf32>, tensor<1x1x3x4xf32>) outs(%init : tensor<1x6x7x4xf32>) -> tensor<1x6x7x4xf32>
  return %0 : tensor<1x6x7x4xf32>
}

// Nothing proves that the two have equally many rows.
// CHECK-LABEL: func.func @perhaps_larger_image(
// CHECK-SAME: %[[IMAGE:[^:]*]]: tensor<1x?x7x3xf32>, %{{.*}}: tensor<1x1x3x4xf32>, %[[INIT:[^:]*]]: tensor<1x?x7x4xf32>
// CHECK: %[[H:.*]] = tensor.dim %[[INIT]], %c1
// CHECK: tensor.extract_slice %[[IMAGE]][0, 0, 0, 0] [1, %[[H]], 7, 3]
// CHECK: linalg.matmul
func.func @perhaps_larger_image(%image: tensor<1x?x7x3xf32>, %filter: tensor<1x1x3x4xf32>, %init: tensor<1x?x7x4xf32>) -> tensor<1x?x7x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x?x7x3xf32>, tensor<1x1x3x4xf32>) outs(%init : tensor<1x?x7x4xf32>) -> tensor<1x?x7x4xf32>
  return %0 : tensor<1x?x7x4xf32>
}

// Channels first: the filter is on the left.
// CHECK-LABEL: func.func @channels_first(
// CHECK-SAME: %[[IMAGE:.*]]: tensor<1x2x4x5xi8>, %[[FILTER:.*]]: tensor<7x2x1x1xi8>, %[[INIT:.*]]: tensor<1x7x4x5xi32>
// CHECK: %[[X:.*]] = tensor.collapse_shape %[[IMAGE]] {{\[\[}}0, 1], [2, 3]] : tensor<1x2x4x5xi8> into tensor<2x20xi8>
// CHECK: %[[W:.*]] = tensor.collapse_shape %[[FILTER]] {{\[\[}}0], [1, 2, 3]] : tensor<7x2x1x1xi8> into tensor<7x2xi8>
// CHECK: linalg.matmul ins(%[[W]], %[[X]] : tensor<7x2xi8>, tensor<2x20xi8>) outs({{.*}} : tensor<7x20xi32>)
func.func @channels_first(%image: tensor<1x2x4x5xi8>, %filter: tensor<7x2x1x1xi8>, %init: tensor<1x7x4x5xi32>) -> tensor<1x7x4x5xi32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%image, %filter : tensor<1x2x4x5xi8>, tensor<7x2x1x1xi8>) outs(%init : tensor<1x7x4x5xi32>) -> tensor<1x7x4x5xi32>
  return %0 : tensor<1x7x4x5xi32>
}

// The filter is the same for each image; integers are sign-extended.
// CHECK-LABEL: func.func @batch_channels_first(
// CHECK: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : tensor<3x2x4x5xi8> into tensor<3x2x20xi8>
// CHECK: %[[W:.*]] = tensor.collapse_shape %{{.*}} : tensor<7x2x1x1xi16> into tensor<7x2xi16>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[W]], %[[X]] : tensor<7x2xi16>, tensor<3x2x20xi8>)
// CHECK: ^bb0(%[[A:.*]]: i16, %[[B:.*]]: i8, %[[C:.*]]: i32):
// CHECK: %[[A32:.*]] = arith.extsi %[[A]] : i16 to i32
// CHECK: %[[B32:.*]] = arith.extsi %[[B]] : i8 to i32
// CHECK: %[[MUL:.*]] = arith.muli %[[A32]], %[[B32]]
// CHECK: arith.addi %[[MUL]], %[[C]]
// CHECK: tensor.expand_shape {{.*}} {{\[\[}}0], [1], [2, 3]] output_shape [3, 7, 4, 5]
func.func @batch_channels_first(%image: tensor<3x2x4x5xi8>, %filter: tensor<7x2x1x1xi16>, %init: tensor<3x7x4x5xi32>) -> tensor<3x7x4x5xi32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%image, %filter : tensor<3x2x4x5xi8>, tensor<7x2x1x1xi16>) outs(%init : tensor<3x7x4x5xi32>) -> tensor<3x7x4x5xi32>
  return %0 : tensor<3x7x4x5xi32>
}

// A filter of one element is not dilated.
// CHECK-LABEL: func.func @dilated(
// CHECK: linalg.matmul
func.func @dilated(%image: tensor<1x4x5x2xf32>, %filter: tensor<1x1x2x7xf32>, %init: tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<3> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%image, %filter : tensor<1x4x5x2xf32>, tensor<1x1x2x7xf32>) outs(%init : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  return %0 : tensor<1x4x5x7xf32>
}

// CHECK-LABEL: func.func @in_a_loop(
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK: scf.yield
func.func @in_a_loop(%n: index, %image: tensor<1x4x5x2xf32>, %filter: tensor<1x1x2x2xf32>) -> tensor<1x4x5x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %image) -> tensor<1x4x5x2xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %filter : tensor<1x4x5x2xf32>, tensor<1x1x2x2xf32>) outs(%x : tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
    scf.yield %0 : tensor<1x4x5x2xf32>
  }
  return %r : tensor<1x4x5x2xf32>
}

// Blocks do not change, not even empty and equal ones.
// CHECK-LABEL: func.func @blocks(
// CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK: linalg.matmul
// CHECK: ^bb2:
// CHECK: cf.br ^bb3
// CHECK: ^bb3(
func.func @blocks(%c: i1, %image: tensor<1x4x5x2xf32>, %filter: tensor<1x1x2x2xf32>) -> tensor<1x4x5x2xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x4x5x2xf32>, tensor<1x1x2x2xf32>) outs(%image : tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
  cf.br ^end(%0 : tensor<1x4x5x2xf32>)
^b:
  cf.br ^end(%image : tensor<1x4x5x2xf32>)
^end(%r: tensor<1x4x5x2xf32>):
  return %r : tensor<1x4x5x2xf32>
}

// Left alone.

// CHECK-LABEL: func.func @two_dynamic_extents(
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @two_dynamic_extents(%image: tensor<?x4x?x2xf32>, %filter: tensor<1x1x2x7xf32>, %init: tensor<?x4x?x7xf32>) -> tensor<?x4x?x7xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<?x4x?x2xf32>, tensor<1x1x2x7xf32>) outs(%init : tensor<?x4x?x7xf32>) -> tensor<?x4x?x7xf32>
  return %0 : tensor<?x4x?x7xf32>
}

// CHECK-LABEL: func.func @strided(
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @strided(%image: tensor<1x7x9x2xf32>, %filter: tensor<1x1x2x7xf32>, %init: tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%image, %filter : tensor<1x7x9x2xf32>, tensor<1x1x2x7xf32>) outs(%init : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  return %0 : tensor<1x4x5x7xf32>
}

// CHECK-LABEL: func.func @larger_filter(
// CHECK: linalg.conv_2d_nchw_fchw
func.func @larger_filter(%image: tensor<1x2x4x5xf32>, %filter: tensor<7x2x1x2xf32>, %init: tensor<1x7x4x4xf32>) -> tensor<1x7x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%image, %filter : tensor<1x2x4x5xf32>, tensor<7x2x1x2xf32>) outs(%init : tensor<1x7x4x4xf32>) -> tensor<1x7x4x4xf32>
  return %0 : tensor<1x7x4x4xf32>
}

// CHECK-LABEL: func.func @unknown_filter(
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @unknown_filter(%image: tensor<1x4x5x2xf32>, %filter: tensor<?x?x2x7xf32>, %init: tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x4x5x2xf32>, tensor<?x?x2x7xf32>) outs(%init : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  return %0 : tensor<1x4x5x7xf32>
}

// The product of the extents does not fit in int64.
// CHECK-LABEL: func.func @huge(
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @huge(%image: tensor<4294967296x4294967296x5x2xi8>, %filter: tensor<1x1x2x7xi8>, %init: tensor<4294967296x4294967296x5x7xi8>) -> tensor<4294967296x4294967296x5x7xi8> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<4294967296x4294967296x5x2xi8>, tensor<1x1x2x7xi8>) outs(%init : tensor<4294967296x4294967296x5x7xi8>) -> tensor<4294967296x4294967296x5x7xi8>
  return %0 : tensor<4294967296x4294967296x5x7xi8>
}

// CHECK-LABEL: func.func @buffers(
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @buffers(%image: memref<1x4x5x2xf32>, %filter: memref<1x1x2x7xf32>, %init: memref<1x4x5x7xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%image, %filter : memref<1x4x5x2xf32>, memref<1x1x2x7xf32>) outs(%init : memref<1x4x5x7xf32>)
  return
}
