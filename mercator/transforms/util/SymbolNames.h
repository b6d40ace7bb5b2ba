// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols that operations refer to. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_SYMBOLNAMES_H
#define MERCATOR_TRANSFORMS_UTIL_SYMBOLNAMES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

namespace mercator::util {

/// Results are cached by attribute, because many operations share attributes.
class SymbolNames {
public:
  /// The root symbols in the attributes of `op`: `@a` of `@a::@b`.
  llvm::ArrayRef<mlir::StringAttr> of(mlir::Operation *op) {
    mlir::DictionaryAttr attrs = op->getAttrDictionary();
    if (attrs.empty())
      return {};
    auto [it, isNew] = names.try_emplace(attrs);
    if (isNew)
      attrs.walk([&names = it->second](mlir::SymbolRefAttr name) {
        names.push_back(name.getRootReference());
      });
    return it->second;
  }

private:
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<mlir::StringAttr, 1>> names;
};

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_SYMBOLNAMES_H
