// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each element of a result is written once; only certain violations are errors.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @twice(%a: tensor<4xf32>) {
  %0 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> tensor<4xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    // expected-note @+1 {{the other is here}}
    flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    // expected-error @+1 {{expected each element of the result to be written once, got a second store to some}}
    flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    flow.return
  }
  return
}
// -----
// Through another value, and only element (2, 3).
func.func @twice_tied(%a: tensor<3x4xf32>, %b: tensor<2x2xf32>, %d: index) {
  %0 = flow.dispatch.workgroups(%a, %b, %d) : (tensor<3x4xf32>, tensor<2x2xf32>, index) -> tensor<?x8xf32>{%d} =
      (%in: !flow.dispatch.tensor<readonly:tensor<3x4xf32>>, %in2: !flow.dispatch.tensor<readonly:tensor<2x2xf32>>, %n: index, %out: !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>) {
    %1 = flow.dispatch.tensor.load %in, offsets = [0, 0], sizes = [3, 4], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<3x4xf32>> -> tensor<3x4xf32>
    %2 = flow.dispatch.tensor.load %in2, offsets = [0, 0], sizes = [2, 2], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<2x2xf32>> -> tensor<2x2xf32>
    %3 = flow.dispatch.tie_shape %out : !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>{%n}
    // expected-note @+1 {{the other is here}}
    flow.dispatch.tensor.store %1, %3, offsets = [0, 0], sizes = [3, 4], strides = [1, 1] : tensor<3x4xf32> -> !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>{%n}
    // expected-error @+1 {{expected each element of the result to be written once}}
    flow.dispatch.tensor.store %2, %3, offsets = [2, 3], sizes = [2, 2], strides = [1, 1] : tensor<2x2xf32> -> !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>{%n}
    flow.return
  }
  return
}
// -----
// 0, 2, 4, 6 and 3, 4.
func.func @strides_meet(%a: tensor<4xf32>, %b: tensor<2xf32>) {
  %0 = flow.dispatch.workgroups(%a, %b) : (tensor<4xf32>, tensor<2xf32>) -> tensor<8xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %in2: !flow.dispatch.tensor<readonly:tensor<2xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<8xf32>>) {
    %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    %2 = flow.dispatch.tensor.load %in2, offsets = [0], sizes = [2], strides = [1] : !flow.dispatch.tensor<readonly:tensor<2xf32>> -> tensor<2xf32>
    // expected-note @+1 {{the other is here}}
    flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4], strides = [2] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
    // expected-error @+1 {{expected each element of the result to be written once}}
    flow.dispatch.tensor.store %2, %out, offsets = [3], sizes = [2], strides = [1] : tensor<2xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
    flow.return
  }
  return
}
// -----
func.func @left_out(%a: tensor<3xf32>) {
  %0 = flow.dispatch.workgroups(%a) : (tensor<3xf32>) -> tensor<4xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<3xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [3], strides = [1] : !flow.dispatch.tensor<readonly:tensor<3xf32>> -> tensor<3xf32>
    // expected-error @+1 {{expected all 4 elements of the result to be written, got stores to 3}}
    flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [3], strides = [1] : tensor<3xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    flow.return
  }
  return
}
// -----
// The same for the function of an executable.
flow.executable private @ex {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%in: !flow.dispatch.tensor<readonly:tensor<3xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
      %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [3], strides = [1] : !flow.dispatch.tensor<readonly:tensor<3xf32>> -> tensor<3xf32>
      // expected-error @+1 {{expected all 4 elements of the result to be written, got stores to 3}}
      flow.dispatch.tensor.store %1, %out, offsets = [1], sizes = [3], strides = [1] : tensor<3xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
      return
    }
  }
}
// -----
// Two halves, even and odd elements, and uncertain cases: none is refused.
func.func @halves(%a: tensor<4xf32>) {
  %0 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> tensor<8xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<8xf32>>) {
    %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
    flow.dispatch.tensor.store %1, %out, offsets = [4], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
    flow.return
  }
  %1 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> tensor<8xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<8xf32>>) {
    %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4], strides = [2] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
    flow.dispatch.tensor.store %1, %out, offsets = [1], sizes = [4], strides = [2] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
    flow.return
  }
  return
}
func.func @either(%a: tensor<4xf32>, %c: i1) {
  %0 = flow.dispatch.workgroups(%a, %c) : (tensor<4xf32>, i1) -> tensor<4xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %cond: i1, %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    scf.if %cond {
      flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    } else {
      flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    }
    flow.return
  }
  return
}
func.func @tile(%a: tensor<2xf32>) {
  %0 = flow.dispatch.workgroups(%a) : (tensor<2xf32>) -> tensor<4xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<2xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %id = flow.dispatch.workgroup.id[0] : index
    %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [2], strides = [1] : !flow.dispatch.tensor<readonly:tensor<2xf32>> -> tensor<2xf32>
    flow.dispatch.tensor.store %1, %out, offsets = [%id], sizes = [2], strides = [1] : tensor<2xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    flow.return
  }
  return
}
func.func @readwrite_twice(%a: tensor<4xf32>) {
  %0 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> %a =
      (%io: !flow.dispatch.tensor<readwrite:tensor<4xf32>>) {
    %1 = flow.dispatch.tensor.load %io, offsets = [0], sizes = [2], strides = [1] : !flow.dispatch.tensor<readwrite:tensor<4xf32>> -> tensor<2xf32>
    flow.dispatch.tensor.store %1, %io, offsets = [1], sizes = [2], strides = [1] : tensor<2xf32> -> !flow.dispatch.tensor<readwrite:tensor<4xf32>>
    flow.dispatch.tensor.store %1, %io, offsets = [1], sizes = [2], strides = [1] : tensor<2xf32> -> !flow.dispatch.tensor<readwrite:tensor<4xf32>>
    flow.return
  }
  return
}
