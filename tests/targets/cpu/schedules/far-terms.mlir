// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows that are neighbors in a are copied term by term, for all blocks of a chunk: the
// last blocks have fewer rows, and the last block of terms fewer terms.
// RUN: mercator compile %s --stop-after=schedule --cpu=znver4 -o %t.mlir
// RUN: FileCheck %s --check-prefix=ZEN4 < %t.mlir
// ZEN4: "form=tiles lanes=16 rows=14 vectors=2 pack=ab chunk=31 parts=18"
// RUN: mercator run %t.mlir --input=random:1 --check --sanitize | FileCheck %s
// RUN: sed 's/chunk=31/terms=256 chunk=5/' %t.mlir | mercator run - --input=random:1 --check --sanitize | FileCheck %s
// RUN: sed 's/rows=14 vectors=2/rows=22 vectors=1/' %t.mlir | mercator run - --input=random:1 --check --sanitize | FileCheck %s
// CHECK: equal to the evaluator's
func.func @main(%a: tensor<300x1001xf32>, %b: tensor<300x65xf32>) -> tensor<1001x65xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<300x1001xf32>, tensor<300x65xf32>) -> tensor<1001x65xf32>
  return %c : tensor<1001x65xf32>
}
