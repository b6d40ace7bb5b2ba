// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two tensors lie in the memory of results that are written later, a third one does not
// fit: its elements are wider than those of the results that are free.
// RUN: rm -rf %t && mkdir -p %t
// RUN: mercator compile %s --target=cpu -o %t/p.so
// RUN: FileCheck %s < %t/p.h
// RUN: mercator run %s --check --input=random:1 --input=random:2

// CHECK: P_ARENA_BYTES INT64_C(65536)

func.func @main(%x: tensor<64x64xcomplex<f32>>, %y: tensor<64x64xcomplex<f64>>) -> (tensor<64x64xcomplex<f32>>, tensor<64x64xcomplex<f32>>, tensor<64x64xcomplex<f64>>) {
  %v = stablehlo.fft %y, type = FFT, length = [64] : (tensor<64x64xcomplex<f64>>) -> tensor<64x64xcomplex<f64>>
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IFFT, length = [64] : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  %2 = stablehlo.fft %1, type = FFT, length = [64] : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  %3 = stablehlo.fft %2, type = FFT, length = [64] : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  %w = stablehlo.fft %v, type = IFFT, length = [64] : (tensor<64x64xcomplex<f64>>) -> tensor<64x64xcomplex<f64>>
  return %2, %3, %w : tensor<64x64xcomplex<f32>>, tensor<64x64xcomplex<f32>>, tensor<64x64xcomplex<f64>>
}
