// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies of 2 MiB and more are made in several threads, and past the caches from 16 MiB on.
// RUN: rm -rf %t && mkdir -p %t
// RUN: mercator compile %s --target=cpu --cpu=znver5 --emit=llvm | FileCheck %s --check-prefix=CODE
// CODE-DAG: call {{.*}}@mercator_copy(ptr {{[^,]*}}, ptr {{[^,]*}}, i64 2097152, i32 0)
// CODE-DAG: call {{.*}}@mercator_copy(ptr {{[^,]*}}, ptr {{[^,]*}}, i64 16777216, i32 1)
// RUN: mercator run %s --input=random:1 --input=random:2 --input="dense<5> : tensor<i32>" --input=random:3 --threads=2 -o %t/two/
// RUN: mercator run %s --input=random:1 --input=random:2 --input="dense<5> : tensor<i32>" --input=random:3 --sanitize -o %t/sanitized/
// RUN: cmp %t/two/0.npy %t/sanitized/0.npy
// RUN: cmp %t/two/1.npy %t/sanitized/1.npy

func.func @main(%a: tensor<2048x256xf32>, %b: tensor<16384x256xf32>, %i: tensor<i32>, %u: tensor<3x256xf32>) -> (tensor<2048x256xf32>, tensor<16384x256xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %zero : (tensor<2048x256xf32>, tensor<3x256xf32>, tensor<i32>, tensor<i32>) -> tensor<2048x256xf32>
  %1 = stablehlo.dynamic_update_slice %b, %u, %i, %zero : (tensor<16384x256xf32>, tensor<3x256xf32>, tensor<i32>, tensor<i32>) -> tensor<16384x256xf32>
  return %0, %1 : tensor<2048x256xf32>, tensor<16384x256xf32>
}
