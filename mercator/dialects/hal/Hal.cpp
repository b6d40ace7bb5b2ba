// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/hal/Hal.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::hal;

#include "mercator/dialects/hal/HalDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/hal/HalTypes.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/hal/HalOps.cpp.inc"

void HalDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mercator/dialects/hal/HalTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/hal/HalOps.cpp.inc"
      >();
}
