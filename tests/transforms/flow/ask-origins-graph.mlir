// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --allow-unregistered-dialect --mercator-flow-ask-origins | FileCheck %s

// CROSS: not run, as MLIR's canonicalization goes round in this graph for ever.

// A value in a graph may be its own init.
// CHECK-LABEL: func @graph
// CHECK: %[[A:.*]] = linalg.exp
// CHECK: tensor.dim %{{.*}}, %{{.*}}
func.func @graph(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  "test.graph"() ({
    %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
    %1 = linalg.exp ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %d = tensor.dim %1, %c0 : tensor<?xf32>
    "test.use"(%d) : (index) -> ()
  }) : () -> ()
  return
}
