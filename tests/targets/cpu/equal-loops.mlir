// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loop nests of kernels that differ only in their buffers are one function.
// RUN: mercator compile %s --stop-after=llvm --cpu=x86-64-v3 -o - | FileCheck %s
// RUN: mercator run %s --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL-COUNT-2: equal to the evaluator's

// CHECK-COUNT-2: llvm.call @[[LOOP:kernel_.*_part_loop]](
// CHECK-NOT: llvm.call @[[LOOP]](
// CHECK: llvm.func {{.*}}@[[LOOP]](
func.func @main(%x: tensor<7x48xf32>, %a: tensor<48x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48x32xf32>) -> (tensor<7x32xf32>, tensor<7x32xf32>) {
  %p = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<7x48xf32>, tensor<48x32xf32>) -> tensor<7x32xf32>
  %t = stablehlo.tanh %p : tensor<7x32xf32>
  %q = stablehlo.dot_general %t, %b, contracting_dims = [1] x [0] : (tensor<7x32xf32>, tensor<32x48xf32>) -> tensor<7x48xf32>
  %u = stablehlo.tanh %q : tensor<7x48xf32>
  %r = stablehlo.dot_general %u, %c, contracting_dims = [1] x [0] : (tensor<7x48xf32>, tensor<48x32xf32>) -> tensor<7x32xf32>
  return %p, %r : tensor<7x32xf32>, tensor<7x32xf32>
}
