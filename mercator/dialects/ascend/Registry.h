// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What GE's registry says of each operator. What a device's matrix cores (its
/// "AI Core") can do of that is in analysis/device/Device.h.
///
///   const Operator *op = findOperator("GatherNd");
///   op->inputs[1].name                         // "indices"
///   op->inputs[1].types.has(GeType::int32)     // true
///
/// Source: the operator prototypes of CANN.

#ifndef MERCATOR_DIALECTS_ASCEND_REGISTRY_H
#define MERCATOR_DIALECTS_ASCEND_REGISTRY_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mercator::ascend {

/// The element types that both GE and our programs have.
enum class GeType : uint8_t {
  float32,
  float16,
  int8,
  int32,
  uint8,
  int16,
  uint16,
  uint32,
  int64,
  uint64,
  float64,
  boolean,
  complex64,
  complex128,
  bfloat16,
};
inline constexpr unsigned kGeTypes = 15;

[[nodiscard]] llvm::StringRef name(GeType type);
/// None where GE has no such type. Signless integers are signed.
[[nodiscard]] std::optional<GeType> geType(mlir::Type element);
[[nodiscard]] mlir::Type elementType(GeType type, mlir::MLIRContext *context);

/// GE counts its types twice: attributes (Cast's `dst_type`) have the number of
/// ge::DataType, descriptions of tensors in a file that of the file's schema.
[[nodiscard]] int64_t attributeNumber(GeType type);
[[nodiscard]] int64_t schemaNumber(GeType type);
[[nodiscard]] std::optional<GeType> fromAttributeNumber(int64_t number);
[[nodiscard]] std::optional<GeType> fromSchemaNumber(int64_t number);

class TypeSet {
public:
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<GeType> types) {
    for (GeType type : types)
      bits |= 1u << unsigned(type);
  }
  [[nodiscard]] constexpr bool has(GeType type) const {
    return bits >> unsigned(type) & 1;
  }
  [[nodiscard]] constexpr TypeSet operator|(TypeSet other) const {
    TypeSet both;
    both.bits = bits | other.bits;
    return both;
  }
  /// `float32, int8`.
  [[nodiscard]] std::string list() const;

private:
  uint32_t bits = 0;
};

struct Input {
  llvm::StringRef name;
  TypeSet types;
  /// Several operands, called name0, name1, ..
  bool isList = false;
  /// A tensor whose elements decide the shape of the result.
  bool decidesShape = false;
};

struct Operator {
  llvm::StringRef name;
  llvm::SmallVector<Input, 4> inputs;
  llvm::StringRef output;
  /// The element type of the result: that of the first input that is data, or
  /// always one, or what an attribute says.
  enum class Element { asData, boolean, uint8, float32, complex64, attribute };
  Element element = Element::asData;
  /// Whether all inputs that do not decide a shape and are no indices have one
  /// element type.
  bool oneType = true;
};

/// Null where there is none. `type` is the node's type: "GatherV2".
[[nodiscard]] const Operator *findOperator(llvm::StringRef type);
[[nodiscard]] llvm::ArrayRef<Operator> allOperators();

} // namespace mercator::ascend

#endif // MERCATOR_DIALECTS_ASCEND_REGISTRY_H
