// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-pad-linalg-ops --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: mercator-opt %s --iree-flow-pad-linalg-ops=padding-size=16 --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,SIXTEEN
// RUN: not mercator-opt %s --iree-flow-pad-linalg-ops=padding-size=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mercator-opt %s --iree-flow-pad-linalg-ops=padding-size=-4 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NONE: error: expected a positive padding-size, got 0
// NEGATIVE: error: expected a positive padding-size, got -4

// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[A:.*]]: tensor<11x17xf32>, %[[B:.*]]: tensor<17x13xf32>, %[[C:.*]]: tensor<11x13xf32>
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// FOUR: %[[PA:.*]] = tensor.pad %[[A]] low[0, 0] high[1, 3] {
// FOUR: tensor.yield %[[ZERO]] : f32
// FOUR: tensor<11x17xf32> to tensor<12x20xf32>
// FOUR: %[[PB:.*]] = tensor.pad %[[B]] low[0, 0] high[3, 3] {
// FOUR: %[[PC:.*]] = tensor.pad %[[C]] low[0, 0] high[1, 3] {
// FOUR: %[[MM:.*]] = linalg.matmul ins(%[[PA]], %[[PB]] : tensor<12x20xf32>, tensor<20x16xf32>) outs(%[[PC]] : tensor<12x16xf32>)
// FOUR: %[[R:.*]] = tensor.extract_slice %[[MM]][0, 0] [11, 13] [1, 1] : tensor<12x16xf32> to tensor<11x13xf32>
// FOUR: return %[[R]]
// SIXTEEN: linalg.matmul ins({{.*}} : tensor<16x32xf32>, tensor<32x16xf32>) outs({{.*}} : tensor<16x16xf32>)
func.func @all(%a: tensor<11x17xf32>, %b: tensor<17x13xf32>, %init: tensor<11x13xf32>) -> tensor<11x13xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<11x17xf32>, tensor<17x13xf32>) outs(%init : tensor<11x13xf32>) -> tensor<11x13xf32>
  return %0 : tensor<11x13xf32>
}

// The result already has its size.
// CHECK-LABEL: func.func @only_k(
// CHECK-SAME: %[[C:[^:]*]]: tensor<16x16xi32>)
// CHECK-COUNT-2: tensor.pad
// CHECK-NOT: tensor.pad
// FOUR: %[[R:.*]] = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins({{.*}} : tensor<16x20xi8>, tensor<20x16xi8>) outs(%[[C]] :
// CHECK-NOT: tensor.extract_slice
// FOUR: return %[[R]]
func.func @only_k(%a: tensor<16x17xi8>, %b: tensor<17x16xi8>, %init: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<16x17xi8>, tensor<17x16xi8>) outs(%init : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %0 : tensor<16x16xi32>
}

// A float cannot represent it: 2^24 + 1 becomes 2^24.
// CHECK-LABEL: func.func @large(
// FOUR: tensor.pad %{{.*}} low[0, 0] high[3, 0]
// FOUR: linalg.matmul ins({{.*}} : tensor<16777220x16xi8>, tensor<16x16xi8>)
// FOUR: tensor.extract_slice %{{.*}}[0, 0] [16777217, 16] [1, 1]
func.func @large(%a: tensor<16777217x16xi8>, %b: tensor<16x16xi8>, %init: tensor<16777217x16xi32>) -> tensor<16777217x16xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16777217x16xi8>, tensor<16x16xi8>) outs(%init : tensor<16777217x16xi32>) -> tensor<16777217x16xi32>
  return %0 : tensor<16777217x16xi32>
}

// The batch is not padded.
// CHECK-LABEL: func.func @batch(
// FOUR: tensor.pad %{{.*}} low[0, 0, 0] high[0, 1, 3]
// FOUR: tensor.pad %{{.*}} low[0, 0, 0] high[0, 3, 3]
// FOUR: linalg.batch_matmul ins({{.*}} : tensor<7x12x20xbf16>, tensor<7x20x16xbf16>) outs({{.*}} : tensor<7x12x16xf32>)
// FOUR: tensor.extract_slice %{{.*}}[0, 0, 0] [7, 11, 13] [1, 1, 1]
func.func @batch(%a: tensor<7x11x17xbf16>, %b: tensor<7x17x13xbf16>, %init: tensor<7x11x13xf32>) -> tensor<7x11x13xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<7x11x17xbf16>, tensor<7x17x13xbf16>) outs(%init : tensor<7x11x13xf32>) -> tensor<7x11x13xf32>
  return %0 : tensor<7x11x13xf32>
}

// Known sizes are padded: here N and K.
// CHECK-LABEL: func.func @dynamic_rows(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x17xf32>, %{{.*}}, %[[C:[^:]*]]: tensor<?x13xf32>
// FOUR: tensor.pad %[[A]] low[0, 0] high[0, 3]
// FOUR: linalg.matmul ins({{.*}} : tensor<?x20xf32>, tensor<20x16xf32>) outs({{.*}} : tensor<?x16xf32>)
// CHECK: %[[M:.*]] = tensor.dim %[[C]], %c0
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [%[[M]], 13] [1, 1]
func.func @dynamic_rows(%a: tensor<?x17xf32>, %b: tensor<17x13xf32>, %init: tensor<?x13xf32>) -> tensor<?x13xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x17xf32>, tensor<17x13xf32>) outs(%init : tensor<?x13xf32>) -> tensor<?x13xf32>
  return %0 : tensor<?x13xf32>
}

// The axes of its own maps.
// CHECK-LABEL: func.func @transposed(
// FOUR: tensor.pad %{{.*}} low[0, 0] high[3, 1]
// FOUR: tensor.pad %{{.*}} low[0, 0] high[3, 3]
// FOUR: tensor.pad %{{.*}} low[0, 0] high[1, 3]
// CHECK: linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
// FOUR-SAME: ins({{.*}} : tensor<20x12xf32>, tensor<20x16xf32>) outs({{.*}} : tensor<12x16xf32>)
func.func @transposed(%a: tensor<17x11xf32>, %b: tensor<17x13xf32>, %init: tensor<11x13xf32>) -> tensor<11x13xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : tensor<17x11xf32>, tensor<17x13xf32>) outs(%init : tensor<11x13xf32>) -> tensor<11x13xf32>
  return %0 : tensor<11x13xf32>
}

// CHECK-LABEL: func.func @in_a_branch(
// CHECK: scf.if
// CHECK: linalg.matmul
// CHECK: tensor.extract_slice
// CHECK: scf.yield
func.func @in_a_branch(%c: i1, %a: tensor<3x3xi1>) -> tensor<3x3xi1> {
  %r = scf.if %c -> tensor<3x3xi1> {
    %0 = linalg.matmul ins(%a, %a : tensor<3x3xi1>, tensor<3x3xi1>) outs(%a : tensor<3x3xi1>) -> tensor<3x3xi1>
    scf.yield %0 : tensor<3x3xi1>
  } else {
    scf.yield %a : tensor<3x3xi1>
  }
  return %r : tensor<3x3xi1>
}

// CHECK-LABEL: func.func @blocks(
// CHECK: ^bb1
// CHECK: linalg.matmul
// CHECK: tensor.extract_slice
func.func @blocks(%a: tensor<3x3xf16>) -> tensor<3x3xf16> {
  cf.br ^next(%a : tensor<3x3xf16>)
^next(%x: tensor<3x3xf16>):
  %0 = linalg.matmul ins(%x, %x : tensor<3x3xf16>, tensor<3x3xf16>) outs(%x : tensor<3x3xf16>) -> tensor<3x3xf16>
  return %0 : tensor<3x3xf16>
}

// Left alone.

// CHECK-LABEL: func.func @multiples(
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @multiples(%a: tensor<16x32xf32>, %b: tensor<32x48xf32>, %init: tensor<16x48xf32>) -> tensor<16x48xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x48xf32>) outs(%init : tensor<16x48xf32>) -> tensor<16x48xf32>
  return %0 : tensor<16x48xf32>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @dynamic(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A zero changes a product of sums; only listed operations are padded.
// CHECK-LABEL: func.func @other(
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @other(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %a : tensor<3x3xf32>, tensor<3x3xf32>) outs(%a : tensor<3x3xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %1 = arith.addf %x, %y : f32
    %2 = arith.mulf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @largest(
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @largest(%a: tensor<9223372036854775807x16xi8>, %b: tensor<16x16xi8>, %init: tensor<9223372036854775807x16xi8>) -> tensor<9223372036854775807x16xi8> {
  %0 = linalg.matmul ins(%a, %b : tensor<9223372036854775807x16xi8>, tensor<16x16xi8>) outs(%init : tensor<9223372036854775807x16xi8>) -> tensor<9223372036854775807x16xi8>
  return %0 : tensor<9223372036854775807x16xi8>
}
