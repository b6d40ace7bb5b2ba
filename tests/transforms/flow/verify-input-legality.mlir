// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --pass-pipeline="builtin.module(func.func(iree-verify-input-legality))" --verify-diagnostics

// expected-error @below {{illegal operations still remain: tosa.add (2), mhlo.add (1); earlier passes must lower them to linalg}}
func.func @several(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'tosa.add' op illegal op still exists}}
  %0 = "tosa.add"(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{'mhlo.add' op illegal op still exists}}
  %1 = "mhlo.add"(%0, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{'tosa.add' op illegal op still exists}}
  %2 = "tosa.add"(%0, %1) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// expected-error @below {{illegal operations still remain: stablehlo.add (1), chlo.erf (1)}}
func.func @our_dialects(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'stablehlo.add' op illegal op still exists}}
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  // expected-error @below {{'chlo.erf' op illegal op still exists}}
  %1 = chlo.erf %0 : tensor<4xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// In regions and in any block.
// expected-error @below {{illegal operations still remain: tm_tensor.scan (1), vhlo.abs (1)}}
func.func @nested(%c: i1, %a: tensor<4xf32>) {
  scf.if %c {
    // expected-error @below {{illegal op still exists}}
    "tm_tensor.scan"(%a) : (tensor<4xf32>) -> ()
  }
  cf.br ^next
^next:
  // expected-error @below {{illegal op still exists}}
  "vhlo.abs"(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

// Even if they would fold away.
// expected-error @below {{illegal operations still remain: builtin.unrealized_conversion_cast (2)}}
func.func @casts(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{illegal op still exists}}
  %0 = builtin.unrealized_conversion_cast %a : tensor<?xf32> to memref<?xf32>
  // expected-error @below {{illegal op still exists}}
  %1 = builtin.unrealized_conversion_cast %0 : memref<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// The operation of tosa on scalars, and unknown operations.
func.func @legal(%a: tensor<4xf32>, %i: i32, %s: i8) -> tensor<4xf32> {
  %0 = "tosa.apply_scale"(%i, %i, %s) : (i32, i32, i8) -> i32
  %1 = "somewhere.else"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func private @declaration(tensor<4xf32>) -> tensor<4xf32>
