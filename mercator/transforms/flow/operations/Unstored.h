// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The mark of results that no dispatch hands to another one.
///
///   %e = linalg.generic {mercator.unstored = array<i64: 0>, ..} ..
///
/// mercator-flow-recompute-tensors (fusion/RecomputeTensors.cpp) gives each reader such
/// a tensor of its own. Formation from maps merges the operation and the readers of
/// these results without asking for costs, and removes the mark.

#ifndef MERCATOR_TRANSFORMS_FLOW_OPERATIONS_UNSTORED_H
#define MERCATOR_TRANSFORMS_FLOW_OPERATIONS_UNSTORED_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mercator::flow {

/// The numbers of the results.
inline constexpr llvm::StringLiteral kUnstored = "mercator.unstored";

[[nodiscard]] inline bool isUnstored(mlir::Value value) {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  auto numbers =
      result
          ? result.getOwner()->getAttrOfType<mlir::DenseI64ArrayAttr>(kUnstored)
          : mlir::DenseI64ArrayAttr();
  return numbers && llvm::is_contained(numbers.asArrayRef(),
                                       int64_t(result.getResultNumber()));
}

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_OPERATIONS_UNSTORED_H
