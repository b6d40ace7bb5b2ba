// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What only parameters and constants are needed for is computed when it is needed, but
// no read moves below the last other use of a tensor (%y below the sum of %x1). An
// update of zeros fills a buffer of its own.
// RUN: mercator compile %s --stop-after=kernels -o - | FileCheck %s --implicit-check-not=memref.copy
// RUN: mercator run %s --threads=2 --input=random:1 --input=random:2 -o %t.npz
// RUN: mercator run %s --sanitize --input=random:1 --input=random:2 -o %t.apart.npz
// RUN: cmp %t.npz %t.apart.npz

// CHECK: func.func @mercator_main
// CHECK: call @kernel_{{[0-9]+}}_sum(
// CHECK: call @kernel_{{[0-9]+}}_negative(
// CHECK-NEXT: call @kernel_{{[0-9]+}}_sum(
// CHECK: linalg.fill
// CHECK-NEXT: call @kernel_{{[0-9]+}}_accumulate(
// CHECK: call @kernel_{{[0-9]+}}_negative(
// CHECK-NEXT: call @kernel_{{[0-9]+}}_sum(
// CHECK: linalg.fill
// CHECK-NEXT: call @kernel_{{[0-9]+}}_accumulate(

flow.executable private @negative {
  flow.executable.export public @negative
  builtin.module {
    func.func @negative(%x: !flow.dispatch.tensor<readonly:tensor<2048xf32>>, %z: !flow.dispatch.tensor<writeonly:tensor<2048xf32>>) {
      %0 = flow.dispatch.tensor.load %x, offsets = [0], sizes = [2048], strides = [1] : !flow.dispatch.tensor<readonly:tensor<2048xf32>> -> tensor<2048xf32>
      %1 = tensor.empty() : tensor<2048xf32>
      %2 = linalg.negf ins(%0 : tensor<2048xf32>) outs(%1 : tensor<2048xf32>) -> tensor<2048xf32>
      flow.dispatch.tensor.store %2, %z, offsets = [0], sizes = [2048], strides = [1] : tensor<2048xf32> -> !flow.dispatch.tensor<writeonly:tensor<2048xf32>>
      return
    }
  }
}
flow.executable private @sum {
  flow.executable.export public @sum
  builtin.module {
    func.func @sum(%x: !flow.dispatch.tensor<readonly:tensor<2048xf32>>, %y: !flow.dispatch.tensor<readonly:tensor<2048xf32>>, %z: !flow.dispatch.tensor<writeonly:tensor<2048xf32>>) {
      %0 = flow.dispatch.tensor.load %x, offsets = [0], sizes = [2048], strides = [1] : !flow.dispatch.tensor<readonly:tensor<2048xf32>> -> tensor<2048xf32>
      %1 = flow.dispatch.tensor.load %y, offsets = [0], sizes = [2048], strides = [1] : !flow.dispatch.tensor<readonly:tensor<2048xf32>> -> tensor<2048xf32>
      %2 = tensor.empty() : tensor<2048xf32>
      %3 = linalg.add ins(%0, %1 : tensor<2048xf32>, tensor<2048xf32>) outs(%2 : tensor<2048xf32>) -> tensor<2048xf32>
      flow.dispatch.tensor.store %3, %z, offsets = [0], sizes = [2048], strides = [1] : tensor<2048xf32> -> !flow.dispatch.tensor<writeonly:tensor<2048xf32>>
      return
    }
  }
}
flow.executable private @accumulate {
  flow.executable.export public @accumulate
  builtin.module {
    func.func @accumulate(%x: !flow.dispatch.tensor<readonly:tensor<2048xf32>>, %z: !flow.dispatch.tensor<readwrite:tensor<2048xf32>>) {
      %0 = flow.dispatch.tensor.load %x, offsets = [0], sizes = [2048], strides = [1] : !flow.dispatch.tensor<readonly:tensor<2048xf32>> -> tensor<2048xf32>
      %1 = flow.dispatch.tensor.load %z, offsets = [0], sizes = [2048], strides = [1] : !flow.dispatch.tensor<readwrite:tensor<2048xf32>> -> tensor<2048xf32>
      %2 = linalg.add ins(%0, %1 : tensor<2048xf32>, tensor<2048xf32>) outs(%1 : tensor<2048xf32>) -> tensor<2048xf32>
      flow.dispatch.tensor.store %2, %z, offsets = [0], sizes = [2048], strides = [1] : tensor<2048xf32> -> !flow.dispatch.tensor<readwrite:tensor<2048xf32>>
      return
    }
  }
}
func.func @main(%a: tensor<2048xf32>, %b: tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) {
  %zero = arith.constant 0.0 : f32
  %zeros = flow.tensor.splat %zero : tensor<2048xf32>
  %late = flow.dispatch @negative::@negative(%b) : (tensor<2048xf32>) -> tensor<2048xf32>
  %x = flow.dispatch @sum::@sum(%a, %b) : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
  %y = flow.dispatch @negative::@negative(%x) : (tensor<2048xf32>) -> tensor<2048xf32>
  %x1 = flow.dispatch @sum::@sum(%x, %a) : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
  %first = flow.dispatch @accumulate::@accumulate(%x1, %zeros) : (tensor<2048xf32>, tensor<2048xf32>) -> %zeros
  %x2 = flow.dispatch @sum::@sum(%late, %x1) : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
  %second = flow.dispatch @accumulate::@accumulate(%x2, %zeros) : (tensor<2048xf32>, tensor<2048xf32>) -> %zeros
  return %first, %second, %y : tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>
}
