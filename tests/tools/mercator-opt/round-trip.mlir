// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | mercator-opt | FileCheck %s
// RUN: mercator-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: %exits 1 mercator-opt %s --no-such-pass 2>&1 | FileCheck %s --check-prefix=FLAG

// CHECK: func.func @double(%[[X:.*]]: tensor<4xf32>)
// CHECK-COUNT-2: stablehlo.add %[[X]], %[[X]]
// CSE-COUNT-1: stablehlo.add
// CSE-NOT: stablehlo.add
// FLAG: no-such-pass
func.func @double(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %z = stablehlo.add %x, %x : tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}
