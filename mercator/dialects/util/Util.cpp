// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/util/Util.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::util;

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// `public` or `private`; nothing is public.
static ParseResult parseSymbolVisibility(OpAsmParser &parser,
                                         StringAttr &visibility) {
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word,
                                            {"public", "private", "nested"})) &&
      word != "public")
    visibility = parser.getBuilder().getStringAttr(word);
  return success();
}
static void printSymbolVisibility(OpAsmPrinter &printer, Operation *,
                                  StringAttr visibility) {
  printer << (visibility ? visibility.getValue() : "public");
}

/// `: T`, `= value`, or `: T = value` where the value has another type.
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

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

void GlobalAddressOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), ("ptr_" + getGlobal()).str());
}
void GlobalLoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getGlobal());
}

/// The global of that name, which holds values of `type`.
static FailureOr<GlobalOp> expectGlobal(Operation *op,
                                        SymbolTableCollection &symbols,
                                        FlatSymbolRefAttr name, Type type) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(op, name);
  if (!global)
    return op->emitOpError()
           << "expected the name of a util.global, got " << name;
  if (mercator::stablehlo::typesAgree(global.getType(), type))
    return global;
  InFlightDiagnostic error = op->emitOpError()
                             << "expected a value of type " << global.getType()
                             << ", got " << type;
  error.attachNote(global.getLoc()) << "the global is here";
  return error;
}

LogicalResult
GlobalAddressOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return expectGlobal(*this, symbols, getGlobalAttr(),
                      getResult().getType().getTargetType());
}

LogicalResult GlobalLoadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return expectGlobal(*this, symbols, getGlobalAttr(), getResult().getType());
}

LogicalResult GlobalStoreOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<GlobalOp> global =
      expectGlobal(*this, symbols, getGlobalAttr(), getValue().getType());
  if (failed(global))
    return failure();
  if (global->getIsMutable())
    return success();
  InFlightDiagnostic error = emitOpError() << "expected a mutable global, got "
                                           << getGlobalAttr();
  error.attachNote(global->getLoc()) << "the global is here";
  return error;
}

static LogicalResult expectTarget(Operation *op, PtrType pointer, Type type) {
  if (mercator::stablehlo::typesAgree(pointer.getTargetType(), type))
    return success();
  return op->emitOpError() << "expected a value of type "
                           << pointer.getTargetType() << ", got " << type;
}

LogicalResult GlobalLoadIndirectOp::verify() {
  return expectTarget(*this, getGlobal().getType(), getResult().getType());
}
LogicalResult GlobalStoreIndirectOp::verify() {
  return expectTarget(*this, getGlobal().getType(), getValue().getType());
}
