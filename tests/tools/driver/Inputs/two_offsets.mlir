// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @main(%x: tensor<8xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2xf32> {
  %a = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  %b = stablehlo.dynamic_slice %x, %j, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  %r = stablehlo.add %a, %b : tensor<2xf32>
  return %r : tensor<2xf32>
}
