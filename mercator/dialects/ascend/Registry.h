// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What GE's registry says of each operator. What a device's matrix cores (its
/// "AI Core") can do of that is in devices/910b.json.
///
///   const Operator *op = findOperator("GatherNd");
///   op->inputs[1].name                         // "indices"
///   op->inputs[1].types.has(GeType::int32)     // true
///   op->outputs[0].name                        // "y"
///
/// Source: the operator prototypes of CANN: those in Ascend/torchair (revision
/// fced884, 2026-06-01), hicann/ops-nn (e5c3fa9, 2026-08-22) and hicann/ops-math
/// (c419332, 2026-08-22). Where they differ, the union of the types.

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

struct Output {
  llvm::StringRef name;
  /// The element type: that of the first data input or of the second, a fixed
  /// type, or the type that an attribute names.
  enum class Element {
    AsData,
    AsSecond,
    Boolean,
    Uint8,
    Int32,
    Float32,
    Complex64,
    Attribute
  };
  Element element = Element::AsData;
};

/// What the axes of a tensor mean to GE, under its name and number.
struct Layout {
  llvm::StringLiteral name;
  int64_t number;
};
/// Axes without a meaning, images, and volumes.
inline constexpr Layout kPlain = {"ND", 2}, kImages = {"NCHW", 0},
                        kVolumes = {"NCDHW", 30};

struct Operator {
  llvm::StringRef name;
  llvm::SmallVector<Input, 4> inputs;
  /// At least one.
  llvm::SmallVector<Output, 1> outputs;
  /// The layout of its inputs and outputs.
  Layout layout = kPlain;
  /// Whether all data inputs have the same element type. Indices and inputs
  /// that decide a shape are no data.
  bool oneType = true;
};

/// Null for an unknown operator. `type` is the node's type: "GatherV2".
[[nodiscard]] const Operator *findOperator(llvm::StringRef type);
[[nodiscard]] llvm::ArrayRef<Operator> allOperators();

} // namespace mercator::ascend

#endif // MERCATOR_DIALECTS_ASCEND_REGISTRY_H
