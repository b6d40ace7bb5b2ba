// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of operations that know the elements they read.

#ifndef MERCATOR_DIALECTS_MAPINTERFACE
#define MERCATOR_DIALECTS_MAPINTERFACE

include "mlir/IR/OpBase.td"

def MapInterface : OpInterface<"MapInterface"> {
  let cppNamespace = "::mercator";
  let description = [{
    The maps of an operation: which elements of operand k does element d of
    result r read, and which elements of result r read element d of operand k?
    The answers are sound: they contain all elements that are read. A map that
    contains more is marked as an over-approximation.
  }];
  let methods = [
    InterfaceMethod<
      "Output to input: from the elements of a result to those of an operand.",
      "::mercator::indexing::MapSet", "operandMaps",
      (ins "::mercator::indexing::Arena &":$arena, "unsigned":$result, "unsigned":$operand)>,
    InterfaceMethod<
      "Input to output: from the elements of an operand to those of a result.",
      "::mercator::indexing::MapSet", "resultMaps",
      (ins "::mercator::indexing::Arena &":$arena, "unsigned":$operand, "unsigned":$result)>,
  ];
}

#endif // MERCATOR_DIALECTS_MAPINTERFACE
