// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-tensor-pad-to-tensor-insert-slice --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: mercator-opt %s --iree-flow-tensor-pad-to-tensor-insert-slice=skip-one-linalg-use-case --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,SKIP

// CHECK-LABEL: func.func @static(
// CHECK: %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[X:.*]] = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x1xf32>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<5x7xf32>
// CHECK-NEXT: %[[FILL:.*]] = linalg.fill ins(%[[CST]] : f32) outs(%[[EMPTY]] : tensor<5x7xf32>) -> tensor<5x7xf32>
// CHECK-NEXT: %[[R:.*]] = tensor.insert_slice %[[X]] into %[[FILL]][1, 2] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<5x7xf32>
// CHECK-NEXT: %[[EXPORT:.*]] = hal.tensor.export %[[R]] : tensor<5x7xf32> -> !hal.buffer_view
// CHECK-NEXT: return %[[EXPORT]]
func.func @static(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %x = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x1xf32>
  %padded = tensor.pad %x low[1, 2] high[3, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<1x1xf32> to tensor<5x7xf32>
  %result = hal.tensor.export %padded : tensor<5x7xf32> -> !hal.buffer_view
  return %result : !hal.buffer_view
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:.*]]: tensor<?x?xi8>, %[[V:.*]]: i8, %[[LOW:.*]]: index, %[[HIGH:.*]]: index
// CHECK: %[[D0:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[D1:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[R0:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 + s1 + 4)>()[%[[HIGH]], %[[D0]]]
// CHECK: %[[R1:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 + s1 + 3)>()[%[[LOW]], %[[D1]]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[R0]], %[[R1]]) : tensor<?x?xi8>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[V]] : i8) outs(%[[EMPTY]]
// CHECK: tensor.insert_slice %[[X]] into %[[FILL]][4, %[[LOW]]] [%[[D0]], %[[D1]]] [1, 1]
func.func @dynamic(%x: tensor<?x?xi8>, %v: i8, %low: index, %high: index) -> tensor<?x?xi8> {
  %0 = tensor.pad %x low[4, %low] high[%high, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : i8
  } : tensor<?x?xi8> to tensor<?x?xi8>
  return %0 : tensor<?x?xi8>
}

// The type of the result does not change, more or less static.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>, %[[Y:[^:]*]]: tensor<3xf32>
// CHECK: tensor.insert_slice %[[X]] into %{{.*}}[1] [%{{.*}}] [1] : tensor<?xf32> into tensor<5xf32>
// CHECK: tensor.insert_slice %[[Y]] into %{{.*}}[%{{.*}}] [3] [1] : tensor<3xf32> into tensor<?xf32>
func.func @types(%x: tensor<?xf32>, %y: tensor<3xf32>, %n: index) -> (tensor<5xf32>, tensor<?xf32>) {
  %cst = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<?xf32> to tensor<5xf32>
  %1 = tensor.pad %y low[%n] high[1] {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<3xf32> to tensor<?xf32>
  return %0, %1 : tensor<5xf32>, tensor<?xf32>
}

// A constant in the pad's region.
// CHECK-LABEL: func.func @constant_inside(
// CHECK: %[[CST:.*]] = arith.constant 2.000000e+00 : bf16
// CHECK: linalg.fill ins(%[[CST]] : bf16)
// CHECK: tensor.insert_slice
func.func @constant_inside(%x: tensor<3xbf16>) -> tensor<5xbf16> {
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %cst = arith.constant 2.0 : bf16
    tensor.yield %cst : bf16
  } : tensor<3xbf16> to tensor<5xbf16>
  return %0 : tensor<5xbf16>
}

// CHECK-LABEL: func.func @one_linalg_user(
// ALL-NOT: tensor.pad
// SKIP: tensor.pad
// CHECK: linalg.pooling_nchw_sum
func.func @one_linalg_user(%x: tensor<1x1x3x3xf32>, %w: tensor<3x3xf32>, %init: tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %cst : f32
  } : tensor<1x1x3x3xf32> to tensor<1x1x5x5xf32>
  %1 = linalg.pooling_nchw_sum ins(%0, %w : tensor<1x1x5x5xf32>, tensor<3x3xf32>) outs(%init : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  return %1 : tensor<1x1x3x3xf32>
}

// Converted if zero points are involved or if there are other users.
// CHECK-LABEL: func.func @other_users(
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @other_users(%x: tensor<1x3x3x1xi8>, %w: tensor<3x3x1x1xi8>, %zp: i32, %init: tensor<1x3x3x1xi32>, %v: tensor<2xf32>) -> (tensor<1x3x3x1xi32>, tensor<4xf32>, tensor<4xf32>) {
  %cst = arith.constant 0 : i8
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %cst : i8
  } : tensor<1x3x3x1xi8> to tensor<1x5x5x1xi8>
  %1 = linalg.conv_2d_nhwc_hwcf_q ins(%0, %w, %zp, %zp : tensor<1x5x5x1xi8>, tensor<3x3x1x1xi8>, i32, i32) outs(%init : tensor<1x3x3x1xi32>) -> tensor<1x3x3x1xi32>
  %2 = tensor.pad %v low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %zero : f32
  } : tensor<2xf32> to tensor<4xf32>
  %3 = linalg.exp ins(%2 : tensor<4xf32>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<1x3x3x1xi32>, tensor<4xf32>, tensor<4xf32>
}

// Sizes are computed at the pad.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK: scf.for
// CHECK: %[[N:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 + s1 + 1)>
// CHECK: tensor.empty(%[[N]])
// CHECK: tensor.insert_slice
// CHECK: scf.yield
func.func @in_a_loop(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<?xf32> {
    %0 = tensor.pad %y low[%i] high[1] {
    ^bb0(%a: index):
      tensor.yield %cst : f32
    } : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @blocks(
// CHECK: ^bb1
// CHECK: tensor.insert_slice
// CHECK: ^bb2
func.func @blocks(%c: i1, %x: tensor<3xf32>, %y: tensor<5xf32>, %v: f32) -> tensor<5xf32> {
  cf.cond_br %c, ^pad, ^end(%y : tensor<5xf32>)
^pad:
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %v : f32
  } : tensor<3xf32> to tensor<5xf32>
  cf.br ^end(%0 : tensor<5xf32>)
^end(%r: tensor<5xf32>):
  return %r : tensor<5xf32>
}

// Left alone.

// CHECK-LABEL: func.func @values_that_differ(
// CHECK-COUNT-2: tensor.pad
func.func @values_that_differ(%x: tensor<3xindex>, %y: tensor<4xf32>) -> (tensor<5xindex>, tensor<6xf32>) {
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<3xindex> to tensor<5xindex>
  %1 = tensor.pad %y low[1] high[1] {
  ^bb0(%i: index):
    %c3 = arith.constant 3 : index
    %j = arith.remui %i, %c3 : index
    %v = tensor.extract %y[%j] : tensor<4xf32>
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0, %1 : tensor<5xindex>, tensor<6xf32>
}

// A cropped tensor cannot be inserted.
// CHECK-LABEL: func.func @cropped(
// CHECK: tensor.pad
func.func @cropped(%x: tensor<3xf32>, %v: f32) -> tensor<2xf32> {
  %0 = tensor.pad %x low[-2] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<3xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
