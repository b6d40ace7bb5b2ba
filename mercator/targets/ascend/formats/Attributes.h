// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The attributes of GE's operators, with their defaults. A file holds all of
/// them; a program omits those at their default.
///
///   for (const AttributeRule &rule : attributesOf("GatherV2"))
///     rule.name, valueOf(op, rule)       // "batch_dims", 0; ..
///
/// Some attributes are supported at their default only, as `base` of Exp. An
/// operation does not have them: a file that is read may hold the default.
///
///   fixedAttributesOf("Exp")             // base -1, scale 1, shift 0
///
/// Source: the operator prototypes of CANN, those that TorchAir carries and
/// those of the operator libraries. Where a newer one adds an attribute, it is
/// read, and not written, as an older GE does not know it.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_ATTRIBUTES_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_ATTRIBUTES_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mercator::ascend {

struct AttributeRule {
  llvm::StringRef name;
  bool isBool = false;
  /// None where the operator requires the attribute.
  std::optional<int64_t> byDefault;
};

/// An attribute that is supported at its default only.
struct FixedAttribute {
  enum class Kind { boolean, integer, real, type };

  llvm::StringRef name;
  Kind kind;
  /// A boolean is 0 or 1, a type the number that attributes have for it.
  int value;
  /// Whether every known prototype has it.
  bool isWritten = true;
};

/// Empty for an operator that has none.
[[nodiscard]] llvm::ArrayRef<FixedAttribute>
fixedAttributesOf(llvm::StringRef type);

/// Sorted by name; empty for an operator that has none.
[[nodiscard]] llvm::ArrayRef<AttributeRule> attributesOf(llvm::StringRef type);

/// What the operator has, or the default; booleans are 0 and 1.
[[nodiscard]] int64_t valueOf(mlir::Operation *op, const AttributeRule &rule);

/// The attribute as an operation holds it.
[[nodiscard]] mlir::Attribute attributeOf(mlir::MLIRContext *context,
                                          const AttributeRule &rule,
                                          int64_t value);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_ATTRIBUTES_H
