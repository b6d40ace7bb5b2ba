// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --convert-stablehlo-to-ascend --canonicalize | FileCheck %s
// RUN: mercator-opt %s --convert-stablehlo-to-ascend=soc=any --canonicalize | FileCheck %s --check-prefix=ANY
// RUN: mercator-opt %s --convert-stablehlo-to-ascend --remarks-filter=ascend-conversion -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// A long splat takes no space in a file.
// CHECK-LABEL: func.func @constants
// CHECK-DAG:  ascend.Const dense<1.500000e+00> : tensor<8x8xf32>
// CHECK-DAG:  %[[ONE:.+]] = ascend.Const dense<1.500000e+00> : tensor<f32>
// CHECK-DAG:  %[[TRUE:.+]] = ascend.Const dense<true> : tensor<i1>
// CHECK:      ascend.Fill(%{{.+}}, %[[ONE]]) : (tensor<2xi64>, tensor<f32>) -> tensor<64x64xf32>
// CHECK:      ascend.Fill({{.+}}) : (tensor<2xi64>, tensor<complex<f32>>) -> tensor<64x64xcomplex<f32>>
// CHECK:      ascend.Fill(%{{.+}}, %[[TRUE]]) : (tensor<2xi64>, tensor<i1>) -> tensor<64x64xi1>
func.func @constants() -> (tensor<8x8xf32>, tensor<64x64xf32>, tensor<64x64xcomplex<f32>>, tensor<64x64xi1>) {
  %0 = stablehlo.constant dense<1.5> : tensor<8x8xf32>
  %1 = stablehlo.constant dense<1.5> : tensor<64x64xf32>
  %2 = stablehlo.constant dense<(1.5, -2.0)> : tensor<64x64xcomplex<f32>>
  %3 = stablehlo.constant dense<true> : tensor<64x64xi1>
  return %0, %1, %2, %3 : tensor<8x8xf32>, tensor<64x64xf32>, tensor<64x64xcomplex<f32>>, tensor<64x64xi1>
}

// Counted in integers; a number out of range of uint8 keeps its low bits.
// CHECK-LABEL: func.func @iota
// CHECK:      %[[COUNT:.+]] = ascend.Range({{.+}}) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<300xi32>
// CHECK-NEXT: %[[LOW:.+]] = ascend.BitwiseAnd(%[[COUNT]],
// CHECK-NEXT: %[[BYTES:.+]] = ascend.Cast(%[[LOW]]) {dst_type = 4 : i64}
// CHECK-NEXT: %[[ROW:.+]] = ascend.Reshape(%[[BYTES]], %{{.+}}) : (tensor<300xui8>, tensor<2xi64>) -> tensor<1x300xui8>
// CHECK-NEXT: ascend.BroadcastTo(%[[ROW]],
// CHECK:      %[[SMALL:.+]] = ascend.Range({{.+}}) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5xi32>
// CHECK-NEXT: ascend.Cast(%[[SMALL]]) {dst_type = 27 : i64} : (tensor<5xi32>) -> tensor<5xbf16>
func.func @iota() -> (tensor<2x300xui8>, tensor<5xbf16>) {
  %0 = stablehlo.iota dim = 1 : tensor<2x300xui8>
  %1 = stablehlo.iota dim = 0 : tensor<5xbf16>
  return %0, %1 : tensor<2x300xui8>, tensor<5xbf16>
}

// The cores of the 910B have no BroadcastTo of int16: int32 is used.
// CHECK-LABEL: func.func @broadcast
// CHECK:      %[[COLUMN:.+]] = ascend.Reshape(%arg0, %{{.+}}) : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x1x3xf32>
// CHECK-NEXT: ascend.BroadcastTo(%[[COLUMN]], %{{.+}}) : (tensor<2x1x3xf32>, tensor<3xi64>) -> tensor<2x4x3xf32>
// CHECK-NEXT: ascend.Transpose(%arg0, %{{.+}}) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[WIDE:.+]] = ascend.Cast(%arg1) {dst_type = 3 : i64}
// CHECK-NEXT: %[[ROWS:.+]] = ascend.BroadcastTo(%[[WIDE]], %{{.+}}) : (tensor<3xi32>, tensor<2xi64>) -> tensor<4x3xi32>
// CHECK-NEXT: ascend.Cast(%[[ROWS]]) {dst_type = 6 : i64}
// ANY-LABEL:  func.func @broadcast
// ANY:        ascend.BroadcastTo({{.+}}) : (tensor<3xi16>, tensor<2xi64>) -> tensor<4x3xi16>
// REMARK:     [Analysis] ai-cpu {{.+}}BroadcastTo of float64 is not supported by the cores of the 910B
func.func @broadcast(%x: tensor<2x3xf32>, %h: tensor<3xi16>, %d: tensor<f64>) -> (tensor<2x4x3xf32>, tensor<3x2xf32>, tensor<4x3xi16>, tensor<5xf64>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.broadcast_in_dim %h, dims = [1] : (tensor<3xi16>) -> tensor<4x3xi16>
  %3 = stablehlo.broadcast_in_dim %d, dims = [] : (tensor<f64>) -> tensor<5xf64>
  return %0, %1, %2, %3 : tensor<2x4x3xf32>, tensor<3x2xf32>, tensor<4x3xi16>, tensor<5xf64>
}

// Slices do not support booleans, which become bytes. A full slice is removed.
// CHECK-LABEL: func.func @slices
// CHECK:      ascend.Slice(%arg0, %{{.+}}, %{{.+}}) : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[BYTES:.+]] = ascend.Cast(%arg1) {dst_type = 2 : i64}
// CHECK-NEXT: %[[PART:.+]] = ascend.StridedSlice(%[[BYTES]], {{.+}}) : (tensor<2x3xi8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi8>
// CHECK-NEXT: ascend.Cast(%[[PART]]) {dst_type = 12 : i64}
// CHECK-NEXT: return %{{.+}}, %{{.+}}, %arg0
func.func @slices(%x: tensor<2x3xf32>, %p: tensor<2x3xi1>) -> (tensor<2x2xf32>, tensor<2x2xi1>, tensor<2x3xf32>) {
  %0 = stablehlo.slice %x [0:2, 1:3] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.slice %p [0:2, 0:3:2] : (tensor<2x3xi1>) -> tensor<2x2xi1>
  %2 = stablehlo.slice %x [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xi1>, tensor<2x3xf32>
}

// Interior padding: each element becomes a row of one, which is padded. A
// negative edge is cut off.
// CHECK-LABEL: func.func @pad
// CHECK-DAG:  %[[BETWEEN:.+]] = ascend.Const dense<{{\[}}[0, 0], [0, 0], [0, 1], [0, 0]]>
// CHECK-DAG:  %[[EDGES:.+]] = ascend.Const dense<{{\[}}[1, 0], [0, 2]]>
// CHECK:      %[[ROWS:.+]] = ascend.Reshape(%arg0, %{{.+}}) : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x3x1x1xf32>
// CHECK-NEXT: %[[PADDED:.+]] = ascend.PadV2(%[[ROWS]], %[[BETWEEN]], %arg1)
// CHECK-NEXT: %[[FLAT:.+]] = ascend.Reshape(%[[PADDED]],
// CHECK-NEXT: %[[INNER:.+]] = ascend.Slice(%[[FLAT]],
// CHECK-NEXT: %[[SPREAD:.+]] = ascend.Reshape(%[[INNER]], %{{.+}}) : (tensor<2x5x1xf32>, tensor<2xi64>) -> tensor<2x5xf32>
// CHECK-NEXT: %[[CUT:.+]] = ascend.Slice(%[[SPREAD]], {{.+}}) : (tensor<2x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4xf32>
// CHECK-NEXT: ascend.PadV2(%[[CUT]], %[[EDGES]], %arg1) : (tensor<2x4xf32>, tensor<2x2xi64>, tensor<f32>) -> tensor<3x6xf32>
func.func @pad(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<3x6xf32> {
  %0 = stablehlo.pad %x, %v, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// ReverseV2 does not support bfloat16.
// CHECK-LABEL: func.func @reverse
// CHECK:      %[[BACKWARDS:.+]] = ascend.Range({{.+}}) -> tensor<3xi64>
// CHECK-NEXT: ascend.GatherV2(%arg0, %[[BACKWARDS]], %{{.+}}) : (tensor<2x3xbf16>, tensor<3xi64>, tensor<i64>) -> tensor<2x3xbf16>
// CHECK-NEXT: ascend.ReverseV2(%arg1, %{{.+}}) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
func.func @reverse(%x: tensor<2x3xbf16>, %y: tensor<2x3xf32>) -> (tensor<2x3xbf16>, tensor<2x3xf32>) {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x3xbf16>
  %1 = stablehlo.reverse %y, dims = [1] : tensor<2x3xf32>
  return %0, %1 : tensor<2x3xbf16>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @concatenate
// CHECK:      ascend.ConcatV2(%arg0, %arg2, %{{.+}}) {N = 2 : i64}
// CHECK-NEXT: return %{{.+}}, %arg0
func.func @concatenate(%x: tensor<2x3xf32>, %none: tensor<0x3xf32>, %y: tensor<1x3xf32>) -> (tensor<3x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.concatenate %x, %none, %y, dim = 0 : (tensor<2x3xf32>, tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.concatenate %none, %x, dim = 0 : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<3x3xf32>, tensor<2x3xf32>
}

// A row of a cache: a scatter of two rows, at the clamped start in each batch.
// CHECK-LABEL: func.func @update
// CHECK-DAG:  %[[MOST:.+]] = ascend.Const dense<7> : tensor<i64>
// CHECK:      %[[WIDE:.+]] = ascend.Cast(%arg2) {dst_type = 9 : i64} : (tensor<ui32>) -> tensor<i64>
// CHECK-NEXT: ascend.ClipByValue(%[[WIDE]], %{{.+}}, %[[MOST]])
// CHECK:      %[[AT:.+]] = ascend.Add({{.+}}) : (tensor<1x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT: %[[ROWS:.+]] = ascend.Reshape(%arg0, %{{.+}}) : (tensor<2x8x4xf32>, tensor<2xi64>) -> tensor<16x4xf32>
// CHECK-NEXT: %[[UPDATE:.+]] = ascend.Reshape(%arg1,
// CHECK-NEXT: %[[COPY:.+]] = ascend.TensorMove(%[[ROWS]])
// CHECK-NEXT: ascend.ScatterNdUpdate(%[[COPY]], %[[AT]], %[[UPDATE]])
func.func @update(%cache: tensor<2x8x4xf32>, %row: tensor<2x1x4xf32>, %at: tensor<ui32>) -> tensor<2x8x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %0 = stablehlo.dynamic_update_slice %cache, %row, %zero, %at, %zero : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// Single elements cost more as rows of a scatter than a choice by a mask.
// CHECK-LABEL: func.func @update_by_a_mask
// CHECK:      %[[COUNT:.+]] = ascend.Range({{.+}}) -> tensor<1024xi32>
// CHECK-NEXT: %[[PLACES:.+]] = ascend.Sub(%[[COUNT]], %{{.+}})
// CHECK-NEXT: %[[FROM:.+]] = ascend.ClipByValue(%[[PLACES]],
// CHECK-NEXT: %[[SPREAD:.+]] = ascend.GatherV2(%arg1, %[[FROM]], %{{.+}}) : (tensor<1024x1023xf32>, tensor<1024xi32>, tensor<i64>) -> tensor<1024x1024xf32>
// CHECK-NEXT: %[[HERE:.+]] = ascend.Equal(%[[PLACES]], %[[FROM]])
// CHECK:      %[[ALL:.+]] = ascend.BroadcastTo({{.+}}) -> tensor<1024x1024xi1>
// CHECK-NEXT: ascend.Select(%[[ALL]], %[[SPREAD]], %arg0)
func.func @update_by_a_mask(%x: tensor<1024x1024xf32>, %part: tensor<1024x1023xf32>, %at: tensor<i32>) -> tensor<1024x1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %part, %zero, %at : (tensor<1024x1024xf32>, tensor<1024x1023xf32>, tensor<i32>, tensor<i32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// Indices that may be outside: a spare row takes their updates.
// CHECK-LABEL: func.func @scatter
// CHECK:      %[[SAFE:.+]] = ascend.ClipByValue(%arg1
// CHECK:      ascend.LogicalAnd(
// CHECK:      %[[SPARE:.+]] = ascend.ConcatV2(%arg0, {{.+}}) -> tensor<5x3xf32>
// CHECK:      %[[SUM:.+]] = ascend.ScatterNdAdd(%[[SPARE]], {{.+}}, %arg2)
// CHECK:      ascend.Slice(%[[SUM]], {{.+}}) -> tensor<4x3xf32>
func.func @scatter(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
                                                   scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @refused
func.func @refused(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>, %d: tensor<?xf32>, %r: tensor<1x1x1x1x1x1x1x1x2xf32>,
                   %huge: tensor<4294967296x4294967296xf32>) {
  // REMARK: [Missed] not-converted {{.+}}stablehlo.scatter{{.+}}GE's scatters replace an element, add to it, multiply it, or take the greater or the lesser; this body does something else
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
                                                   scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %quotient = stablehlo.divide %a, %b : tensor<f32>
    stablehlo.return %quotient : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.sort{{.+}}its comparator is another function than an order by one operand after the other
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %square = stablehlo.multiply %a, %a : tensor<f32>
    %less = stablehlo.compare LT, %square, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.remainder{{.+}}GE's TruncateMod supports at most 1000000 elements, and their number is known only at run time
  %2 = stablehlo.remainder %d, %d : tensor<?xf32>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.reshape{{.+}}GE has tensors of rank 8 at most
  %3 = stablehlo.reshape %r : (tensor<1x1x1x1x1x1x1x1x2xf32>) -> tensor<2xf32>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.add{{.+}}no device holds as many elements as tensor<4294967296x4294967296xf32> has
  %4 = stablehlo.add %huge, %huge : tensor<4294967296x4294967296xf32>
  return
}
