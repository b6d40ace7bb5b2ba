// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The schedules of tiles of cells and of blocks of columns: written, obeyed, refused.
// RUN: mercator compile %s --stop-after=schedule --cpu=znver4 -o %t.zen4
// RUN: FileCheck %s --check-prefix=ZEN4 < %t.zen4
// RUN: mercator compile %s --stop-after=schedule --cpu=x86-64-v3 | FileCheck %s --check-prefix=V3
// The scores: the first operation says the tiles. Each of their sizes has a schedule of
// the product.
// ZEN4: linalg.batch_matmul {{.*}}mercator.cells = affine_map<(d0, d1, d2, d3) -> (d0, d1)>, mercator.products = ["form=tiles lanes=16 {{[^"]*}}"{{.*}}], mercator.tile = "group=0 rows=128 block=128 parts=4"
// ZEN4: linalg.generic {{.*}}mercator.cells = affine_map<(d0, d1, d2) -> (d0, d1)>, mercator.tile = "group=0"
// ZEN4: linalg.batch_matmul {{.*}}mercator.cells = affine_map<(d0, d1, d2, d3) -> (d0, d1)>, mercator.products = ["form=tiles lanes=16 {{[^"]*}}"{{.*}}], mercator.tile = "group=0"
// V3: mercator.products = ["form=tiles lanes=8 {{[^"]*}}"{{.*}}], mercator.tile = "group=0 rows=128 block=128 parts=4"

// The code is that without the attributes.
// RUN: mercator compile %s --stop-after=flow --device=zen4 -o %t.flow
// RUN: mercator compile %t.flow --stop-after=schedule --cpu=znver4 -o %t.mlir
// RUN: mercator compile %t.flow --stop-after=flow -o %t.again
// RUN: mercator compile %t.again --stop-after=kernels --cpu=znver4 -o %t.plain
// RUN: mercator compile %t.mlir --stop-after=kernels --cpu=znver4 -o %t.written
// RUN: diff %t.plain %t.written
// RUN: mercator-opt %t.mlir -o %t.read
// RUN: mercator-opt %t.mlir --mercator-cpu-schedule=cpu=znver4 | diff %t.read -

// Other tiles, with schedules of their products that the compiler chooses; other blocks,
// or none.
// RUN: sed -e 's/mercator.products = [^]]*], //' -e 's/rows=128 block=128 parts=4/rows=100 block=96 parts=3/' %t.mlir > %t.other
// RUN: mercator run %t.other --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// RUN: mercator explain %t.other --target=cpu | FileCheck %s --check-prefix=OTHER
// RUN: sed -e 's/mercator.products = [^]]*], //' -e 's/rows=128 block=128 parts=4/rows=7 parts=64/' %t.mlir > %t.whole
// RUN: mercator run %t.whole --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's
// OTHER: 2 x 256 cells, tiles of 100 rows, blocks of 96 columns, 3 parts

// RUN: sed -e 's/rows=128 block/rows=257 block/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: {{.*}}cannot be computed by its schedule "group=0 rows=257 block=128 parts=4", as tiles of cells: a tile has 1 to 256 rows
// ROWS: help: mercator.tile = "group=0 rows=128 block=128 parts=4"
// RUN: sed -e 's/block=128/block=513/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: a block has 1 to 512 columns, or is 0: all of them
// RUN: sed -e 's/block=128/block=128/' %t.mlir | not mercator run - --math=precise --input=random:1 2>&1 | FileCheck %s --check-prefix=PRECISE
// PRECISE: blocks need a softmax or sums of long rows between products, and fast math
// RUN: sed -e 's/rows=128 block=128 parts=4/rows=128 tiles=4/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: 'tiles=4': expected rows, block, overlaps or parts
// RUN: sed -e 's/"group=0 rows/"rows/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: has mercator.tile = "rows={{.*}}": expected "group=N", and of the first operation rows and parts
// RUN: sed -e 's/(d0, d1, d2) -> (d0, d1)>, mercator.tile/(d0, d1, d2) -> (d0, d2)>, mercator.tile/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=CELLS
// CELLS: cannot be in tiles of the cells affine_map<(d0, d1, d2) -> (d0, d2)>: d2 has 512 values, and the coordinate 256
// CELLS: help: without mercator.cells and mercator.tile, the compiler chooses
// RUN: sed -e 's/(d0, d1, d2, d3) -> (d0, d1)>/(d0, d1, d2, d3) -> (d0, d3)>/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: d3 is no coordinate: expected a parallel loop
// RUN: sed -e 's/(d0, d1, d2) -> (d0, d1)>, mercator.tile/(d0, d1, d2) -> (d0)>, mercator.tile/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: expected 2 coordinates, as the first operation of the tiles has
// RUN: sed -e 's/mercator.tile = "group=0"/mercator.rows = "alone loop=0 parts=1", &/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: it has mercator.rows, too
// RUN: sed -e 's/parts=1"[^]]*], mercator.tile = "group=0 rows/parts=2"], mercator.tile = "group=0 rows/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: in a tile of cells, a product has form=tiles and parts=1
func.func @main(%q: tensor<2x256x16xf32>, %k: tensor<2x512x16xf32>, %v: tensor<2x512x16xf32>) -> tensor<2x256x16xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x256x16xf32>, tensor<2x512x16xf32>) -> tensor<2x256x512xf32>
  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x256x512xf32>, tensor<f32>) -> tensor<2x256xf32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<2x256xf32>) -> tensor<2x256x512xf32>
  %c = stablehlo.subtract %s, %ms : tensor<2x256x512xf32>
  %e = stablehlo.exponential %c : tensor<2x256x512xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x256x512xf32>, tensor<f32>) -> tensor<2x256xf32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<2x256xf32>) -> tensor<2x256x512xf32>
  %p = stablehlo.divide %e, %ns : tensor<2x256x512xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x256x512xf32>, tensor<2x512x16xf32>) -> tensor<2x256x16xf32>
  return %o : tensor<2x256x16xf32>
}
