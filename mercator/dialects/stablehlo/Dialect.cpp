// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Directives.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::stablehlo;

#include "mercator/dialects/stablehlo/StablehloDialect.cpp.inc"
#include "mercator/dialects/stablehlo/StablehloEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/stablehlo/StablehloTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/stablehlo/StablehloAttrs.cpp.inc"

void StablehloDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mercator/dialects/stablehlo/StablehloTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mercator/dialects/stablehlo/StablehloAttrs.cpp.inc"
      >();
  registerStablehloDialectOperations(this);
}
