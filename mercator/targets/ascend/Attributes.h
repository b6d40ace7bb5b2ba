// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The attributes of GE's operators with what they are where nobody says so: a
/// file says all of them, a program only what differs.
///
///   for (const AttributeRule &rule : attributesOf("GatherV2"))
///     rule.name, valueOf(op, rule)       // "batch_dims", 0; ..
///
/// Source: the operator prototypes of CANN.

#ifndef MERCATOR_TARGETS_ASCEND_ATTRIBUTES_H
#define MERCATOR_TARGETS_ASCEND_ATTRIBUTES_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mercator::ascend {

struct AttributeRule {
  llvm::StringRef name;
  bool isBool = false;
  /// None where the operator requires the attribute.
  std::optional<int64_t> byDefault;
};

/// Sorted by name; empty for an operator that has none.
[[nodiscard]] llvm::ArrayRef<AttributeRule> attributesOf(llvm::StringRef type);

/// What the operator has, or the default; booleans are 0 and 1.
[[nodiscard]] int64_t valueOf(mlir::Operation *op, const AttributeRule &rule);

/// The attribute as an operation holds it.
[[nodiscard]] mlir::Attribute attributeOf(mlir::MLIRContext *context,
                                          const AttributeRule &rule,
                                          int64_t value);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_ATTRIBUTES_H
