// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is put together from copies is read where the copies come from. All accesses
// are checked.
// RUN: mercator run %s --check --input=random:1 --sanitize --threads=2 | FileCheck %s
// RUN: mercator run %s --check --input=random:1 --fusion=aggressive | FileCheck %s
// RUN: mercator run %s --check --input=random:1 --fusion=seed | FileCheck %s
// CHECK-COUNT-6: equal to the evaluator's
// CHECK-NOT: differ

// No element is copied on the way to `roll`: three parts of x, and a row of zeros.
// RUN: mercator compile %s --function=roll --stop-after=kernels | FileCheck %s --check-prefix=PARTS
// PARTS: func.func private @kernel_0
// PARTS-NOT: memref.copy
// PARTS-NOT: memref.view
// PARTS-COUNT-4: linalg.generic
// PARTS-NOT: linalg.generic
// PARTS: func.func @mercator_main
func.func @roll(%x: tensor<90x110xf32>) -> tensor<90x220xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<90x220xf32>
  %a = stablehlo.slice %x [0:90, 107:110] : (tensor<90x110xf32>) -> tensor<90x3xf32>
  %b = stablehlo.slice %x [0:90, 0:107] : (tensor<90x110xf32>) -> tensor<90x107xf32>
  %c = stablehlo.concatenate %a, %b, dim = 1 : (tensor<90x3xf32>, tensor<90x107xf32>) -> tensor<90x110xf32>
  %d = stablehlo.pad %x, %zero, low = [2, 0], high = [2, 0], interior = [0, 0] : (tensor<90x110xf32>, tensor<f32>) -> tensor<94x110xf32>
  %e = stablehlo.slice %d [1:91, 0:110] : (tensor<94x110xf32>) -> tensor<90x110xf32>
  %f = stablehlo.concatenate %c, %e, dim = 1 : (tensor<90x110xf32>, tensor<90x110xf32>) -> tensor<90x220xf32>
  %g = stablehlo.multiply %f, %two : tensor<90x220xf32>
  return %g : tensor<90x220xf32>
}

func.func @main(%x: tensor<90x110xf32>, %y: tensor<4x6x64xf32>, %z: tensor<40x2xf32>, %w: tensor<40x40xf32>)
    -> (tensor<90x220xf32>, tensor<4x6x64xf32>, tensor<40x4xf32>, tensor<40x40xf32>, tensor<80xf32>, tensor<10x30xf32>) {
  %0 = func.call @roll(%x) : (tensor<90x110xf32>) -> tensor<90x220xf32>
  // Halves exchanged, as in rotary embeddings: they are read twice.
  %low = stablehlo.slice %y [0:4, 0:6, 0:32] : (tensor<4x6x64xf32>) -> tensor<4x6x32xf32>
  %high = stablehlo.slice %y [0:4, 0:6, 32:64] : (tensor<4x6x64xf32>) -> tensor<4x6x32xf32>
  %minus = stablehlo.negate %high : tensor<4x6x32xf32>
  %turned = stablehlo.concatenate %minus, %low, dim = 2 : (tensor<4x6x32xf32>, tensor<4x6x32xf32>) -> tensor<4x6x64xf32>
  %sine = stablehlo.sine %y : tensor<4x6x64xf32>
  %part = stablehlo.multiply %turned, %sine : tensor<4x6x64xf32>
  %1 = stablehlo.add %part, %y : tensor<4x6x64xf32>
  // Parts that are too narrow for vectors.
  %narrow = stablehlo.concatenate %z, %z, dim = 1 : (tensor<40x2xf32>, tensor<40x2xf32>) -> tensor<40x4xf32>
  %2 = stablehlo.exponential %narrow : tensor<40x4xf32>
  // A part that is written over, then read transposed.
  %block = stablehlo.slice %w [0:20, 0:20] : (tensor<40x40xf32>) -> tensor<20x20xf32>
  %i = stablehlo.constant dense<10> : tensor<i32>
  %updated = stablehlo.dynamic_update_slice %w, %block, %i, %i : (tensor<40x40xf32>, tensor<20x20xf32>, tensor<i32>, tensor<i32>) -> tensor<40x40xf32>
  %flipped = stablehlo.transpose %updated, dims = [1, 0] : (tensor<40x40xf32>) -> tensor<40x40xf32>
  %3 = stablehlo.add %flipped, %updated : tensor<40x40xf32>
  // A sum reads the buffer itself.
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %both = stablehlo.concatenate %w, %w, dim = 1 : (tensor<40x40xf32>, tensor<40x40xf32>) -> tensor<40x80xf32>
  %4 = stablehlo.reduce(%both init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<40x80xf32>, tensor<f32>) -> tensor<80xf32>
  // A part of parts.
  %piece = stablehlo.slice %both [5:15, 20:50] : (tensor<40x80xf32>) -> tensor<10x30xf32>
  %5 = stablehlo.multiply %piece, %piece : tensor<10x30xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<90x220xf32>, tensor<4x6x64xf32>, tensor<40x4xf32>, tensor<40x40xf32>, tensor<80xf32>, tensor<10x30xf32>
}
