// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/util/Util.h"
#include "mercator/dialects/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::util;

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// `: T`, `= value`, or `: T = value` if the value has another type.
static ParseResult parseTypeOrAttr(OpAsmParser &parser, TypeAttr &type,
                                   TypedAttr &value) {
  if (failed(parser.parseOptionalEqual())) {
    Type parsed;
    if (parser.parseColonType(parsed))
      return failure();
    type = TypeAttr::get(parsed);
    if (failed(parser.parseOptionalEqual()))
      return success();
  }
  if (parser.parseAttribute(value))
    return failure();
  if (!type)
    type = TypeAttr::get(value.getType());
  return success();
}
static void printTypeOrAttr(OpAsmPrinter &printer, Operation *, TypeAttr type,
                            TypedAttr value) {
  if (!value || value.getType() != type.getValue())
    printer << ": " << type << (value ? " " : "");
  if (value)
    printer << "= " << value;
}

/// `#util.inline.never`, which is read as a string. util has no attributes of its
/// own.
Attribute UtilDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  StringRef text = parser.getFullSymbolSpec();
  if (text == "inline.never" || text == "inline.always")
    return StringAttr::get(getContext(), text);
  parser.emitError(parser.getCurrentLocation())
      << "expected inline.never or inline.always, got " << text;
  return {};
}

/// `{..}`, after `<inlining_policy = #util.inline.never>` in newer text.
static ParseResult parseGlobalAttributes(OpAsmParser &parser,
                                         NamedAttrList &attributes) {
  if (succeeded(parser.parseOptionalLess())) {
    StringAttr policy;
    if (parser.parseKeyword("inlining_policy") || parser.parseEqual() ||
        parser.parseAttribute(policy) || parser.parseGreater())
      return failure();
    if (policy.getValue() == "inline.never")
      attributes.set("noinline", parser.getBuilder().getUnitAttr());
  }
  return parser.parseOptionalAttrDict(attributes);
}
static void printGlobalAttributes(OpAsmPrinter &printer, Operation *op,
                                  DictionaryAttr attributes) {
  printer.printOptionalAttrDict(attributes.getValue(),
                                GlobalOp::getAttributeNames());
}

/// `[%offset for %length], ...`
static ParseResult
parseRangeList(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &offsets,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &lengths) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    return failure(
        parser.parseLSquare() || parser.parseOperand(offsets.emplace_back()) ||
        parser.parseKeyword("for") ||
        parser.parseOperand(lengths.emplace_back()) || parser.parseRSquare());
  });
}
static void printRangeList(OpAsmPrinter &printer, Operation *,
                           OperandRange offsets, OperandRange lengths) {
  llvm::interleaveComma(llvm::zip(offsets, lengths), printer, [&](auto range) {
    auto [offset, length] = range;
    printer << '[' << offset << " for " << length << ']';
  });
}

/// One type for all offsets, lengths and limits.
static ParseResult
parseRangeTypes(OpAsmParser &parser,
                ArrayRef<OpAsmParser::UnresolvedOperand> ranges,
                SmallVectorImpl<Type> &offsets, SmallVectorImpl<Type> &lengths,
                Type &limit) {
  if (parser.parseType(limit))
    return failure();
  offsets.assign(ranges.size(), limit);
  lengths.assign(ranges.size(), limit);
  return success();
}
static void printRangeTypes(OpAsmPrinter &printer, Operation *, OperandRange,
                            TypeRange, TypeRange, Type limit) {
  printer << limit;
}

#include "mercator/dialects/util/UtilDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/util/UtilTypes.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/util/UtilOps.cpp.inc"

void UtilDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mercator/dialects/util/UtilTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/util/UtilOps.cpp.inc"
      >();
}

Operation *UtilDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
