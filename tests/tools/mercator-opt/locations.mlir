// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Text with an attribute of another dialect is read by our reader, which knows where
// each operation stands. What is printed has the locations of the text only.
// RUN: mercator-opt %s --mlir-print-debuginfo | FileCheck %s

module attributes {mhlo.num_partitions = 1 : i32} {
  // CHECK: func.func @main(%[[X:.*]]: tensor<4xf32> loc("x"))
  func.func @main(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> {
    // CHECK: stablehlo.negate %[[X]] : tensor<4xf32> loc(#[[F:.*]])
    %0 = stablehlo.negate %x : tensor<4xf32> loc("f.py":3:0)
    // CHECK: stablehlo.abs %{{.*}} : tensor<4xf32> loc(#[[HERE:.*]])
    %1 = stablehlo.abs %0 : tensor<4xf32>
    // CHECK: stablehlo.sign %{{.*}} : tensor<4xf32> loc(#[[UNKNOWN:.*]])
    %2 = stablehlo.sign %1 : tensor<4xf32> loc(unknown)
    return %2 : tensor<4xf32>
  }
}
// CHECK-DAG: #[[UNKNOWN]] = loc(unknown)
// CHECK-DAG: #[[F]] = loc("f.py":3:0)
// CHECK-DAG: #[[HERE]] = loc("{{.*}}locations.mlir":14:
