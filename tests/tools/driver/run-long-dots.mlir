// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Long sums with few results: threads compute parts of one sum. The results have
// the same bits for any number of threads.
// RUN: rm -rf %t && mkdir -p %t
// RUN: mercator compile %s --target=cpu --emit=llvm | FileCheck %s --check-prefix=CODE
// CODE: call {{.*}}@mercator_parallel
// RUN: mercator run %s --check --input=random:1 --threads=2 | FileCheck %s
// RUN: mercator run %s --check --input=random:1 --sanitize | FileCheck %s
// CHECK-COUNT-2: equal to the evaluator's
// RUN: mercator run %s --input=random:2 --threads=1 -o %t/one/
// RUN: mercator run %s --input=random:2 --threads=3 -o %t/three/
// RUN: cmp %t/one/0.npy %t/three/0.npy
// RUN: cmp %t/one/1.npy %t/three/1.npy

func.func @main(%a: tensor<2x900005xf32>, %b: tensor<3x900005xf32>, %c: tensor<5x900064xf64>, %d: tensor<900064xf64>) -> (tensor<2x3xf32>, tensor<5xf64>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<2x900005xf32>, tensor<3x900005xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<5x900064xf64>, tensor<900064xf64>) -> tensor<5xf64>
  return %0, %1 : tensor<2x3xf32>, tensor<5xf64>
}
