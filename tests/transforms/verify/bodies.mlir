// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator map --fused --computations %s | FileCheck %s

// Maps through bodies that extract elements, and through branches.

// CHECK-LABEL: gather: from each result to the parameters
// CHECK-NEXT: d0 in 0..4, d1 in 0..19
// CHECK-NEXT: %x exact (d0, d1){rt0} -> (rt0, d1)
// CHECK-NEXT: %i exact (d0, d1) -> (d0, 0)
// CHECK-NEXT: rt0 in 0..9, read from gather/%n at (d0, d1) -> (d0)
#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @gather(%x: tensor<10x20xf32>, %i: tensor<5x1xi32>) -> tensor<5x20xf32> {
  %n = tensor.collapse_shape %i [[0, 1]] : tensor<5x1xi32> into tensor<5xi32>
  %e = tensor.empty() : tensor<5x20xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<5xi32>) outs(%e : tensor<5x20xf32>) {
  ^bb0(%at: i32, %o: f32):
    %c0 = arith.constant 0 : index
    %c9 = arith.constant 9 : index
    %0 = arith.index_cast %at : i32 to index
    %1 = arith.maxsi %0, %c0 : index
    %2 = arith.minsi %1, %c9 : index
    %3 = linalg.index 1 : index
    %4 = tensor.extract %x[%2, %3] : tensor<10x20xf32>
    linalg.yield %4 : f32
  } -> tensor<5x20xf32>
  return %r : tensor<5x20xf32>
}

// Index vectors of two components, which the body reads too; slices of size 3.
// CHECK-LABEL: vectors: from each result to the parameters
// CHECK-NEXT: d0 in 0..4, d1 in 0..2
// CHECK-NEXT: %x exact (d0, d1){rt0, rt1} -> (d1 + rt0, rt1)
// CHECK-NEXT: %i exact (d0, d1) -> (d0, 1)
// CHECK-NEXT: exact (d0, d1) -> (d0, 0)
// CHECK-NEXT: rt0 in 0..7, read from vectors/%i at (d0, d1) -> (d0, 0)
// CHECK-NEXT: rt1 in 0..19, read from vectors/%i at (d0, d1) -> (d0, 1)
func.func @vectors(%x: tensor<10x20xf32>, %i: tensor<5x2xi64>) -> tensor<5x3xf32> {
  %e = tensor.empty() : tensor<5x3xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c19 = arith.constant 19 : index
    %d0 = linalg.index 0 : index
    %d1 = linalg.index 1 : index
    %0 = tensor.extract %i[%d0, %c0] : tensor<5x2xi64>
    %1 = arith.index_castui %0 : i64 to index
    %2 = arith.minui %1, %c7 : index
    %3 = arith.addi %2, %d1 : index
    %4 = tensor.extract %i[%d0, %c1] : tensor<5x2xi64>
    %5 = arith.index_castui %4 : i64 to index
    %6 = arith.minui %5, %c19 : index
    %7 = tensor.extract %x[%3, %6] : tensor<10x20xf32>
    linalg.yield %7 : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// A reversal, a sum of what is extracted, and an index that is not followed.
// CHECK-LABEL: others: from each result to the parameters
// CHECK: result 0 {{.*}}d0 in 0..9, d1 in 0..19
// CHECK-NEXT: %x exact (d0, d1) -> (-d0 + 9, d1)
// CHECK: result 1 {{.*}}d0 in 0..4
// CHECK-NEXT: %x exact (d0)[s0] -> (d0 * 2, s0), s0 in 0..19
// CHECK: result 2
// CHECK-NEXT: %x more (d0, d1)[s0] -> (s0, d1)
// CHECK: linalg: the reads of its body are not known exactly
// CHECK: %j exact (d0, d1) -> (d0)
func.func @others(%x: tensor<10x20xf32>, %j: tensor<10xindex>) -> (tensor<10x20xf32>, tensor<5xf32>, tensor<10x20xf32>) {
  %c9 = arith.constant 9 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x20xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<10x20xf32>) {
  ^bb0(%o: f32):
    %d0 = linalg.index 0 : index
    %d1 = linalg.index 1 : index
    %0 = arith.subi %c9, %d0 : index
    %1 = tensor.extract %x[%0, %d1] : tensor<10x20xf32>
    linalg.yield %1 : f32
  } -> tensor<10x20xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %shape = tensor.empty() : tensor<5x20xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5x20xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %c2 = arith.constant 2 : index
    %d0 = linalg.index 0 : index
    %d1 = linalg.index 1 : index
    %0 = arith.muli %d0, %c2 : index
    %1 = tensor.extract %x[%0, %d1] : tensor<10x20xf32>
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5xf32>
  %u = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%j : tensor<10xindex>) outs(%e : tensor<10x20xf32>) {
  ^bb0(%at: index, %o: f32):
    %c10 = arith.constant 10 : index
    %d1 = linalg.index 1 : index
    %0 = arith.remui %at, %c10 : index
    %1 = tensor.extract %x[%0, %d1] : tensor<10x20xf32>
    linalg.yield %1 : f32
  } -> tensor<10x20xf32>
  return %r, %s, %u : tensor<10x20xf32>, tensor<5xf32>, tensor<10x20xf32>
}

// CHECK-LABEL: branch: from each result to the parameters
// CHECK: %p exact (d0) -> ()
// CHECK: %x exact (d0){rt0} -> (-d0 + 3), rt0 in 1..1
// CHECK: %y exact (d0){rt0} -> (d0), rt0 in 0..0
func.func @branch(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c = tensor.extract %p[] : tensor<i1>
  %r = scf.if %c -> tensor<4xf32> {
    %0 = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: region: from each result to the parameters
// CHECK: %r = dispatch.region {{.*}} d0 in 0..1
// CHECK-NEXT: %x exact (d0) -> (d0 + 2){{$}}
func.func @region(%x: tensor<4xf32>) -> tensor<2xf32> {
  %r = flow.dispatch.region -> (tensor<2xf32>) {
    %0 = tensor.extract_slice %x[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
    flow.return %0 : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
