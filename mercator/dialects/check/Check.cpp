// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/check/Check.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mercator::check;

//===----------------------------------------------------------------------===//
// The two forms of a comparison
//===----------------------------------------------------------------------===//

/// The default of `tolerance`.
static constexpr double kTolerance = 1e-4;

/// `, atol 1.0e-2`: IREE's, in parentheses.
static ParseResult parseIreeTolerances(OpAsmParser &parser,
                                       OperationState &result) {
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    double value = 0;
    if (parser.parseKeyword(&word))
      return failure();
    if (word != "atol" && word != "rtol")
      return parser.emitError(parser.getNameLoc(),
                              "expected atol or rtol, got ")
             << word;
    if (parser.parseFloat(value))
      return failure();
    result.addAttribute(word, parser.getBuilder().getF32FloatAttr(value));
  }
  return success();
}

/// `, tolerance = 0.1`, with or without a type.
static ParseResult parseTolerance(OpAsmParser &parser, OperationState &result) {
  FloatAttr tolerance;
  if (failed(parser.parseOptionalComma()))
    return success();
  if (parser.parseKeyword("tolerance") || parser.parseEqual() ||
      parser.parseAttribute(tolerance, parser.getBuilder().getF64Type()))
    return failure();
  result.addAttribute("tolerance", tolerance);
  return success();
}

static bool isInexact(OperationName name) {
  return name.getStringRef().contains("almost");
}

/// The end of a comparison behind its operands.
static ParseResult parseEnd(OpAsmParser &parser, OperationState &result,
                            bool inParentheses) {
  if (isInexact(result.name) &&
      (inParentheses ? parseIreeTolerances(parser, result)
                     : parseTolerance(parser, result)))
    return failure();
  if (inParentheses && parser.parseRParen())
    return failure();
  return parser.parseOptionalAttrDict(result.attributes);
}

static ParseResult parseWithConstant(OpAsmParser &parser,
                                     OperationState &result) {
  OpAsmParser::UnresolvedOperand actual;
  ElementsAttr value;
  bool inParentheses = succeeded(parser.parseOptionalLParen());
  if (parser.parseOperand(actual) || parser.parseComma() ||
      parser.parseAttribute(value, "value", result.attributes) ||
      parseEnd(parser, result, inParentheses))
    return failure();
  Type type = value.getType();
  if (inParentheses && parser.parseColonType(type))
    return failure();
  return parser.resolveOperand(actual, type, result.operands);
}

static ParseResult parsePair(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand actual, expected;
  Type type;
  bool inParentheses = succeeded(parser.parseOptionalLParen());
  return failure(
      parser.parseOperand(actual) || parser.parseComma() ||
      parser.parseOperand(expected) ||
      parseEnd(parser, result, inParentheses) || parser.parseColonType(type) ||
      parser.resolveOperands({actual, expected}, type, result.operands));
}

/// Prints what stands between the operands and the type.
static bool printEnd(OpAsmPrinter &printer, Operation *op) {
  static constexpr StringRef kShown[] = {"value", "tolerance", "atol", "rtol"};
  bool inParentheses = op->getAttr("atol") || op->getAttr("rtol");
  for (StringRef name : {"atol", "rtol"})
    if (auto value = op->getAttrOfType<FloatAttr>(name)) {
      printer << ", " << name << " ";
      printer.printFloat(value.getValue());
    }
  if (inParentheses)
    printer << ")";
  else if (auto tolerance = op->getAttrOfType<FloatAttr>("tolerance");
           tolerance && tolerance.getValueAsDouble() != kTolerance) {
    printer << ", tolerance = ";
    printer.printAttributeWithoutType(tolerance);
  }
  printer.printOptionalAttrDict(op->getAttrs(), kShown);
  return inParentheses;
}

static void printWithConstant(OpAsmPrinter &printer, Operation *op,
                              Attribute value) {
  bool inParentheses = op->getAttr("atol") || op->getAttr("rtol");
  printer << (inParentheses ? "(" : " ") << op->getOperand(0) << ", " << value;
  if (printEnd(printer, op))
    printer << " : " << op->getOperand(0).getType();
}

static void printPair(OpAsmPrinter &printer, Operation *op) {
  bool inParentheses = op->getAttr("atol") || op->getAttr("rtol");
  printer << (inParentheses ? "(" : " ") << op->getOperand(0) << ", "
          << op->getOperand(1);
  printEnd(printer, op);
  printer << " : " << op->getOperand(0).getType();
}

ParseResult ExpectEqConstOp::parse(OpAsmParser &parser,
                                   OperationState &result) {
  return parseWithConstant(parser, result);
}
void ExpectEqConstOp::print(OpAsmPrinter &printer) {
  printWithConstant(printer, *this, getValueAttr());
}
ParseResult ExpectAlmostEqConstOp::parse(OpAsmParser &parser,
                                         OperationState &result) {
  return parseWithConstant(parser, result);
}
void ExpectAlmostEqConstOp::print(OpAsmPrinter &printer) {
  printWithConstant(printer, *this, getValueAttr());
}
ParseResult ExpectEqOp::parse(OpAsmParser &parser, OperationState &result) {
  return parsePair(parser, result);
}
void ExpectEqOp::print(OpAsmPrinter &printer) { printPair(printer, *this); }
ParseResult ExpectAlmostEqOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  return parsePair(parser, result);
}
void ExpectAlmostEqOp::print(OpAsmPrinter &printer) {
  printPair(printer, *this);
}

#include "mercator/dialects/check/CheckDialect.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/check/CheckOps.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/check/CheckOps.cpp.inc"
      >();
}
