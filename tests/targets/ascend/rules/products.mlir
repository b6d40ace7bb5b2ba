// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --convert-stablehlo-to-ascend --form-ascend-graphs --remarks-filter=ascend-conversion -o %t 2>%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK

// CHECK-LABEL: ascend.graph @plain
// CHECK:       ascend.MatMul(%0, %1) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @plain(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Either matrix may be transposed.
// CHECK-LABEL: ascend.graph @flags
// CHECK-NOT:   ascend.Transpose
// CHECK:       ascend.MatMul(%0, %1) {transpose_x1 = true, transpose_x2 = true} : (tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
func.func @flags(%x: tensor<3x2xf32>, %y: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [1] : (tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// A transposition in the program becomes a flag, also across units.
// CHECK-LABEL: ascend.graph @weights
// CHECK-NOT:   ascend.Transpose
// CHECK:       ascend.MatMul(%0, %1) {transpose_x2 = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
func.func @weights(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.transpose %y, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.dot %x, %0 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
// CHECK-LABEL: ascend.graph @heads_turned
// CHECK-NOT:   ascend.Transpose
// CHECK:       ascend.BatchMatMul({{.*}}) {adj_x2 = true} : (tensor<2x5x3xf32>, tensor<2x7x3xf32>) -> tensor<2x5x7xf32>
func.func @heads_turned(%q: tensor<2x5x3xf32>, %k: tensor<1x2x7x3xf32>) -> tensor<2x5x7xf32> {
  %0 = stablehlo.transpose %k, dims = [0, 1, 3, 2] : (tensor<1x2x7x3xf32>) -> tensor<1x2x3x7xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x2x3x7xf32>) -> tensor<2x3x7xf32>
  %2 = stablehlo.dot_general %q, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x5x3xf32>, tensor<2x3x7xf32>) -> tensor<2x5x7xf32>
  return %2 : tensor<2x5x7xf32>
}

// Rows of several dimensions are merged by reshapes.
// CHECK-LABEL: ascend.graph @rows
// CHECK:       %[[ROWS:.+]] = ascend.Reshape(%0, {{.*}}) : (tensor<2x5x3xf32>, tensor<2xi64>) -> tensor<10x3xf32>
// CHECK:       %[[ALL:.+]] = ascend.MatMul(%[[ROWS]], %1) : (tensor<10x3xf32>, tensor<3x4xf32>) -> tensor<10x4xf32>
// CHECK:       ascend.Reshape(%[[ALL]], {{.*}}) : (tensor<10x4xf32>, tensor<3xi64>) -> tensor<2x5x4xf32>
func.func @rows(%x: tensor<2x5x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x5x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [2] x [0] : (tensor<2x5x3xf32>, tensor<3x4xf32>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

// Heads that are not a leading dimension must become one; the innermost
// dimension stays.
// CHECK-LABEL: ascend.graph @heads
// CHECK-DAG:   %[[Q:.+]] = ascend.Transpose(%0, {{.*}}) : (tensor<3x7x2x4xf32>, tensor<4xi64>) -> tensor<3x2x7x4xf32>
// CHECK-DAG:   %[[K:.+]] = ascend.Transpose(%1, {{.*}}) : (tensor<3x5x2x4xf32>, tensor<4xi64>) -> tensor<3x2x5x4xf32>
// CHECK:       ascend.BatchMatMul(%[[Q]], %[[K]]) {adj_x2 = true}
func.func @heads(%q: tensor<3x7x2x4xf32>, %k: tensor<3x5x2x4xf32>) -> tensor<3x2x7x5xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<3x7x2x4xf32>, tensor<3x5x2x4xf32>) -> tensor<3x2x7x5xf32>
  return %0 : tensor<3x2x7x5xf32>
}

// The smaller operand takes the order of contracted dimensions of the other.
// CHECK-LABEL: ascend.graph @contracted
// CHECK:       ascend.Transpose(%1, {{.*}}) : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<3x4xf32>
// CHECK-NOT:   ascend.Transpose
func.func @contracted(%x: tensor<9x3x4xf32>, %y: tensor<4x3xf32>) -> tensor<9xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1, 2] x [1, 0] : (tensor<9x3x4xf32>, tensor<4x3xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// Nothing is summed: only products.
// CHECK-LABEL: ascend.graph @outer
// CHECK:       ascend.Mul({{.*}}) : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
func.func @outer(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: ascend.graph @nothing
// CHECK:       %[[ZERO:.+]] = ascend.Const dense<0.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT:  ascend.NetOutput %[[ZERO]]
func.func @nothing(%x: tensor<2x0xf32>, %y: tensor<0x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<2x0xf32>, tensor<0x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Integers are multiplied in a type with the same low bits, narrow floats in
// one that holds their products.
// CHECK-LABEL: ascend.graph @bytes
// CHECK:       ascend.MatMul({{.*}}) : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
func.func @bytes(%x: tensor<2x3xi8>, %y: tensor<3x4xi8>) -> tensor<2x4xi32> {
  %0 = stablehlo.dot %x, %y : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}
// CHECK-LABEL: ascend.graph @halves
// CHECK:       ascend.MatMul({{.*}}) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @halves(%x: tensor<2x3xf16>, %y: tensor<3x4xf16>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: ascend.graph @booleans
// CHECK:       %[[COUNT:.+]] = ascend.MatMul({{.*}}) : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
// CHECK:       ascend.NotEqual(%[[COUNT]], %{{.+}}) : (tensor<2x4xi32>, tensor<i32>) -> tensor<2x4xi1>
func.func @booleans(%x: tensor<2x3xi1>, %y: tensor<3x4xi1>) -> tensor<2x4xi1> {
  %0 = stablehlo.dot %x, %y : (tensor<2x3xi1>, tensor<3x4xi1>) -> tensor<2x4xi1>
  return %0 : tensor<2x4xi1>
}

// GE has no matrix product of f64: a small number of terms is computed and
// summed.
// CHECK-LABEL: ascend.graph @few
// CHECK:       ascend.Mul({{.*}}) : (tensor<2x1x3xf64>, tensor<1x4x3xf64>) -> tensor<2x4x3xf64>
// CHECK:       ascend.ReduceSum({{.*}}) : (tensor<2x4x3xf64>, tensor<1xi64>) -> tensor<2x4xf64>
func.func @few(%x: tensor<2x3xf64>, %y: tensor<4x3xf64>) -> tensor<2x4xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<2x3xf64>, tensor<4x3xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}
// CHECK-LABEL: func.func @many
// CHECK:       stablehlo.dot
// REMARK:      [Missed] not-converted {{.*}}GE has no product of matrices of float64, and 1073741824 products are too many to compute and then sum (1048576 at most)
func.func @many(%x: tensor<1024x1024xf64>) -> tensor<1024x1024xf64> {
  %0 = stablehlo.dot %x, %x : (tensor<1024x1024xf64>, tensor<1024x1024xf64>) -> tensor<1024x1024xf64>
  return %0 : tensor<1024x1024xf64>
}

// CHECK-LABEL: func.func @mixed
// CHECK:       stablehlo.dot
// REMARK:      [Missed] not-converted {{.*}}GE has no products of int32 and int32 in float32
func.func @mixed(%x: tensor<2x3xi32>, %y: tensor<3x4xi32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @convolution
// CHECK:       stablehlo.convolution
// REMARK:      [Missed] not-converted {{.*}}GE's Conv2D and Conv3D cannot express it, and only convolutions of numbers with at most 1024 positions
func.func @convolution(%x: tensor<1x64x64x3xf64>, %y: tensor<33x33x3x4xf64>) -> tensor<1x32x32x4xf64> {
  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x64x64x3xf64>, tensor<33x33x3x4xf64>) -> tensor<1x32x32x4xf64>
  return %0 : tensor<1x32x32x4xf64>
}

// CHECK-LABEL: ascend.graph @precise
// REMARK:      [Missed] dropped {{.*}}precision is dropped
func.func @precise(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: ascend.graph @algorithm
// REMARK-NOT:  precision is dropped
// REMARK:      [Missed] dropped {{.*}}the algorithm is dropped
func.func @algorithm(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
