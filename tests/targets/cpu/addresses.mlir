// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parts of buffers are addresses, without a structure of offsets, extents and strides.
// RUN: mercator compile %s --stop-after=llvm --cpu=x86-64-v3 -o - | FileCheck %s
// RUN: mercator run %s --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL-COUNT-2: equal to the evaluator's

// CHECK: llvm.func {{.*}}@kernel_0
// CHECK-NOT: llvm.insertvalue
// CHECK: llvm.func @mercator_main
func.func @main(%x: tensor<9x40xf32>, %w: tensor<40x24xf32>) -> (tensor<9x24xf32>, tensor<4x16xbf16>) {
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<9x40xf32>, tensor<40x24xf32>) -> tensor<9x24xf32>
  %part = stablehlo.slice %p [1:8:2, 3:19] : (tensor<9x24xf32>) -> tensor<4x16xf32>
  %narrow = stablehlo.convert %part : (tensor<4x16xf32>) -> tensor<4x16xbf16>
  return %p, %narrow : tensor<9x24xf32>, tensor<4x16xbf16>
}
