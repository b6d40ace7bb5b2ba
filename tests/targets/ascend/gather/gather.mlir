// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --convert-stablehlo-to-ascend --canonicalize | FileCheck %s
// RUN: mercator-opt %s --convert-stablehlo-to-ascend --remarks-filter=gather-planning -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not mercator-opt %s --convert-stablehlo-to-ascend=soc=911 2>&1 | FileCheck %s --check-prefix=SOC

// SOC: expected 'any' or '910b' for the option 'soc', got '911'

// A table of embeddings: the index is clamped, a row is taken whole.
// CHECK-LABEL: func.func @embedding
// CHECK-SAME: (%[[TABLE:.+]]: tensor<151936x896xf32>, %[[IDS:.+]]: tensor<1x8x1xi32>)
// CHECK-DAG:  %[[LOW:.+]] = ascend.Const dense<0> : tensor<i32>
// CHECK-DAG:  %[[HIGH:.+]] = ascend.Const dense<151935> : tensor<i32>
// CHECK-DAG:  %[[SAFE:.+]] = ascend.ClipByValue(%[[IDS]], %[[LOW]], %[[HIGH]])
// CHECK:      %[[ROWS:.+]] = ascend.Reshape(%[[SAFE]], %{{.+}}) : (tensor<1x8x1xi32>, tensor<2xi64>) -> tensor<1x8xi32>
// CHECK:      ascend.GatherV2(%[[TABLE]], %[[ROWS]], %{{.+}}) : (tensor<151936x896xf32>, tensor<1x8xi32>, tensor<i64>) -> tensor<1x8x896xf32>
// REMARK:     [Missed] constant {{.*}}the result has elements and is no slice at a constant position
// REMARK:     [Missed] no gather {{.*}}dimension 0 is indexed
// REMARK:     [Missed] slice {{.*}}there are 8 slices
// REMARK:     [Missed] GatherElements {{.*}}no dimension follows the batch
// REMARK:     [Passed] GatherV2 {{.*}} bytes, 8 index entries
func.func @embedding(%table: tensor<151936x896xf32>, %ids: tensor<1x8x1xi32>) -> tensor<1x8x896xf32> {
  %0 = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 896>}> : (tensor<151936x896xf32>, tensor<1x8x1xi32>) -> tensor<1x8x896xf32>
  return %0 : tensor<1x8x896xf32>
}

// Starts that are known to be in range are not clamped.
// CHECK-LABEL: func.func @bounded
// CHECK:      ascend.ClipByValue(%{{.+}}, %{{.+}}, %{{.+}}) : (tensor<3x1xi32>
// CHECK-NOT:  ascend.ClipByValue
// CHECK:      ascend.GatherV2
func.func @bounded(%table: tensor<16x4xf32>, %ids: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %low = stablehlo.constant dense<0> : tensor<i32>
  %high = stablehlo.constant dense<15> : tensor<i32>
  %safe = stablehlo.clamp %low, %ids, %high : (tensor<i32>, tensor<3x1xi32>, tensor<i32>) -> tensor<3x1xi32>
  %0 = "stablehlo.gather"(%table, %safe) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @dynamic_slice
// CHECK:      %[[STARTS:.+]] = ascend.Pack(
// CHECK:      ascend.Slice({{.*}}) : (tensor<9x5xf32>, tensor<2xi32>, tensor<2xi64>) -> tensor<3x2xf32>
func.func @dynamic_slice(%x: tensor<9x5xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<3x2xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [3, 2] : (tensor<9x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// Types that GE lacks stay.
// CHECK-LABEL: func.func @unknown_type
// CHECK:      stablehlo.gather
// REMARK:     [Missed] GatherV2 {{.*}}there is no conversion of elements of type i4
func.func @unknown_type(%x: tensor<9x5xi4>, %i: tensor<3xi32>) -> tensor<3x5xi4> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 5>}> : (tensor<9x5xi4>, tensor<3xi32>) -> tensor<3x5xi4>
  return %0 : tensor<3x5xi4>
}

// The cores of the 910B have no GatherNd of uint16: a single index is used.
// CHECK-LABEL: func.func @flat
// CHECK-NOT:  ascend.GatherNd
// CHECK:      ascend.GatherV2({{.*}}) : (tensor<45xui16>, tensor<7xi32>, tensor<i64>) -> tensor<7xui16>
// REMARK:     [Missed] GatherNd {{.*}}GatherNd of uint16 is not supported by the cores of the 910B
// REMARK:     [Passed] flat GatherV2 {{.*}}in the place of GatherNd, since GatherNd of uint16 is not supported by the cores of the 910B
func.func @flat(%x: tensor<9x5xui16>, %i: tensor<7x2xi32>) -> tensor<7xui16> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
                                          start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<9x5xui16>, tensor<7x2xi32>) -> tensor<7xui16>
  return %0 : tensor<7xui16>
}

// The cores of the 910B have no gather of float64 at all: GatherV2 runs on the
// AI CPU.
// CHECK-LABEL: func.func @beside_the_cores
// CHECK:      ascend.GatherV2({{.*}}) : (tensor<16x4xf64>, tensor<3xi32>, tensor<i64>) -> tensor<3x4xf64>
// REMARK:     [Missed] GatherV2 {{.*}}GatherV2 of float64 is not supported by the cores of the 910B
// REMARK:     [Passed] GatherV2 {{.*}}operators that the cores lack run on the AI CPU
func.func @beside_the_cores(%x: tensor<16x4xf64>, %i: tensor<3xi32>) -> tensor<3x4xf64> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf64>, tensor<3xi32>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// They have no BroadcastTo of int16 either.
// CHECK-LABEL: func.func @repeated
// CHECK-NOT:  ascend.BroadcastTo({{.*}}i16
// CHECK:      ascend.GatherV2({{.*}}) : (tensor<1x5xi16>, tensor<7xi32>, tensor<i64>) -> tensor<7x5xi16>
// REMARK:     [Missed] no gather {{.*}}BroadcastTo of int16 is not supported by the cores of the 910B
// REMARK:     [Passed] flat GatherV2 {{.*}}in the place of no gather, since BroadcastTo of int16
func.func @repeated(%x: tensor<5xi16>, %i: tensor<7x1xi32>) -> tensor<7x5xi16> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 5>}> : (tensor<5xi16>, tensor<7x1xi32>) -> tensor<7x5xi16>
  return %0 : tensor<7x5xi16>
}

// Vectors for 2^7 slices with a window of two would make a tensor of rank 9.
// CHECK-LABEL: func.func @vectors_of_rank_9
// CHECK-NOT:  ascend.GatherNd
// CHECK:      ascend.IndexByTensor(
// REMARK:     [Missed] GatherNd {{.*}} has 9 dimensions, GE has tensors of at most 8
// REMARK:     [Passed] IndexByTensor
func.func @vectors_of_rank_9(%x: tensor<3x3xf32>, %i: tensor<2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [7], collapsed_slice_dims = [0],
                                          start_index_map = [0, 1], index_vector_dim = 7>,
    slice_sizes = array<i64: 1, 2>}> : (tensor<3x3xf32>, tensor<2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2xf32>
  return %0 : tensor<2x2x2x2x2x2x2x2xf32>
}

// Indices whose Cast the cores do not support.
// CHECK-LABEL: func.func @wide_indices
// CHECK:      ascend.GatherV2(
// REMARK:     [Missed] GatherV2 {{.*}}Cast of uint64 is not supported by the cores of the 910B
func.func @wide_indices(%x: tensor<16x4xf32>, %i: tensor<3xui64>) -> tensor<3x4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf32>, tensor<3xui64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// An iota from 2 on is a batch dimension of a part.
// CHECK-LABEL: func.func @iota_from_two
// CHECK:      ascend.Slice(%arg0
// CHECK:      ascend.GatherElements({{.*}}) {dim = 1 : i64} : (tensor<3x9xf32>, tensor<3x1xi32>) -> tensor<3x1xf32>
func.func @iota_from_two(%x: tensor<5x9xf32>, %i: tensor<3x1xi32>) -> tensor<3xf32> {
  %iota = stablehlo.iota dim = 0 : tensor<3xi32>
  %two = stablehlo.constant dense<2> : tensor<3xi32>
  %rows = stablehlo.add %iota, %two : tensor<3xi32>
  %column = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
  %vectors = stablehlo.concatenate %column, %i, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  %0 = "stablehlo.gather"(%x, %vectors) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
                                          start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<5x9xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Negative indices that count from the end, as JAX writes them: known to be in
// range, so nothing is clamped.
// CHECK-LABEL: func.func @from_the_end
// CHECK-NOT:  ascend.ClipByValue
// CHECK-NOT:  ascend.M{{in|ax}}imum
// CHECK:      ascend.GatherV2
// REMARK:     [Passed] GatherV2
func.func @from_the_end(%x: tensor<6x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> {
  %size = stablehlo.constant dense<6> : tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %inside = stablehlo.remainder %i, %size : tensor<3xi32>
  %isNegative = stablehlo.compare LT, %inside, %zero : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %wrapped = stablehlo.add %inside, %size : tensor<3xi32>
  %rows = stablehlo.select %isNegative, %wrapped, %inside : tensor<3xi1>, tensor<3xi32>
  %vectors = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
  %0 = "stablehlo.gather"(%x, %vectors) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Starts of 32 bits with windows that reach beyond 32 bits.
// CHECK-LABEL: func.func @long_dimension
// CHECK:      ascend.Cast({{.*}}) {dst_type = 9 : i64} : (tensor<3x1xi32>) -> tensor<3x1xi64>
// CHECK:      ascend.Add({{.*}}) : (tensor<3x1xi64>, tensor<1x4xi64>) -> tensor<3x4xi64>
// CHECK:      ascend.GatherV2({{.*}}) : (tensor<3000000000xi8>, tensor<3x4xi64>, tensor<i64>) -> tensor<3x4xi8>
func.func @long_dimension(%x: tensor<3000000000xi8>, %i: tensor<3x1xi32>) -> tensor<3x4xi8> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 4>}> : (tensor<3000000000xi8>, tensor<3x1xi32>) -> tensor<3x4xi8>
  return %0 : tensor<3x4xi8>
}

// 4,900,000,000 elements under one index: it needs 64 bits.
// CHECK-LABEL: func.func @long_when_flat
// CHECK:      ascend.Mul({{.*}}) : (tensor<7xi64>, tensor<i64>) -> tensor<7xi64>
// CHECK:      ascend.GatherV2({{.*}}) : (tensor<4900000000xui16>, tensor<7xi64>, tensor<i64>) -> tensor<7xui16>
func.func @long_when_flat(%x: tensor<70000x70000xui16>, %i: tensor<7x2xi32>) -> tensor<7xui16> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
                                          start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<70000x70000xui16>, tensor<7x2xi32>) -> tensor<7xui16>
  return %0 : tensor<7xui16>
}

// ui32 exceeds i32, so it is computed in i64; i8 is widened before any
// computation.
// CHECK-LABEL: func.func @small_and_unsigned
// CHECK:      ascend.Cast({{.*}}) {dst_type = 9 : i64} : (tensor<3xui32>) -> tensor<3xi64>
// CHECK:      ascend.Minimum
// CHECK:      ascend.Cast({{.*}}) {dst_type = 3 : i64} : (tensor<3xi8>) -> tensor<3xi32>
// CHECK-NOT:  ascend.Minimum
// CHECK:      ascend.Maximum
func.func @small_and_unsigned(%x: tensor<300xf32>, %i: tensor<3xui32>, %j: tensor<3xi8>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}> : (tensor<300xf32>, tensor<3xui32>) -> tensor<3xf32>
  %1 = "stablehlo.gather"(%x, %j) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}> : (tensor<300xf32>, tensor<3xi8>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// Constant starts need no tensor: a cache of keys is read at one dynamic
// position.
// CHECK-LABEL: func.func @one_start_moves
// CHECK:      %[[AT:.+]] = ascend.Pack(%arg1) {N = 1 : i64} : (tensor<i32>) -> tensor<1xi32>
// CHECK:      %[[SAFE:.+]] = ascend.ClipByValue(%[[AT]]
// CHECK:      ascend.ConcatV2(%[[SAFE]], %{{.+}}, %{{.+}}) {N = 2 : i64} : (tensor<1xi32>, tensor<2xi32>, tensor<i64>) -> tensor<3xi32>
// CHECK-NEXT: ascend.Slice(%arg0
func.func @one_start_moves(%x: tensor<9x5x4xf32>, %i: tensor<i32>) -> tensor<1x2x4xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %one, %zero, sizes = [1, 2, 4] : (tensor<9x5x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
