// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows of 8 bits become pairs as a product packs them, two blocks at a time: the left operand has no memory.
// RUN: mercator compile %s --stop-after=schedule --cpu=znver4 -o %t.mlir
// RUN: sed -e 's/mercator.schedule = "[^"]*"/mercator.schedule = "form=tiles lanes=16 rows=8 vectors=2 pack=ab copy=1 prologue=1 prologue_a=1 chunk=2 parts=7"/' %t.mlir > %t.copied
// RUN: mercator compile %t.copied --stop-after=kernels --cpu=znver4 | FileCheck %s --check-prefix=CODE
// CODE-NOT: memref<45x100xi32>
// CODE: vector.deinterleave {{.*}} : vector<32xi8>
// CODE-NOT: memref<45x100xi32>
// RUN: mercator explain %t.copied --target=cpu | FileCheck %s --check-prefix=WHY
// WHY: prologue_a=1 {{.*}}, ori as a is packed
// Panels of b before, and rows that two blocks compute.
// RUN: sed -e 's/mercator.schedule = "[^"]*"/mercator.schedule = "form=tiles lanes=16 rows=8 vectors=2 pack=ab overlaps=1 prologue_a=1 chunk=4 parts=7"/' %t.mlir > %t.packed
// Blocks of terms, and b in place.
// RUN: sed -e 's/mercator.schedule = "[^"]*"/mercator.schedule = "form=tiles lanes=16 rows=10 vectors=1 pack=a prologue_a=1 terms=30 chunk=2 parts=1"/' %t.mlir > %t.blocks
// RUN: mercator run %t.copied --input=random:1 --check --threads=2 | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %t.packed --input=random:1 --check --threads=2 | FileCheck %s --check-prefix=EQUAL
// RUN: mercator run %t.blocks --input=random:1 --check --threads=2 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's
func.func @main(%a: tensor<45x200xi8>, %b: tensor<200x77xi8>) -> tensor<45x77xi32> {
  %y = stablehlo.dot %a, %b : (tensor<45x200xi8>, tensor<200x77xi8>) -> tensor<45x77xi32>
  return %y : tensor<45x77xi32>
}
