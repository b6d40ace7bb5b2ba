// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// GE's registry entry of each operator, and the element types for which a
/// device's matrix cores (its "AI Core") support the operator.
///
/// ```cpp
/// const Operator *op = findOperator("GatherNd");
/// assert(op->inputs[1].name == "indices");
/// assert(op->inputs[1].types.has(GeType::int32));
/// assert(!whyNotOnCore("GatherNd", GeType::uint16, Soc::ascend910b).empty());
/// ```
///
/// Source: CANN's operator prototypes, and the operator support tables of the
/// device generation.

#ifndef MERCATOR_DIALECTS_ASCEND_REGISTRY_H
#define MERCATOR_DIALECTS_ASCEND_REGISTRY_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mercator::ascend {

/// The element types that GE and Mercator's programs have in common.
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
/// None if GE has no such type. Signless integers count as signed.
[[nodiscard]] std::optional<GeType> geType(mlir::Type element);
[[nodiscard]] mlir::Type elementType(GeType type, mlir::MLIRContext *context);

/// GE numbers its types in two ways. Attributes (`dst_type` of Cast) hold the
/// number of ge::DataType; tensor descriptions in a file hold the number of the
/// file's schema.
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
  /// A list of operands, called name0, name1, ..
  bool isList = false;
  /// A tensor whose elements decide the shape of the result.
  bool decidesShape = false;
};

struct Operator {
  llvm::StringRef name;
  llvm::SmallVector<Input, 4> inputs;
  llvm::StringRef output;
  /// The element type of the result: that of the first data input, a fixed
  /// type, or the type that an attribute names.
  enum class Element { asData, boolean, uint8, float32, complex64, attribute };
  Element element = Element::asData;
  /// Whether all data inputs have the same element type. Indices and inputs
  /// that decide a shape are no data.
  bool oneType = true;
};

/// Null for an unknown operator. `type` is the node's type: "GatherV2".
[[nodiscard]] const Operator *findOperator(llvm::StringRef type);
[[nodiscard]] llvm::ArrayRef<Operator> allOperators();

/// Generations of devices.
enum class Soc { any, ascend910b };
/// The device with this name on the command line; none if it is unknown.
[[nodiscard]] std::optional<Soc> findSoc(llvm::StringRef name);

/// Why the device's cores do not support the operator for this element type.
/// Empty if they support it, and if that is unknown.
[[nodiscard]] std::string whyNotOnCore(llvm::StringRef type, GeType data,
                                       Soc soc);

} // namespace mercator::ascend

#endif // MERCATOR_DIALECTS_ASCEND_REGISTRY_H
