// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of columns of one operand are computed in one pass over it, but not with one that
// they need. All steps but the last one, of 4 terms, are added 4 at
// a time.
// RUN: mercator compile %s --stop-after=kernels --cpu=znver4 --fusion=maps -o - | FileCheck %s
// RUN: mercator run %s --input=random:1 --check --sanitize --fusion=maps | FileCheck %s --check-prefix=EQUAL
// EQUAL-COUNT-4: equal to the evaluator's

// CHECK-LABEL: func.func private @kernel_0_
// CHECK: scf.for %{{.*}} step %c4
// CHECK: %[[X:.*]] = memref.load %arg0[%{{.*}}, %{{.*}}] : memref<100x70xf32>
// CHECK-NEXT: arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[X]]
// CHECK-NEXT: arith.addf
// CHECK-NEXT: memref.load %arg0[%{{.*}}, %{{.*}}] : memref<100x70xf32>
// The sum that needs the first one, with the maximum.
// CHECK: scf.for %{{.*}} step %c4
// CHECK: %[[Y:.*]] = memref.load %arg0[%{{.*}}, %{{.*}}] : memref<100x70xf32>
// CHECK: %[[D:.*]] = arith.subf %[[Y]]
// CHECK-DAG: arith.addf %{{.*}}, %[[D]]
// CHECK-DAG: arith.maximumf %{{.*}}, %[[Y]]
func.func @main(%x: tensor<100x70xf32>) -> (tensor<70xf32>, tensor<70xf32>, tensor<70xf32>, tensor<70xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %count = stablehlo.constant dense<100.0> : tensor<70xf32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<100x70xf32>, tensor<f32>) -> tensor<70xf32>
  %q = stablehlo.multiply %x, %x : tensor<100x70xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<100x70xf32>, tensor<f32>) -> tensor<70xf32>
  %mean = stablehlo.divide %t, %count : tensor<70xf32>
  %ss = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<70xf32>) -> tensor<100x70xf32>
  %d = stablehlo.subtract %x, %ss : tensor<100x70xf32>
  %v = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<100x70xf32>, tensor<f32>) -> tensor<70xf32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<100x70xf32>, tensor<f32>) -> tensor<70xf32>
  return %s, %mean, %m, %v : tensor<70xf32>, tensor<70xf32>, tensor<70xf32>, tensor<70xf32>
}
