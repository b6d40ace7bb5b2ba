// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --transform-interpreter --verify-diagnostics

func.func @no_loops(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{got this one}}
  %0 = "test.a"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["test.a"]} in %f : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected an operation on ranked tensors with known loops}}
    %1 = transform.iree.wrap_in_dispatch_region %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @wrong_side(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.a"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-note @+1 {{got this one}}
  %1 = "test.b"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["test.a"]} in %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.iree.wrap_in_dispatch_region %0 {generateWorkload = false} : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match ops{["test.b"]} in %f : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected operations before the region in its block}}
    %3 = transform.iree.move_preceding_op_into_dispatch_region %2 into %1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_region(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.a"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["test.a"]} in %f : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected one flow.dispatch.region, got 1 operations}}
    %3 = transform.iree.clone_preceding_op_into_dispatch_region %0 into %0 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @read_whole(%y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{in this loop}}
  %0 = scf.forall (%i) in (4) shared_outs(%out = %y) -> tensor<4xf32> {
    %1 = tensor.extract %out[%i] : tensor<4xf32>
    %2 = tensor.from_elements %1 : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %out[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["scf.forall"]} in %f : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected outputs that are read by tensor.extract_slice and written by tensor.parallel_insert_slice}}
    %1 = transform.iree.forall_to_flow %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
