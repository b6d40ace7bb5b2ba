// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A transposed operand goes through tiles that are transposed in registers.
// RUN: mercator run %s --check --input=random:1 --sanitize --threads=2 | FileCheck %s
// CHECK-COUNT-2: equal to the evaluator's
// CHECK-NOT: differ

// RUN: mercator compile %s --stop-after=kernels | FileCheck %s --check-prefix=TILES
// TILES: memref.alloca() {alignment = 64 : i64} : memref<64x64xf32>
// TILES: vector.shuffle

// The index of a row is read before its elements.
// RUN: mercator compile %s --function=rows --target=cpu --cpu=x86-64-v3 --emit=asm -o - | FileCheck %s --check-prefix=ROWS
// ROWS: kernel_0{{.*}}generic{{.*}}_part0:
// ROWS: vmovups {{.*}}%ymm
func.func @main(%x: tensor<130x200xf32>, %y: tensor<200x130xf32>, %b: tensor<130xf32>) -> (tensor<200x130xf32>, tensor<130x200xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<130x200xf32>) -> tensor<200x130xf32>
  %1 = stablehlo.add %0, %y : tensor<200x130xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<130xf32>) -> tensor<200x130xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<200x130xf32>
  %4 = stablehlo.transpose %y, dims = [1, 0] : (tensor<200x130xf32>) -> tensor<130x200xf32>
  %5 = stablehlo.exponential %4 : tensor<130x200xf32>
  return %3, %5 : tensor<200x130xf32>, tensor<130x200xf32>
}

func.func @rows(%t: tensor<1000x768xf32>, %i: tensor<512x1xi32>) -> tensor<512x768xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 768>}> : (tensor<1000x768xf32>, tensor<512x1xi32>) -> tensor<512x768xf32>
  return %0 : tensor<512x768xf32>
}
