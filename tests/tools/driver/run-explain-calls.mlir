// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of the runtime have a measured and a predicted time, as dispatches have.
// RUN: mercator run %s --input=random:1 --time --explain --repeat=3 --threads=1 --cache=off 2>&1 | FileCheck %s
// CHECK: run in {{.*}} ms (median of 3
// CHECK: {{%f|fft_c64}}: {{[0-9.]+ [num]s}}; {{[0-9.]+ [num]s}} predicted: {{.*}}arithmetic {{[0-9.]+}}
// CHECK: {{%l|cholesky_f32}}: {{[0-9.]+ [num]s}}; {{[0-9.]+ [num]s}} predicted: {{.*}}arithmetic {{[0-9.]+}}

// RUN: mercator explain %s --target=cpu | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: schedules of machine code
// EXPLAIN: fft_c64: {{[0-9.]+ [num]s}} predicted
// EXPLAIN-NEXT: a function of the runtime
// EXPLAIN: cholesky_f32: {{[0-9.]+ [num]s}} predicted
func.func @main(%x: tensor<64x1024xcomplex<f32>>, %a: tensor<64x64xf32>) -> (tensor<64x1024xcomplex<f32>>, tensor<64x64xf32>) {
  %f = stablehlo.fft %x, type = FFT, length = [1024] : (tensor<64x1024xcomplex<f32>>) -> tensor<64x1024xcomplex<f32>>
  %l = "stablehlo.cholesky"(%a) {lower = true} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %f, %l : tensor<64x1024xcomplex<f32>>, tensor<64x64xf32>
}
