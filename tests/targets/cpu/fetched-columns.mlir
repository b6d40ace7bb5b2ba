// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Columns that do not stay in the second cache are fetched while the row 16 terms before
// is computed; a plain sum fetches what no cache holds, 64 terms before.
// RUN: mercator compile %s --stop-after=kernels --cpu=znver4 | FileCheck %s
// RUN: mercator compile %s --function=large --stop-after=kernels --cpu=znver4 | FileCheck %s --check-prefix=LARGE
// RUN: mercator run %s --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's

// CHECK-LABEL: func.func private @kernel_0_
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: func.func private @kernel_1_
// CHECK: %[[LAST:.*]] = arith.subi %c2000, %{{.*}} : index
// CHECK-NEXT: %[[ROW:.*]] = arith.minsi %{{.*}}, %[[LAST]] : index
// CHECK: scf.for %{{.*}} step %c16
// CHECK: memref.prefetch %arg0[%[[ROW]], %{{.*}}], read, locality<3>, data : memref<2000x270xf32>
// CHECK: scf.for %{{.*}} step %c1
// CHECK: memref.load %arg0[%{{.*}}, %{{.*}}] : memref<2000x270xf32>
// LARGE-COUNT-4: memref.prefetch %arg0[%{{.*}}, %{{.*}}], read, locality<2>, data : memref<10000x1024xf32>
func.func @main(%x: tensor<400x270xf32>, %y: tensor<2000x270xf32>) -> (tensor<270xf32>, tensor<270xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<400x270xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<400x270xf32>, tensor<f32>) -> tensor<270xf32>
  %f = stablehlo.exponential %y : tensor<2000x270xf32>
  %t = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2000x270xf32>, tensor<f32>) -> tensor<270xf32>
  return %s, %t : tensor<270xf32>, tensor<270xf32>
}
func.func @large(%x: tensor<10000x1024xf32>) -> tensor<1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %s : tensor<1024xf32>
}
