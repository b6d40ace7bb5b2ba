// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/check/Check.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mercator::check;

#include "mercator/dialects/check/CheckDialect.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/check/CheckOps.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/check/CheckOps.cpp.inc"
      >();
}
