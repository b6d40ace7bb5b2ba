// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Directives.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using mercator::util::getNumDynamicDims;

ParseResult flow::parseTensorAccess(AsmParser &parser, TensorAccess &access) {
  StringRef word;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<TensorAccess> known = symbolizeTensorAccess(word);
  if (!known)
    return parser.emitError(where)
           << "expected readonly, readwrite or writeonly, got " << word;
  access = *known;
  return success();
}
void flow::printTensorAccess(AsmPrinter &printer, TensorAccess access) {
  printer << stringifyTensorAccess(access);
}

//===----------------------------------------------------------------------===//
// Types with extents
//===----------------------------------------------------------------------===//

/// `{%d0, %d1}`, one for each `?` of the type.
static ParseResult parseDims(OpAsmParser &parser, Type type, Operands &dims) {
  unsigned count = getNumDynamicDims(type);
  if (count == 0)
    return success();
  return parser.parseOperandList(dims, dims.size() + count,
                                 OpAsmParser::Delimiter::Braces);
}

static void printDims(OpAsmPrinter &printer, Type type, ValueRange &dims) {
  // Invalid operations are printed too, and may have too few extents.
  size_t count = std::min<size_t>(getNumDynamicDims(type), dims.size());
  if (count != 0)
    printer << "{" << dims.take_front(count) << "}";
  dims = dims.drop_front(count);
}

ParseResult flow::parseShapedType(OpAsmParser &parser, Type &type,
                                  Operands &dims) {
  return failure(parser.parseType(type) || parseDims(parser, type, dims));
}
void flow::printShapedType(OpAsmPrinter &printer, Type type, ValueRange &dims) {
  printer << type;
  printDims(printer, type, dims);
}

//===----------------------------------------------------------------------===//
// Functions with ties
//===----------------------------------------------------------------------===//

/// `%a`, `%a as T` or `%a at 2 as T`: one of the operands, and its type.
static ParseResult parseTie(OpAsmParser &parser, const Operand &name,
                            ArrayRef<Operand> operands, TypeRange types,
                            int64_t &tie, Type &type) {
  auto matches = [&](const Operand &operand) {
    return operand.name == name.name && operand.number == name.number;
  };
  tie = llvm::find_if(operands, matches) - operands.begin();
  if (tie == int64_t(operands.size()))
    return parser.emitError(name.location)
           << "expected an operand that the result is tied to, got "
           << name.name;
  SMLoc where = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("at"))) {
    if (parser.parseInteger(tie))
      return failure();
    if (tie < 0 || tie >= int64_t(operands.size()) || !matches(operands[tie]))
      return parser.emitError(where) << "expected the position of an operand "
                                     << name.name << ", got " << tie;
  }
  if (succeeded(parser.parseOptionalKeyword("as")))
    return parser.parseType(type);
  if (tie >= int64_t(types.size()))
    return parser.emitError(name.location)
           << "expected a type for each of " << operands.size()
           << " operands, got " << types.size();
  type = types[tie];
  return success();
}

ParseResult
flow::parseShapedFunctionType(OpAsmParser &parser, ArrayRef<Operand> operands,
                              Types &operandTypes, Operands &operandDims,
                              Types &resultTypes, Operands &resultDims,
                              ArrayAttr &ties) {
  auto parseOperand = [&] {
    return parseShapedType(parser, operandTypes.emplace_back(), operandDims);
  };
  SmallVector<int64_t> tied;
  auto parseResult = [&]() -> ParseResult {
    int64_t &tie = tied.emplace_back(util::TiedOpInterface::kUntied);
    Type &type = resultTypes.emplace_back();
    Operand name;
    OptionalParseResult isTied = parser.parseOptionalOperand(name);
    if (!isTied.has_value())
      return parseShapedType(parser, type, resultDims);
    return failure(failed(*isTied) ||
                   parseTie(parser, name, operands, operandTypes, tie, type) ||
                   parseDims(parser, type, resultDims));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseOperand) ||
      parser.parseArrow())
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    if (failed(parser.parseOptionalRParen()) &&
        (parser.parseCommaSeparatedList(parseResult) || parser.parseRParen()))
      return failure();
  } else if (parser.parseCommaSeparatedList(parseResult)) {
    return failure();
  }
  ties = util::getTiesAttr(parser.getBuilder(), tied);
  return success();
}

void flow::printShapedFunctionType(OpAsmPrinter &printer, Operation *,
                                   ValueRange operands, TypeRange operandTypes,
                                   ValueRange operandDims,
                                   TypeRange resultTypes, ValueRange resultDims,
                                   ArrayAttr ties) {
  printer << "(";
  llvm::interleaveComma(operandTypes, printer, [&](Type type) {
    printShapedType(printer, type, operandDims);
  });
  printer << ") -> ";
  bool parens = resultTypes.size() != 1;
  if (parens)
    printer << "(";
  size_t next = 0;
  llvm::interleaveComma(resultTypes, printer, [&](Type type) {
    size_t index = next++;
    IntegerAttr attr;
    if (ties && index < ties.size())
      attr = dyn_cast<IntegerAttr>(ties[index]);
    int64_t tie = attr ? attr.getInt() : util::TiedOpInterface::kUntied;
    if (tie < 0 || tie >= int64_t(operands.size()))
      return printShapedType(printer, type, resultDims);
    Value operand = operands[tie];
    printer << operand;
    if (llvm::is_contained(operands.take_front(tie), operand))
      printer << " at " << tie;
    if (operand.getType() != type)
      printer << " as " << type;
    printDims(printer, type, resultDims);
  });
  if (parens)
    printer << ")";
}

ParseResult flow::parseTiedTarget(OpAsmParser &parser, const Operand &target,
                                  Type &type, Operands &dims) {
  Operand name;
  OptionalParseResult isTied = parser.parseOptionalOperand(name);
  if (isTied.has_value()) {
    if (failed(*isTied) || parser.parseKeyword("as"))
      return failure();
    if (name.name != target.name || name.number != target.number)
      return parser.emitError(name.location)
             << "expected a result tied to the target " << target.name
             << ", got " << name.name;
  }
  return parseShapedType(parser, type, dims);
}

void flow::printTiedTarget(OpAsmPrinter &printer, Operation *, Value target,
                           Type type, ValueRange dims) {
  printer << target << " as ";
  printShapedType(printer, type, dims);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static void printArguments(OpAsmPrinter &printer, Region &region) {
  printer << "(";
  llvm::interleaveComma(
      region.getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ")";
}

ParseResult flow::parseDispatchWorkgroupBody(OpAsmParser &parser,
                                             Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseRegion(body, arguments, /*enableNameShadowing=*/true))
    return failure();
  DispatchWorkgroupsOp::ensureTerminator(
      body, parser.getBuilder(),
      parser.getEncodedSourceLoc(parser.getNameLoc()));
  return success();
}
void flow::printDispatchWorkgroupBody(OpAsmPrinter &printer, Operation *,
                                      Region &body) {
  printArguments(printer, body);
  printer << " ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

static ParseResult parseCount(OpAsmParser &parser, StringRef keyword,
                              Region &count) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> types;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true, /*allowAttrs=*/true))
    return failure();
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseArrowTypeList(types))
    return failure();
  if (types.size() != 3 || !llvm::all_of(types, llvm::IsaPred<IndexType>)) {
    InFlightDiagnostic error = parser.emitError(where)
                               << "expected (index, index, index), got (";
    llvm::interleaveComma(types, error);
    return error << ")";
  }
  return parser.parseRegion(count, arguments);
}

static void printCount(OpAsmPrinter &printer, StringRef keyword,
                       Region &count) {
  if (count.empty())
    return;
  printer << keyword;
  printArguments(printer, count);
  printer << " -> (index, index, index) ";
  printer.printRegion(count, /*printEntryBlockArgs=*/false);
}

ParseResult flow::parseDispatchWorkgroupsCountRegion(OpAsmParser &parser,
                                                     Region &count) {
  return parseCount(parser, "count", count);
}
void flow::printDispatchWorkgroupsCountRegion(OpAsmPrinter &printer,
                                              Operation *, Region &count) {
  printCount(printer, " count", count);
}
ParseResult flow::parseWorkgroupCountRegion(OpAsmParser &parser,
                                            Region &count) {
  return parseCount(parser, "workgroups", count);
}
void flow::printWorkgroupCountRegion(OpAsmPrinter &printer, Operation *,
                                     Region &count) {
  printCount(printer, "workgroups", count);
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

ParseResult flow::parseTracedTensors(OpAsmParser &parser, Operands &tensors,
                                     Types &types) {
  if (succeeded(parser.parseOptionalLParen()))
    return parser.parseRParen();
  if (parser.parseOperandList(tensors))
    return failure();
  return tensors.empty() ? success() : parser.parseColonTypeList(types);
}
void flow::printTracedTensors(OpAsmPrinter &printer, Operation *,
                              ValueRange tensors, TypeRange types) {
  if (tensors.empty())
    printer << "()";
  else
    printer << tensors << " : " << types;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

ParseResult flow::parseSymbolVisibility(OpAsmParser &parser,
                                        StringAttr &visibility) {
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word,
                                            {"public", "private", "nested"})) &&
      word != "public")
    visibility = parser.getBuilder().getStringAttr(word);
  return success();
}
void flow::printSymbolVisibility(OpAsmPrinter &printer, Operation *,
                                 StringAttr visibility) {
  printer << (visibility ? visibility.getValue() : "public");
}

ParseResult flow::parseSymbolAlias(OpAsmParser &parser, StringAttr &name,
                                   FlatSymbolRefAttr &function) {
  if (parser.parseAttribute(function))
    return failure();
  name = function.getAttr();
  if (failed(parser.parseOptionalKeyword("as")))
    return success();
  return failure(parser.parseLParen() || parser.parseAttribute(name) ||
                 parser.parseRParen());
}
void flow::printSymbolAlias(OpAsmPrinter &printer, Operation *, StringAttr name,
                            FlatSymbolRefAttr function) {
  printer << function;
  if (name != function.getAttr())
    printer << " as(" << name << ")";
}
