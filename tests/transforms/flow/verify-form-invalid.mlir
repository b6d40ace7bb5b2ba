// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --mercator-flow-pipeline --split-input-file --verify-diagnostics

func.func @gather(%a: tensor<4x8xf32>, %i: tensor<2x1xi32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{expected only dispatches and operations of flow between dispatches, got tensor.gather: no rule converts it to a dispatch or an operation of flow}}
  %0 = tensor.gather %a[%i] gather_dims([0]) unique : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
// -----
func.func @indices(%a: tensor<4xindex>) -> tensor<4xindex> {
  // expected-error @+1 {{got linalg.generic: a dispatch cannot take tensors of its element type}}
  %0 = arith.addi %a, %a : tensor<4xindex>
  return %0 : tensor<4xindex>
}
// -----
func.func @unranked(%a: tensor<*xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{got tensor.cast: a dispatch cannot take tensors without a rank}}
  %0 = tensor.cast %a : tensor<*xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @forall(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{got scf.forall: a parallel loop does not become a dispatch}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %e) -> tensor<8xf32> {
    %1 = tensor.extract_slice %a[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %2 = math.exp %1 : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}
// -----
// One error for each kind.
func.func @twice(%m: memref<4xf32>) {
  // expected-error @+1 {{got linalg.exp: it works on buffers}}
  linalg.exp ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  linalg.exp ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  return
}
