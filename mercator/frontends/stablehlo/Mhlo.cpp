// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Mhlo.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using llvm::StringRef;

/// Functions of one operand that mhlo has and StableHLO lacks.
static constexpr StringRef kFunctions[] = {"acos",  "acosh", "asin", "asinh",
                                           "atanh", "cosh",  "erf",  "sinh"};

/// The operation that `name`, of mhlo, is read as.
static std::optional<RegisteredOperationName> equalOf(StringRef name,
                                                      MLIRContext *context) {
  StringRef mnemonic = name.split('.').second;
  std::string equal = ("stablehlo." + mnemonic).str();
  if (llvm::is_contained(kFunctions, mnemonic))
    equal = ("chlo." + mnemonic).str();
  else if (mnemonic == "copy")
    equal = "hlo.copy";
  return RegisteredOperationName::lookup(equal, context);
}

/// `%x : tensor<4xf32>`, where chlo and hlo write `-> tensor<4xf32>` too.
static ParseResult parseUnary(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  if (parser.parseOperand(operand) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  FunctionType signature;
  OptionalParseResult isSignature = parser.parseOptionalType(type);
  if (isSignature.has_value() && failed(*isSignature))
    return failure();
  signature = dyn_cast_if_present<FunctionType>(type);
  if (signature && signature.getNumInputs() == 1 &&
      signature.getNumResults() == 1) {
    result.addTypes(signature.getResults());
    return parser.resolveOperand(operand, signature.getInput(0),
                                 result.operands);
  }
  Type to = type;
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(to))
    return failure();
  result.addTypes(to);
  return parser.resolveOperand(operand, type, result.operands);
}

static ParseResult parseAsEqual(OpAsmParser &parser, OperationState &result) {
  auto equal = equalOf(result.name.getStringRef(), result.getContext());
  result.name = *equal;
  if (equal->getDialectNamespace() != "stablehlo")
    return parseUnary(parser, result);
  return equal->getParseAssemblyFn()(parser, result);
}

namespace {
class MhloDialect : public Dialect {
public:
  explicit MhloDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<MhloDialect>()) {
    stablehlo = context->getOrLoadDialect("stablehlo");
    context->getOrLoadDialect("chlo");
    context->getOrLoadDialect("hlo");
  }
  static constexpr StringRef getDialectNamespace() { return "mhlo"; }

  std::optional<ParseOpHook>
  getParseOperationHook(StringRef name) const override {
    if (!equalOf(name, getContext()))
      return std::nullopt;
    return ParseOpHook(parseAsEqual);
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return stablehlo->parseAttribute(parser, type);
  }
  Type parseType(DialectAsmParser &parser) const override {
    return stablehlo->parseType(parser);
  }

  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MhloDialect)

private:
  Dialect *stablehlo = nullptr;
};
} // namespace

void mercator::stablehlo::loadMhlo(MLIRContext &context) {
  context.getOrLoadDialect<MhloDialect>();
}

/// The same operation under another name, with its attributes and regions.
static LogicalResult rename(Operation *op, RegisteredOperationName name) {
  OperationState state(op->getLoc(), name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  if (auto inherent =
          dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute()))
    state.addAttributes(inherent.getValue());
  if (failed(name.verifyInherentAttrs(state.attributes,
                                      [&] { return op->emitError(); })))
    return failure();
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  Operation *renamed = builder.create(state);
  op->replaceAllUsesWith(renamed->getResults());
  op->erase();
  return success();
}

LogicalResult mercator::stablehlo::convertMhlo(Operation *root) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() == "mhlo")
      found.push_back(op);
  });
  for (Operation *op : found)
    if (auto equal = equalOf(op->getName().getStringRef(), op->getContext());
        equal && failed(rename(op, *equal)))
      return failure();
  return success();
}
