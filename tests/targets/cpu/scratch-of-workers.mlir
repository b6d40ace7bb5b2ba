// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What one worker uses lies together: its pieces of the scores and of the panels.
// RUN: mercator compile %s --stop-after=kernels -o - | FileCheck %s
// RUN: mercator run %s --check --sanitize --threads=3 --input=random:1

// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [32, 1, 64, 272], strides: [50176, 17408, 272, 1] : memref<1605632xf32>
// CHECK: scf.for
// CHECK: {mercator.worker}
// CHECK: constant 135168 : index
// CHECK: constant 135168 : index
// CHECK: memref.view %{{.*}} to memref<524288xf32>
// CHECK: {mercator.worker}
// CHECK: constant 135168 : index
// CHECK: constant 69632 : index
// CHECK: memref.view %{{.*}} to memref<524288xf32>

func.func @main(%q: tensor<8x256x64xf32>, %k: tensor<8x256x64xf32>, %v: tensor<8x256x64xf32>) -> tensor<8x256x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x256x64xf32>, tensor<8x256x64xf32>) -> tensor<8x256x256xf32>
  %e = stablehlo.tanh %s : tensor<8x256x256xf32>
  %o = stablehlo.dot_general %e, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x256x256xf32>, tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
  return %o : tensor<8x256x64xf32>
}
