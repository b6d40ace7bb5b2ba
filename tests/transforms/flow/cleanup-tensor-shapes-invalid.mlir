// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-cleanup-tensor-shapes --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Every remaining query is reported, also inside regions.
func.func @dims(%c: i1, %a: tensor<?xi32>) -> index {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'tensor.dim' op unexpected during shape cleanup}}
  %0 = tensor.dim %a, %c0 : tensor<?xi32>
  scf.if %c {
    // expected-error @+1 {{'tensor.dim' op unexpected during shape cleanup}}
    %1 = tensor.dim %a, %c0 : tensor<?xi32>
    util.optimization_barrier %1 : index
  }
  return %0 : index
}
// -----
func.func @rank(%a: tensor<*xi32>) -> index {
  // expected-error @+1 {{'tensor.rank' op unexpected during shape cleanup}}
  %0 = tensor.rank %a : tensor<*xi32>
  return %0 : index
}
// -----
// A tie of itself, which only a graph region can contain, cannot be dropped.
"test.graph"() ({
  %d = "test.dim"() : () -> index
  %0 = flow.tensor.tie_shape %0 : tensor<?xi32>{%d}
}) : () -> ()

// -----

// A loop that changes the extent does not keep it, and neither does an inner
// loop.

flow.executable private @ex {
  flow.executable.export public @f
}

func.func @growing(%t: tensor<?xf32>, %d: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = flow.tensor.clone %t : tensor<?xf32>{%d}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (tensor<?xf32>) {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<?xf32>) {
      // expected-error@+1 {{unexpected during shape cleanup}}
      %dim = tensor.dim %b, %c0 : tensor<?xf32>
      %1 = flow.dispatch @ex::@f(%b) : (tensor<?xf32>{%dim}) -> tensor<?xf32>{%dim}
      scf.yield %1 : tensor<?xf32>
    }
    // expected-error@+1 {{unexpected during shape cleanup}}
    %dim = tensor.dim %inner, %c0 : tensor<?xf32>
    %more = arith.addi %dim, %c1 : index
    %2 = flow.dispatch @ex::@f(%inner) : (tensor<?xf32>{%dim}) -> tensor<?xf32>{%more}
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
