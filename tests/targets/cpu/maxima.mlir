// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A vector of maxima or minima of two operands is VRANGE, and a sum where one is a NaN.
// A maximum with a constant has shorter code, and a CPU without AVX-512 no VRANGE.
// RUN: mercator compile %s --target=cpu --cpu=znver5 --emit=asm | FileCheck %s
// RUN: mercator compile %s --target=cpu --cpu=x86-64-v3 --emit=asm | FileCheck %s --check-prefix=V3
// RUN: mercator run %s --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// EQUAL-COUNT-3: equal to the evaluator's

// CHECK: vrangeps $5, {{.*}}%zmm
// CHECK: vcmpunordps
// CHECK: vaddps {{.*}}%zmm{{[0-9]+}} {%k
// CHECK-COUNT-3: vrangeps $5
// CHECK: vrangepd $4, {{.*}}%zmm
// CHECK: vcmpunordpd
// CHECK: vaddpd {{.*}}%zmm{{[0-9]+}} {%k
// CHECK-COUNT-3: vrangepd $4
// CHECK-NOT: vrange
// V3-NOT: vrange
func.func @main(%a: tensor<256xf32>, %b: tensor<256xf32>, %c: tensor<128xf64>, %d: tensor<128xf64>, %e: tensor<512xf32>) -> (tensor<256xf32>, tensor<128xf64>, tensor<512xf32>) {
  %x = stablehlo.maximum %a, %b : tensor<256xf32>
  %y = stablehlo.minimum %c, %d : tensor<128xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<512xf32>
  %z = stablehlo.maximum %e, %zero : tensor<512xf32>
  return %x, %y, %z : tensor<256xf32>, tensor<128xf64>, tensor<512xf32>
}
