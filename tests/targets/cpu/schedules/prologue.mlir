// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Weights of 8 bits become numbers where a product reads them: they have no memory.
// RUN: mercator compile %s --stop-after=flow --device=zen4 --fuse=23,24 -o %t.flow
// RUN: mercator compile %t.flow --stop-after=schedule --cpu=znver4 -o %t.mlir
// RUN: FileCheck %s --check-prefix=WRITTEN < %t.mlir
// WRITTEN: linalg.matmul {mercator.schedule = "form=streams {{.*}} prologue=1 parts={{[0-9]+}}"}
// RUN: mercator run %t.mlir --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator compile %t.mlir --stop-after=kernels --cpu=znver4 | FileCheck %s --check-prefix=CODE
// CODE-NOT: memref<100x600xf32>
// CODE: arith.sitofp {{.*}} : vector<16xi8> to vector<16xf32>
// RUN: mercator explain %t.mlir --target=cpu | FileCheck %s --check-prefix=WHY
// WHY: prologue=1 {{.*}}, sitofp, mulf as b is read
// RUN: sed -e 's/ prologue=1//' %t.mlir > %t.apart
// RUN: mercator run %t.apart --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// RUN: mercator compile %t.apart --stop-after=kernels --cpu=znver4 | FileCheck %s --check-prefix=APART
// APART: memref<100x600xf32>
// EQUAL: equal to the evaluator's
func.func @main(%x: tensor<4x100xf32>, %q: tensor<100x600xi8>, %s: tensor<600xf32>) -> tensor<4x600xf32> {
  %f = stablehlo.convert %q : (tensor<100x600xi8>) -> tensor<100x600xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<600xf32>) -> tensor<100x600xf32>
  %w = stablehlo.multiply %f, %b : tensor<100x600xf32>
  %y = stablehlo.dot %x, %w : (tensor<4x100xf32>, tensor<100x600xf32>) -> tensor<4x600xf32>
  return %y : tensor<4x600xf32>
}
