// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-split-reduction-ops=split-matmul-reduction=2 --mlir-print-local-scope | FileCheck %s
// RUN: mercator-opt %s --iree-flow-split-reduction-ops --mlir-print-local-scope | FileCheck %s --check-prefix=OFF
// RUN: mercator-opt %s --iree-flow-split-reduction-ops=split-matmul-reduction=2 --remarks-filter=flow --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// OFF-NOT: tensor.expand_shape

// CHECK-LABEL: func.func @zero_init(
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[A:.*]] = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<128x256xf32>
// CHECK: %[[B:.*]] = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<256x256xf32>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<128x256xf32>
// CHECK-NEXT: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]]
// CHECK-NEXT: %[[A2:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2]] output_shape [128, 2, 128] : tensor<128x256xf32> into tensor<128x2x128xf32>
// CHECK-NEXT: %[[B2:.*]] = tensor.expand_shape %[[B]] {{\[\[}}0, 1], [2]] output_shape [2, 128, 256] : tensor<256x256xf32> into tensor<2x128x256xf32>
// CHECK-NEXT: %[[PARTS:.*]] = tensor.empty() : tensor<2x128x256xf32>
// CHECK-NEXT: %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[PARTS]]
// CHECK-NEXT: %[[SPLIT:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[A2]], %[[B2]] : tensor<128x2x128xf32>, tensor<2x128x256xf32>) outs(%[[ZEROS]] : tensor<2x128x256xf32>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT: %[[MUL:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK-NEXT: %[[ADD:.*]] = arith.addf %[[OUT]], %[[MUL]] : f32
// CHECK-NEXT: linalg.yield %[[ADD]] : f32
// CHECK-NEXT: } -> tensor<2x128x256xf32>
// CHECK-NEXT: %[[R:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%[[SPLIT]] : tensor<2x128x256xf32>) outs(%[[FILL]] : tensor<128x256xf32>) {
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[IN]], %[[ACC]] : f32
// CHECK-NEXT: linalg.yield %[[SUM]] : f32
// CHECK-NEXT: } -> tensor<128x256xf32>
// CHECK-NEXT: %[[EXPORT:.*]] = hal.tensor.export %[[R]] : tensor<128x256xf32> -> !hal.buffer_view
// CHECK-NEXT: return %[[EXPORT]]
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

// The init is added once; attributes of users stay.
// CHECK-LABEL: func.func @mixed_types(
// CHECK-SAME: %[[INIT:[^:]*]]: tensor<4x8xi32>)
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%c0_i32 : i32)
// CHECK: linalg.generic {{.*}} outs(%[[ZEROS]] : tensor<2x4x8xi32>) attrs = {users.config = 7 : i64}
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.extsi %{{.*}} : i16 to i32
// CHECK: linalg.generic {{.*}} outs(%[[INIT]] : tensor<4x8xi32>)
// CHECK: arith.addi
func.func @mixed_types(%a: tensor<4x6xi8>, %b: tensor<6x8xi16>, %init: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = linalg.matmul {users.config = 7 : i64} ins(%a, %b : tensor<4x6xi8>, tensor<6x8xi16>) outs(%init : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @unsigned(
// CHECK: arith.extui
// CHECK: arith.extui
func.func @unsigned(%a: tensor<4x6xi8>, %b: tensor<6x8xi8>, %init: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x6xi8>, tensor<6x8xi8>) outs(%init : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// Only K must be known.
// CHECK-LABEL: func.func @dynamic_rows_and_columns(
// CHECK-SAME: %[[A:.*]]: tensor<?x6xbf16>, %[[B:.*]]: tensor<?x?xbf16>, %[[INIT:.*]]: tensor<?x?xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK: tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2]] output_shape [%[[M]], 2, 3] : tensor<?x6xbf16> into tensor<?x2x3xbf16>
// CHECK: %[[N:.*]] = tensor.dim %[[B]], %c1
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 3, %[[N]]] : tensor<6x?xbf16> into tensor<2x3x?xbf16>
// CHECK: tensor.empty(%{{.*}}, %{{.*}}) : tensor<2x?x?xf32>
// CHECK: linalg.generic
func.func @dynamic_rows_and_columns(%a: tensor<?x6xbf16>, %b: tensor<?x?xbf16>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x6xbf16>, tensor<?x?xbf16>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// K by its own maps.
// CHECK-LABEL: func.func @transposed(
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 4, 24] : tensor<8x24xf32> into tensor<2x4x24xf32>
// CHECK: affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @transposed(%a: tensor<8x24xf32>, %b: tensor<8x32xf32>, %init: tensor<24x32xf32>) -> tensor<24x32xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : tensor<8x24xf32>, tensor<8x32xf32>) outs(%init : tensor<24x32xf32>) -> tensor<24x32xf32>
  return %0 : tensor<24x32xf32>
}

// The same row for each m: the left operand has only K.
// CHECK-LABEL: func.func @broadcast(
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
// CHECK: affine_map<(d0, d1, d2, d3) -> (d0, d3)>
func.func @broadcast(%a: tensor<8xf32>, %b: tensor<8x32xf32>, %init: tensor<24x32xf32>) -> tensor<24x32xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : tensor<8xf32>, tensor<8x32xf32>) outs(%init : tensor<24x32xf32>) -> tensor<24x32xf32>
  return %0 : tensor<24x32xf32>
}

// The sum of i1 is an `or`.
// CHECK-LABEL: func.func @booleans(
// CHECK: arith.ori
// CHECK: arith.ori
func.func @booleans(%a: tensor<4x4xi1>) -> tensor<4x4xi1> {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xi1>, tensor<4x4xi1>) outs(%a : tensor<4x4xi1>) -> tensor<4x4xi1>
  return %0 : tensor<4x4xi1>
}

// CHECK-LABEL: func.func @in_a_loop(
// CHECK: scf.while
// CHECK: } do {
// CHECK-COUNT-2: linalg.generic
// CHECK: scf.yield
func.func @in_a_loop(%c: i1, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = scf.while (%x = %a) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
    scf.condition(%c) %x : tensor<4x4xf32>
  } do {
  ^bb0(%x: tensor<4x4xf32>):
    %0 = linalg.matmul ins(%x, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %0 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @blocks(
// CHECK: ^bb1
// CHECK-COUNT-2: linalg.generic
// CHECK: ^bb2
func.func @blocks(%c: i1, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  cf.cond_br %c, ^then, ^end(%a : tensor<4x4xf32>)
^then:
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.br ^end(%0 : tensor<4x4xf32>)
^end(%r: tensor<4x4xf32>):
  return %r : tensor<4x4xf32>
}

// Left alone.

// CHECK-LABEL: func.func @odd(
// CHECK: linalg.matmul
// REMARK: split-reduction-ops.mlir:[[@LINE+2]]:{{.*}} split-reduction {{.*}}expected K to be a multiple of 2, got 7
func.func @odd(%a: tensor<4x7xf32>, %b: tensor<7x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x7xf32>, tensor<7x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @dynamic_k(
// CHECK: linalg.matmul
// REMARK: expected K to be static
func.func @dynamic_k(%a: tensor<4x?xf32>, %b: tensor<?x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<?x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @complex(
// CHECK: linalg.matmul
// REMARK: expected elements that arith adds
func.func @complex(%a: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) outs(%a : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return %0 : tensor<4x4xcomplex<f32>>
}

// CHECK-LABEL: func.func @others(
// CHECK: linalg.batch_matmul
// CHECK: linalg.matmul
// REMARK-NOT: expected
func.func @others(%a: tensor<2x4x4xf32>, %b: memref<4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = linalg.batch_matmul ins(%a, %a : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%a : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  linalg.matmul ins(%b, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return %0 : tensor<2x4x4xf32>
}
