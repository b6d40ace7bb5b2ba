// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// f16: one instruction of AVX512-FP16 for each operation, or f32 that is rounded. The
// bits are the same. Sums of products are f32 on any CPU.
// RUN: mercator compile %s --target=cpu --cpu=sapphirerapids --emit=asm | FileCheck %s --check-prefix=FP16
// FP16-DAG: vaddph
// FP16-DAG: vdivph
// FP16-DAG: vfmadd{{[0-9]+}}ps
// RUN: mercator compile %s --target=cpu --cpu=x86-64-v4 --emit=asm | FileCheck %s --check-prefix=V4
// V4-NOT: {{vaddph|vdivph}}
// V4: vcvtph2ps
// RUN: mercator run %s --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// EQUAL: result 0: tensor<4096xf16>, equal to the evaluator's{{$}}
// EQUAL: result 1: tensor<64x64xf16>, equal to
func.func @main(%a: tensor<4096xf16>, %b: tensor<4096xf16>, %c: tensor<64x64xf16>) -> (tensor<4096xf16>, tensor<64x64xf16>) {
  // Subnormal numbers of f16 are kept.
  %small = stablehlo.constant dense<6.0e-8> : tensor<4096xf16>
  %0 = stablehlo.multiply %a, %small : tensor<4096xf16>
  %1 = stablehlo.add %0, %small : tensor<4096xf16>
  %2 = stablehlo.divide %1, %b : tensor<4096xf16>
  %3 = stablehlo.dot_general %c, %c, contracting_dims = [1] x [0] : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %2, %3 : tensor<4096xf16>, tensor<64x64xf16>
}
