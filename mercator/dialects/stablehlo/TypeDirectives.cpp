// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Directives.h"

using namespace mlir;

namespace mercator::stablehlo {

/// Assigns the signature to `types`, whose last entry is the result type.
static ParseResult assignSignature(OpAsmParser &parser, SMLoc loc,
                                   FunctionType signature,
                                   ArrayRef<Type *> types) {
  if (signature.getNumInputs() != types.size() - 1 ||
      signature.getNumResults() != 1)
    return parser.emitError(loc)
           << "expected a signature of " << types.size() - 1
           << " operands and 1 result, got " << signature.getNumInputs()
           << " and " << signature.getNumResults();
  for (auto [slot, type] : llvm::zip(types, signature.getInputs()))
    *slot = type;
  *types.back() = signature.getResult(0);
  return success();
}

static void printSignature(OpAsmPrinter &printer, ArrayRef<Type> types) {
  printer.printFunctionalType(types.drop_back(), types.take_back());
}

ParseResult parseTypesOrSignature(OpAsmParser &parser, ArrayRef<Type *> types) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto signature = dyn_cast<FunctionType>(type))
    return assignSignature(parser, loc, signature, types);
  for (Type *slot : types)
    *slot = type;
  return success();
}

void printTypesOrSignature(OpAsmPrinter &printer, ArrayRef<Type> types) {
  if (llvm::all_equal(types))
    printer.printType(types.front());
  else
    printSignature(printer, types);
}

/// The type of the parts of a tensor of complex elements; null for other types.
static Type partType(Type complex) {
  auto tensor = dyn_cast<RankedTensorType>(complex);
  auto element =
      tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return element ? Type(tensor.clone(element.getElementType())) : Type();
}

ParseResult parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs,
                              Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto signature = dyn_cast<FunctionType>(type))
    return assignSignature(parser, loc, signature, {&lhs, &rhs, &result});
  result = type;
  lhs = rhs = partType(type);
  if (!lhs)
    return parser.emitError(loc)
           << "expected a tensor of complex elements, got " << type;
  return success();
}

void printComplexTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs,
                       Type result) {
  if (lhs == rhs && lhs == partType(result))
    printer.printType(result);
  else
    printSignature(printer, {lhs, rhs, result});
}

ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue,
                             Type &onFalse, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto signature = dyn_cast<FunctionType>(type))
    return assignSignature(parser, loc, signature,
                           {&pred, &onTrue, &onFalse, &result});
  pred = type;
  if (parser.parseComma() || parser.parseType(result))
    return failure();
  onTrue = onFalse = result;
  return success();
}

void printSelectTypes(OpAsmPrinter &printer, Operation *, Type pred,
                      Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printSignature(printer, {pred, onTrue, onFalse, result});
}

ParseResult parsePairwiseTypes(OpAsmParser &parser, Types &operands,
                               Types &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.append(operands.begin(), operands.end());
  return success();
}

void printPairwiseTypes(OpAsmPrinter &printer, Operation *, TypeRange operands,
                        TypeRange) {
  llvm::interleaveComma(operands, printer);
}

ParseResult parseTupleTypes(OpAsmParser &parser, Types &operands,
                            Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto signature = dyn_cast<FunctionType>(type);
      signature && signature.getNumResults() == 1) {
    llvm::append_range(operands, signature.getInputs());
    result = signature.getResult(0);
    return success();
  }
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return parser.emitError(loc) << "expected a tuple type, got " << type;
  llvm::append_range(operands, tuple.getTypes());
  result = tuple;
  return success();
}

void printTupleTypes(OpAsmPrinter &printer, Operation *, TypeRange operands,
                     Type result) {
  if (TypeRange(cast<TupleType>(result).getTypes()) == operands)
    printer.printType(result);
  else
    printer.printFunctionalType(operands, TypeRange(result));
}

ParseResult parseAllOneType(OpAsmParser &parser, const Operands &operands,
                            Types &types, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  if (auto signature = dyn_cast<FunctionType>(result)) {
    if (signature.getNumResults() != 1)
      return parser.emitError(loc)
             << "expected 1 result, got " << signature.getNumResults();
    llvm::append_range(types, signature.getInputs());
    result = signature.getResult(0);
  } else {
    types.assign(operands.size(), result);
  }
  return success();
}

void printAllOneType(OpAsmPrinter &printer, Operation *, OperandRange,
                     TypeRange, Type result) {
  printer.printType(result);
}

} // namespace mercator::stablehlo
