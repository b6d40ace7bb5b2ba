// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A shared library has the code of the runtime that its program calls.
// RUN: mercator compile %s --target=cpu -o %t.so
// RUN: python3 -c "import ctypes; ctypes.CDLL('%t.so').mercator_new_context"

func.func @main(%x: tensor<3x64xcomplex<f32>>, %a: tensor<4x4xf32>) -> (tensor<3x64xcomplex<f32>>, tensor<4x4xf32>) {
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<3x64xcomplex<f32>>) -> tensor<3x64xcomplex<f32>>
  %1 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0, %1 : tensor<3x64xcomplex<f32>>, tensor<4x4xf32>
}
