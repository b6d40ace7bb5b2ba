// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A graph of GE's operators runs as a function of its Data, in the order of
// their indices.

// RUN: mercator run --reference %s --input='dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>' --input='dense<[1, 0, 1]> : tensor<3xi32>' | FileCheck %s
// CHECK: result 0: tensor<3x2xf32>
// CHECK-NEXT: [3.0, 4.0],
// CHECK-NEXT: [1.0, 2.0],
// CHECK-NEXT: [3.0, 4.0]]
// CHECK: result 1: tensor<3xi32>
// CHECK-NEXT: [1, 0, 1]

// RUN: %exits 1 mercator run --reference %s --input=random:1 --input='dense<[1, 2, 1]> : tensor<3xi32>' 2>&1 | FileCheck %s --check-prefix=TRAP
// TRAP: run-ascend.mlir:[[#@LINE+19]]:11: error: 'ascend.GatherV2' op expected an index in [0, 2), got 2

// RUN: %exits 1 mercator run --reference %s --input='dense<1> : tensor<3xi32>' --input=random:1 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: input #0: expected tensor<2x2xf32>, got tensor<3xi32>

// RUN: mercator run --reference %s --function=quotient --input='dense<[-7, 7]> : tensor<2xi32>' --input='dense<[7, 2]> : tensor<2xi32>' | FileCheck %s --check-prefix=EXACT
// EXACT: [-1, 3]
// RUN: %exits 1 mercator run --reference %s --function=quotient --input='dense<[1, 2]> : tensor<2xi32>' --input='dense<[1, 0]> : tensor<2xi32>' 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'ascend.Div' op expected operands for which GE defines the result, got a division by zero at element 1
// RUN: %exits 1 mercator run --reference %s --function=quotient --input='dense<[1, -7]> : tensor<2xi32>' --input='dense<[1, 2]> : tensor<2xi32>' 2>&1 | FileCheck %s --check-prefix=WAY
// WAY: error: 'ascend.Div' op expected operands for which GE defines the result, got a negative quotient with a fraction, which Div may round either way at element 1

// RUN: %exits 2 mercator run --reference %s --function=quotiant 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: help: did you mean `--function=quotient`?

ascend.graph @main {
  %ids = ascend.Data {index = 1} : tensor<3xi32>
  %table = ascend.Data {index = 0} : tensor<2x2xf32>
  %axis = ascend.Const dense<0> : tensor<i32>
  %rows = ascend.GatherV2(%table, %ids, %axis) : (tensor<2x2xf32>, tensor<3xi32>, tensor<i32>) -> tensor<3x2xf32>
  ascend.NetOutput %rows, %ids : tensor<3x2xf32>, tensor<3xi32>
}

ascend.graph @quotient {
  %a = ascend.Data {index = 0} : tensor<2xi32>
  %b = ascend.Data {index = 1} : tensor<2xi32>
  %q = ascend.Div(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  ascend.NetOutput %q : tensor<2xi32>
}
