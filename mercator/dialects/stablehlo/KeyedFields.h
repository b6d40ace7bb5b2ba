// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The syntax `<key = [1, 2], other = 3>` of dimension number attributes.

#ifndef MERCATOR_DIALECTS_STABLEHLO_KEYEDFIELDS_H
#define MERCATOR_DIALECTS_STABLEHLO_KEYEDFIELDS_H

#include "mlir/IR/OpImplementation.h"

namespace mercator::stablehlo {

/// One key of the list and the destination of its value: a list or a number.
struct Field {
  llvm::StringRef key;
  llvm::SmallVector<int64_t> *list = nullptr;
  int64_t *number = nullptr;
};

/// Reads from the `<` to the `>`. Keys come in any order, each at most once. A
/// comma may follow the last field.
mlir::ParseResult parseFields(mlir::AsmParser &parser,
                              llvm::ArrayRef<Field> fields);

/// Prints such a list. Empty lists and zeros are omitted.
class FieldPrinter {
public:
  explicit FieldPrinter(mlir::AsmPrinter &printer) : printer(printer) {
    printer << "<";
  }
  ~FieldPrinter() { printer << ">"; }
  void list(llvm::StringRef key, llvm::ArrayRef<int64_t> values,
            bool always = false) {
    if (values.empty() && !always)
      return;
    next() << key << " = [";
    llvm::interleaveComma(values, printer);
    printer << "]";
  }
  void number(llvm::StringRef key, int64_t value, bool always = false) {
    if (value != 0 || always)
      next() << key << " = " << value;
  }

private:
  mlir::AsmPrinter &next() {
    printer << separator;
    separator = ", ";
    return printer;
  }
  mlir::AsmPrinter &printer;
  llvm::StringRef separator = "";
};

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_KEYEDFIELDS_H
