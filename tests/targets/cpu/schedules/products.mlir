// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The schedule of a product: written, obeyed, drawn, refused.
// RUN: mercator-opt %s --mercator-cpu-schedule=cpu=znver4 | FileCheck %s --check-prefix=V4
// RUN: mercator-opt %s --mercator-cpu-schedule=cpu=x86-64-v3 | FileCheck %s --check-prefix=V3
// RUN: mercator-opt %s --mercator-cpu-schedule="cpu=znver4 seed=3" | FileCheck %s --check-prefix=DRAWN
// RUN: mercator compile %s --stop-after=schedule --cpu=znver4 | FileCheck %s --check-prefix=V4
// RUN: mercator compile %s --stop-after=schedule --cpu=znver4 --schedule=random:3 | FileCheck %s --check-prefix=DRAWN
// V4: linalg.matmul {mercator.schedule = "form=tiles lanes=16 rows=12 vectors=2 pack=b overlaps=1 parts=1"}
// V3: linalg.matmul {mercator.schedule = "form=tiles lanes=8 rows=6 vectors=2 pack=b overlaps=1 parts=1"}
// DRAWN: linalg.matmul {mercator.{{schedule = "form=tiles|cells = .* mercator.tile = "group=0 rows=}}

// The code is that without the attribute, and another one with another schedule.
// RUN: mercator compile %s --stop-after=schedule --cpu=znver4 -o %t.mlir
// RUN: mercator compile %s --stop-after=flow -o %t.again
// RUN: mercator compile %t.again --stop-after=kernels --cpu=znver4 -o %t.plain
// RUN: mercator compile %t.mlir --stop-after=kernels --cpu=znver4 -o %t.written
// RUN: diff %t.plain %t.written
// RUN: mercator-opt %t.mlir -o %t.read
// RUN: mercator-opt %t.mlir --mercator-cpu-schedule=cpu=znver4 | diff %t.read -
// RUN: sed -e 's/rows=[0-9]*/rows=3/' %t.mlir > %t.three
// RUN: mercator compile %t.three --stop-after=kernels --cpu=znver4 -o %t.other
// RUN: not diff %t.plain %t.other > %t.diff
// RUN: mercator run %t.three --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// The step that makes code of a product: 3 rows of 2 vectors stay in registers, and the
// last panel has one vector.
// RUN: mercator compile %t.three --stop-after=kernels --cpu=znver4 | FileCheck %s --check-prefix=CODE
// CODE-LABEL: func.func private @kernel_0_product
// CODE: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CODE-COUNT-6: vector.fma
// CODE: scf.yield
// CODE: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CODE-COUNT-3: vector.fma
// CODE-NOT: vector.fma
// CODE-LABEL: func.func private @kernel_1_tanh
// EQUAL: equal to the evaluator's

// RUN: sed -e 's/rows=[0-9]*/rows=97/' %t.mlir > %t.refused
// RUN: not mercator run %t.refused --input=random:1 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not mercator-opt %t.refused --mercator-cpu-schedule 2>&1 | FileCheck %s --check-prefix=OPT
// REFUSED: .refused:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}'linalg.matmul' op cannot be computed by its schedule "form=tiles {{.*}} rows=97 {{.*}}", as a product of 96 x 80 x 64: a tile has
// REFUSED: help: mercator.schedule = "form=tiles lanes=
// OPT: note: help: mercator.schedule = "form=tiles lanes=
// RUN: sed -e 's/"form=tiles/"form=squares/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: 'form=squares': expected tiles, streams or dots
// RUN: sed -e 's/"form=tiles.*"/7/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: expected a string
// RUN: sed -e 's/linalg.generic {/linalg.generic {mercator.schedule = "form=tiles", /' %s | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: has a schedule of a product: expected a product of f32
// RUN: sed -e 's/mercator.schedule = ".*"/mercator.rows = "alone loop=0 parts=2"/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: has mercator.rows, but is a product: expected mercator.schedule
// RUN: not mercator run %s --schedule=random:0 --input=random:1 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not mercator compile %s --stop-after=schedule --schedule=3 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: expected random:SEED, with a seed of at least 1
#map = affine_map<(d0) -> (d0)>
flow.executable private @product {
  flow.executable.export public @product
  builtin.module {
    func.func @product(%arg0: !flow.dispatch.tensor<readonly:tensor<96x64xf32>>, %arg1: !flow.dispatch.tensor<readonly:tensor<64x80xf32>>, %arg2: !flow.dispatch.tensor<writeonly:tensor<96x80xf32>>) {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = flow.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [96, 64], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<96x64xf32>> -> tensor<96x64xf32>
      %1 = flow.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [64, 80], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<64x80xf32>> -> tensor<64x80xf32>
      %2 = tensor.empty() : tensor<96x80xf32>
      %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<96x80xf32>) -> tensor<96x80xf32>
      %4 = linalg.matmul ins(%0, %1 : tensor<96x64xf32>, tensor<64x80xf32>) outs(%3 : tensor<96x80xf32>) -> tensor<96x80xf32>
      flow.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [96, 80], strides = [1, 1] : tensor<96x80xf32> -> !flow.dispatch.tensor<writeonly:tensor<96x80xf32>>
      return
    }
  }
}
flow.executable private @tanh {
  flow.executable.export public @tanh
  builtin.module {
    func.func @tanh(%arg0: !flow.dispatch.tensor<readonly:tensor<1000xf32>>, %arg1: !flow.dispatch.tensor<writeonly:tensor<1000xf32>>) {
      %0 = flow.dispatch.tensor.load %arg0, offsets = [0], sizes = [1000], strides = [1] : !flow.dispatch.tensor<readonly:tensor<1000xf32>> -> tensor<1000xf32>
      %1 = tensor.empty() : tensor<1000xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<1000xf32>) outs(%1 : tensor<1000xf32>) {
      ^bb0(%in: f32, %out: f32):
        %3 = math.tanh %in : f32
        linalg.yield %3 : f32
      } -> tensor<1000xf32>
      flow.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [1000], strides = [1] : tensor<1000xf32> -> !flow.dispatch.tensor<writeonly:tensor<1000xf32>>
      return
    }
  }
}
func.func @main(%arg0: tensor<96x64xf32>, %arg1: tensor<64x80xf32>, %arg2: tensor<1000xf32>) -> (tensor<96x80xf32>, tensor<1000xf32>) {
  %0 = flow.dispatch @product::@product(%arg0, %arg1) : (tensor<96x64xf32>, tensor<64x80xf32>) -> tensor<96x80xf32>
  %1 = flow.dispatch @tanh::@tanh(%arg2) : (tensor<1000xf32>) -> tensor<1000xf32>
  return %0, %1 : tensor<96x80xf32>, tensor<1000xf32>
}
