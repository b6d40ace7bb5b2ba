// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// erf and erfc stay functions; erfc of f64 is a formula.

// RUN: mercator-opt %s --mercator-linalg-pipeline | FileCheck %s
// RUN: mercator run %s --check 2>/dev/null | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @main
// CHECK: math.erf {{.*}} : f32
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK: math.erf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: math.erf {{.*}} : f64
// CHECK: math.erfc {{.*}} : f32
// CHECK-NOT: math.erf
// VALUES: result 0: tensor<64xf32>, equal to the evaluator's
// VALUES: result 1: tensor<64xbf16>, equal to the evaluator's
// VALUES: result 2: tensor<64xf64>, equal to the evaluator's
// VALUES: result 3: tensor<64xf32>, equal to the evaluator's
// VALUES: result 4: tensor<64xf64>, equal to the evaluator's
func.func @main(%x: tensor<64xf32>, %y: tensor<64xbf16>, %z: tensor<64xf64>) -> (tensor<64xf32>, tensor<64xbf16>, tensor<64xf64>, tensor<64xf32>, tensor<64xf64>) {
  %0 = chlo.erf %x : tensor<64xf32> -> tensor<64xf32>
  %1 = chlo.erf %y : tensor<64xbf16> -> tensor<64xbf16>
  %2 = chlo.erf %z : tensor<64xf64> -> tensor<64xf64>
  %3 = chlo.erfc %x : tensor<64xf32> -> tensor<64xf32>
  %4 = chlo.erfc %z : tensor<64xf64> -> tensor<64xf64>
  return %0, %1, %2, %3, %4 : tensor<64xf32>, tensor<64xbf16>, tensor<64xf64>, tensor<64xf32>, tensor<64xf64>
}
