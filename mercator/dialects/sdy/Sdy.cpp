// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/Common.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::sdy;

//===----------------------------------------------------------------------===//
// Text between brackets
//===----------------------------------------------------------------------===//

/// The text without comments and with single spaces.
static std::string tidy(StringRef text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      size_t begin = i++;
      for (; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
      i = std::min(i + 1, text.size());
      out += text.slice(begin, i);
      continue;
    }
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (llvm::isSpace(text[i++])) {
      if (!StringRef(out).ends_with(" "))
        out += ' ';
      continue;
    }
    out += text[i - 1];
  }
  return out;
}

/// The text from the bracket `opening` to its partner. Brackets within must
/// pair up; nothing else is checked.
static FailureOr<std::string> parseBracketed(AsmParser &parser, char opening) {
  SMLoc begin = parser.getCurrentLocation();
  if (*begin.getPointer() != opening)
    return parser.emitError(begin) << "expected '" << Twine(opening) << "'",
           failure();
  SmallVector<char> closers;
  SMLoc last;
  // One token, or an attribute under its full name. The parser cannot read just
  // any token, so all kinds are tried.
  auto next = [&]() -> bool {
    std::string string;
    StringRef word;
    StringAttr symbol;
    Attribute named;
    APInt integer;
    if (*parser.getCurrentLocation().getPointer() == '#')
      return succeeded(parser.parseAttribute(named));
    if (succeeded(parser.parseOptionalLess()))
      closers.push_back('>');
    else if (succeeded(parser.parseOptionalLSquare()))
      closers.push_back(']');
    else if (succeeded(parser.parseOptionalLBrace()))
      closers.push_back('}');
    else if (succeeded(parser.parseOptionalLParen()))
      closers.push_back(')');
    else if (closers.empty()) // a byte that the lexer rejects
      return false;
    else if (closers.back() == '>' && succeeded(parser.parseOptionalGreater()))
      closers.pop_back();
    else if (closers.back() == ']' && succeeded(parser.parseOptionalRSquare()))
      closers.pop_back();
    else if (closers.back() == '}' && succeeded(parser.parseOptionalRBrace()))
      closers.pop_back();
    else if (closers.back() == ')' && succeeded(parser.parseOptionalRParen()))
      closers.pop_back();
    else
      return succeeded(parser.parseOptionalComma()) ||
             succeeded(parser.parseOptionalEqual()) ||
             succeeded(parser.parseOptionalColon()) ||
             succeeded(parser.parseOptionalQuestion()) ||
             succeeded(parser.parseOptionalArrow()) ||
             succeeded(parser.parseOptionalString(&string)) ||
             succeeded(parser.parseOptionalKeyword(&word)) ||
             succeeded(parser.parseOptionalSymbolName(symbol)) ||
             parser.parseOptionalInteger(integer).has_value();
    return true;
  };
  do {
    last = parser.getCurrentLocation();
    if (!next())
      return parser.emitError(last)
                 << "expected '"
                 << Twine(closers.empty() ? opening : closers.back()) << "'",
             failure();
  } while (!closers.empty());
  return tidy(StringRef(begin.getPointer(),
                        last.getPointer() + 1 - begin.getPointer()));
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// `[<..>, <..>]`. The attribute is `<[<..>, <..>]>`.
static ParseResult parseShardings(OpAsmParser &parser,
                                  ShardingPerValueAttr &shardings) {
  FailureOr<std::string> text = parseBracketed(parser, '[');
  if (failed(text))
    return failure();
  shardings = ShardingPerValueAttr::get(parser.getContext(), "<" + *text + ">");
  return success();
}
static void printShardings(OpAsmPrinter &printer, Operation *,
                           ShardingPerValueAttr shardings) {
  printer << shardings.getText().drop_front().drop_back();
}

/// `(%a: T, %b: U) {..}`.
static ParseResult parseBody(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments,
                                          OpAsmParser::Delimiter::Paren,
                                          /*allowType=*/true,
                                          /*allowAttrs=*/true) ||
                 parser.parseRegion(body, arguments));
}
static void printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer << "(";
  llvm::interleaveComma(body.getArguments(), printer, [&](BlockArgument value) {
    printer.printRegionArgument(value);
  });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

#include "mercator/dialects/sdy/SdyDialect.cpp.inc"
#include "mercator/dialects/sdy/SdyEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/sdy/SdyAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/sdy/SdyOps.cpp.inc"

// The opening bracket of each attribute.
#define MERCATOR_TEXT_ATTR(ATTR, OPENING)                                      \
  Attribute ATTR::parse(AsmParser &parser, Type) {                             \
    FailureOr<std::string> text = parseBracketed(parser, OPENING);             \
    return succeeded(text) ? get(parser.getContext(), *text) : ATTR();         \
  }                                                                            \
  void ATTR::print(AsmPrinter &printer) const { printer << getText(); }
MERCATOR_TEXT_ATTR(MeshAttr, '<')
MERCATOR_TEXT_ATTR(ShardingAttr, '<')
MERCATOR_TEXT_ATTR(OpShardingRuleAttr, '<')
MERCATOR_TEXT_ATTR(PropagationEdgesAttr, '<')
MERCATOR_TEXT_ATTR(ManualAxesAttr, '{')
MERCATOR_TEXT_ATTR(AxisRefListAttr, '{')
MERCATOR_TEXT_ATTR(ListOfAxisRefListsAttr, '[')
MERCATOR_TEXT_ATTR(AllToAllParamListAttr, '[')
#undef MERCATOR_TEXT_ATTR

// A single list: operations print it without `<` and `>`.
Attribute ShardingPerValueAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<std::string> text = parseBracketed(parser, '[');
  if (failed(text) || parser.parseGreater())
    return {};
  return get(parser.getContext(), "<" + *text + ">");
}
void ShardingPerValueAttr::print(AsmPrinter &printer) const {
  printer << getText();
}

void SdyDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mercator/dialects/sdy/SdyAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/sdy/SdyOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static LogicalResult expectCount(Operation *op, StringRef what, size_t got,
                                 size_t expected) {
  if (got == expected)
    return success();
  return op->emitOpError() << "expected " << expected << " " << what << ", got "
                           << got;
}

/// Values in a body have the types of one device.
template <typename Op> static LogicalResult verifyBody(Op op) {
  Block &block = op.getBody().front();
  if (failed(expectCount(op, "body arguments", block.getNumArguments(),
                         op->getNumOperands())))
    return failure();
  return expectCount(op, "returned values",
                     block.getTerminator()->getNumOperands(),
                     op->getNumResults());
}

LogicalResult ManualComputationOp::verify() { return verifyBody(*this); }

LogicalResult NamedComputationOp::verify() {
  if (failed(verifyBody(*this)))
    return failure();
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getOperandTypes())
    return emitOpError() << "expected body arguments of types "
                         << getOperandTypes() << ", got "
                         << block.getArgumentTypes();
  TypeRange returned = block.getTerminator()->getOperandTypes();
  if (returned != getResultTypes())
    return emitOpError() << "expected returned values of types "
                         << getResultTypes() << ", got " << returned;
  return success();
}
