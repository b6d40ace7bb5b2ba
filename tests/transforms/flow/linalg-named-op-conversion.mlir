// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --linalg-named-op-conversion | FileCheck %s

// CHECK-LABEL: func.func @one_per_channel(
// CHECK-SAME: %[[IMAGE:.*]]: tensor<1x4x4x3xf32>, %[[FILTER:.*]]: tensor<2x2x3x1xf32>, %[[INIT:.*]]: tensor<1x3x3x3x1xf32>
// CHECK: %[[W:.*]] = tensor.collapse_shape %[[FILTER]] {{\[\[}}0], [1], [2, 3]] : tensor<2x2x3x1xf32> into tensor<2x2x3xf32>
// CHECK: %[[Y:.*]] = tensor.collapse_shape %[[INIT]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<1x3x3x3x1xf32> into tensor<1x3x3x3xf32>
// CHECK: %[[CONV:.*]] = linalg.depthwise_conv_2d_nhwc_hwc {_someattr, dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%[[IMAGE]], %[[W]] : tensor<1x4x4x3xf32>, tensor<2x2x3xf32>) outs(%[[Y]] : tensor<1x3x3x3xf32>)
// CHECK: tensor.expand_shape %[[CONV]] {{.*}} : tensor<1x3x3x3xf32> into tensor<1x3x3x3x1xf32>
func.func @one_per_channel(%image: tensor<1x4x4x3xf32>, %filter: tensor<2x2x3x1xf32>, %init: tensor<1x3x3x3x1xf32>) -> tensor<1x3x3x3x1xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {_someattr, dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%image, %filter : tensor<1x4x4x3xf32>, tensor<2x2x3x1xf32>) outs(%init : tensor<1x3x3x3x1xf32>) -> tensor<1x3x3x3x1xf32>
  return %0 : tensor<1x3x3x3x1xf32>
}

// CHECK-LABEL: func.func @quantized(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc_q {{.*}} ins({{.*}} : tensor<1x7x7x3xi8>, tensor<2x2x3xi8>, i32, i32) outs({{.*}} : tensor<1x3x3x3xi32>)
func.func @quantized(%image: tensor<1x7x7x3xi8>, %filter: tensor<2x2x3x1xi8>, %zp: i32, %init: tensor<1x3x3x3x1xi32>) -> tensor<1x3x3x3x1xi32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%image, %filter, %zp, %zp : tensor<1x7x7x3xi8>, tensor<2x2x3x1xi8>, i32, i32) outs(%init : tensor<1x3x3x3x1xi32>) -> tensor<1x3x3x3x1xi32>
  return %0 : tensor<1x3x3x3x1xi32>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}} outs({{.*}} : tensor<?x?x?x3xf32>)
// CHECK: tensor.expand_shape {{.*}} : tensor<?x?x?x3xf32> into tensor<?x?x?x3x1xf32>
func.func @dynamic(%image: tensor<?x?x?x3xf32>, %filter: tensor<2x2x3x1xf32>, %init: tensor<?x?x?x3x1xf32>) -> tensor<?x?x?x3x1xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%image, %filter : tensor<?x?x?x3xf32>, tensor<2x2x3x1xf32>) outs(%init : tensor<?x?x?x3x1xf32>) -> tensor<?x?x?x3x1xf32>
  return %0 : tensor<?x?x?x3x1xf32>
}

// CHECK-LABEL: func.func @in_a_branch(
// CHECK: scf.if
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {
// CHECK: else
func.func @in_a_branch(%c: i1, %image: tensor<1x4x4x3xbf16>, %filter: tensor<2x2x3x1xbf16>, %init: tensor<1x3x3x3x1xf32>) -> tensor<1x3x3x3x1xf32> {
  %r = scf.if %c -> tensor<1x3x3x3x1xf32> {
    %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%image, %filter : tensor<1x4x4x3xbf16>, tensor<2x2x3x1xbf16>) outs(%init : tensor<1x3x3x3x1xf32>) -> tensor<1x3x3x3x1xf32>
    scf.yield %0 : tensor<1x3x3x3x1xf32>
  } else {
    scf.yield %init : tensor<1x3x3x3x1xf32>
  }
  return %r : tensor<1x3x3x3x1xf32>
}

// CHECK-LABEL: func.func @blocks(
// CHECK: ^bb1
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {
func.func @blocks(%image: tensor<1x4x4x3xf32>, %filter: tensor<2x2x3x1xf32>, %init: tensor<1x3x3x3x1xf32>) -> tensor<1x3x3x3x1xf32> {
  cf.br ^next(%init : tensor<1x3x3x3x1xf32>)
^next(%y: tensor<1x3x3x3x1xf32>):
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%image, %filter : tensor<1x4x4x3xf32>, tensor<2x2x3x1xf32>) outs(%y : tensor<1x3x3x3x1xf32>) -> tensor<1x3x3x3x1xf32>
  return %0 : tensor<1x3x3x3x1xf32>
}

// Left alone.

// CHECK-LABEL: func.func @two_per_channel(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm
func.func @two_per_channel(%image: tensor<1x4x4x3xf32>, %filter: tensor<2x2x3x2xf32>, %init: tensor<1x3x3x3x2xf32>) -> tensor<1x3x3x3x2xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%image, %filter : tensor<1x4x4x3xf32>, tensor<2x2x3x2xf32>) outs(%init : tensor<1x3x3x3x2xf32>) -> tensor<1x3x3x3x2xf32>
  return %0 : tensor<1x3x3x3x2xf32>
}

// CHECK-LABEL: func.func @dynamic_multiplier(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm
func.func @dynamic_multiplier(%image: tensor<1x4x4x3xf32>, %filter: tensor<2x2x3x?xf32>, %init: tensor<1x3x3x3x?xf32>) -> tensor<1x3x3x3x?xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%image, %filter : tensor<1x4x4x3xf32>, tensor<2x2x3x?xf32>) outs(%init : tensor<1x3x3x3x?xf32>) -> tensor<1x3x3x3x?xf32>
  return %0 : tensor<1x3x3x3x?xf32>
}

// CHECK-LABEL: func.func @buffers(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm
func.func @buffers(%image: memref<1x4x4x3xf32>, %filter: memref<2x2x3x1xf32>, %init: memref<1x3x3x3x1xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm ins(%image, %filter : memref<1x4x4x3xf32>, memref<2x2x3x1xf32>) outs(%init : memref<1x3x3x3x1xf32>)
  return
}
