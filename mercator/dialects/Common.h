// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The pieces of assembly formats that several dialects have: each a pair
/// parseX / printX that reads what the other wrote.

#ifndef MERCATOR_DIALECTS_COMMON_H
#define MERCATOR_DIALECTS_COMMON_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator {

/// `[1, 2]`.
inline mlir::ParseResult parseIntegers(mlir::AsmParser &parser,
                                       llvm::SmallVectorImpl<int64_t> &into) {
  return parser.parseCommaSeparatedList(
      mlir::AsmParser::Delimiter::Square,
      [&] { return parser.parseInteger(into.emplace_back()); });
}
inline void printIntegers(mlir::AsmPrinter &printer,
                          llvm::ArrayRef<int64_t> values) {
  printer << "[";
  llvm::interleaveComma(values, printer);
  printer << "]";
}

/// The value of a constant; its type is the result's.
inline mlir::ParseResult parseValue(mlir::OpAsmParser &parser,
                                    mlir::ElementsAttr &value,
                                    mlir::Type &type) {
  if (parser.parseAttribute(value))
    return mlir::failure();
  type = value.getType();
  return mlir::success();
}
inline void printValue(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       mlir::ElementsAttr value, mlir::Type) {
  printer << value;
}

/// `public` or `private`; the default is public.
inline mlir::ParseResult parseSymbolVisibility(mlir::OpAsmParser &parser,
                                               mlir::StringAttr &visibility) {
  llvm::StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word,
                                            {"public", "private", "nested"})) &&
      word != "public")
    visibility = parser.getBuilder().getStringAttr(word);
  return mlir::success();
}
inline void printSymbolVisibility(mlir::OpAsmPrinter &printer,
                                  mlir::Operation *,
                                  mlir::StringAttr visibility) {
  printer << (visibility ? visibility.getValue() : "public");
}

} // namespace mercator

#endif // MERCATOR_DIALECTS_COMMON_H
