// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func @matmul
// CHECK: %[[INIT:.*]] = linalg.fill ins(%{{.*}} : f32)
// CHECK: linalg.matmul ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<3x4xf32>) outs(%[[INIT]] : tensor<2x4xf32>)
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %r = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// Operands are read transposed.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @transposed
// CHECK-NOT: transpose
// CHECK: linalg.matmul indexing_maps = [#[[LHS]], #[[RHS]], #{{.*}}] ins(%arg0, %arg1
func.func @transposed(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func @batches
// CHECK: tensor.dim %arg0, %{{.*}} : tensor<?x2x3xf32>
// CHECK: linalg.batch_matmul ins(%arg0, %arg1
func.func @batches(%a: tensor<?x2x3xf32>, %b: tensor<?x3x4xf32>) -> tensor<?x2x4xf32> {
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x2x3xf32>, tensor<?x3x4xf32>) -> tensor<?x2x4xf32>
  return %r : tensor<?x2x4xf32>
}

// -----

// Two batching dimensions, as attention has them.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @contract
// CHECK: linalg.contract indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]] ins(%arg0, %arg1
func.func @contract(%a: tensor<2x5x3x4xf32>, %b: tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32> {
  %r = stablehlo.dot_general %a, %b, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x5x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32>
  return %r : tensor<2x3x5x6xf32>
}

// -----

// CHECK-LABEL: func @vectors
// CHECK: linalg.matvec
// CHECK: linalg.vecmat
// CHECK: linalg.dot
func.func @vectors(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<f32>) {
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %1 = stablehlo.dot %c, %a : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  %2 = stablehlo.dot %c, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2xf32>, tensor<3xf32>, tensor<f32>
}

// -----

// Signed and unsigned operands have no named operation.
// CHECK-LABEL: func @integers
// CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
// CHECK: linalg.generic
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.extui %{{.*}} : i8 to i32
func.func @integers(%a: tensor<2x3xui8>, %b: tensor<3x4xui8>, %c: tensor<2x3xi8>) -> (tensor<2x4xi32>, tensor<2x4xi32>) {
  %0 = stablehlo.dot %a, %b : (tensor<2x3xui8>, tensor<3x4xui8>) -> tensor<2x4xi32>
  %1 = stablehlo.dot %c, %b : (tensor<2x3xi8>, tensor<3x4xui8>) -> tensor<2x4xi32>
  return %0, %1 : tensor<2x4xi32>, tensor<2x4xi32>
}

// -----

// Narrow floats are summed in f32.
// CHECK-LABEL: func @narrow
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3xbf16>, tensor<3x4xbf16>) outs(%{{.*}} : tensor<2x4xf32>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @narrow(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>) -> tensor<2x4xbf16> {
  %r = stablehlo.dot %a, %b : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

// -----

// CHECK-DAG: #[[DIAGONAL:.*]] = affine_map<(d0) -> (d0, d0)>
// CHECK-LABEL: func @trace
// CHECK: linalg.generic {indexing_maps = [#[[DIAGONAL]], #{{.*}}], iterator_types = ["reduction"]}
func.func @trace(%a: tensor<3x3xf32>) -> tensor<f32> {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ii->"}> : (tensor<3x3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Without a sum there is no reduction, but 0 + -0 is still 0.
// CHECK-LABEL: func @outer
// CHECK-NOT: linalg.fill
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @outer(%a: tensor<3xf32>, %b: tensor<2xf32>) -> tensor<3x2xf32> {
  %r = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<3xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

// A transpose in the program is read through, too.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @weights
// CHECK: linalg.matmul indexing_maps = [#[[LHS]], #[[RHS]], #{{.*}}] ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<4x3xf32>)
func.func @weights(%a: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %r = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// The loop that only a constant of equal elements has is no loop of the sum.
// CHECK-LABEL: func @equal_elements
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins(%arg0 : tensor<7x3xf32>){{.*}}outs(%{{.*}} : tensor<7xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} ins(%[[SUM]] : tensor<7xf32>){{.*}}outs(%{{.*}} : tensor<7x4xf32>)
func.func @equal_elements(%a: tensor<7x3xf32>) -> tensor<7x4xf32> {
  %b = stablehlo.constant dense<1.0> : tensor<3x4xf32>
  %r = stablehlo.dot %a, %b : (tensor<7x3xf32>, tensor<3x4xf32>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
