// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Causal attention in tiles: what a mask excludes is not computed, except where it
// shows.
// RUN: mercator run %s --function=plain --check --input=random:1 | FileCheck %s
// RUN: mercator run %s --function=infinite --check --input=random:1 | FileCheck %s
// RUN: mercator run %s --function=low --check --sanitize --input=random:1 | FileCheck %s
// v is read in place; with wider rows, from panels.
// RUN: sed 's/512x16x/512x72x/g' %s > %t.mlir
// RUN: mercator run %t.mlir --function=plain --check --input=random:1 | FileCheck %s
// RUN: mercator run %t.mlir --function=infinite --check --input=random:1 | FileCheck %s
// CHECK: equal to the evaluator's

func.func private @attention(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %v: tensor<512x16xf32>, %scale: tensor<512x1xf32>) -> tensor<512x16xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<-1.0e30> : tensor<512x512xf32>
  %i = stablehlo.iota dim = 0 : tensor<512x512xi32>
  %j = stablehlo.iota dim = 1 : tensor<512x512xi32>
  %keep = stablehlo.compare GE, %i, %j : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<512x512xf32>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x512xf32>
  %1 = stablehlo.add %0, %scales : tensor<512x512xf32>
  %s = stablehlo.select %keep, %1, %none : tensor<512x512xi1>, tensor<512x512xf32>
  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %c = stablehlo.subtract %s, %ms : tensor<512x512xf32>
  %e = stablehlo.exponential %c : tensor<512x512xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %p = stablehlo.divide %e, %ns : tensor<512x512xf32>
  %o = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x16xf32>) -> tensor<512x16xf32>
  return %o : tensor<512x16xf32>
}
func.func @plain(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %v: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %nothing = stablehlo.constant dense<0.0> : tensor<512x1xf32>
  %0 = func.call @attention(%q, %k, %v, %nothing) : (tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x1xf32>) -> tensor<512x16xf32>
  return %0 : tensor<512x16xf32>
}

// Row 300 of v is infinite: 0 * inf is NaN in all rows before it.
func.func @infinite(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %v: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %nothing = stablehlo.constant dense<0.0> : tensor<512x1xf32>
  %i = stablehlo.iota dim = 0 : tensor<512x16xi32>
  %at = stablehlo.constant dense<300> : tensor<512x16xi32>
  %is = stablehlo.compare EQ, %i, %at : (tensor<512x16xi32>, tensor<512x16xi32>) -> tensor<512x16xi1>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<512x16xf32>
  %w = stablehlo.select %is, %inf, %v : tensor<512x16xi1>, tensor<512x16xf32>
  %0 = func.call @attention(%q, %k, %w, %nothing) : (tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x1xf32>) -> tensor<512x16xf32>
  return %0 : tensor<512x16xf32>
}

// The scores of row 100 are as low as the number of the mask, so that its weights
// are not 0 where it masks.
func.func @low(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %v: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %nothing = stablehlo.constant dense<0.0> : tensor<512x1xf32>
  %line = stablehlo.iota dim = 0 : tensor<512x1xi32>
  %here = stablehlo.constant dense<100> : tensor<512x1xi32>
  %is = stablehlo.compare EQ, %line, %here : (tensor<512x1xi32>, tensor<512x1xi32>) -> tensor<512x1xi1>
  %lowest = stablehlo.constant dense<-1.0e30> : tensor<512x1xf32>
  %scale = stablehlo.select %is, %lowest, %nothing : tensor<512x1xi1>, tensor<512x1xf32>
  %0 = func.call @attention(%q, %k, %v, %scale) : (tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x1xf32>) -> tensor<512x16xf32>
  return %0 : tensor<512x16xf32>
}
