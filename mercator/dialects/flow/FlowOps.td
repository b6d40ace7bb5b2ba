// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `flow` dialect: which parts of a program are dispatched.

#ifndef MERCATOR_DIALECTS_FLOW_OPS
#define MERCATOR_DIALECTS_FLOW_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mercator/dialects/util/UtilInterfaces.td"

def Flow_Dialect : Dialect {
  let name = "flow";
  let cppNamespace = "::mercator::flow";
  let summary = "Which parts of a program are dispatched";
  let description = "Names and syntax are IREE's, so that its text loads.";
  let useDefaultTypePrinterParser = 1;
}

class Flow_Op<string mnemonic, list<Trait> traits = []> : Op<Flow_Dialect, mnemonic, traits>;

#endif // MERCATOR_DIALECTS_FLOW_OPS
