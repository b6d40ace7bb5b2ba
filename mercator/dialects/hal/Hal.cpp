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

/// The attributes of IREE about devices, all read as text.
static bool isAboutDevices(StringRef text) {
  StringRef mnemonic = text.take_until([](char c) { return c == '<'; });
  return llvm::is_contained(
      {"device.affinity", "device.alias", "device.fallback", "device.optimal",
       "device.ordinal", "device.promise", "device.select", "device.target",
       "device.topology", "executable.condition", "executable.object",
       "executable.objects", "executable.target"},
      mnemonic);
}

Attribute HalDialect::parseAttribute(DialectAsmParser &parser,
                                     Type type) const {
  StringRef text = parser.getFullSymbolSpec();
  if (isAboutDevices(text))
    return DeviceTextAttr::get(getContext(), text,
                               type ? type : NoneType::get(getContext()));
  SMLoc where = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult parsed =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (!parsed.has_value())
    parser.emitError(where) << "expected an attribute of hal, such as "
                               "affinity.queue or device.target, got "
                            << mnemonic;
  return attribute;
}

void HalDialect::printAttribute(Attribute attribute,
                                DialectAsmPrinter &printer) const {
  if (auto text = dyn_cast<DeviceTextAttr>(attribute))
    printer << text.getText();
  else
    (void)generatedAttributePrinter(attribute, printer);
}

Operation *HalDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
