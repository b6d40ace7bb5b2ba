// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Data movement is a view where the map is one, else a linalg.generic.
// RUN: mercator-opt %s --mercator-linalg-pipeline --split-input-file | FileCheck %s

// A dimension of extent 1 is collapsed, so the read is a projected permutation.
// CHECK-DAG: [[OUTER:#.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @broadcast
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<1x5xf32> into tensor<5xf32>
// CHECK: linalg.generic {indexing_maps = [[[OUTER]],
func.func @broadcast(%x: tensor<1x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// CHECK-LABEL: @broadcast_constant
// CHECK: arith.constant dense<1.500000e+00> : tensor<3x5xf32>
// CHECK-NOT: linalg
func.func @broadcast_constant() -> tensor<3x5xf32> {
  %c = stablehlo.constant dense<1.5> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// CHECK-LABEL: @broadcast_with_unit_dimensions
// CHECK-NEXT: tensor.expand_shape
// CHECK-NEXT: return
func.func @broadcast_with_unit_dimensions(%x: tensor<5xf32>) -> tensor<1x5x1xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<5xf32>) -> tensor<1x5x1xf32>
  return %0 : tensor<1x5x1xf32>
}
// -----
// Dimensions that do not change stay apart.
// CHECK-LABEL: @reshape
// CHECK-NEXT: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<4x6x5xf32> into tensor<4x30xf32>
// CHECK-NEXT: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [4, 3, 10]
// CHECK-NEXT: return
func.func @reshape(%x: tensor<4x6x5xf32>) -> tensor<4x3x10xf32> {
  %0 = stablehlo.reshape %x : (tensor<4x6x5xf32>) -> tensor<4x3x10xf32>
  return %0 : tensor<4x3x10xf32>
}
// -----
// Sizes stay numbers: no tensor of sizes is written.
// CHECK-LABEL: @reshape_to_sizes
// CHECK-NOT: tensor.insert_slice
// CHECK-NOT: tensor.extract
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<?x3x4xf32> into tensor<?x12xf32>
func.func @reshape_to_sizes(%x: tensor<?x3x4xf32>) -> tensor<?x12xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3x4xf32>) -> tensor<i32>
  %v = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %k = stablehlo.constant dense<12> : tensor<1xi32>
  %s = stablehlo.concatenate %v, %k, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x3x4xf32>, tensor<2xi32>) -> tensor<?x12xf32>
  return %0 : tensor<?x12xf32>
}
// -----
// CHECK-DAG: [[SWAP:#.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: @transpose
// CHECK: linalg.generic {indexing_maps = [[[SWAP]],
func.func @transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
// No element moves in memory.
// CHECK-LABEL: @transpose_of_unit_dimension
// CHECK-NOT: linalg
// CHECK: tensor.expand_shape
func.func @transpose_of_unit_dimension(%x: tensor<2x1x4xf32>) -> tensor<1x2x4xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<2x1x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// CHECK-LABEL: @reverse
// CHECK: linalg.generic
// CHECK: [[AT:%.*]] = linalg.index 0
// CHECK: [[FROM:%.*]] = arith.subi %c4, [[AT]]
// CHECK: tensor.extract %{{.*}}{{\[}}[[FROM]]] : tensor<5xf32>
func.func @reverse(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<5xf32>
  return %0 : tensor<5xf32>
}
// -----
// An unsigned start is never negative.
// CHECK-LABEL: @dynamic_slice
// CHECK: [[INDEX:%.*]] = arith.index_castui
// CHECK: [[START:%.*]] = arith.minui [[INDEX]], %c3
// CHECK: tensor.extract_slice %{{.*}}{{\[}}[[START]], 0] [2, 4] [1, 1]
func.func @dynamic_slice(%x: tensor<5x4xf32>, %i: tensor<ui32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 4] : (tensor<5x4xf32>, tensor<ui32>, tensor<ui32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// CHECK-LABEL: @pad
// CHECK: tensor.extract_slice %{{.*}}[2] [3] [1] : tensor<5xf32> to tensor<3xf32>
// CHECK: tensor.pad %{{.*}} low[0] high[1]
func.func @pad(%x: tensor<5xf32>, %p: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.pad %x, %p, low = [-2], high = [1], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// CHECK-LABEL: @pad_interior
// CHECK: linalg.fill
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1] [3] [2] : tensor<3xf32> into tensor<7xf32>
func.func @pad_interior(%x: tensor<3xf32>, %p: tensor<f32>) -> tensor<7xf32> {
  %0 = stablehlo.pad %x, %p, low = [1], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
// -----
// CHECK-LABEL: @nothing_moves
// CHECK-NEXT: return %arg0
func.func @nothing_moves(%x: tensor<2x3xf32>, %p: tensor<f32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.slice %0 [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.pad %1, %p, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %3 = stablehlo.concatenate %2, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.reshape %3 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}
// -----
// Indices of one component are an input; the operand is read in the body.
// CHECK-LABEL: @gather
// CHECK: [[ROWS:%.*]] = tensor.collapse_shape %arg1
// CHECK: linalg.generic {{.*}} ins([[ROWS]] : tensor<5xi32>)
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: tensor.extract %arg0
func.func @gather(%x: tensor<4x3xf32>, %i: tensor<5x1xi32>) -> tensor<5x3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
// -----
// Dimension 1 of the operand is the faster one: the bitcast is a reshape.
// CHECK-LABEL: @bitcast_of_layout
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: return
func.func @bitcast_of_layout(%x: tensor<1x4x8xf32, #hlo.layout<[2, 0, 1]>>) -> tensor<4x8xf32> {
  %0 = hlo.bitcast %x : (tensor<1x4x8xf32, #hlo.layout<[2, 0, 1]>>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// -----
// CHECK-LABEL: @bitcast_transposes
// CHECK: linalg.generic
// CHECK-NOT: reshape
func.func @bitcast_transposes(%x: tensor<4x8xf32>) -> tensor<8x4xf32, #hlo.layout<[0, 1]>> {
  %0 = hlo.bitcast %x : (tensor<4x8xf32>) -> tensor<8x4xf32, #hlo.layout<[0, 1]>>
  return %0 : tensor<8x4xf32, #hlo.layout<[0, 1]>>
}
