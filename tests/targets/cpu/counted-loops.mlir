// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A product has loops of vectors, whose counters are made without LLVM's strength
// reduction. A sum in scalar loops keeps it.
// RUN: mercator compile %s --target=cpu --cpu=znver4 --emit=llvm | FileCheck %s
// RUN: mercator compile %s --function=sums --target=cpu --cpu=znver4 --emit=llvm | FileCheck %s --check-prefix=SUMS
// CHECK: "mercator-counted"
// SUMS-NOT: "mercator-counted"
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %z : tensor<64x64xf32>
}
func.func @sums(%x: tensor<5x549x32xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<5x549x32xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
