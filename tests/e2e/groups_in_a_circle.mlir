// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator run %s --input=random:1 --check --cache=off | FileCheck %s

// A loss over a vocabulary and the gradient of the projection, as a training step
// has them. The mask is counted twice: the two counts, and what they divide, could
// be two groups that need each other.

// CHECK: result 0: tensor<512x16xf32>, equal to the evaluator's
// CHECK: result 1: tensor<f32>, equal to the evaluator's
func.func @main(%mask: tensor<64xi1>, %h: tensor<64x16xf32>, %w: tensor<16x512xf32>, %one: tensor<f32>) -> (tensor<512x16xf32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %logits = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x512xf32>) -> tensor<64x512xf32>
  %rows = stablehlo.reduce(%logits init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %sum = stablehlo.reduce(%rows init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %m = stablehlo.convert %mask : (tensor<64xi1>) -> tensor<64xf32>
  %n = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  %n2 = stablehlo.reduce(%m init: %one) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %scale = stablehlo.divide %one, %n2 : tensor<f32>
  %b = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<64x512xf32>
  %g = stablehlo.multiply %logits, %b : tensor<64x512xf32>
  %dw = stablehlo.dot_general %g, %h, contracting_dims = [0] x [0] : (tensor<64x512xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
  return %dw, %loss : tensor<512x16xf32>, tensor<f32>
}
