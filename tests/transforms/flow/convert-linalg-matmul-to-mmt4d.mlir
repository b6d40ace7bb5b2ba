// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-convert-linalg-matmul-to-mmt4d="enable_generic_slow arch=cuda" --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,GENERIC
// RUN: mercator-opt %s --iree-flow-convert-linalg-matmul-to-mmt4d=arch=aarch64 --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,AARCH64
// RUN: mercator-opt %s --iree-flow-convert-linalg-matmul-to-mmt4d="arch=aarch64 features=+dotprod" --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,DOTPROD
// RUN: mercator-opt %s --iree-flow-convert-linalg-matmul-to-mmt4d="arch=aarch64 features=+dotprod,+i8mm" --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,I8MM
// RUN: mercator-opt %s --iree-flow-convert-linalg-matmul-to-mmt4d --mlir-print-local-scope | FileCheck %s --check-prefixes=NONE
// RUN: not mercator-opt %s --iree-flow-convert-linalg-matmul-to-mmt4d="arch=aarch64 features=+sve" 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not mercator-opt %s --iree-flow-convert-linalg-matmul-to-mmt4d="arch=x86_64 features=+avx" 2>&1 | FileCheck %s --check-prefix=ARCH

// FEATURE: error: expected features of aarch64 (+dotprod, +i8mm), got +sve
// ARCH: error: expected no features of x86_64, for which none are known, got +avx
// NONE-NOT: linalg.mmt4d

// CHECK-LABEL: func.func @zero_init(
// GENERIC: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// GENERIC: %[[A:.*]] = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<128x256xf32>
// GENERIC: %[[B:.*]] = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<256x256xf32>
// GENERIC: %[[A4:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0, 1], [2, 3]] output_shape [16, 8, 128, 2] : tensor<128x256xf32> into tensor<16x8x128x2xf32>
// GENERIC-NEXT: %[[B4:.*]] = tensor.expand_shape %[[B]] {{\[\[}}0, 1], [2, 3]] output_shape [128, 2, 64, 4] : tensor<256x256xf32> into tensor<128x2x64x4xf32>
// The fill fills the tiles directly.
// GENERIC-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<16x64x8x4xf32>
// GENERIC-NEXT: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]] : tensor<16x64x8x4xf32>)
// GENERIC-NEXT: %[[AE:.*]] = tensor.empty() : tensor<16x128x8x2xf32>
// GENERIC-NEXT: %[[AT:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[A4]] : tensor<16x8x128x2xf32>) outs(%[[AE]] : tensor<16x128x8x2xf32>) {
// GENERIC-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// GENERIC-NEXT: linalg.yield %[[IN]] : f32
// GENERIC: %[[BE:.*]] = tensor.empty() : tensor<64x128x4x2xf32>
// GENERIC-NEXT: %[[BT:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3, d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[B4]] : tensor<128x2x64x4xf32>) outs(%[[BE]] : tensor<64x128x4x2xf32>) {
// GENERIC: %[[MM:.*]] = linalg.mmt4d {comment = "generic tiling parameters, as no known kernel was matched for this matmul and target"} ins(%[[AT]], %[[BT]] : tensor<16x128x8x2xf32>, tensor<64x128x4x2xf32>) outs(%[[FILL]] : tensor<16x64x8x4xf32>) -> tensor<16x64x8x4xf32>
// GENERIC-NEXT: %[[CE:.*]] = tensor.empty() : tensor<16x8x64x4xf32>
// GENERIC-NEXT: %[[CT:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[MM]] : tensor<16x64x8x4xf32>) outs(%[[CE]] : tensor<16x8x64x4xf32>) {
// GENERIC: %[[C:.*]] = tensor.collapse_shape %[[CT]] {{\[\[}}0, 1], [2, 3]] : tensor<16x8x64x4xf32> into tensor<128x256xf32>
// GENERIC-NEXT: %[[EXPORT:.*]] = hal.tensor.export %[[C]] : tensor<128x256xf32> -> !hal.buffer_view
// GENERIC-NEXT: return %[[EXPORT]]
// AARCH64: linalg.mmt4d {comment = "f32*f32->f32, aarch64"} ins({{.*}} : tensor<16x256x8x1xf32>, tensor<32x256x8x1xf32>)
func.func @zero_init(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %a = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<128x256xf32>
  %b = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<256x256xf32>
  %0 = tensor.empty() : tensor<128x256xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<128x256xf32>) -> tensor<128x256xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<128x256xf32>, tensor<256x256xf32>) outs(%1 : tensor<128x256xf32>) -> tensor<128x256xf32>
  %result = hal.tensor.export %2 : tensor<128x256xf32> -> !hal.buffer_view
  return %result : !hal.buffer_view
}

// An init is tiled like the operands.
// CHECK-LABEL: func.func @init(
// GENERIC-SAME: %[[INIT:[^:]*]]: tensor<24x32xf32>)
// GENERIC: %[[C4:.*]] = tensor.expand_shape %[[INIT]] {{.*}} into tensor<3x8x8x4xf32>
// GENERIC: %[[CT:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, {{.*}} ins(%[[C4]] :
// GENERIC: linalg.mmt4d {{.*}} outs(%[[CT]] : tensor<3x8x8x4xf32>)
func.func @init(%a: tensor<24x8xf32>, %b: tensor<8x32xf32>, %init: tensor<24x32xf32>) -> tensor<24x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<24x8xf32>, tensor<8x32xf32>) outs(%init : tensor<24x32xf32>) -> tensor<24x32xf32>
  return %0 : tensor<24x32xf32>
}

// CHECK-LABEL: func.func @padded(
// GENERIC: tensor.pad %{{.*}} low[0, 0] high[3, 1]
// GENERIC: tensor<13x15xi8> to tensor<16x16xi8>
// GENERIC: tensor.pad %{{.*}} low[0, 0] high[1, 0]
// GENERIC: tensor<15x12xi8> to tensor<16x12xi8>
// GENERIC: tensor.pad %{{.*}} low[0, 0] high[3, 0]
// GENERIC: tensor<13x12xi32> to tensor<16x12xi32>
// GENERIC: linalg.mmt4d {{.*}} ins({{.*}} : tensor<2x8x8x2xi8>, tensor<3x8x4x2xi8>) outs({{.*}} : tensor<2x3x8x4xi32>)
// GENERIC: tensor.extract_slice %{{.*}}[0, 0] [13, 12] [1, 1] : tensor<16x12xi32> to tensor<13x12xi32>
// AARCH64: linalg.mmt4d {comment = "i8*i8->i32, aarch64"} ins({{.*}} : tensor<2x15x8x1xi8>, tensor<2x15x8x1xi8>)
// DOTPROD: linalg.mmt4d {comment = "i8*i8->i32, aarch64 +dotprod"} ins({{.*}} : tensor<2x4x8x4xi8>, tensor<2x4x8x4xi8>)
// I8MM: linalg.mmt4d {comment = "i8*i8->i32, aarch64 +i8mm"} ins({{.*}} : tensor<2x2x8x8xi8>, tensor<2x2x8x8xi8>)
func.func @padded(%a: tensor<13x15xi8>, %b: tensor<15x12xi8>, %init: tensor<13x12xi32>) -> tensor<13x12xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<13x15xi8>, tensor<15x12xi8>) outs(%init : tensor<13x12xi32>) -> tensor<13x12xi32>
  return %0 : tensor<13x12xi32>
}

// CHECK-LABEL: func.func @padded_fill(
// GENERIC-COUNT-2: tensor.pad
// GENERIC-NOT: tensor.pad
// GENERIC: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2x2x8x4xf32>)
// GENERIC: linalg.mmt4d
// GENERIC: tensor.extract_slice %{{.*}}[0, 0] [9, 7] [1, 1]
func.func @padded_fill(%a: tensor<9x3xf32>, %b: tensor<3x7xf32>, %x: f32) -> tensor<9x7xf32> {
  %0 = tensor.empty() : tensor<9x7xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<9x7xf32>) -> tensor<9x7xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<9x3xf32>, tensor<3x7xf32>) outs(%1 : tensor<9x7xf32>) -> tensor<9x7xf32>
  return %2 : tensor<9x7xf32>
}

// CHECK-LABEL: func.func @dynamic(
// GENERIC: %[[M:.*]] = tensor.dim %[[A:.*]], %c0
// GENERIC: %[[K:.*]] = tensor.dim %[[A]], %c1
// GENERIC: %[[PM:.*]] = affine.apply affine_map<()[s0] -> ((-s0) mod 8)>()[%[[M]]]
// GENERIC: %[[PK:.*]] = affine.apply affine_map<()[s0] -> ((-s0) mod 2)>()[%[[K]]]
// GENERIC: tensor.pad %[[A]] low[0, 0] high[%[[PM]], %[[PK]]]
// GENERIC: %[[M1:.*]] = affine.apply affine_map<()[s0] -> (s0 ceildiv 8)>()[%[[M]]]
// GENERIC: tensor.expand_shape {{.*}} output_shape [%[[M1]], 8, %{{.*}}, 2] : tensor<?x?xf32> into tensor<?x8x?x2xf32>
// GENERIC: linalg.mmt4d {{.*}} ins({{.*}} : tensor<?x?x8x2xf32>, tensor<?x?x4x2xf32>) outs({{.*}} : tensor<?x?x8x4xf32>)
// GENERIC: tensor.extract_slice %{{.*}}[0, 0] [%{{.*}}, %{{.*}}] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A size that only one operand knows.
// CHECK-LABEL: func.func @partly_static(
// GENERIC: linalg.mmt4d {comment = "{{.*}}, narrow matrix * matrix, where the narrow matrix has 2 column(s)"} ins({{.*}} : tensor<?x4x2x2xf32>, tensor<4x4x8x2xf32>) outs({{.*}} : tensor<1x?x2x8xf32>)
// GENERIC: return %{{.*}} : tensor<2x?xf32>
func.func @partly_static(%a: tensor<?x8xf32>, %b: tensor<8x32xf32>, %init: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x32xf32>) outs(%init : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @matrix_times_vector(
// GENERIC: linalg.mmt4d {comment = "generic {{.*}}, matrix * narrow matrix, where the narrow matrix has 1 column(s)"} ins({{.*}} : tensor<?x?x8x2xi8>, tensor<1x?x1x2xi8>) outs({{.*}} : tensor<?x1x8x1xi32>)
// AARCH64: linalg.mmt4d {comment = "i8*i8->i32, aarch64, matrix * narrow matrix, where the narrow matrix has 1 column(s)"} ins({{.*}} : tensor<?x?x8x8xi8>, tensor<1x?x1x8xi8>)
// DOTPROD: linalg.mmt4d {{.*}} ins({{.*}} : tensor<?x?x8x4xi8>, tensor<1x?x1x4xi8>)
// I8MM: linalg.mmt4d {{.*}} ins({{.*}} : tensor<?x?x8x8xi8>, tensor<1x?x1x8xi8>)
func.func @matrix_times_vector(%a: tensor<?x?xi8>, %b: tensor<?x1xi8>, %init: tensor<?x1xi32>) -> tensor<?x1xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x1xi8>) outs(%init : tensor<?x1xi32>) -> tensor<?x1xi32>
  return %0 : tensor<?x1xi32>
}

// CHECK-LABEL: func.func @two_rows_times_matrix(
// GENERIC: linalg.mmt4d {{.*}}narrow matrix * matrix, where the narrow matrix has 2 column(s)"} ins({{.*}} : tensor<1x?x2x2xf32>, tensor<?x?x8x2xf32>) outs({{.*}} : tensor<1x?x2x8xf32>)
// AARCH64: linalg.mmt4d {comment = "f32*f32->f32, aarch64, narrow matrix * matrix, where the narrow matrix has 2 column(s)"} ins({{.*}} : tensor<1x?x2x1xf32>, tensor<?x?x8x1xf32>)
func.func @two_rows_times_matrix(%a: tensor<2x?xf32>, %b: tensor<?x?xf32>, %init: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x?xf32>, tensor<?x?xf32>) outs(%init : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// Types in no row of the target.
// CHECK-LABEL: func.func @bfloat(
// GENERIC: linalg.mmt4d {{.*}} ins({{.*}} : tensor<1x2x8x2xbf16>, tensor<2x2x4x2xbf16>) outs({{.*}} : tensor<1x2x8x4xf32>)
// AARCH64: linalg.matmul
// DOTPROD: linalg.matmul
func.func @bfloat(%a: tensor<8x4xbf16>, %b: tensor<4x8xbf16>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xbf16>, tensor<4x8xbf16>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @in_a_loop(
// GENERIC: scf.for
// GENERIC: linalg.mmt4d
// GENERIC: scf.yield
func.func @in_a_loop(%n: index, %a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @blocks(
// GENERIC-COUNT-2: linalg.mmt4d
func.func @blocks(%c: i1, %a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  cf.cond_br %c, ^then, ^else
^then:
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
^else:
  %1 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Left alone.

// mmt4d has no maps of its own.
// CHECK-LABEL: func.func @transposed(
// CHECK: linalg.matmul
// CHECK-NOT: linalg.mmt4d
func.func @transposed(%a: tensor<8x24xf32>, %b: tensor<8x32xf32>, %init: tensor<24x32xf32>) -> tensor<24x32xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : tensor<8x24xf32>, tensor<8x32xf32>) outs(%init : tensor<24x32xf32>) -> tensor<24x32xf32>
  return %0 : tensor<24x32xf32>
}

// It does not support unsigned numbers either.
// CHECK-LABEL: func.func @unsigned(
// CHECK-NOT: linalg.mmt4d
// CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
func.func @unsigned(%a: tensor<8x8xi8>, %b: tensor<8x8xi8>, %init: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<8x8xi8>, tensor<8x8xi8>) outs(%init : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

// CHECK-LABEL: func.func @complex(
// CHECK-NOT: linalg.mmt4d
// CHECK: linalg.matmul
func.func @complex(%a: tensor<7x7xcomplex<f32>>) -> tensor<7x7xcomplex<f32>> {
  %0 = linalg.matmul ins(%a, %a : tensor<7x7xcomplex<f32>>, tensor<7x7xcomplex<f32>>) outs(%a : tensor<7x7xcomplex<f32>>) -> tensor<7x7xcomplex<f32>>
  return %0 : tensor<7x7xcomplex<f32>>
}

// CHECK-LABEL: func.func @buffers(
// CHECK-NOT: linalg.mmt4d
// CHECK: linalg.matmul
func.func @buffers(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// CHECK-LABEL: func.func @largest(
// CHECK-NOT: linalg.mmt4d
// CHECK: linalg.matmul
func.func @largest(%a: tensor<9223372036854775807x16xf32>, %b: tensor<16x16xf32>, %init: tensor<9223372036854775807x16xf32>) -> tensor<9223372036854775807x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<9223372036854775807x16xf32>, tensor<16x16xf32>) outs(%init : tensor<9223372036854775807x16xf32>) -> tensor<9223372036854775807x16xf32>
  return %0 : tensor<9223372036854775807x16xf32>
}
