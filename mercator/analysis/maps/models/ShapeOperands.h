// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes, starts and paddings that are operands, as the dynamic operations have
// them. Internal.
//
//   %r = stablehlo.dynamic_reshape %x, %shape
//
// A value that only says how large the result is, is read by no element. A value
// that says where an element comes from is read by each. Where such a value is
// known before the program runs, the operation has the maps of its static form:
//
//   if (auto type = knownResult(q, op.getOutputShape()))
//     return reshapeMaps(q.withResult(*type));
//
// Elsewhere it is a runtime variable of the map, if that makes an exact map.

#ifndef MERCATOR_ANALYSIS_MAPS_MODELS_SHAPEOPERANDS_H
#define MERCATOR_ANALYSIS_MAPS_MODELS_SHAPEOPERANDS_H

#include "mercator/analysis/maps/Model.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mercator::maps {

/// Requires: a ranked tensor.
[[nodiscard]] inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The type with these sizes; none where they contradict it.
[[nodiscard]] std::optional<mlir::RankedTensorType>
withSizes(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes);

/// The type of the result with the sizes that the operand `shape` holds, else
/// the declared type. None where a size is not known.
[[nodiscard]] std::optional<mlir::RankedTensorType>
knownResult(const Query &q, mlir::Value shape);

/// Element i of a vector, as an index value of a map that is being made.
[[nodiscard]] indexing::IndexValue entry(const Map &map, mlir::Value vector,
                                         int64_t i);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MODELS_SHAPEOPERANDS_H
