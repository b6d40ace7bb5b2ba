// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tiles of 40 of 79 rows: the second one begins with row 39, to have the code of the
// first one, if one thread has both. The text says it.
// RUN: mercator compile %s --stop-after=schedule --cpu=znver4 -o %t.mlir
// RUN: FileCheck %s --check-prefix=ONE < %t.mlir
// ONE: mercator.products = ["{{[^"]*}}"], mercator.tile = "group=0 rows=40 overlaps=1 parts=64"
// RUN: mercator run %t.mlir --check --sanitize --threads=3 --input=random:1 | FileCheck %s --check-prefix=EQUAL
// RUN: sed -e 's/mercator.products = [^]]*], //' -e 's/overlaps=1 //' %t.mlir > %t.two.mlir
// RUN: mercator-opt %t.two.mlir --mercator-cpu-schedule=cpu=znver4 | FileCheck %s --check-prefix=TWO
// TWO: mercator.products = ["{{[^"]*}}", "{{[^"]*}}"], mercator.tile = "group=0 rows=40 parts=64"
// RUN: mercator run %t.two.mlir --check --sanitize --threads=3 --input=random:1 | FileCheck %s --check-prefix=EQUAL
// Both codes read the same panels of the right operand.
// RUN: sed -e 's/mercator.products = \[\([^]]*\)\]/mercator.products = [\1, \1]/' -e 's/overlaps=1 parts=64/parts=64/' %t.mlir > %t.same.mlir
// RUN: mercator compile %t.same.mlir --stop-after=kernels --cpu=znver4 | FileCheck %s --check-prefix=PANELS
// PANELS-COUNT-1: to memref<2048xf32>
// PANELS-NOT: to memref<2048xf32>
// RUN: mercator run %t.same.mlir --check --sanitize --threads=3 --input=random:1 | FileCheck %s --check-prefix=EQUAL
// RUN: sed -e 's/parts=64/parts=48/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=APART
// APART: error: {{.*}}one thread computes rows twice: expected parts to divide the 64 cells
// EQUAL: equal to the evaluator's

func.func @main(%x: tensor<64x79x16xf32>, %a: tensor<16x128xf32>, %b: tensor<128x16xf32>) -> tensor<64x79x16xf32> {
  %h = stablehlo.dot_general %x, %a, contracting_dims = [2] x [0]
      : (tensor<64x79x16xf32>, tensor<16x128xf32>) -> tensor<64x79x128xf32>
  %t = stablehlo.tanh %h : tensor<64x79x128xf32>
  %y = stablehlo.dot_general %t, %b, contracting_dims = [2] x [0]
      : (tensor<64x79x128xf32>, tensor<128x16xf32>) -> tensor<64x79x16xf32>
  return %y : tensor<64x79x16xf32>
}
