// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --chlo-legalize-to-stablehlo --verify-diagnostics

func.func @steps(%x: tensor<?xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{expected a known number of steps}}
  %0:2 = chlo.scan(%x) inits(%c) dimension = 0 {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  } : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  return
}
// -----
func.func @bessel(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected element types that StableHLO has, got 'complex<f32>'}}
  %0 = chlo.bessel_i1e %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return
}
// -----
func.func @quantized(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{expected element types that StableHLO has}}
  %0 = chlo.erf %x : tensor<4x!quant.uniform<i8:f32, 0.5>> -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}
