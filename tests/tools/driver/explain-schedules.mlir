// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How this CPU computes products: `--target=cpu`.
// RUN: mercator explain %s --target=cpu | FileCheck %s
// RUN: mercator explain %s --target=cpu --json | FileCheck %s --check-prefix=JSON
// RUN: mercator explain %s | FileCheck %s --check-prefix=NONE
// CHECK: schedules of machine code for this CPU
// CHECK-NEXT: main_dispatch_{{[0-9]+}}_{{.*}}: {{[0-9.]+}} {{[nu]}}s predicted: {{.*}}multiply-adds {{[0-9.]+}}
// CHECK-NEXT: explain-schedules.mlir:[[#@LINE+7]]: product of 96 x 80 x 64: form=tiles lanes={{[0-9]+}} rows={{[0-9]+}} vectors={{[0-9]+}} pack={{a?b}}
// CHECK-NEXT: main_dispatch_{{[0-9]+}}_{{.*}}: {{[0-9.]+}} {{[nu]}}s predicted: {{.*}}arithmetic {{[0-9.]+}}
// CHECK-NEXT: 1 kernel has no products
// JSON: "schedules":[
// JSON-NEXT: {"kernel":"main_dispatch_{{[^"]+}}","lines":["{{[^"]*}}product of 96 x 80 x 64: form=tiles
// NONE-NOT: schedules of machine code
func.func @main(%a: tensor<96x64xf32>, %b: tensor<64x80xf32>, %c: tensor<1000xf32>) -> (tensor<96x80xf32>, tensor<1000xf32>) {
  %0 = stablehlo.dot %a, %b : (tensor<96x64xf32>, tensor<64x80xf32>) -> tensor<96x80xf32>
  %1 = stablehlo.tanh %c : tensor<1000xf32>
  return %0, %1 : tensor<96x80xf32>, tensor<1000xf32>
}
