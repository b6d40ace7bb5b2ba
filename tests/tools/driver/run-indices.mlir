// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Indices of single elements are compared with extents when a program runs.
// RUN: mercator run %s --input='dense<[1, 2]> : tensor<2xi32>' --input='dense<1> : tensor<i64>' | FileCheck %s
// RUN: %exits 1 mercator run %s --input='dense<[1, 2]> : tensor<2xi32>' --input='dense<2> : tensor<i64>' 2>&1 | FileCheck %s --check-prefix=ABOVE
// RUN: %exits 1 mercator run %s --input='dense<[1, 2]> : tensor<2xi32>' --input='dense<-1> : tensor<i64>' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: %exits 1 mercator run %s --function=known --input=random:1 2>&1 | FileCheck %s --check-prefix=KNOWN

// CHECK: result 0: tensor<2xi32>
// CHECK-NEXT: [1, 2]
// ABOVE: run-indices.mlir:[[@LINE+5]]:10: error: expected an index below the extent of dimension 0, got 2 and 2
// NEGATIVE: run-indices.mlir:[[@LINE+4]]:10: error: expected an index below the extent of dimension 0, got -1 and 2
func.func @main(%x: tensor<2xi32>, %at: tensor<i64>) -> tensor<2xi32> {
  %number = tensor.extract %at[] : tensor<i64>
  %i = arith.index_cast %number : i64 to index
  %two = tensor.extract %x[%i] : tensor<2xi32>
  %0 = flow.tensor.store %two, %x[%i] : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// KNOWN: run-indices.mlir:[[@LINE+4]]:8: error: expected an index below the extent of dimension 0, got 2 and 2
func.func @known(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c2 = arith.constant 2 : index
  %four = arith.constant 4 : i32
  %0 = flow.tensor.store %four, %x[%c2] : tensor<2xi32>
  return %0 : tensor<2xi32>
}
