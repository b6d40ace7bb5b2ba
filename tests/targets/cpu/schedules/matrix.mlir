// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The schedule of a product in the matrix unit of a CPU: chosen for CPUs that have it,
// obeyed, refused.
// RUN: mercator compile %s --stop-after=schedule --cpu=sapphirerapids --device=sapphirerapids -o %t.mlir
// RUN: FileCheck %s --check-prefix=MATRIX < %t.mlir
// RUN: mercator compile %s --stop-after=schedule --cpu=graniterapids --device=graniterapids | FileCheck %s --check-prefix=MATRIX
// MATRIX-COUNT-2: mercator.schedule = "form=tiles unit=matrix lanes=16 rows=32 vectors=2 pack=b
// MATRIX-NOT: unit=matrix
// RUN: mercator compile %s --stop-after=schedule --cpu=x86-64-v4 | FileCheck %s --check-prefix=VECTOR
// RUN: mercator compile %s --stop-after=schedule --cpu=x86-64-v3 | FileCheck %s --check-prefix=VECTOR
// RUN: mercator compile %s --stop-after=schedule --cpu=znver5 | FileCheck %s --check-prefix=VECTOR
// RUN: mercator compile %s --stop-after=schedule --cpu=icelake-server | FileCheck %s --check-prefix=VECTOR
// VECTOR-COUNT-3: mercator.schedule = "form=tiles lanes=
// Subnormal numbers that are kept are not for it.
// RUN: mercator compile %s --stop-after=kernels --cpu=sapphirerapids --device=sapphirerapids --math=precise | FileCheck %s --check-prefix=PRECISE
// PRECISE-NOT: amx.tile_mulf
// PRECISE: amx.tile_muli

// RUN: mercator compile %t.mlir --stop-after=kernels --cpu=sapphirerapids --device=sapphirerapids -o %t.kernels
// RUN: FileCheck %s --check-prefix=CODE < %t.kernels
// RUN: mercator compile %s --stop-after=flow --device=sapphirerapids -o %t.flow
// RUN: mercator compile %t.flow --stop-after=kernels --cpu=sapphirerapids --device=sapphirerapids | diff %t.kernels -
// CODE-DAG: amx.tile_mulf {{.*}} : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
// CODE-DAG: amx.tile_muli {{.*}} zext, {{.*}} : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>

// A schedule without `unit` means vectors, on any CPU.
// RUN: sed -e 's/unit=matrix //' -e 's/rows=32/rows=8/' %t.mlir | mercator compile - --stop-after=kernels --cpu=sapphirerapids --device=sapphirerapids | FileCheck %s --check-prefix=GIVEN
// GIVEN-NOT: amx.
// RUN: not mercator compile %t.mlir --stop-after=kernels --cpu=x86-64-v4 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}} cannot be computed by its schedule "form=tiles unit=matrix {{.*}}", as a product of 128 x 96 x 128: the CPU has no matrix unit for {{bf16|i8}}
// NONE: help: mercator.schedule = "form=tiles lanes=
// RUN: not mercator compile %t.mlir --stop-after=kernels --cpu=sapphirerapids --device=sapphirerapids --math=precise 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: the matrix unit takes subnormal numbers for zero, and here they are kept
// RUN: sed -e 's/rows=32/rows=24/' %t.mlir | not mercator compile - --stop-after=kernels --cpu=sapphirerapids --device=sapphirerapids 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: tiles of the matrix unit have 16 rows each
func.func @main(%a: tensor<128x256xbf16>, %b: tensor<256x96xbf16>, %c: tensor<128x256xui8>, %d: tensor<256x96xi8>, %e: tensor<128x256xf16>, %f: tensor<256x96xf16>) -> (tensor<128x96xf32>, tensor<128x96xi32>, tensor<128x96xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x256xbf16>, tensor<256x96xbf16>) -> tensor<128x96xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<128x256xui8>, tensor<256x96xi8>) -> tensor<128x96xi32>
  %2 = stablehlo.dot_general %e, %f, contracting_dims = [1] x [0] : (tensor<128x256xf16>, tensor<256x96xf16>) -> tensor<128x96xf32>
  return %0, %1, %2 : tensor<128x96xf32>, tensor<128x96xi32>, tensor<128x96xf32>
}
