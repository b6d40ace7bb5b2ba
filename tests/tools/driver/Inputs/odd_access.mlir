// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @main(%x: tensor<8xf32>, %e: tensor<0x4xf32>, %d: tensor<?xf32>) -> (tensor<8xf32>, tensor<0x4xf32>, tensor<?xf32>) {
  %a = stablehlo.negate %x : tensor<8xf32>
  %b = stablehlo.negate %e : tensor<0x4xf32>
  %c = stablehlo.negate %d : tensor<?xf32>
  return %a, %b, %c : tensor<8xf32>, tensor<0x4xf32>, tensor<?xf32>
}
