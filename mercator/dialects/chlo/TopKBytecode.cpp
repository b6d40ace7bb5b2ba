// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// top_k in bytecode: its attributes in the order of their names, as MLIR writes those
// of every operation. CHLO has got `is_stable` in 2026; it is the first one, and
// nothing in the bytes says that it is missing. Who reads a file decides.

#include "mercator/dialects/chlo/TopKBytecode.h"
#include "mercator/dialects/chlo/Chlo.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using mercator::chlo::ChloDialect;
using mercator::chlo::TopKOfOldWriters;
using mercator::chlo::TopKOp;

LogicalResult TopKOp::readProperties(DialectBytecodeReader &reader,
                                     OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  auto *dialect = reader.getContext()->getLoadedDialect<ChloDialect>();
  bool isOld = dialect && dialect->getRegisteredInterface<TopKOfOldWriters>();
  if (!isOld && failed(reader.readOptionalAttribute(properties.is_stable)))
    return failure();
  return reader.readAttribute(properties.k);
}

void TopKOp::writeProperties(DialectBytecodeWriter &writer) {
  writer.writeOptionalAttribute(getProperties().is_stable);
  writer.writeAttribute(getProperties().k);
}
