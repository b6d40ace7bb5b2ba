// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected '<'}}
sdy.mesh @mesh = ["a"=2]
// -----
// expected-error @+1 {{expected ']'}}
sdy.mesh @mesh = <["a"=2>
// -----
func.func @unclosed(%x: tensor<4xf32>) {
  // expected-error @+3 {{expected '>'}}
  %0 = sdy.reshard %x <@mesh, [{}] : tensor<4xf32>
  return
}
// -----
func.func @axes(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected '['}}
  %0 = sdy.all_gather {"a"} %x out_sharding=<@mesh, [{}]> : tensor<4xf32>
  return
}
// -----
func.func @arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 body arguments, got 0}}
  sdy.manual_computation(%x) in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : (tensor<4xf32>) -> ()
  return
}
// -----
func.func @returned(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 returned values, got 0}}
  %0 = sdy.manual_computation(%x) in_shardings=[] out_shardings=[] manual_axes={} (%a: tensor<2xf32>) {
    sdy.return
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @named(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected body arguments of types 'tensor<4xf32>', got 'tensor<2xf32>'}}
  sdy.named_computation<"f">(%x) (%a: tensor<2xf32>) {
    sdy.return
  } : (tensor<4xf32>) -> ()
  return
}
// -----
func.func @named_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected returned values of types 'tensor<2xf32>', got 'tensor<4xf32>'}}
  %0 = sdy.named_computation<"f">(%x) (%a: tensor<4xf32>) {
    sdy.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @no_list(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected '['}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<tensor[]>} : tensor<8xf32>
  return
}
// -----
func.func @two_lists(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected '>'}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[], []>} : tensor<8xf32>
  return
}
