// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @reduce
func.func @reduce(%x: tensor<4x8xf32>, %n: tensor<4x8xi32>, %zero: tensor<f32>, %none: tensor<i32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // Subtraction does not commute, so its region is printed.
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) across dimensions = [0, 1] {a = 1 : i64} : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) {
  // CHECK-NEXT: stablehlo.subtract %[[A]], %[[B]]
  %1 = stablehlo.reduce(%x init: %zero) across dimensions = [0, 1] {a = 1 : i64} : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %d = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }
  // The arguments print in pairs; the block takes both accumulators first.
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [0]
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>) (%[[B:.*]]: tensor<i32>, %[[D:.*]]: tensor<i32>) {
  // CHECK-NEXT: stablehlo.maximum %[[A]], %[[C]] : tensor<f32>
  // CHECK-NEXT: stablehlo.minimum %[[B]], %[[D]] : tensor<i32>
  %2:2 = "stablehlo.reduce"(%x, %n, %zero, %none) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %e = stablehlo.maximum %a, %c : tensor<f32>
    %f = stablehlo.minimum %b, %d : tensor<i32>
    stablehlo.return %e, %f : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  return
}

// CHECK-LABEL: func @windows
func.func @windows(%x: tensor<4x8xf32>, %zero: tensor<f32>, %source: tensor<2x4xf32>) {
  // CHECK: "stablehlo.reduce_window"(%{{.*}}, %{{.*}}) <{padding = dense<{{\[\[}}0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
  // CHECK: "stablehlo.select_and_scatter"
  %1 = "stablehlo.select_and_scatter"(%x, %source, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.sort"(%{{.*}}) <{dimension = 1 : i64, is_stable = true}> ({
  %2 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.map"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0, 1>}> ({
  %3 = "stablehlo.map"(%x, %x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.power %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @products
func.func @products(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>, %m: tensor<4x8xf32>, %n: tensor<8x5xf32>) {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> {x} :
  %1 = stablehlo.dot_general %m, %n, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> {x} : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %2 = "stablehlo.dot_general"(%m, %n) {dot_dimension_numbers = #stablehlo.dot<rhs_contracting_dimensions = [0], lhs_contracting_dimensions = [1]>} : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  // CHECK: stablehlo.dot %{{.*}}, %{{.*}}, precision = [HIGH, HIGH] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %3 = stablehlo.dot %m, %n, precision = [HIGH, HIGH] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  // CHECK: stablehlo.einsum %{{.*}}, %{{.*}}, config = "ab,bc->ac"
  %4 = stablehlo.einsum %m, %n, config = "ab,bc->ac" : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  // CHECK: stablehlo.unary_einsum %{{.*}}, config = "ab->a"
  %5 = stablehlo.unary_einsum %m, config = "ab->a" : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// Without spatial dimensions, an empty list differs from no list in print only.
// CHECK-LABEL: func @convolutions_of_rank_2
func.func @convolutions_of_rank_2(%x: tensor<2x1xi32>, %k: tensor<2x2xi32>) {
  // CHECK: stablehlo.convolution({{.*}}) dim_numbers = [f, b]x[o, i]->[f, b], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {{{.*}}} : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x1xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [f, b]x[o, i]->[f, b], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x1xi32>
  // CHECK: stablehlo.convolution({{.*}}) dim_numbers = [f, b]x[o, i]->[f, b], window = {} {
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [f, b]x[o, i]->[f, b], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x1xi32>
  return
}

// With spatial dimensions, an empty list is not kept.
// CHECK-LABEL: func @convolution_with_empty_lists
func.func @convolution_with_empty_lists(%x: tensor<1x6x6x2xf32>, %k: tensor<1x1x2x4xf32>) {
  // CHECK: stablehlo.convolution({{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x6x2xf32>, tensor<1x1x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// CHECK-LABEL: func @convolutions
func.func @convolutions(%x: tensor<1x6x6x2xf32>, %k: tensor<3x3x2x4xf32>, %k1: tensor<1x1x2x4xf32>) {
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[\[}}1, 1], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x2x11x4xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [1, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x2x11x4xf32>
  // CHECK: window = {} {batch_group_count
  %1 = stablehlo.convolution(%x, %k1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x6x2xf32>, tensor<1x1x2x4xf32>) -> tensor<1x6x6x4xf32>
  // CHECK: dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[f, b, 1, 0], window = {}
  %2 = "stablehlo.convolution"(%x, %k1) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 1, output_feature_dimension = 0, output_spatial_dimensions = [3, 2]>} : (tensor<1x6x6x2xf32>, tensor<1x1x2x4xf32>) -> tensor<4x1x6x6xf32>
  return
}

// CHECK-LABEL: func @matrices
func.func @matrices(%x: tensor<4x4xf32>, %v: tensor<4xf32>) {
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<4x4xf32>
  %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
  // CHECK: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
  %1 = "stablehlo.triangular_solve"(%x, %x) {left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: stablehlo.fft %{{.*}}, type = RFFT, length = [4] : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
  %2 = stablehlo.fft %x, type =  RFFT, length = [4] : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
  // CHECK: "stablehlo.batch_norm_inference"
  %3 = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  // CHECK: "stablehlo.batch_norm_training"(%{{.*}}) <{epsilon = 1.000000e+00 : f32, feature_index = 1 : i64}>
  %4:3 = "stablehlo.batch_norm_training"(%x, %v, %v) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: "stablehlo.batch_norm_grad"
  %5:3 = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %x) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
