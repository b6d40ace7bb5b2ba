// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An operation after a product is its epilogue, and a transposed read is tiled, unless
// an attribute says how their rows are computed.
// RUN: mercator compile %s --stop-after=flow --device=zen4 -o %t.flow
// RUN: mercator compile %t.flow --stop-after=schedule --cpu=znver4 -o %t.mlir
// RUN: FileCheck %s --check-prefix=WRITTEN < %t.mlir
// WRITTEN: linalg.matmul {mercator.schedule = "form=tiles {{.*}} epilogue=1 parts={{[0-9]+}}"}
// WRITTEN-NOT: mercator.rows
// RUN: mercator run %t.mlir --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: sed -e 's/linalg.generic {/linalg.generic {mercator.rows = "alone loop=0 parts=5", /' %t.mlir > %t.both
// RUN: not mercator run %t.both --input=random:1 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: an epilogue needs an operation that can be computed from tiles of whole sums
// RUN: sed -e 's/ epilogue=1//' %t.both > %t.rows
// RUN: mercator run %t.rows --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator compile %t.rows --stop-after=kernels --cpu=znver4 | FileCheck %s --check-prefix=CODE
// CODE-COUNT-2: scf.for {{.*}} to %c300{{.*}} step %c60{{.*}} {
// EQUAL-COUNT-2: equal to the evaluator's
func.func @main(%x: tensor<300x200xf32>, %y: tensor<200x250xf32>, %v: tensor<250xf32>, %z: tensor<300x300xf32>) -> (tensor<300x250xf32>, tensor<300x300xf32>) {
  %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<300x200xf32>, tensor<200x250xf32>) -> tensor<300x250xf32>
  %b = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<250xf32>) -> tensor<300x250xf32>
  %a = stablehlo.add %p, %b : tensor<300x250xf32>
  %t = stablehlo.transpose %z, dims = [1, 0] : (tensor<300x300xf32>) -> tensor<300x300xf32>
  %s = stablehlo.add %z, %t : tensor<300x300xf32>
  return %a, %s : tensor<300x250xf32>, tensor<300x300xf32>
}
