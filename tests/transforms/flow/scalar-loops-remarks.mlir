// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Why a loop is a dispatch, and why its producers are not in it.
// RUN: mercator explain %s --dispatch=1 | FileCheck %s

// CHECK: dispatch 1
// CHECK-NEXT: runs {{.*}} = scf.for
// CHECK: why these are apart
// CHECK: linalg.{{exp|generic}}, result 0 -> {{.*}} = scf.for, its body
// CHECK-NEXT: one of the two is not a linalg operation on tensors (linalg-on-tensors, rule)
func.func @scatter(%t: tensor<8xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%u : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.for %j = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %2 = tensor.extract %0[%j] : tensor<4xf32>
    %3 = tensor.extract %i[%j] : tensor<4xi32>
    %4 = arith.index_cast %3 : i32 to index
    %5 = tensor.insert %2 into %a[%4] : tensor<8xf32>
    scf.yield %5 : tensor<8xf32>
  }
  return %1 : tensor<8xf32>
}
