// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The extents of types and values.

#ifndef MERCATOR_DIALECTS_STABLEHLO_TENSOREXTENTS_H
#define MERCATOR_DIALECTS_STABLEHLO_TENSOREXTENTS_H

#include "mercator/dialects/stablehlo/Extents.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

namespace mercator::stablehlo {

/// The extents of the type. Bounds are those of `#stablehlo.bounds`; what other
/// encodings hold is not looked at.
[[nodiscard]] Extents extentsOf(mlir::RankedTensorType type);
[[nodiscard]] Extents extentsOf(mlir::Value tensor);
/// The tensor of these extents. Ensures: extentsOf(tensorOf(e, t)) == e.
[[nodiscard]] mlir::RankedTensorType tensorOf(llvm::ArrayRef<Extent> extents,
                                              mlir::Type element);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_TENSOREXTENTS_H
