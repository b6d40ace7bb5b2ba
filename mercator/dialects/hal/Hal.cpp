// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/hal/Hal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::hal;

/// `T`, or `T as U` if the encoding T differs from the type U.
static ParseResult parseTypeAlias(OpAsmParser &parser, TypeAttr &encoding,
                                  Type &type) {
  if (parser.parseType(type))
    return failure();
  encoding = TypeAttr::get(type);
  return succeeded(parser.parseOptionalKeyword("as")) ? parser.parseType(type)
                                                      : success();
}
static void printTypeAlias(OpAsmPrinter &printer, Operation *,
                           TypeAttr encoding, Type type) {
  if (encoding.getValue() != type)
    printer << encoding.getValue() << " as ";
  printer << type;
}

static ParseResult parseDescriptorType(OpAsmParser &parser, StringAttr &type) {
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  type = parser.getBuilder().getStringAttr(word);
  return success();
}
static void printDescriptorType(OpAsmPrinter &printer, Operation *,
                                StringAttr type) {
  printer << type.getValue();
}

/// `*`, or a list of queues.
static ParseResult parseQueues(AsmParser &parser, uint64_t &mask) {
  mask = 0;
  if (succeeded(parser.parseOptionalStar())) {
    mask = ~mask;
    return success();
  }
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        SMLoc where = parser.getCurrentLocation();
        uint64_t queue;
        if (parser.parseInteger(queue))
          return failure();
        if (queue >= 64)
          return parser.emitError(where)
                 << "expected a queue below 64, got " << queue;
        mask |= uint64_t(1) << queue;
        return success();
      });
}
static void printQueues(AsmPrinter &printer, uint64_t mask) {
  if (mask == ~uint64_t(0)) {
    printer << '*';
    return;
  }
  printer << '[';
  llvm::interleaveComma(
      llvm::make_filter_range(llvm::seq<uint64_t>(0, 64),
                              [&](uint64_t i) { return mask >> i & 1; }),
      printer);
  printer << ']';
}

#include "mercator/dialects/hal/HalDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/hal/HalAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/hal/HalTypes.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/hal/HalOps.cpp.inc"

void HalDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mercator/dialects/hal/HalAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "mercator/dialects/hal/HalTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/hal/HalOps.cpp.inc"
      >();
}

Operation *HalDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
