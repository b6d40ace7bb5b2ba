// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each option, in the pipeline's braces and as a flag.
// RUN: mercator-opt --mercator-flow-pipeline %s | FileCheck %s --check-prefix=DEFAULT
// RUN: mercator-opt --mercator-flow-pipeline="demote-f64-to-f32=false" %s | FileCheck %s --check-prefix=F64
// RUN: mercator-opt --mercator-flow-pipeline --iree-flow-demote-f64-to-f32=false %s | FileCheck %s --check-prefix=F64
// RUN: mercator-opt --mercator-flow-pipeline="enable-padding-linalg-ops linalg-ops-padding-size=8" %s | FileCheck %s --check-prefix=PAD
// RUN: mercator-opt --mercator-flow-pipeline --iree-flow-enable-padding-linalg-ops --iree-flow-linalg-ops-padding-size=8 %s | FileCheck %s --check-prefix=PAD
// RUN: mercator-opt --mercator-flow-pipeline="mmt4d-target-options={enable_generic_slow}" %s | FileCheck %s --check-prefix=MMT4D
// RUN: mercator-opt --mercator-flow-pipeline --iree-flow-mmt4d-target-options="enable_generic_slow arch=cuda" %s | FileCheck %s --check-prefix=MMT4D
// RUN: not mercator-opt --mercator-flow-pipeline --iree-flow-mmt4d-target-options="no-such-option" %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: mercator-opt --mercator-flow-pipeline="dispatch-generate-workload-region=false" %s | FileCheck %s --check-prefix=NOCOUNT
// RUN: mercator-opt --mercator-flow-pipeline --iree-flow-trace-dispatch-tensors %s | FileCheck %s --check-prefix=TRACE
// RUN: mercator-opt --mercator-flow-pipeline="split-matmul-reduction=4" %s | FileCheck %s --check-prefix=SPLIT

// DEFAULT: export public @product_dispatch_0_matmul_12x12x12 workgroups(
// DEFAULT: tensor<4xf32>
// DEFAULT-NOT: f64
// DEFAULT-NOT: flow.tensor.trace

// F64: tensor<4xf64>

// PAD: matmul_16x16x16

// MMT4D: linalg.mmt4d

// BAD: no such option no-such-option

// NOCOUNT: export public @product_dispatch_0_matmul_12x12x12
// NOCOUNT-NOT: workgroups(
// NOCOUNT: func.func

// TRACE: flow.tensor.trace {key = "product_dispatch_0::{{.*}} inputs"}
// TRACE: flow.dispatch
// TRACE-NEXT: flow.tensor.trace {key = "product_dispatch_0::{{.*}} outputs"}

// SPLIT: "parallel", "parallel", "parallel", "reduction"
func.func @product(%a: tensor<12x12xf32>, %b: tensor<12x12xf32>) -> tensor<12x12xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x12xf32>) -> tensor<12x12xf32>
  %m = linalg.matmul ins(%a, %b : tensor<12x12xf32>, tensor<12x12xf32>) outs(%f : tensor<12x12xf32>) -> tensor<12x12xf32>
  return %m : tensor<12x12xf32>
}
func.func @wide(%a: tensor<4xf64>) -> tensor<4xf64> {
  %0 = arith.addf %a, %a : tensor<4xf64>
  return %0 : tensor<4xf64>
}
