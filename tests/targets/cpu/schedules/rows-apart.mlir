// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A fill is in the group of its reduction if nothing else stands between them. Here it
// is in none, and is computed before.
// RUN: mercator-opt %s --mercator-cpu-kernels=cpu=znver4 -o - | FileCheck %s
// CHECK-LABEL: func.func private @kernel_0_
// CHECK: linalg.fill ins(%{{.*}}) outs(%{{.*}} : memref<64xf32>)
// CHECK: scf.for %{{.*}} to %{{.*}} step %c8
// CHECK-NOT: linalg.fill

// Operations of a group stand one after another.
// RUN: sed -e 's/alone loop=0 parts=4/group=0 loop=0/' %s > %t.mlir
// RUN: not mercator-opt %t.mlir --mercator-cpu-kernels=cpu=znver4 -o %t.refused 2>&1 | FileCheck %s --check-prefix=APART
// APART: error: 'linalg.generic' op cannot be in the group 0 of rows: expected its operations one after another
// APART: help: without mercator.rows, the compiler chooses
#cell = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
flow.executable private @rows {
  flow.executable.export public @rows
  builtin.module {
    func.func @rows(%arg0: !flow.dispatch.tensor<readonly:tensor<64x100xf32>>, %arg1: !flow.dispatch.tensor<writeonly:tensor<64x100xf32>>, %arg2: !flow.dispatch.tensor<writeonly:tensor<64x100xf32>>) {
      %zero = arith.constant 0.000000e+00 : f32
      %x = flow.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [64, 100], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<64x100xf32>> -> tensor<64x100xf32>
      %rows = tensor.empty() : tensor<64xf32>
      %sums = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
      %cells = tensor.empty() : tensor<64x100xf32>
      %e = linalg.generic {indexing_maps = [#cell, #cell], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x100xf32>) outs(%cells : tensor<64x100xf32>) attrs = {mercator.rows = "alone loop=0 parts=3"} {
      ^bb0(%in: f32, %out: f32):
        %1 = math.exp %in : f32
        linalg.yield %1 : f32
      } -> tensor<64x100xf32>
      %s = linalg.generic {indexing_maps = [#cell, #row], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<64x100xf32>) outs(%sums : tensor<64xf32>) attrs = {mercator.rows = "group=0 loop=0 rows=8 parts=2"} {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.addf %out, %in : f32
        linalg.yield %1 : f32
      } -> tensor<64xf32>
      %p = linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]} ins(%e, %s : tensor<64x100xf32>, tensor<64xf32>) outs(%cells : tensor<64x100xf32>) attrs = {mercator.rows = "group=0 loop=0"} {
      ^bb0(%in: f32, %sum: f32, %out: f32):
        %1 = arith.divf %in, %sum : f32
        linalg.yield %1 : f32
      } -> tensor<64x100xf32>
      %t = linalg.generic {indexing_maps = [#cell, #cell], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x100xf32>) outs(%cells : tensor<64x100xf32>) attrs = {mercator.rows = "alone loop=1 parts=2"} {
      ^bb0(%in: f32, %out: f32):
        %1 = math.tanh %in : f32
        linalg.yield %1 : f32
      } -> tensor<64x100xf32>
      %u = linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]} ins(%t, %s : tensor<64x100xf32>, tensor<64xf32>) outs(%cells : tensor<64x100xf32>) attrs = {mercator.rows = "alone loop=0 parts=4"} {
      ^bb0(%in: f32, %sum: f32, %out: f32):
        %1 = arith.mulf %in, %sum : f32
        linalg.yield %1 : f32
      } -> tensor<64x100xf32>
      flow.dispatch.tensor.store %p, %arg1, offsets = [0, 0], sizes = [64, 100], strides = [1, 1] : tensor<64x100xf32> -> !flow.dispatch.tensor<writeonly:tensor<64x100xf32>>
      flow.dispatch.tensor.store %u, %arg2, offsets = [0, 0], sizes = [64, 100], strides = [1, 1] : tensor<64x100xf32> -> !flow.dispatch.tensor<writeonly:tensor<64x100xf32>>
      return
    }
  }
}
func.func @main(%arg0: tensor<64x100xf32>) -> (tensor<64x100xf32>, tensor<64x100xf32>) {
  %0:2 = flow.dispatch @rows::@rows(%arg0) : (tensor<64x100xf32>) -> (tensor<64x100xf32>, tensor<64x100xf32>)
  return %0#0, %0#1 : tensor<64x100xf32>, tensor<64x100xf32>
}
