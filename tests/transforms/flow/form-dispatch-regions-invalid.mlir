// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions{fusion=magic}))'

// expected-error @+1 {{expected 'heuristic' or 'maps' for the option 'fusion', got 'magic'}}
func.func @f() {
  return
}
