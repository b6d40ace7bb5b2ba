// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --convert-stablehlo-to-ascend --canonicalize | FileCheck %s
// RUN: mercator-opt %s --convert-stablehlo-to-ascend --remarks-filter=ascend-conversion -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// One operator each.
// CHECK-LABEL: func.func @functions
func.func @functions(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[EXP:.+]] = ascend.Exp(%arg0)
  // CHECK-NEXT: %[[POW:.+]] = ascend.Pow(%[[EXP]], %arg1)
  // CHECK-NEXT: %[[SUM:.+]] = ascend.Add(%[[POW]], %arg1)
  // CHECK-NEXT: %[[RATIO:.+]] = ascend.RealDiv(%arg0, %arg1)
  // CHECK-NEXT: %[[NEAR:.+]] = ascend.Round(%arg0)
  // CHECK-NEXT: %[[LOGISTIC:.+]] = ascend.Sigmoid(%arg0)
  // CHECK-NEXT: %[[ERF:.+]] = ascend.Erf(%arg0)
  // CHECK-NEXT: return %[[SUM]], %[[RATIO]], %[[NEAR]], %[[LOGISTIC]], %[[ERF]]
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.power %0, %y : tensor<4xf32>
  %2 = stablehlo.add %1, %y : tensor<4xf32>
  %3 = stablehlo.divide %x, %y : tensor<4xf32>
  %4 = stablehlo.round_nearest_even %x : tensor<4xf32>
  %5 = stablehlo.logistic %x : tensor<4xf32>
  %6 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %2, %3, %4, %5, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Floor does not support bfloat16.
// CHECK-LABEL: func.func @through_f32
// CHECK-NEXT: %[[WIDE:.+]] = ascend.Cast(%arg0) {dst_type = 0 : i64}
// CHECK-NEXT: %[[FLOOR:.+]] = ascend.Floor(%[[WIDE]])
// CHECK-NEXT: ascend.Cast(%[[FLOOR]]) {dst_type = 27 : i64}
func.func @through_f32(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = stablehlo.floor %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// Narrow integers are added in a type that wraps around, and are in range when
// they are cast back.
// CHECK-LABEL: func.func @narrow_sum
// CHECK-DAG:  %[[MASK:.+]] = ascend.Const dense<255> : tensor<i32>
// CHECK-DAG:  %[[X:.+]] = ascend.Cast(%arg0) {dst_type = 3 : i64}
// CHECK-DAG:  %[[Y:.+]] = ascend.Cast(%arg1) {dst_type = 3 : i64}
// CHECK:      %[[SUM:.+]] = ascend.Add(%[[X]], %[[Y]])
// CHECK-NEXT: %[[LOW:.+]] = ascend.BitwiseAnd(%[[SUM]], %[[MASK]])
// CHECK-NEXT: ascend.Cast(%[[LOW]]) {dst_type = 4 : i64}
func.func @narrow_sum(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
  %0 = stablehlo.add %x, %y : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// The widest integers are computed in halves.
// CHECK-LABEL: func.func @widest_sum
// CHECK-COUNT-2: ascend.RightShift({{.+}}) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
// CHECK:      ascend.Add({{.+}}) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
// CHECK:      ascend.LeftShift({{.+}}) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
// CHECK-NEXT: ascend.BitwiseOr
func.func @widest_sum(%x: tensor<4xui64>, %y: tensor<4xui64>) -> tensor<4xui64> {
  %0 = stablehlo.add %x, %y : tensor<4xui64>
  return %0 : tensor<4xui64>
}

// Maximum may lose a NaN in x1; a constant without NaN takes that position.
// CHECK-LABEL: func.func @maximum
// CHECK:      %[[MOST:.+]] = ascend.Maximum(%arg0, %arg1)
// CHECK-NEXT: %[[NAN:.+]] = ascend.NotEqual(%arg0, %arg0)
// CHECK-NEXT: ascend.Select(%[[NAN]], %arg0, %[[MOST]])
// CHECK-NEXT: %[[ZERO:.+]] = ascend.BroadcastTo
// CHECK-NEXT: %[[RELU:.+]] = ascend.Maximum(%[[ZERO]], %arg0)
// CHECK-NEXT: return {{.+}}, %[[RELU]]
func.func @maximum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.maximum %x, %y : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %x, %zeros : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The order of int32 values that are far apart is undefined. These are close.
// CHECK-LABEL: func.func @order
// CHECK:      ascend.Less({{.+}}) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
// CHECK:      ascend.Less({{.+}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK:      ascend.GreaterEqual({{.+}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
func.func @order(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi16>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %1 = stablehlo.compare LT, %x, %zero, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %wide = stablehlo.convert %z : (tensor<4xi16>) -> tensor<4xi32>
  %count = stablehlo.iota dim = 0 : tensor<4xi32>
  %2 = stablehlo.compare GE, %count, %wide, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// Equal does not support uint16, NotEqual does; for booleans it is the reverse.
// CHECK-LABEL: func.func @equal
// CHECK-NEXT: %[[NE:.+]] = ascend.NotEqual(%arg0, %arg0)
// CHECK-NEXT: ascend.LogicalNot(%[[NE]])
// CHECK-NEXT: %[[EQ:.+]] = ascend.Equal(%arg1, %arg1)
// CHECK-NEXT: ascend.LogicalNot(%[[EQ]])
// CHECK-NEXT: %[[NOT:.+]] = ascend.LogicalNot(%arg1)
// CHECK-NEXT: ascend.LogicalAnd(%[[NOT]], %arg1)
func.func @equal(%x: tensor<4xui16>, %p: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = stablehlo.compare EQ, %x, %x : (tensor<4xui16>, tensor<4xui16>) -> tensor<4xi1>
  %1 = stablehlo.compare NE, %p, %p : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %p, %p : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: func.func @select
// CHECK:      ascend.Select(%arg0, %arg2, %arg3)
// CHECK-NEXT: ascend.SelectV2(%arg1, %arg2, %arg3) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @select(%p: tensor<4xi1>, %q: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.select %p, %x, %y : tensor<4xi1>, tensor<4xf32>
  %1 = stablehlo.select %q, %x, %y : tensor<i1>, tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// NaN becomes 0; a float is clamped and loses its fraction before it is cast.
// 2^31 and more become the largest integer. An i64 keeps its low bits.
// CHECK-LABEL: func.func @convert
// CHECK:      ascend.Equal(%arg0, %arg0)
// CHECK-NEXT: %[[NUMBER:.+]] = ascend.SelectV2
// CHECK-NEXT: ascend.ClipByValue(%[[NUMBER]],
// CHECK:      %[[WHOLE:.+]] = ascend.Select
// CHECK-NEXT: %[[INSIDE:.+]] = ascend.Cast(%[[WHOLE]]) {dst_type = 3 : i64} : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: ascend.GreaterEqual(%[[NUMBER]],
// CHECK-NEXT: ascend.SelectV2({{.*}}, {{.*}}, %[[INSIDE]])
// CHECK-NEXT: %[[LOW:.+]] = ascend.BitwiseAnd(%arg1,
// CHECK-NEXT: %[[FLIPPED:.+]] = ascend.BitwiseXor(%[[LOW]],
// CHECK-NEXT: %[[SIGNED:.+]] = ascend.Sub(%[[FLIPPED]],
// CHECK-NEXT: ascend.Cast(%[[SIGNED]]) {dst_type = 3 : i64} : (tensor<4xi64>) -> tensor<4xi32>
// CHECK-NEXT: ascend.NotEqual(%arg0,
// CHECK-NEXT: ascend.Cast(%arg1) {dst_type = 0 : i64}
func.func @convert(%x: tensor<4xf32>, %i: tensor<4xi64>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xf32>) {
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %1 = stablehlo.convert %i : (tensor<4xi64>) -> tensor<4xi32>
  %2 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.convert %i : (tensor<4xi64>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xf32>
}

// CHECK-LABEL: func.func @quotients
// CHECK-NEXT: %[[Q:.+]] = ascend.TruncateDiv(%arg0, %arg1)
// CHECK-NEXT: %[[P:.+]] = ascend.TruncateDiv(%arg0, %arg1)
// CHECK-NEXT: %[[PRODUCT:.+]] = ascend.Mul(%[[P]], %arg1)
// CHECK-NEXT: %[[REST:.+]] = ascend.Sub(%arg0, %[[PRODUCT]])
// CHECK-NEXT: return %[[Q]], %[[REST]]
func.func @quotients(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.divide %x, %y : tensor<4xi32>
  %1 = stablehlo.remainder %x, %y : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// A shift by a known count needs no guard.
// CHECK-LABEL: func.func @shifts
// CHECK:      ascend.RightShift(%arg0, %{{.+}}) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
// CHECK-NEXT: %[[PLACES:.+]] = ascend.BitwiseAnd(%arg1,
// CHECK-NEXT: %[[BEYOND:.+]] = ascend.BitwiseAnd(%arg1,
// CHECK-NEXT: %[[DIFFERS:.+]] = ascend.NotEqual(%[[BEYOND]],
// CHECK-NEXT: %[[INSIDE:.+]] = ascend.LogicalNot(%[[DIFFERS]])
// CHECK-NEXT: %[[SHIFTED:.+]] = ascend.LeftShift(%arg0, %[[PLACES]])
// CHECK-NEXT: ascend.SelectV2(%[[INSIDE]], %[[SHIFTED]], %{{.+}}) : (tensor<4xi1>, tensor<4xui32>, tensor<ui32>) -> tensor<4xui32>
// REMARK:     [Analysis] ai-cpu {{.+}}RightShift is not supported by the cores of the 910B, so it runs on the AI CPU
func.func @shifts(%x: tensor<4xui32>, %y: tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>) {
  %nine = stablehlo.constant dense<9> : tensor<4xui32>
  %0 = stablehlo.shift_right_logical %x, %nine : tensor<4xui32>
  %1 = stablehlo.shift_left %x, %y : tensor<4xui32>
  return %0, %1 : tensor<4xui32>, tensor<4xui32>
}

// CHECK-LABEL: func.func @barrier
// CHECK-NEXT: return %arg1, %arg0
func.func @barrier(%x: tensor<4xf32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<4xf32>) {
  %0:2 = stablehlo.optimization_barrier %x, %y : tensor<4xf32>, tensor<2xi32>
  return %0#1, %0#0 : tensor<2xi32>, tensor<4xf32>
}

// Numbers without a memory layout, and numbers without a dimension.
// CHECK-LABEL: func.func @empty_and_scalar
// CHECK-NEXT: %[[EMPTY:.+]] = ascend.Const dense<> : tensor<0x3xf32>
// CHECK-NEXT: %[[SCALAR:.+]] = ascend.Add(%arg1, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: return %[[EMPTY]], %[[SCALAR]]
func.func @empty_and_scalar(%x: tensor<0x3xf32>, %y: tensor<f32>) -> (tensor<0x3xf32>, tensor<f32>) {
  %0 = stablehlo.add %x, %x : tensor<0x3xf32>
  %1 = stablehlo.add %y, %y : tensor<f32>
  return %0, %1 : tensor<0x3xf32>, tensor<f32>
}

// Unsupported operations stay, and nothing else remains.
// CHECK-LABEL: func.func @refused
// CHECK-NOT:  ascend.
// CHECK:      return
func.func @refused(%x: tensor<4xf32>, %u: tensor<4xui64>, %z: tensor<4xcomplex<f32>>, %w: tensor<4xcomplex<f64>>,
                   %i: tensor<4xi32>, %large: tensor<1001x1000xf32>, %narrow: tensor<4xi4>) {
  // REMARK: [Missed] not-converted {{.+}}stablehlo.compare{{.+}}GE's comparisons have no total order of floats that includes NaN
  %0 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.maximum{{.+}}GE does not order complex numbers
  %1 = stablehlo.maximum %z, %z : tensor<4xcomplex<f32>>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.divide{{.+}}GE's TruncateDiv does not support uint64, and no other type holds all of it
  %2 = stablehlo.divide %u, %u : tensor<4xui64>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.power{{.+}}the power is not a constant of at least 0
  %3 = stablehlo.power %i, %i : tensor<4xi32>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.remainder{{.+}}GE's TruncateMod supports at most 1000000 elements
  %4 = stablehlo.remainder %large, %large : tensor<1001x1000xf32>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.real{{.+}}GE's Real and Imag take complex64, not complex128
  %5 = stablehlo.real %w : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.reduce_precision{{.+}}no type of GE has 4 bits of exponent and 3 of mantissa, or not all that the operand has
  %6 = stablehlo.reduce_precision %x, format = e4m3 : tensor<4xf32>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.add{{.+}}there is no conversion of elements like those of tensor<4xi4>
  %7 = stablehlo.add %narrow, %narrow : tensor<4xi4>
  // REMARK: [Missed] not-converted {{.+}}stablehlo.bitcast_convert{{.+}}GE does not define its Bitcast
  %8 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  // REMARK: [Missed] not-converted {{.+}}chlo.erf_inv{{.+}}chlo.erf_inv must be legalized to StableHLO first
  %9 = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
  return
}
