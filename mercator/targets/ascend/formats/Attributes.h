// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The attributes of GE's operators, with their defaults. A file contains all
/// of them; in a program, defaulted attributes are omitted.
///
/// ```cpp
/// llvm::ArrayRef<AttributeRule> rules = attributesOf("GatherV2");
/// assert(rules[0].name == "batch_dims");
/// assert(rules[0].byDefault == AttributeValue(int64_t(0)));
/// ```
///
/// Some attributes are supported only at their default, for example `base` of
/// Exp. Operations do not have them; a file may contain the default.
///
///   fixedAttributesOf("Exp")             // base -1, scale 1, shift 0
///
/// Source: CANN's operator prototypes, those in TorchAir and those of the
/// operator libraries. An attribute that only newer prototypes have is read but
/// not written, because an older GE does not know it.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_ATTRIBUTES_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_ATTRIBUTES_H

#include "mlir/IR/Operation.h"

#include <string>
#include <variant>

namespace mercator::ascend {

/// GE's Bool, Int, Float, ListInt and String.
using AttributeValue = std::variant<bool, int64_t, float,
                                    llvm::SmallVector<int64_t, 6>, std::string>;

struct AttributeRule {
  llvm::StringRef name;
  /// If the attribute is required, only the kind of this value counts.
  AttributeValue byDefault;
  bool isRequired = false;

  [[nodiscard]] bool isDefault(const AttributeValue &value) const {
    return !isRequired && value == byDefault;
  }
};

/// An attribute that is supported only at one value, nearly always its default.
struct FixedAttribute {
  enum class Kind { Boolean, Integer, Real, Type, Text };

  llvm::StringRef name;
  Kind kind;
  /// A boolean is 0 or 1, a type is its number in attributes.
  int value = 0;
  /// Whether every known prototype has it.
  bool isWritten = true;
  llvm::StringRef text = {};
  /// Whether a file without it is refused: the value is not the default.
  bool isRequired = false;
};

/// Empty for an operator without such attributes.
[[nodiscard]] llvm::ArrayRef<FixedAttribute>
fixedAttributesOf(llvm::StringRef type);

/// Sorted by name; empty for an operator without attributes.
[[nodiscard]] llvm::ArrayRef<AttributeRule> attributesOf(llvm::StringRef type);

/// The value at the operation, or the default.
[[nodiscard]] AttributeValue valueOf(mlir::Operation *op,
                                     const AttributeRule &rule);

/// The attribute in the form that operations hold.
[[nodiscard]] mlir::Attribute attributeOf(mlir::MLIRContext *context,
                                          const AttributeValue &value);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_ATTRIBUTES_H
