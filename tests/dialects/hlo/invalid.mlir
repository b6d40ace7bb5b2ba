// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a layout that is a permutation of the 2 dimensions, got [0, 0]}}
func.func private @layout_twice(tensor<4x8xf32, #hlo.layout<[0, 0]>>)
// -----
// expected-error @+1 {{expected a layout of 2 dimensions, got 1}}
func.func private @layout_short(tensor<4x8xf32, #hlo.layout<[0]>>)
// -----
// expected-error @+1 {{expected 'rest' or 'bounds'}}
func.func private @layout_key(tensor<4xf32, #hlo.layout<[0], tiles = "">>)
// -----
func.func @fusion_arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected region arguments #0 of type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "hlo.fusion"(%x) <{calls = "f", kind = "kLoop"}> ({
  ^bb0(%p: tensor<5xf32>):
    hlo.return %p : tensor<5xf32>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
func.func @fusion_results(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 returned values, got 0}}
  %0 = "hlo.fusion"(%x) <{calls = "f", kind = "kLoop"}> ({
  ^bb0(%p: tensor<4xf32>):
    hlo.return
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @bitcast(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operand and result of the same size, got 128 and 64 bits}}
  %0 = hlo.bitcast %x : (tensor<4xf32>) -> tensor<4xf16>
  return
}
// -----
func.func @copy(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operand and result of the same shape, got 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0 = hlo.copy %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
func.func @element(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operand and result of the same type, got 'tensor<4xf32>' and 'tensor<4xf64>'}}
  %0 = hlo.element %x[0] : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
func.func @return(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects parent op 'hlo.fusion'}}
  hlo.return %x : tensor<4xf32>
}
