// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The schedules of operations on rows, and of one alone: written, obeyed, refused.
// RUN: mercator compile %s --stop-after=schedule --cpu=znver4 | FileCheck %s --check-prefix=ZEN4
// RUN: mercator compile %s --stop-after=schedule --cpu=x86-64-v3 | FileCheck %s --check-prefix=V3
// ZEN4: mercator.rows = "group=0 loop=0 rows={{[0-9]+}} parts={{[0-9]+}}"
// ZEN4: mercator.rows = "group=0 loop=0"
// ZEN4: mercator.rows = "alone loop=0 parts={{[0-9]+}}"
// V3: mercator.rows = "group=0 loop=0 rows={{[0-9]+}} parts={{[0-9]+}}"

// RUN: mercator compile %s --stop-after=flow --device=zen4 -o %t.flow
// RUN: mercator compile %t.flow --stop-after=schedule --cpu=znver4 -o %t.mlir
// RUN: mercator compile %t.flow --stop-after=flow -o %t.again
// RUN: mercator compile %t.again --stop-after=kernels --cpu=znver4 -o %t.plain
// RUN: mercator compile %t.mlir --stop-after=kernels --cpu=znver4 -o %t.written
// RUN: diff %t.plain %t.written
// RUN: mercator-opt %t.mlir -o %t.read
// RUN: mercator-opt %t.mlir --mercator-cpu-schedule=cpu=znver4 | diff %t.read -
// RUN: sed -e 's/rows=[0-9]* parts=[0-9]*/rows=7 parts=5/' -e 's/alone loop=0 parts=[0-9]*/alone loop=1 parts=3/' %t.mlir > %t.other
// RUN: mercator compile %t.other --stop-after=kernels --cpu=znver4 -o %t.otherwise
// RUN: not diff %t.plain %t.otherwise > %t.diff
// The step that joins rows: 5 parts, in each a loop over blocks of 7 rows, whose local
// buffers have 7 elements for each part. The other kernel has 3 parts.
// RUN: FileCheck %s --check-prefix=CODE < %t.otherwise
// CODE-LABEL: func.func private @kernel_0_
// CODE: memref.alloca() {{.*}} : memref<5x7xf32>
// CODE: %[[FIVE:.*]] = arith.constant 5 : index
// CODE: scf.for %{{.*}} = %{{.*}} to %[[FIVE]] step
// CODE: scf.for %{{.*}} step %c7
// CODE-LABEL: func.func private @kernel_1_
// CODE: scf.for %{{.*}} = %{{.*}} to %c700{{.*}} step %c234
// RUN: mercator run %t.other --input=random:1 --check --sanitize | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal to the evaluator's
// EQUAL: equal to the evaluator's

// RUN: sed -e 's/rows=[0-9]* parts=[0-9]*/rows=200 parts=5/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: {{.*}}cannot be computed by its schedule "group=0 loop=0 rows=200 parts=5", as {{[0-9]+}} operations on rows: a block has at least 1 row and at most the 160 of a part
// ROWS: help: mercator.rows = "group=0 loop=0 rows=
// RUN: sed -e 's/group=0 loop=0"/group=0 loop=1"/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: cannot be in the group 0 of rows: expected "group=N loop=L", with a parallel loop that is not the columns
// LOOP: help: without mercator.rows, the compiler chooses
// RUN: sed -e 's/alone loop=0/alone loop=2/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: as an operation alone: expected loop=L, a parallel loop
// RUN: sed -e 's/alone loop=0 parts=[0-9]*/alone loop=0 parts=99/' %t.mlir | not mercator run - --input=random:1 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: at most 64 parts
// PARTS: help: mercator.rows = "alone loop=0 parts=
func.func @main(%x: tensor<800x1000xf32>, %y: tensor<600x700xf32>) -> (tensor<800x1000xf32>, tensor<600x700xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<800x1000xf32>, tensor<f32>) -> tensor<800xf32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<800xf32>) -> tensor<800x1000xf32>
  %c = stablehlo.subtract %x, %ms : tensor<800x1000xf32>
  %e = stablehlo.exponential %c : tensor<800x1000xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<800x1000xf32>, tensor<f32>) -> tensor<800xf32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<800xf32>) -> tensor<800x1000xf32>
  %p = stablehlo.divide %e, %ns : tensor<800x1000xf32>
  %t = stablehlo.tanh %y : tensor<600x700xf32>
  return %p, %t : tensor<800x1000xf32>, tensor<600x700xf32>
}
