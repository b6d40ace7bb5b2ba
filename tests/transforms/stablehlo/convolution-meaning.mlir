// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All attributes of convolutions.
// The expected values are those of the evaluator of StableHLO.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @nwc() {
  %a = stablehlo.constant dense<[[[-4.0,3.0],[-1.0,6.0],[2.0,-2.0],[5.0,1.0]]]> : tensor<1x4x2xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0],[-1.0,6.0]],[[2.0,-2.0],[5.0,1.0]],[[-3.0,4.0],[0.0,-4.0]]]> : tensor<3x2x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x2xf32>) -> tensor<1x4x2xf32>
  check.expect_eq_const %r, dense<[[[10.0, -17.0], [35.0, 30.0], [-23.0, 43.0], [9.0, -15.0]]]> : tensor<1x4x2xf32>
  return
}

func.func @ncw() {
  %a = stablehlo.constant dense<[[[-4.0,3.0,-1.0,6.0],[2.0,-2.0,5.0,1.0]]]> : tensor<1x2x4xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0,-1.0],[6.0,2.0,-2.0]],[[5.0,1.0,-3.0],[4.0,0.0,-4.0]]]> : tensor<2x2x3xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x4xf32>, tensor<2x2x3xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %r, dense<[[[24.0, -25.0], [-26.0, -16.0]]]> : tensor<1x2x2xf32>
  return
}

func.func @nhwc() {
  %a = stablehlo.constant dense<[[[[-4.0,3.0],[-1.0,6.0],[2.0,-2.0]],[[5.0,1.0],[-3.0,4.0],[0.0,-4.0]],[[3.0,-1.0],[6.0,2.0],[-2.0,5.0]]]]> : tensor<1x3x3x2xf32>
  %b = stablehlo.constant dense<[[[[-4.0,3.0],[-1.0,6.0]],[[2.0,-2.0],[5.0,1.0]]],[[[-3.0,4.0],[0.0,-4.0]],[[3.0,-1.0],[6.0,2.0]]]]> : tensor<2x2x2x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %r, dense<[[[[41.0, 41.0], [-23.0, -9.0]], [[14.0, 45.0], [-6.0, 39.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @fhwc() {
  %a = stablehlo.constant dense<[[[[-4.0,3.0],[-1.0,6.0],[2.0,-2.0]],[[5.0,1.0],[-3.0,4.0],[0.0,-4.0]],[[3.0,-1.0],[6.0,2.0],[-2.0,5.0]]]]> : tensor<1x3x3x2xf32>
  %b = stablehlo.constant dense<[[[[-4.0,3.0],[-1.0,6.0]],[[2.0,-2.0],[5.0,1.0]]],[[[-3.0,4.0],[0.0,-4.0]],[[3.0,-1.0],[6.0,2.0]]]]> : tensor<2x2x2x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[o, 0, 1, i]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %r, dense<[[[[59.0, 4.0], [-10.0, 14.0]], [[50.0, 23.0], [3.0, 55.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @nchw_strides_dilation() {
  %a = stablehlo.constant dense<[[[[-4.0,3.0,-1.0,6.0,2.0],[-2.0,5.0,1.0,-3.0,4.0],[0.0,-4.0,3.0,-1.0,6.0],[2.0,-2.0,5.0,1.0,-3.0],[4.0,0.0,-4.0,3.0,-1.0],[6.0,2.0,-2.0,5.0,1.0]],[[-3.0,4.0,0.0,-4.0,3.0],[-1.0,6.0,2.0,-2.0,5.0],[1.0,-3.0,4.0,0.0,-4.0],[3.0,-1.0,6.0,2.0,-2.0],[5.0,1.0,-3.0,4.0,0.0],[-4.0,3.0,-1.0,6.0,2.0]]]]> : tensor<1x2x6x5xf32>
  %b = stablehlo.constant dense<[[[[-4.0,3.0],[-1.0,6.0]],[[2.0,-2.0],[5.0,1.0]]]]> : tensor<1x2x2x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], rhs_dilate = [3, 2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x6x5xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x2x3xf32>
  check.expect_eq_const %r, dense<[[[[56.0, 27.0, 9.0], [-36.0, 56.0, 27.0]]]]> : tensor<1x1x2x3xf32>
  return
}

func.func @ndhwc() {
  %a = stablehlo.constant dense<[[[[[-4.0],[3.0],[-1.0]],[[6.0],[2.0],[-2.0]]],[[[5.0],[1.0],[-3.0]],[[4.0],[0.0],[-4.0]]]]]> : tensor<1x2x2x3x1xf32>
  %b = stablehlo.constant dense<[[[[[-4.0,3.0]],[[-1.0,6.0]]],[[[2.0,-2.0]],[[5.0,1.0]]]]]> : tensor<1x2x2x1x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x3x1xf32>, tensor<1x2x2x1x2xf32>) -> tensor<1x2x1x2x2xf32>
  check.expect_eq_const %r, dense<[[[[[35.0, -4.0], [-17.0, -3.0]]], [[[-13.0, 13.0], [-21.0, -19.0]]]]]> : tensor<1x2x1x2x2xf32>
  return
}

func.func @permuted() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0],[6.0]],[[2.0],[-2.0],[5.0],[1.0]]]> : tensor<2x4x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0],[-1.0,6.0],[2.0,-2.0]],[[5.0,1.0],[-3.0,4.0],[0.0,-4.0]]]> : tensor<2x3x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [f, 0, b]x[o, 0, i]->[f, b, 0], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x1xf32>, tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  check.expect_eq_const %r, dense<[[[-5.0, 23.0]], [[-55.0, 32.0]]]> : tensor<2x1x2xf32>
  return
}

func.func @rank_0() {
  %a = stablehlo.constant dense<[[-4.0,3.0,-1.0],[6.0,2.0,-2.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[-4.0,3.0],[-1.0,6.0],[2.0,-2.0]]> : tensor<3x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[11.0, 8.0], [-30.0, 34.0]]> : tensor<2x2xf32>
  return
}

func.func @lhs_dilation_and_reversal() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0]]]> : tensor<1x3x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0]],[[-1.0,6.0]]]> : tensor<2x1x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]], lhs_dilate = [2], reverse = [true]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x2xf32>) -> tensor<1x6x2xf32>
  check.expect_eq_const %r, dense<[[[16.0, -12.0], [4.0, -24.0], [-12.0, 9.0], [-3.0, 18.0], [4.0, -3.0], [1.0, -6.0]]]> : tensor<1x6x2xf32>
  return
}

func.func @negative_padding() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0],[6.0],[2.0],[-2.0]]]> : tensor<1x6x1xf32>
  %b = stablehlo.constant dense<[[[-4.0]],[[3.0]]]> : tensor<2x1x1xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-2, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x1xf32>, tensor<2x1x1xf32>) -> tensor<1x4x1xf32>
  check.expect_eq_const %r, dense<[[[22.0], [-18.0], [-14.0], [8.0]]]> : tensor<1x4x1xf32>
  return
}

// No element of lhs is read.
func.func @only_padding() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0]]]> : tensor<1x2x1xf32>
  %b = stablehlo.constant dense<[[[-4.0]],[[3.0]]]> : tensor<2x1x1xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-3, 4]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %r, dense<[[[0.0], [0.0]]]> : tensor<1x2x1xf32>
  return
}

func.func @negative_padding_of_dilated() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0]]]> : tensor<1x3x1xf32>
  %b = stablehlo.constant dense<[[[-4.0]],[[3.0]]]> : tensor<2x1x1xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-1, 2]], lhs_dilate = [2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>) -> tensor<1x5x1xf32>
  check.expect_eq_const %r, dense<[[[9.0], [-12.0], [-3.0], [4.0], [0.0]]]> : tensor<1x5x1xf32>
  return
}

// lhs has no element.
func.func @nothing_but_padding() {
  %a = stablehlo.constant dense<> : tensor<1x0x1xf32>
  %b = stablehlo.constant dense<[[[1.0]],[[2.0]]]> : tensor<2x1x1xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 2]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x0x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %r, dense<[[[0.0], [0.0]]]> : tensor<1x2x1xf32>
  return
}

func.func @no_position() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0]]]> : tensor<1x2x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0]],[[-1.0,6.0]],[[2.0,-2.0]]]> : tensor<3x1x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xf32>, tensor<3x1x2xf32>) -> tensor<1x0x2xf32>
  check.expect_eq_const %r, dense<> : tensor<1x0x2xf32>
  return
}

func.func @no_feature() {
  %a = stablehlo.constant dense<> : tensor<1x2x0xf32>
  %b = stablehlo.constant dense<> : tensor<2x0x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x0xf32>, tensor<2x0x2xf32>) -> tensor<1x1x2xf32>
  check.expect_eq_const %r, dense<[[[0.0, 0.0]]]> : tensor<1x1x2xf32>
  return
}

// The single position reads two of four elements.
func.func @unread_elements() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0],[6.0]]]> : tensor<1x4x1xf32>
  %b = stablehlo.constant dense<[[[-4.0]],[[3.0]]]> : tensor<2x1x1xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x1x1xf32>
  check.expect_eq_const %r, dense<[[[25.0]]]> : tensor<1x1x1xf32>
  return
}

func.func @feature_groups() {
  %a = stablehlo.constant dense<[[[-4.0,3.0,-1.0,6.0],[2.0,-2.0,5.0,1.0],[-3.0,4.0,0.0,-4.0],[3.0,-1.0,6.0,2.0]]]> : tensor<1x4x4xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0,-1.0,6.0],[2.0,-2.0,5.0,1.0]],[[-3.0,4.0,0.0,-4.0],[3.0,-1.0,6.0,2.0]]]> : tensor<2x2x4xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x4xf32>, tensor<2x2x4xf32>) -> tensor<1x3x4xf32>
  check.expect_eq_const %r, dense<[[[10.0, -8.0, 37.0, -18.0], [9.0, -6.0, -24.0, 23.0], [8.0, -4.0, -8.0, -24.0]]]> : tensor<1x3x4xf32>
  return
}

func.func @feature_groups_permuted() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0],[6.0]],[[2.0],[-2.0],[5.0],[1.0]],[[-3.0],[4.0],[0.0],[-4.0]],[[3.0],[-1.0],[6.0],[2.0]]]> : tensor<4x4x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0],[-1.0,6.0]],[[2.0,-2.0],[5.0,1.0]],[[-3.0,4.0],[0.0,-4.0]],[[3.0,-1.0],[6.0,2.0]]]> : tensor<4x2x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [f, 0, b]x[o, 0, i]->[0, b, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<4x4x1xf32>, tensor<4x2x2xf32>) -> tensor<3x1x4xf32>
  check.expect_eq_const %r, dense<[[[7.0, 1.0, 25.0, 10.0]], [[13.0, 10.0, -40.0, 25.0]], [[19.0, 19.0, 16.0, -26.0]]]> : tensor<3x1x4xf32>
  return
}

func.func @depthwise() {
  %a = stablehlo.constant dense<[[[[-4.0,3.0],[-1.0,6.0],[2.0,-2.0]],[[5.0,1.0],[-3.0,4.0],[0.0,-4.0]],[[3.0,-1.0],[6.0,2.0],[-2.0,5.0]]]]> : tensor<1x3x3x2xf32>
  %b = stablehlo.constant dense<[[[[-4.0,3.0]],[[-1.0,6.0]]],[[[2.0,-2.0]],[[5.0,1.0]]]]> : tensor<2x2x1x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x3x3x2xf32>, tensor<2x2x1x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %r, dense<[[[[12.0, 47.0], [-4.0, -6.0]], [[19.0, 31.0], [14.0, -11.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @depthwise_multiplier() {
  %a = stablehlo.constant dense<[[[[-4.0,3.0],[-1.0,6.0],[2.0,-2.0]],[[5.0,1.0],[-3.0,4.0],[0.0,-4.0]],[[3.0,-1.0],[6.0,2.0],[-2.0,5.0]]]]> : tensor<1x3x3x2xf32>
  %b = stablehlo.constant dense<[[[[-4.0,3.0,-1.0,6.0]],[[2.0,-2.0,5.0,1.0]]],[[[-3.0,4.0,0.0,-4.0]],[[3.0,-1.0,6.0,2.0]]]]> : tensor<2x2x1x4xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x3x3x2xf32>, tensor<2x2x1x4xf32>) -> tensor<1x2x2x4xf32>
  check.expect_eq_const %r, dense<[[[[-10.0, 13.0, 51.0, 28.0], [17.0, -19.0, -40.0, 10.0]], [[-17.0, 27.0, 31.0, 18.0], [-12.0, 17.0, 6.0, 22.0]]]]> : tensor<1x2x2x4xf32>
  return
}

func.func @depthwise_nchw() {
  %a = stablehlo.constant dense<[[[[-4.0,3.0,-1.0],[6.0,2.0,-2.0],[5.0,1.0,-3.0]],[[4.0,0.0,-4.0],[3.0,-1.0,6.0],[2.0,-2.0,5.0]]]]> : tensor<1x2x3x3xf32>
  %b = stablehlo.constant dense<[[[[-4.0,3.0],[-1.0,6.0]]],[[[2.0,-2.0],[5.0,1.0]]]]> : tensor<2x1x2x2xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x3x3xf32>, tensor<2x1x2x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %r, dense<[[[[31.0, -29.0], [-17.0, -33.0]], [[22.0, 9.0], [16.0, -19.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @batch_groups() {
  %a = stablehlo.constant dense<[[[-4.0,3.0],[-1.0,6.0],[2.0,-2.0]],[[5.0,1.0],[-3.0,4.0],[0.0,-4.0]],[[3.0,-1.0],[6.0,2.0],[-2.0,5.0]],[[1.0,-3.0],[4.0,0.0],[-4.0,3.0]]]> : tensor<4x3x2xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0,-1.0,6.0],[2.0,-2.0,5.0,1.0]],[[-3.0,4.0,0.0,-4.0],[3.0,-1.0,6.0,2.0]]]> : tensor<2x2x4xf32>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x3x2xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  check.expect_eq_const %r, dense<[[[43.0, -28.0, 4.0, -3.0], [4.0, -5.0, 34.0, 56.0]], [[3.0, -3.0, -16.0, -13.0], [8.0, -13.0, 14.0, 46.0]]]> : tensor<2x2x4xf32>
  return
}

func.func @signed_widened() {
  %a = stablehlo.constant dense<[[[-128],[127],[100]]]> : tensor<1x3x1xi8>
  %b = stablehlo.constant dense<[[[-128]],[[127]]]> : tensor<2x1x1xi8>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xi8>, tensor<2x1x1xi8>) -> tensor<1x2x1xi32>
  check.expect_eq_const %r, dense<[[[32513], [-3556]]]> : tensor<1x2x1xi32>
  return
}

func.func @unsigned_widened() {
  %a = stablehlo.constant dense<[[[255],[127],[100]]]> : tensor<1x3x1xui8>
  %b = stablehlo.constant dense<[[[255]],[[200]]]> : tensor<2x1x1xui8>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xui8>, tensor<2x1x1xui8>) -> tensor<1x2x1xui32>
  check.expect_eq_const %r, dense<[[[90425], [52385]]]> : tensor<1x2x1xui32>
  return
}

func.func @bf16() {
  %a = stablehlo.constant dense<[[[256.0],[1.0],[1.0],[1.0]]]> : tensor<1x4x1xbf16>
  %b = stablehlo.constant dense<[[[1.0]],[[1.0]],[[1.0]]]> : tensor<3x1x1xbf16>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xbf16>, tensor<3x1x1xbf16>) -> tensor<1x2x1xbf16>
  check.expect_eq_const %r, dense<[[[258.0], [3.0]]]> : tensor<1x2x1xbf16>
  return
}

// Padding is 0, which is no element of lhs.
func.func @no_zero() {
  %a = stablehlo.constant dense<[[[1.0],[2.0]]]> : tensor<1x2x1xf8E8M0FNU>
  %b = stablehlo.constant dense<[[[4.0]],[[0.5]]]> : tensor<2x1x1xf8E8M0FNU>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xf8E8M0FNU>, tensor<2x1x1xf8E8M0FNU>) -> tensor<1x3x1xf32>
  check.expect_eq_const %r, dense<[[[0.5], [5.0], [8.0]]]> : tensor<1x3x1xf32>
  return
}

func.func @dynamic_batch() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0]],[[6.0],[2.0],[-2.0]]]> : tensor<2x3x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0]],[[-1.0,6.0]]]> : tensor<2x1x2xf32>
  %c = tensor.cast %a : tensor<2x3x1xf32> to tensor<?x3x1xf32>
  %r = stablehlo.convolution(%c, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 0]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3x1xf32>, tensor<2x1x2xf32>) -> tensor<?x3x2xf32>
  %s0 = tensor.cast %r : tensor<?x3x2xf32> to tensor<2x3x2xf32>
  check.expect_eq_const %s0, dense<[[[4.0, -24.0], [13.0, 6.0], [-11.0, 3.0]], [[-6.0, 36.0], [-26.0, 30.0], [-6.0, -6.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @dynamic_spatial() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0],[6.0],[2.0]]]> : tensor<1x5x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0]],[[-1.0,6.0]]]> : tensor<2x1x2xf32>
  %c = tensor.cast %a : tensor<1x5x1xf32> to tensor<1x?x1xf32>
  %d = tensor.cast %b : tensor<2x1x2xf32> to tensor<?x1x2xf32>
  %r = stablehlo.convolution(%c, %d) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[-1, 2]], lhs_dilate = [2], reverse = [true]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x?x1xf32>, tensor<?x1x2xf32>) -> tensor<1x?x2xf32>
  %s0 = tensor.cast %r : tensor<1x?x2xf32> to tensor<1x5x2xf32>
  check.expect_eq_const %s0, dense<[[[-12.0, 9.0], [4.0, -3.0], [-24.0, 18.0], [-8.0, 6.0], [0.0, 0.0]]]> : tensor<1x5x2xf32>
  return
}

func.func @dynamic_groups() {
  %a = stablehlo.constant dense<[[[-4.0,3.0,-1.0,6.0],[2.0,-2.0,5.0,1.0],[-3.0,4.0,0.0,-4.0]],[[3.0,-1.0,6.0,2.0],[-2.0,5.0,1.0,-3.0],[4.0,0.0,-4.0,3.0]]]> : tensor<2x3x4xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0,-1.0,6.0],[2.0,-2.0,5.0,1.0]],[[-3.0,4.0,0.0,-4.0],[3.0,-1.0,6.0,2.0]]]> : tensor<2x2x4xf32>
  %c = tensor.cast %a : tensor<2x3x4xf32> to tensor<?x3x?xf32>
  %r = stablehlo.convolution(%c, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<?x3x?xf32>, tensor<2x2x4xf32>) -> tensor<?x2x4xf32>
  %s0 = tensor.cast %r : tensor<?x2x4xf32> to tensor<2x2x4xf32>
  check.expect_eq_const %s0, dense<[[[10.0, -8.0, 37.0, -18.0], [9.0, -6.0, -24.0, 23.0]], [[7.0, -2.0, -14.0, 28.0], [6.0, 0.0, 2.0, 25.0]]]> : tensor<2x2x4xf32>
  return
}

func.func @dynamic_padding() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0]]]> : tensor<1x3x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0]],[[-1.0,6.0]]]> : tensor<2x1x2xf32>
  %c = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi32>
  %d = stablehlo.add %c, %c : tensor<1x2xi32>
  %r = "stablehlo.dynamic_conv"(%a, %b, %d) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}>
    : (tensor<1x3x1xf32>, tensor<2x1x2xf32>, tensor<1x2xi32>) -> tensor<1x?x2xf32>
  %s0 = tensor.cast %r : tensor<1x?x2xf32> to tensor<1x6x2xf32>
  check.expect_eq_const %s0, dense<[[[0.0, 0.0], [4.0, -24.0], [13.0, 6.0], [-11.0, 3.0], [4.0, -3.0], [0.0, 0.0]]]> : tensor<1x6x2xf32>
  return
}

func.func @dynamic_negative_padding() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0]]]> : tensor<1x3x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0]],[[-1.0,6.0]]]> : tensor<2x1x2xf32>
  %c = stablehlo.constant dense<[[-2, 3]]> : tensor<1x2xi32>
  %d = stablehlo.add %c, %c : tensor<1x2xi32>
  %r = "stablehlo.dynamic_conv"(%a, %b, %d) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}>
    : (tensor<1x3x1xf32>, tensor<2x1x2xf32>, tensor<1x2xi32>) -> tensor<1x?x2xf32>
  %s0 = tensor.cast %r : tensor<1x?x2xf32> to tensor<1x4x2xf32>
  check.expect_eq_const %s0, dense<[[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]]> : tensor<1x4x2xf32>
  return
}

func.func @dynamic_padding_without_position() {
  %a = stablehlo.constant dense<[[[-4.0],[3.0],[-1.0]]]> : tensor<1x3x1xf32>
  %b = stablehlo.constant dense<[[[-4.0,3.0]],[[-1.0,6.0]]]> : tensor<2x1x2xf32>
  %c = stablehlo.constant dense<[[-2, 0]]> : tensor<1x2xi32>
  %d = stablehlo.add %c, %c : tensor<1x2xi32>
  %r = "stablehlo.dynamic_conv"(%a, %b, %d) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}>
    : (tensor<1x3x1xf32>, tensor<2x1x2xf32>, tensor<1x2xi32>) -> tensor<1x?x2xf32>
  %s0 = tensor.cast %r : tensor<1x?x2xf32> to tensor<1x0x2xf32>
  check.expect_eq_const %s0, dense<> : tensor<1x0x2xf32>
  return
}

// One position, with an extent that is bounded, not known: the kernel covers all.
func.func @one_position_of_bounded_extent() {
  %a = stablehlo.constant dense<[[[3.0], [4.0], [5.0]]]> : tensor<1x3x1xf32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %bounded = stablehlo.set_dimension_size %a, %three, dim = 1 : (tensor<1x3x1xf32>, tensor<i32>) -> tensor<1x?x1xf32, #stablehlo.bounds<?, 3, ?>>
  %b = stablehlo.constant dense<[[[10.0]], [[1.0]]]> : tensor<2x1x1xf32>
  %d = stablehlo.constant dense<[[0, 0]]> : tensor<1x2xi32>
  %r = "stablehlo.dynamic_conv"(%bounded, %b, %d) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2>}>
    : (tensor<1x?x1xf32, #stablehlo.bounds<?, 3, ?>>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<1x1x1xf32>
  check.expect_eq_const %r, dense<34.0> : tensor<1x1x1xf32>
  return
}

// The holes of a kernel count: there is one position.
func.func @one_position_of_a_dilated_kernel() {
  %x = stablehlo.constant dense<[[[1.0],[2.0],[3.0],[4.0],[5.0],[6.0]]]> : tensor<1x6x1xf32>
  %k = stablehlo.constant dense<[[[1.0]],[[10.0]],[[100.0]]]> : tensor<3x1x1xf32>
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], rhs_dilate = [2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x1xf32>, tensor<3x1x1xf32>) -> tensor<1x1x1xf32>
  check.expect_eq_const %r, dense<531.0> : tensor<1x1x1xf32>
  return
}
func.func @unknown_extent_and_a_dilated_kernel() {
  %x = stablehlo.constant dense<[[[1.0],[2.0],[3.0],[4.0],[5.0],[6.0]]]> : tensor<1x6x1xf32>
  %k = stablehlo.constant dense<[[[1.0]],[[10.0]],[[100.0]]]> : tensor<3x1x1xf32>
  %c = call @dilated_kernel(%x, %k) : (tensor<1x6x1xf32>, tensor<3x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %c, dense<[[[531.0], [642.0]]]> : tensor<1x2x1xf32>
  return
}
func.func private @dilated_kernel(%x: tensor<1x6x1xf32>, %k: tensor<3x1x1xf32>) -> tensor<1x2x1xf32> {
  %d = tensor.cast %x : tensor<1x6x1xf32> to tensor<1x?x1xf32>
  %u = func.call @of_unknown_extent(%d, %k) : (tensor<1x?x1xf32>, tensor<3x1x1xf32>) -> tensor<1x?x1xf32>
  %s = tensor.cast %u : tensor<1x?x1xf32> to tensor<1x2x1xf32>
  return %s : tensor<1x2x1xf32>
}
func.func private @of_unknown_extent(%x: tensor<1x?x1xf32>, %k: tensor<3x1x1xf32>) -> tensor<1x?x1xf32> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x?x1xf32>, tensor<3x1x1xf32>) -> tensor<1x?x1xf32>
  return %r : tensor<1x?x1xf32>
}
