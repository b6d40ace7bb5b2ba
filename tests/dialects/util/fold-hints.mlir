// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @barrier
// CHECK: %[[C:.*]] = arith.constant 1 : i32
// CHECK: %[[B:.*]] = util.optimization_barrier %[[C]] : i32
// CHECK: %[[S:.*]] = arith.addi %[[B]], %[[B]]
// CHECK: util.optimization_barrier %[[S]]
// CHECK: return %[[S]]
func.func @barrier() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = util.optimization_barrier %0 : i32
  %2 = arith.addi %1, %1 : i32
  %3 = util.optimization_barrier %2 : i32
  return %2 : i32
}

// CHECK-LABEL: func @unfoldable
// CHECK: %[[C:.*]] = arith.constant dense<42> : tensor<2xi32>
// CHECK: %[[B:.*]] = util.optimization_barrier {note} %[[C]] : tensor<2xi32>
// CHECK: util.unfoldable_constant @barrier
// CHECK: return %[[B]]
func.func @unfoldable() -> (tensor<2xi32>, () -> i32) {
  %0 = util.unfoldable_constant {note} dense<42> : tensor<2xi32>
  %1 = util.unfoldable_constant @barrier : () -> i32
  return %0, %1 : tensor<2xi32>, () -> i32
}

// CHECK-LABEL: func @limit_constants
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[M1:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[P1:.*]] = arith.constant 1 : i8
// CHECK: return %[[C0]], %[[C3]], %[[M1]], %[[P1]]
func.func @limit_constants() -> (index, index, i8, i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = arith.constant -1 : i8
  %p = arith.constant 1 : i8
  %0 = util.range.min %c3, %c0, %c1 : index
  %1 = util.range.max %c0, %c3, %c1 : index
  // Unsigned, -1 is the maximum.
  %2 = util.range.max %m, %p, %p : i8
  %3 = util.range.min %m, %p, %p : i8
  return %0, %1, %2, %3 : index, index, i8, i8
}

// CHECK-LABEL: func @limit_few
// CHECK: %[[MIN:.*]] = arith.minui %arg0, %arg1
// CHECK: %[[MAX:.*]] = arith.maxui %arg0, %arg1
// CHECK: return %arg0, %[[MIN]], %[[MAX]]
func.func @limit_few(%a: index, %b: index) -> (index, index, index) {
  %0 = util.range.max %a : index
  %1 = util.range.min %a, %b : index
  %2 = util.range.max %a, %b, %b, %a : index
  return %0, %1, %2 : index, index, index
}

// The minimum of i64 is handled correctly.
// CHECK-LABEL: func @limit_many
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -9223372036854775808 : i64
// CHECK: util.range.max %arg0, %arg1, %[[C3]] : index
// CHECK: util.range.min %arg0, %arg1, %arg2, %[[C3]] : index
// CHECK: util.range.max %arg3, %arg4, %[[LEAST]] : i64
func.func @limit_many(%a: index, %b: index, %c: index, %d: i64, %e: i64) -> (index, index, i64) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %least = arith.constant 0x8000000000000000 : i64
  %0 = util.range.max %a, %c0, %b, %a, %c3 : index
  %1 = util.range.min %a, %b, %c, %c3 : index
  %2 = util.range.max %d, %least, %e, %least : i64
  return %0, %1, %2 : index, index, i64
}

// CHECK-LABEL: func @extents_constants
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C9:.*]] = arith.constant 9 : index
// CHECK: return %[[C2]], %[[C4]], %[[C2]], %[[C9]]
func.func @extents_constants() -> (index, index, index, index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %0:2 = util.range.extents [%c2 for %c3] : index
  %1:2 = util.range.extents [%c7 for %c3], [%c2 for %c3], [%c3 for %c3] : index
  return %0#0, %0#1, %1#0, %1#1 : index, index, index, index
}

// CHECK-LABEL: func @extents_some_constants
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[END:.*]] = arith.addi %arg0, %arg1
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %[[C1]]
// CHECK: %[[MIN:.*]] = arith.minui %arg0, %[[C2]]
// CHECK: %[[MAX:.*]] = arith.maxui %[[LAST]], %[[C4]]
// CHECK: return %[[MIN]], %[[MAX]]
func.func @extents_some_constants(%a: index, %b: index) -> (index, index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0:2 = util.range.extents [%c2 for %c3], [%a for %b] : index
  return %0#0, %0#1 : index, index
}

// CHECK-LABEL: func @extents_two
// CHECK: %[[C1:.*]] = arith.constant 1 : i32
// CHECK: %[[MIN:.*]] = arith.minui %arg0, %arg2
// CHECK: %[[END0:.*]] = arith.addi %arg0, %arg1
// CHECK: %[[LAST0:.*]] = arith.subi %[[END0]], %[[C1]]
// CHECK: %[[END1:.*]] = arith.addi %arg2, %arg3
// CHECK: %[[LAST1:.*]] = arith.subi %[[END1]], %[[C1]]
// CHECK: %[[MAX:.*]] = arith.maxui %[[LAST0]], %[[LAST1]]
// CHECK: return %[[MIN]], %[[MAX]]
func.func @extents_two(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32) {
  %0:2 = util.range.extents [%a for %b], [%c for %d] : i32
  return %0#0, %0#1 : i32, i32
}

// CHECK-LABEL: func @extents_again
// CHECK: util.range.extents [%arg0 for %arg1], [%arg1 for %arg1], [%arg1 for %arg0] : index
func.func @extents_again(%a: index, %b: index) -> (index, index) {
  %0:2 = util.range.extents [%a for %b], [%b for %b], [%a for %b], [%b for %a] : index
  return %0#0, %0#1 : index, index
}

// CHECK-LABEL: func @align_again
// CHECK: %[[A:.*]] = util.align %arg0, %arg1
// CHECK: return %[[A]]
func.func @align_again(%a: index, %b: index) -> index {
  %0 = util.align %a, %b : index
  %1 = util.align %0, %b : index
  return %1 : index
}

// A multiple of 16 is a multiple of 8, and stays one if it is aligned further.
// CHECK-LABEL: func @align_less
// CHECK: %[[A:.*]] = util.align %arg0, %c16
// CHECK: %[[B:.*]] = util.align %[[A]], %arg1
// CHECK: return %[[A]], %[[B]]
func.func @align_less(%a: index, %b: index) -> (index, index) {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %0 = util.align %a, %c16 : index
  %1 = util.align %0, %c8 : index
  %2 = util.align %0, %b : index
  %3 = util.align %2, %c16 : index
  return %1, %3 : index, index
}

// CHECK-LABEL: func @align_more
// CHECK: util.align %arg0, %c8
// CHECK: util.align %{{.*}}, %c16
func.func @align_more(%a: index) -> index {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %0 = util.align %a, %c8 : index
  %1 = util.align %0, %c16 : index
  return %1 : index
}

// Sums and differences of multiples are multiples; for a product one factor is
// enough.
// CHECK-LABEL: func @align_arithmetic
// CHECK: %[[A:.*]] = util.align %arg0, %c64
// CHECK: %[[X:.*]] = util.align %arg1, %c16
// CHECK: %[[B:.*]] = arith.addi %[[A]], %c32
// CHECK: %[[C:.*]] = arith.subi %[[X]], %[[B]]
// CHECK: %[[D:.*]] = arith.muli %[[C]], %arg1
// CHECK: %[[E:.*]] = arith.addi %[[D]], %arg1
// CHECK: %[[F:.*]] = util.align %[[E]], %c16
// CHECK: return %[[D]], %[[F]]
func.func @align_arithmetic(%a: index, %b: index) -> (index, index) {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %0 = util.align %a, %c64 : index
  %x = util.align %b, %c16 : index
  %1 = arith.addi %0, %c32 : index
  %2 = arith.subi %x, %1 : index
  %3 = arith.muli %2, %b : index
  %4 = util.align %3, %c16 : index
  %5 = arith.addi %3, %b : index
  %6 = util.align %5, %c16 : index
  return %4, %6 : index, index
}

// Numbers that are no power of two are kept, and so are those that do not fit.
// CHECK-LABEL: func @align_constants
// CHECK-DAG: %[[C24:.*]] = arith.constant 24 : i8
// CHECK-DAG: %[[C17:.*]] = arith.constant 17 : i8
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i8
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i8
// CHECK-DAG: %[[C12:.*]] = arith.constant 12 : i8
// CHECK-DAG: %[[M3:.*]] = arith.constant -3 : i8
// CHECK: %[[A:.*]] = util.align %[[C17]], %[[C0]]
// CHECK: %[[B:.*]] = util.align %[[C24]], %[[C12]]
// CHECK: %[[C:.*]] = util.align %[[M3]], %[[C8]]
// CHECK: return %[[C24]], %[[A]], %[[B]], %[[C]]
func.func @align_constants() -> (i8, i8, i8, i8) {
  %c17 = arith.constant 17 : i8
  %c8 = arith.constant 8 : i8
  %c0 = arith.constant 0 : i8
  %c12 = arith.constant 12 : i8
  %c24 = arith.constant 24 : i8
  %m3 = arith.constant -3 : i8
  %0 = util.align %c17, %c8 : i8
  %1 = util.align %c17, %c0 : i8
  %2 = util.align %c24, %c12 : i8
  %3 = util.align %m3, %c8 : i8
  return %0, %1, %2, %3 : i8, i8, i8, i8
}

// CHECK-LABEL: func @sizes
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[I:.*]] = util.sizeof index
// CHECK: return %[[C1]], %[[C2]], %[[C4]], %[[I]]
func.func @sizes() -> (index, index, index, index) {
  %0 = util.sizeof i1
  %1 = util.sizeof i12
  %2 = util.sizeof f32
  %3 = util.sizeof index
  return %0, %1, %2, %3 : index, index, index, index
}

// A number without bits is no power of two and has no successor.
// CHECK-LABEL: func @no_bits
// CHECK: util.align
// CHECK: util.range.extents
func.func @no_bits(%a: i0) -> (i0, i0, i0) {
  %c = arith.constant 0 : i0
  %0 = util.align %c, %c : i0
  %1:2 = util.range.extents [%a for %a] : i0
  return %0, %1#0, %1#1 : i0, i0, i0
}
