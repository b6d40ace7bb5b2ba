// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations with loops that are not structured, and operations that only move
// data.
//
// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions))' | FileCheck %s

// Softmax, pack, unpack, winograd: roots that take no neighbors in.

func.func @softmax(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.negf ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @softmax
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK-NEXT:      flow.return
// CHECK:         %[[C4:.+]] = arith.constant 4 : index
// CHECK:         %[[X:.+]] = affine.apply {{.*}}()[%{{.+}}, %[[C4]], %{{.+}}]
// CHECK:         %[[Y:.+]] = affine.apply
// CHECK:         flow.dispatch.region[%[[X]], %[[Y]]]
// CHECK-NEXT:      linalg.softmax
// CHECK-NEXT:      flow.return
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.negf

// -----

func.func @pack_and_unpack(%a: tensor<16x16xf32>, %p: tensor<2x2x8x8xf32>) -> tensor<16x16xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %p : tensor<16x16xf32> -> tensor<2x2x8x8xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %a : tensor<2x2x8x8xf32> -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
// CHECK-LABEL: func.func @pack_and_unpack
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.pack
// CHECK-NEXT:      flow.return
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.unpack
// CHECK-NEXT:      flow.return

// -----

func.func @winograd(%a: tensor<2x6x6x5xf32>, %e: tensor<6x6x1x1x2x5xf32>) -> tensor<6x6x1x1x2x5xf32> {
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%a : tensor<2x6x6x5xf32>) outs(%e : tensor<6x6x1x1x2x5xf32>) -> tensor<6x6x1x1x2x5xf32>
  return %0 : tensor<6x6x1x1x2x5xf32>
}
// CHECK-LABEL: func.func @winograd
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.winograd_input_transform

// -----

// A pad is cloned into the dispatches that read it.

func.func @pad_for_dispatches(%a: tensor<4xf32>, %z: f32, %e: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<6xf32>
  %1 = linalg.exp ins(%0 : tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
// CHECK-LABEL: func.func @pad_for_dispatches
// CHECK:         tensor.pad
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK-NOT:     flow.dispatch.region

// -----

// A pad with other readers gets its own dispatch.

func.func @pad_for_others(%a: tensor<?xf32>, %z: f32, %e: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
// CHECK-LABEL: func.func @pad_for_others
// CHECK:         %[[P:.+]] = flow.dispatch.region
// CHECK-NEXT:      tensor.pad
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp ins(%[[P]]

// -----

// Not if only a clone of a clone is read.

func.func @slice_of_pad(%a: tensor<4xf32>, %z: f32, %e: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<6xf32>
  %1 = tensor.extract_slice %0[0] [3] [2] : tensor<6xf32> to tensor<3xf32>
  %2 = linalg.exp ins(%1 : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
// CHECK-LABEL: func.func @slice_of_pad
// CHECK:         tensor.pad
// CHECK:         tensor.extract_slice
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK-NOT:     flow.dispatch.region

// -----

// Slices, concatenations and reshapes are left for later passes.

func.func @data_movement(%a: tensor<4xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<2xf32>, tensor<12xf32>, tensor<2x4xf32>) {
  %0 = tensor.insert_slice %a into %b[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.extract_slice %a[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %2 = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
  %3 = tensor.expand_shape %b [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<2xf32>, tensor<12xf32>, tensor<2x4xf32>
}
// CHECK-LABEL: func.func @data_movement
// CHECK-NOT:     flow.dispatch.region
// CHECK:         return

// -----

// Unknown operations stay, and their operands become results of dispatches.

func.func @unknown(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = "other.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @unknown
// CHECK:         %[[R:.+]] = flow.dispatch.region
// CHECK:         "other.op"(%[[R]])

// -----

// Pooling and batched products are roots; so is a linalg.contract.

func.func @roots(%a: tensor<1x6x6x3xf32>, %w: tensor<3x3xf32>, %p: tensor<1x4x4x3xf32>, %x: tensor<2x4x8xf32>, %y: tensor<2x8x4xf32>, %z: tensor<2x4x4xf32>) -> (tensor<1x4x4x3xf32>, tensor<2x4x4xf32>) {
  %0 = linalg.pooling_nhwc_sum ins(%a, %w : tensor<1x6x6x3xf32>, tensor<3x3xf32>) outs(%p : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %1 = linalg.exp ins(%0 : tensor<1x4x4x3xf32>) outs(%p : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %2 = linalg.batch_matmul ins(%x, %y : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%z : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %3 = linalg.exp ins(%2 : tensor<2x4x4xf32>) outs(%z : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %1, %3 : tensor<1x4x4x3xf32>, tensor<2x4x4xf32>
}
// CHECK-LABEL: func.func @roots
// CHECK:         flow.dispatch.region[%{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}}] -> (tensor<1x4x4x3xf32>) {
// CHECK-NEXT:      linalg.pooling_nhwc_sum
// CHECK-NEXT:      linalg.exp
// CHECK:         flow.dispatch.region[%{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}}] -> (tensor<2x4x4xf32>) {
// CHECK-NEXT:      linalg.batch_matmul
// CHECK-NEXT:      linalg.exp
