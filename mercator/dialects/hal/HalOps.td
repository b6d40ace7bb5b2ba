// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `hal` dialect: what a program is given and gives back.

#ifndef MERCATOR_DIALECTS_HAL_OPS
#define MERCATOR_DIALECTS_HAL_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mercator/dialects/util/UtilInterfaces.td"

def Hal_Dialect : Dialect {
  let name = "hal";
  let cppNamespace = "::mercator::hal";
  let summary = "What a program is given and gives back";
  let description = "Names and syntax are IREE's, so that its text loads.";
  let useDefaultTypePrinterParser = 1;
}

def Hal_BufferViewType : TypeDef<Hal_Dialect, "BufferView"> {
  let mnemonic = "buffer_view";
  let summary = "a buffer with a shape and an element type known at run time";
}

class Hal_Op<string mnemonic, list<Trait> traits = []> : Op<Hal_Dialect, mnemonic, traits>;

#endif // MERCATOR_DIALECTS_HAL_OPS
