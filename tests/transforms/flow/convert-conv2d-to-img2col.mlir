// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-convert-conv2d-to-img2col --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @zero_init(
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[IMAGE:.*]] = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x4x4x3xf32>
// CHECK: %[[FILTER:.*]] = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<2x2x3x4xf32>
// CHECK-NEXT: tensor.empty() : tensor<1x3x3x4xf32>
// CHECK-NEXT: %[[FILL:.*]] = linalg.fill
// CHECK-NEXT: %[[COLS:.*]] = tensor.empty() : tensor<1x3x3x2x2x3xf32>
// CHECK-NEXT: %[[GATHER:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3, d2 + d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%[[IMAGE]] : tensor<1x4x4x3xf32>) outs(%[[COLS]] : tensor<1x3x3x2x2x3xf32>) {
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[IN]] : f32
// CHECK-NEXT: } -> tensor<1x3x3x2x2x3xf32>
// CHECK-NEXT: %[[X:.*]] = tensor.collapse_shape %[[GATHER]] {{\[\[}}0, 1, 2], [3, 4, 5]] : tensor<1x3x3x2x2x3xf32> into tensor<9x12xf32>
// CHECK-NEXT: %[[W:.*]] = tensor.collapse_shape %[[FILTER]] {{\[\[}}0, 1, 2], [3]] : tensor<2x2x3x4xf32> into tensor<12x4xf32>
// CHECK-NEXT: %[[Y:.*]] = tensor.collapse_shape %[[FILL]] {{\[\[}}0, 1, 2], [3]] : tensor<1x3x3x4xf32> into tensor<9x4xf32>
// CHECK-NEXT: %[[MM:.*]] = linalg.matmul ins(%[[X]], %[[W]] : tensor<9x12xf32>, tensor<12x4xf32>) outs(%[[Y]] : tensor<9x4xf32>) -> tensor<9x4xf32>
// CHECK-NEXT: %[[R:.*]] = tensor.expand_shape %[[MM]] {{\[\[}}0, 1, 2], [3]] output_shape [1, 3, 3, 4] : tensor<9x4xf32> into tensor<1x3x3x4xf32>
// CHECK-NEXT: %[[EXPORT:.*]] = hal.tensor.export %[[R]] : tensor<1x3x3x4xf32> -> !hal.buffer_view
// CHECK-NEXT: return %[[EXPORT]]
func.func @zero_init(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %image = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x4x4x3xf32>
  %filter = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<2x2x3x4xf32>
  %0 = tensor.empty() : tensor<1x3x3x4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%image, %filter : tensor<1x4x4x3xf32>, tensor<2x2x3x4xf32>) outs(%1 : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %result = hal.tensor.export %2 : tensor<1x3x3x4xf32> -> !hal.buffer_view
  return %result : !hal.buffer_view
}

// CHECK-LABEL: func.func @steps(
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d3 * 3, d2 * 3 + d4 * 2, d5)>
// CHECK: linalg.matmul
func.func @steps(%image: tensor<1x10x12x3xf32>, %filter: tensor<2x3x3x4xf32>, %init: tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<[3, 2]> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>} ins(%image, %filter : tensor<1x10x12x3xf32>, tensor<2x3x3x4xf32>) outs(%init : tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  return %0 : tensor<1x4x3x4xf32>
}

// Image and filter keep their types; the product extends them.
// CHECK-LABEL: func.func @mixed_types(
// CHECK: tensor.empty() : tensor<1x3x3x2x2x3xi8>
// CHECK: tensor.collapse_shape %{{.*}} : tensor<2x2x3x4xi16> into tensor<12x4xi16>
// CHECK: linalg.matmul ins({{.*}} : tensor<9x12xi8>, tensor<12x4xi16>) outs({{.*}} : tensor<9x4xi32>)
func.func @mixed_types(%image: tensor<1x4x4x3xi8>, %filter: tensor<2x2x3x4xi16>, %init: tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x4x4x3xi8>, tensor<2x2x3x4xi16>) outs(%init : tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32>
  return %0 : tensor<1x3x3x4xi32>
}

// CHECK-LABEL: func.func @batch(
// CHECK: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3, 4, 5]] : tensor<8x3x3x2x2x3xbf16> into tensor<8x9x12xbf16>
// CHECK: %[[W:.*]] = tensor.collapse_shape %{{.*}} : tensor<2x2x3x4xbf16> into tensor<12x4xbf16>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[X]], %[[W]] :
// CHECK: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %[[C:.*]]: f32):
// CHECK: %[[A32:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK: %[[B32:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK: %[[MUL:.*]] = arith.mulf %[[A32]], %[[B32]]
// CHECK: arith.addf %[[MUL]], %[[C]]
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2], [3]] output_shape [8, 3, 3, 4] : tensor<8x9x4xf32> into tensor<8x3x3x4xf32>
func.func @batch(%image: tensor<8x4x4x3xbf16>, %filter: tensor<2x2x3x4xbf16>, %init: tensor<8x3x3x4xf32>) -> tensor<8x3x3x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<8x4x4x3xbf16>, tensor<2x2x3x4xbf16>) outs(%init : tensor<8x3x3x4xf32>) -> tensor<8x3x3x4xf32>
  return %0 : tensor<8x3x3x4xf32>
}

// CHECK-LABEL: func.func @channels_first(
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>
// CHECK: %[[W:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2, 3]] : tensor<4x3x2x2xf32> into tensor<4x12xf32>
// CHECK: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2, 3], [4, 5]] : tensor<1x3x2x2x3x3xf32> into tensor<12x9xf32>
// CHECK: linalg.matmul ins(%[[W]], %[[X]] : tensor<4x12xf32>, tensor<12x9xf32>)
// CHECK: tensor.expand_shape {{.*}} : tensor<4x9xf32> into tensor<1x4x3x3xf32>
func.func @channels_first(%image: tensor<1x3x4x4xf32>, %filter: tensor<4x3x2x2xf32>, %init: tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%image, %filter : tensor<1x3x4x4xf32>, tensor<4x3x2x2xf32>) outs(%init : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  return %0 : tensor<1x4x3x3xf32>
}

// A sum of i1 is an `or`.
// CHECK-LABEL: func.func @batch_channels_first_i1(
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
// CHECK-SAME: ins({{.*}} : tensor<4x12xi1>, tensor<8x12x9xi1>) outs({{.*}} : tensor<8x4x9xi1>)
// CHECK: arith.andi
// CHECK: arith.ori
func.func @batch_channels_first_i1(%image: tensor<8x3x4x4xi1>, %filter: tensor<4x3x2x2xi1>, %init: tensor<8x4x3x3xi1>) -> tensor<8x4x3x3xi1> {
  %0 = linalg.conv_2d_nchw_fchw ins(%image, %filter : tensor<8x3x4x4xi1>, tensor<4x3x2x2xi1>) outs(%init : tensor<8x4x3x3xi1>) -> tensor<8x4x3x3xi1>
  return %0 : tensor<8x4x3x3xi1>
}

// CHECK-LABEL: func.func @depthwise(
// CHECK: %[[IMAGE:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
// CHECK-SAME: ins(%{{.*}} : tensor<1x7x7x5xi8>) outs(%{{.*}} : tensor<1x5x7x7xi8>)
// CHECK: %[[FILTER:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-SAME: ins(%{{.*}} : tensor<3x3x5xi8>) outs(%{{.*}} : tensor<5x3x3xi8>)
// CHECK: %[[INIT:.*]] = linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<1x3x3x5xi32>) outs(%{{.*}} : tensor<1x5x3x3xi32>)
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 2 + d5)>
// CHECK-SAME: ins(%[[IMAGE]] : tensor<1x5x7x7xi8>) outs(%{{.*}} : tensor<1x5x3x3x3x3xi8>)
// CHECK: linalg.batch_matvec ins(%{{.*}}, %{{.*}} : tensor<5x9x9xi8>, tensor<5x9xi8>) outs(%{{.*}} : tensor<5x9xi32>)
// CHECK: %[[R:.*]] = tensor.expand_shape {{.*}} : tensor<5x9xi32> into tensor<1x5x3x3xi32>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-SAME: ins(%[[R]] : tensor<1x5x3x3xi32>) outs(%{{.*}} : tensor<1x3x3x5xi32>)
func.func @depthwise(%image: tensor<1x7x7x5xi8>, %filter: tensor<3x3x5xi8>, %init: tensor<1x3x3x5xi32>) -> tensor<1x3x3x5xi32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%image, %filter : tensor<1x7x7x5xi8>, tensor<3x3x5xi8>) outs(%init : tensor<1x3x3x5xi32>) -> tensor<1x3x3x5xi32>
  return %0 : tensor<1x3x3x5xi32>
}

// The filter has no batch to merge with its channels.
// CHECK-LABEL: func.func @depthwise_batch(
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins({{.*}} : tensor<4x5x25x9xf32>, tensor<5x9xf32>) outs({{.*}} : tensor<4x5x25xf32>)
// CHECK: tensor.expand_shape {{.*}} : tensor<4x5x25xf32> into tensor<4x5x5x5xf32>
func.func @depthwise_batch(%image: tensor<4x7x7x5xf32>, %filter: tensor<3x3x5xf32>, %init: tensor<4x5x5x5xf32>) -> tensor<4x5x5x5xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%image, %filter : tensor<4x7x7x5xf32>, tensor<3x3x5xf32>) outs(%init : tensor<4x5x5x5xf32>) -> tensor<4x5x5x5xf32>
  return %0 : tensor<4x5x5x5xf32>
}

// CHECK-LABEL: func.func @dynamic_batch_and_width(
// CHECK: tensor.empty(%{{.*}}, %{{.*}}) : tensor<?x3x?x2x2x3xf32>
// CHECK: tensor.collapse_shape {{.*}} : tensor<?x3x?x2x2x3xf32> into tensor<?x?x12xf32>
// CHECK: linalg.generic
// CHECK: tensor.expand_shape {{.*}} output_shape [%{{.*}}, 3, %{{.*}}, 4] : tensor<?x?x4xf32> into tensor<?x3x?x4xf32>
func.func @dynamic_batch_and_width(%image: tensor<?x4x?x3xf32>, %filter: tensor<2x2x3x4xf32>, %init: tensor<?x3x?x4xf32>) -> tensor<?x3x?x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<?x4x?x3xf32>, tensor<2x2x3x4xf32>) outs(%init : tensor<?x3x?x4xf32>) -> tensor<?x3x?x4xf32>
  return %0 : tensor<?x3x?x4xf32>
}

// CHECK-LABEL: func.func @in_a_branch(
// CHECK: scf.if
// CHECK: linalg.matmul
// CHECK: else
func.func @in_a_branch(%c: i1, %image: tensor<1x4x4x3xf32>, %filter: tensor<2x2x3x4xf32>, %init: tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32> {
  %r = scf.if %c -> tensor<1x3x3x4xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x4x4x3xf32>, tensor<2x2x3x4xf32>) outs(%init : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
    scf.yield %0 : tensor<1x3x3x4xf32>
  } else {
    scf.yield %init : tensor<1x3x3x4xf32>
  }
  return %r : tensor<1x3x3x4xf32>
}

// Left alone.

// CHECK-LABEL: func.func @two_dynamic_extents(
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @two_dynamic_extents(%image: tensor<1x?x?x3xf32>, %filter: tensor<2x2x3x4xf32>, %init: tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x?x?x3xf32>, tensor<2x2x3x4xf32>) outs(%init : tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32>
  return %0 : tensor<1x?x?x4xf32>
}

// CHECK-LABEL: func.func @dynamic_filter(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @dynamic_filter(%image: tensor<1x7x7x5xf32>, %filter: tensor<?x?x5xf32>, %init: tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%image, %filter : tensor<1x7x7x5xf32>, tensor<?x?x5xf32>) outs(%init : tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32>
  return %0 : tensor<1x5x5x5xf32>
}

// CHECK-LABEL: func.func @complex_batch(
// CHECK: linalg.conv_2d_nchw_fchw
func.func @complex_batch(%image: tensor<8x3x4x4xcomplex<f32>>, %filter: tensor<4x3x2x2xcomplex<f32>>, %init: tensor<8x4x3x3xcomplex<f32>>) -> tensor<8x4x3x3xcomplex<f32>> {
  %0 = linalg.conv_2d_nchw_fchw ins(%image, %filter : tensor<8x3x4x4xcomplex<f32>>, tensor<4x3x2x2xcomplex<f32>>) outs(%init : tensor<8x4x3x3xcomplex<f32>>) -> tensor<8x4x3x3xcomplex<f32>>
  return %0 : tensor<8x4x3x3xcomplex<f32>>
}

// CHECK-LABEL: func.func @buffers(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @buffers(%image: memref<1x7x7x5xf32>, %filter: memref<3x3x5xf32>, %init: memref<1x5x5x5xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%image, %filter : memref<1x7x7x5xf32>, memref<3x3x5xf32>) outs(%init : memref<1x5x5x5xf32>)
  return
}
