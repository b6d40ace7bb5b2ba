// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --pass-pipeline="builtin.module(func.func(iree-verify-input-legality))" --verify-diagnostics

func.func @several(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{expected operations of linalg, tensor and arith, got tosa.add and others: lower the program to linalg first}}
  %0 = "tosa.add"(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = "mhlo.add"(%0, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @our_dialects(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{got stablehlo.add and others: lower it with --mercator-linalg-pipeline first}}
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  %1 = chlo.erf %0 : tensor<4xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @mhlo(%a: tensor<4xf32>) {
  // expected-error @below {{got mhlo.abs: lower the program to linalg first}}
  "mhlo.abs"(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

// Inside of regions.
func.func @nested(%c: i1, %a: tensor<4xf32>) {
  scf.if %c {
    // expected-error @below {{got tm_tensor.scan: lower}}
    "tm_tensor.scan"(%a) : (tensor<4xf32>) -> ()
  }
  return
}

// -----

// In any block.
func.func @blocks(%a: tensor<4xf32>) {
  cf.br ^next
^next:
  // expected-error @below {{got vhlo.abs: lower}}
  "vhlo.abs"(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

// Even if they would fold away.
func.func @casts(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{got builtin.unrealized_conversion_cast and others: lower}}
  %0 = builtin.unrealized_conversion_cast %a : tensor<?xf32> to memref<?xf32>
  %1 = builtin.unrealized_conversion_cast %0 : memref<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// tosa.apply_scale is on scalars. Operations of unknown dialects are accepted.
func.func @legal(%a: tensor<4xf32>, %i: i32, %s: i8) -> tensor<4xf32> {
  %0 = "tosa.apply_scale"(%i, %i, %s) : (i32, i32, i8) -> i32
  %1 = "somewhere.else"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func private @declaration(tensor<4xf32>) -> tensor<4xf32>
