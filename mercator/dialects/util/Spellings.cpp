// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads IREE's newer `util.func`, `util.return` and `util.call` as the
// operations of `func`, and prints them as such. In that text a result may be
// tied to an argument, by `%argument` or `%argument as T` in place of `T`. The
// tie is a request about storage. Functions do not carry it here, so it is
// dropped.

#include "mercator/dialects/util/Util.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mercator::util;

using Argument = OpAsmParser::Argument;
using Operand = OpAsmParser::UnresolvedOperand;

/// `T`, `%name as T`, or `%name` with the type that `typeOf` returns.
static ParseResult parseTiedType(OpAsmParser &parser, Type &type,
                                 function_ref<Type(const Operand &)> typeOf) {
  Operand tied;
  OptionalParseResult parsed = parser.parseOptionalOperand(tied);
  if (!parsed.has_value())
    return parser.parseType(type);
  if (failed(*parsed))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("as")))
    return parser.parseType(type);
  type = typeOf(tied);
  if (type)
    return success();
  return parser.emitError(tied.location)
         << "expected an operand that the result is tied to, got " << tied.name;
}

/// One such type, or a list of them in parentheses, each followed by its
/// attributes.
static ParseResult parseTiedTypes(OpAsmParser &parser,
                                  SmallVectorImpl<Type> &types,
                                  SmallVectorImpl<DictionaryAttr> &attrs,
                                  function_ref<Type(const Operand &)> typeOf) {
  auto one = [&](bool withAttrs) -> ParseResult {
    NamedAttrList list;
    if (parseTiedType(parser, types.emplace_back(), typeOf) ||
        (withAttrs && parser.parseOptionalAttrDict(list)))
      return failure();
    attrs.push_back(list.getDictionary(parser.getContext()));
    return success();
  };
  if (failed(parser.parseOptionalLParen()))
    return one(/*withAttrs=*/false);
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseCommaSeparatedList([&] {
    return one(/*withAttrs=*/true);
  }) || parser.parseRParen());
}

/// `%name: T {attributes}` each, or `T {attributes}` each.
static ParseResult parseParameters(OpAsmParser &parser,
                                   SmallVectorImpl<Argument> &parameters) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        Argument next;
        SMLoc where = parser.getCurrentLocation();
        OptionalParseResult named = parser.parseOptionalArgument(
            next, /*allowType=*/true, /*allowAttrs=*/true);
        if (named.has_value() && failed(*named))
          return failure();
        if (!parameters.empty() &&
            parameters.back().ssaName.name.empty() == named.has_value())
          return parser.emitError(where)
                 << "expected all parameters to have names, or none";
        if (!named.has_value()) {
          NamedAttrList attrs;
          if (parser.parseType(next.type) ||
              parser.parseOptionalAttrDict(attrs))
            return failure();
          next.ssaName.location = where;
          next.attrs = attrs.getDictionary(parser.getContext());
        }
        parameters.push_back(next);
        return success();
      });
}

static ParseResult parseFunc(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  state.name =
      OperationName(func::FuncOp::getOperationName(), parser.getContext());
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility,
                                            {"public", "private", "nested"})) &&
      visibility != "public")
    state.addAttribute(SymbolTable::getVisibilityAttrName(),
                       builder.getStringAttr(visibility));
  StringAttr name;
  SmallVector<Argument> parameters;
  SmallVector<Type> results;
  SmallVector<DictionaryAttr> resultAttrs;
  auto typeOf = [&](const Operand &tied) -> Type {
    for (const Argument &parameter : parameters)
      if (parameter.ssaName.name == tied.name && tied.number == 0)
        return parameter.type;
    return {};
  };
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             state.attributes) ||
      parseParameters(parser, parameters))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      parseTiedTypes(parser, results, resultAttrs, typeOf))
    return failure();
  SmallVector<Type> types = llvm::map_to_vector(
      parameters, [](const Argument &parameter) { return parameter.type; });
  state.addAttribute(func::FuncOp::getFunctionTypeAttrName(state.name),
                     TypeAttr::get(builder.getFunctionType(types, results)));
  call_interface_impl::addArgAndResultAttrs(
      builder, state, parameters, resultAttrs,
      func::FuncOp::getArgAttrsAttrName(state.name),
      func::FuncOp::getResAttrsAttrName(state.name));
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  Region *body = state.addRegion();
  SMLoc where = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalRegion(*body, parameters);
  if (!parsed.has_value())
    return success();
  if (failed(*parsed))
    return failure();
  if (body->empty())
    return parser.emitError(where) << "expected a body with a block in it";
  return success();
}

static ParseResult parseReturn(OpAsmParser &parser, OperationState &state) {
  state.name =
      OperationName(func::ReturnOp::getOperationName(), parser.getContext());
  return func::ReturnOp::parse(parser, state);
}

static ParseResult parseCall(OpAsmParser &parser, OperationState &state) {
  state.name =
      OperationName(func::CallOp::getOperationName(), parser.getContext());
  FlatSymbolRefAttr callee;
  SmallVector<Operand> operands;
  SmallVector<Type> types, results;
  SmallVector<DictionaryAttr> resultAttrs;
  auto typeOf = [&](const Operand &tied) -> Type {
    for (auto [operand, type] : llvm::zip(operands, types))
      if (operand.name == tied.name && operand.number == tied.number)
        return type;
    return {};
  };
  SMLoc where;
  if (parser.parseAttribute(callee, func::CallOp::getCalleeAttrName(state.name),
                            state.attributes) ||
      parser.getCurrentLocation(&where) ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen()) &&
      (parser.parseTypeList(types) || parser.parseRParen()))
    return failure();
  if (parser.parseArrow() ||
      parseTiedTypes(parser, results, resultAttrs, typeOf))
    return failure();
  state.addTypes(results);
  return parser.resolveOperands(operands, types, where, state.operands);
}

std::optional<Dialect::ParseOpHook>
UtilDialect::getParseOperationHook(StringRef name) const {
  if (name == "util.func")
    return ParseOpHook(parseFunc);
  if (name == "util.return")
    return ParseOpHook(parseReturn);
  if (name == "util.call")
    return ParseOpHook(parseCall);
  return Dialect::getParseOperationHook(name);
}
