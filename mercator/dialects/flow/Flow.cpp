// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Flow.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::flow;

#include "mercator/dialects/flow/FlowDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/flow/FlowTypes.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/flow/FlowOps.cpp.inc"

void FlowDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mercator/dialects/flow/FlowTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/flow/FlowOps.cpp.inc"
      >();
}
