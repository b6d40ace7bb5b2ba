// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three operations that need handwritten syntax: constant, reduce, while.

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

/// `() <{value = dense<..> : U}> {attrs} : () -> T`. Older text has the value
/// among the other attributes: `() {value = dense<..> : U, ..} : () -> T`.
static ParseResult parseGenericConstant(OpAsmParser &parser,
                                        OperationState &result,
                                        ElementsAttr &value) {
  if (parser.parseRParen())
    return failure();
  if (succeeded(parser.parseOptionalLess()) &&
      (parser.parseLBrace() || parser.parseKeyword("value") ||
       parser.parseEqual() || parser.parseAttribute(value) ||
       parser.parseRBrace() || parser.parseGreater()))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (!value) {
    value = dyn_cast_or_null<ElementsAttr>(result.attributes.erase("value"));
    if (!value)
      return parser.emitError(loc, "expected elements called 'value'");
  }
  loc = parser.getCurrentLocation();
  FunctionType signature;
  if (parser.parseColonType(signature))
    return failure();
  if (signature.getNumInputs() != 0 || signature.getNumResults() != 1)
    return parser.emitError(loc)
           << "expected a type () -> T, got " << signature;
  result.addTypes(signature.getResults());
  return success();
}

// `{attrs} dense<..> : T`, or the generic form if the result type differs from
// the value's type.
ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  ElementsAttr value;
  if (succeeded(parser.parseOptionalLParen())) {
    if (parseGenericConstant(parser, result, value))
      return failure();
  } else {
    if (parser.parseOptionalAttrDict(result.attributes) ||
        parser.parseAttribute(value))
      return failure();
    result.addTypes(value.getType());
  }
  result.getOrAddProperties<Properties>().value = value;
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getType() == getType()) {
    printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
    printer << " ";
    // A context makes a fresh key for each parsed text. The printed text must
    // not depend on the number of texts parsed before.
    auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
    if (isElided() &&
        resource.getRawHandle().getKey().starts_with("__elided__"))
      printer << "dense_resource<__elided__> : " << getType();
    else
      printer.printAttribute(getValue());
    return;
  }
  printer << "() <{value = ";
  printer.printAttribute(getValue());
  printer << "}>";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << " : () -> " << getType();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

bool ConstantOp::isElided() {
  return mercator::stablehlo::isElided(getValue());
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(),
          isa<IntegerType>(getType().getElementType()) ? "c" : "cst");
}

bool mercator::stablehlo::isElided(ElementsAttr value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  return resource && !resource.getRawHandle().getBlob();
}

ElementsAttr mercator::stablehlo::elidedElements(RankedTensorType type) {
  MLIRContext *context = type.getContext();
  auto &manager = DenseResourceElementsHandle::getManagerInterface(context);
  // insert() would make a fresh name for each constant.
  auto *entry = manager.getBlobManager().lookup("__elided__");
  if (!entry)
    entry = &manager.getBlobManager().insert("__elided__");
  DenseResourceElementsHandle handle(
      entry, context->getLoadedDialect<BuiltinDialect>());
  return DenseResourceElementsAttr::get(type, handle);
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// The operations that a reduction may `apply`. The order of elements must not
/// matter.
static bool isCommutative(StringRef name) {
  return llvm::is_contained({"stablehlo.add", "stablehlo.multiply",
                             "stablehlo.maximum", "stablehlo.minimum",
                             "stablehlo.and", "stablehlo.or", "stablehlo.xor"},
                            name);
}

static RankedTensorType scalarOf(Type tensor) {
  return RankedTensorType::get({},
                               cast<RankedTensorType>(tensor).getElementType());
}

/// The single operation of the body, if `applies` can express it.
static Operation *appliedOperation(ReduceOp op) {
  if (op.getInputs().size() != 1 || !op.getBody().hasOneBlock())
    return nullptr;
  Block &block = op.getBody().front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return nullptr;
  Operation &inner = block.front(), &last = block.back();
  auto scalar = scalarOf(op.getInputs()[0].getType());
  bool plain =
      isCommutative(inner.getName().getStringRef()) && isa<ReturnOp>(last) &&
      inner.getAttrDictionary().empty() && last.getAttrDictionary().empty() &&
      inner.getOperand(0) == block.getArgument(0) &&
      inner.getOperand(1) == block.getArgument(1) &&
      last.getNumOperands() == 1 && last.getOperand(0) == inner.getResult(0) &&
      llvm::all_of(inner.getOperandTypes(),
                   [&](Type t) { return t == scalar; }) &&
      inner.getResult(0).getType() == scalar;
  return plain ? &inner : nullptr;
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << "(";
  llvm::interleave(
      llvm::zip(getInputs(), getInitValues()), printer,
      [&](auto pair) {
        printer << std::get<0>(pair) << " init: " << std::get<1>(pair);
      },
      "), (");
  printer << ")";
  Operation *applied = appliedOperation(*this);
  if (applied)
    printer << " applies " << applied->getName();
  printer << " across dimensions = [";
  llvm::interleaveComma(getDimensions(), printer);
  printer << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (applied)
    return;
  printer.printNewline();
  printer << " reducer";
  Block &block = getBody().front();
  unsigned n = block.getNumArguments() / 2;
  for (unsigned i = 0; i < n; ++i) {
    printer << "(";
    printer.printRegionArgument(block.getArgument(i));
    printer << ", ";
    printer.printRegionArgument(block.getArgument(i + n));
    printer << ") ";
  }
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Builds the body `(a, b) -> op(a, b)`.
static LogicalResult buildApplied(OpAsmParser &parser, SMLoc loc,
                                  StringRef name, Type input, Region &body) {
  if (!isCommutative(name))
    return parser.emitError(loc)
           << "expected a commutative binary operation of stablehlo, got '"
           << name << "'";
  auto tensor = dyn_cast<RankedTensorType>(input);
  if (!tensor)
    return parser.emitError(loc)
           << "expected a ranked tensor to reduce, got " << input;
  Location where = parser.getEncodedSourceLoc(loc);
  Type scalar = scalarOf(tensor);
  OpBuilder builder(parser.getContext());
  Block *block =
      builder.createBlock(&body, {}, {scalar, scalar}, {where, where});
  OperationState state(where, name, block->getArguments(), scalar);
  Operation *inner = builder.create(state);
  ReturnOp::create(builder, where, inner->getResults());
  return success();
}

/// `reducer(%a: T, %c: T) (%b: U, %d: U) {..}`: block arguments %a, %b, %c, %d.
static ParseResult parseReducer(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> lefts, rights;
  while (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseArgument(lefts.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(rights.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  }
  lefts.append(rights);
  return parser.parseRegion(body, lefts);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  SMLoc operandsLoc = parser.getCurrentLocation();
  auto parsePair = [&]() -> ParseResult {
    return failure(
        parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen());
  };
  if (parser.parseCommaSeparatedList(parsePair))
    return failure();
  inputs.append(inits);

  SMLoc appliesLoc = parser.getCurrentLocation();
  std::string applied;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    appliesLoc = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    // `mhlo.add`, in text of the predecessor of this dialect.
    applied = ("stablehlo." + name->stripDialect()).str();
    if (name->getDialectNamespace() != "mhlo")
      applied = name->getStringRef().str();
  }

  SmallVector<int64_t> dimensions;
  FunctionType signature;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(dimensions.emplace_back()); }) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(signature) ||
      parser.resolveOperands(inputs, signature.getInputs(), operandsLoc,
                             result.operands))
    return failure();
  result.addTypes(signature.getResults());
  result.getOrAddProperties<Properties>().dimensions =
      parser.getBuilder().getDenseI64ArrayAttr(dimensions);

  Region &body = *result.addRegion();
  if (applied.empty())
    return failure(parser.parseKeyword("reducer") ||
                   parseReducer(parser, body));
  if (inits.size() != 1)
    return parser.emitError(appliesLoc)
           << "expected 'reducer' for a reduction of " << inits.size()
           << " inputs, got 'applies'";
  return buildApplied(parser, appliesLoc, applied, signature.getInput(0), body);
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

void WhileOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

/// Whether the operands, the region arguments and the results of the loop have
/// the same types.
static bool hasOneSignature(WhileOp op) {
  TypeRange types = op.getOperandTypes();
  return op.getResultTypes() == types &&
         op.getCond().getArgumentTypes() == types &&
         op.getBody().getArgumentTypes() == types;
}

// Both regions print with the argument names of the body. Sibling regions
// number their values alike.
void WhileOp::print(OpAsmPrinter &printer) {
  if (!hasOneSignature(*this)) {
    printer.printGenericOp(*this, /*printOpName=*/false);
    return;
  }
  printer << "(";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getOperands()),
                        printer, [&](auto pair) {
                          printer.printOperand(std::get<0>(pair));
                          printer << " = ";
                          printer.printOperand(std::get<1>(pair));
                        });
  printer << ")";
  if (getNumOperands()) {
    printer << " : ";
    llvm::interleaveComma(getOperandTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << " cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

// `(%arg = %init, ..)`, or `(%init, ..)` in the generic form.
ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand &first = operands.emplace_back();
    bool isFirst = operands.size() == 1;
    if (parser.parseOperand(first))
      return failure();
    if (!isFirst && arguments.empty()) // generic
      return success();
    if (isFirst ? failed(parser.parseOptionalEqual())
                : failed(parser.parseEqual()))
      return failure(!isFirst);
    if (first.number != 0)
      return parser.emitError(first.location)
             << "expected the name of an argument, got '" << first.name << "#"
             << first.number << "'";
    arguments.emplace_back().ssaName = first;
    return parser.parseOperand(first);
  };
  SmallVector<Type> types;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  if (arguments.size() != operands.size())
    return parser.parseGenericOperationAfterOpName(result, ArrayRef(operands));
  if ((!operands.empty() && parser.parseColonTypeList(types)) ||
      parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addTypes(types);
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  Region &cond = *result.addRegion(), &body = *result.addRegion();
  return failure(
      parser.parseKeyword("cond") || parser.parseRegion(cond, arguments) ||
      parser.parseKeyword("do") || parser.parseRegion(body, arguments));
}
