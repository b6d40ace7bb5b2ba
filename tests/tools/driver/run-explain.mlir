// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The measured time of each dispatch beside the predicted one.
// RUN: mercator run %s --time --explain --repeat=3 --threads=1 --cache=off 2>&1 | FileCheck %s
// RUN: mercator run %s --time --explain --repeat=3 --threads=1 --cache=off --json | FileCheck %s --check-prefix=JSON
// CHECK: run in {{.*}} ms (median of 3
// CHECK-NEXT: {{.*}}%0: {{[0-9.]+ [num]s}}; {{[0-9.]+ [num]s}} predicted: {{.*}}multiply-adds {{[0-9.]+}}
// JSON: "dispatches":[{"name":"{{[^"]+}}","calls":1,"least_us":{{[0-9.e-]+}},"median_us":{{[0-9.e-]+}},"predicted_us":{{[0-9.e-]+}},"causes_us":{"multiply-adds":{{[0-9.e-]+}},"arithmetic":

// The code in the cache knows the prediction.
// RUN: rm -rf %t && mercator run %s --time --explain --cache=%t --threads=1 > %t.first 2>&1
// RUN: mercator run %s --time --explain --cache=%t --threads=1 2>&1 | FileCheck %s --check-prefix=FOUND
// FOUND: read from the cache
// FOUND: predicted: {{.*}}multiply-adds

// RUN: %exits 2 mercator run %s --explain 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: expected `--time` with `--explain`
// ALONE-NEXT: help: --time --explain
func.func @main(%a: tensor<96x64xf32>, %b: tensor<64x80xf32>) -> tensor<96x80xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<96x64xf32>, tensor<64x80xf32>) -> tensor<96x80xf32>
  return %0 : tensor<96x80xf32>
}
