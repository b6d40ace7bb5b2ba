// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tensors lie in the memory of results that are written later: those of products before a
// loop, and of the loop. With checks of all accesses, each has its own memory.
// RUN: rm -rf %t && mkdir -p %t
// RUN: mercator run %s --input=random:1 --input=random:2 --threads=2 --repeat=3 -o %t/two/
// RUN: mercator run %s --input=random:1 --input=random:2 --threads=1 -o %t/one/
// RUN: mercator run %s --input=random:1 --input=random:2 --sanitize -o %t/apart/
// RUN: cmp %t/two/0.npy %t/apart/0.npy
// RUN: cmp %t/two/1.npy %t/apart/1.npy
// RUN: cmp %t/two/2.npy %t/apart/2.npy
// RUN: cmp %t/one/2.npy %t/apart/2.npy

func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot_general %2, %1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %count = stablehlo.constant dense<9> : tensor<i32>
  %last:2 = stablehlo.while(%i = %zero, %a = %3) : tensor<i32>, tensor<64x64xf32>
    cond {
      %more = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %p = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %q = stablehlo.tanh %p : tensor<64x64xf32>
      %s = stablehlo.dot_general %q, %2, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %t = stablehlo.tanh %s : tensor<64x64xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %t : tensor<i32>, tensor<64x64xf32>
    }
  %5 = stablehlo.dot_general %last#1, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %5, %last#1, %2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
