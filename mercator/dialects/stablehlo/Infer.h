// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The result types that follow from operands and attributes.
///
/// `AddOp::create(builder, loc, a, b)` needs no result type: the generated code
/// calls `AddOp::inferReturnTypes`. Two lines in one of the files Infer*.cpp,
/// here and in `chlo`, define this function:
///
///   static LogicalResult infer(AddOp::Adaptor op, Types &types);
///   MERCATOR_INFERRED(AddOp)
///
/// `infer` gives the most precise type that follows: `3` and `?` add to `3`. It
/// fails if the operation is invalid; the verifier reports why. Verifiers
/// compare the result type of an operation with the inferred type
/// (`expectInferred`) and accept a less precise one.

#ifndef MERCATOR_DIALECTS_STABLEHLO_INFER_H
#define MERCATOR_DIALECTS_STABLEHLO_INFER_H

#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/dialects/stablehlo/TensorExtents.h"

namespace mercator::stablehlo {

using Types = llvm::SmallVectorImpl<mlir::Type>;

/// Infers a single type.
inline llvm::LogicalResult inferred(Types &types, mlir::Type type) {
  types.push_back(type);
  return llvm::success();
}
inline mlir::Type elementOf(mlir::Value tensor) {
  return mlir::cast<mlir::RankedTensorType>(tensor.getType()).getElementType();
}

/// A per-axis quantization moves to dimension `dim`. Other element types do not
/// change.
[[nodiscard]] mlir::Type withQuantizedDimension(mlir::Type element,
                                                int64_t dim);
/// The element type of value `i` that the body of a reduction returns;
/// `otherwise` if there is no body yet.
[[nodiscard]] mlir::Type returnedElement(mlir::Region &body, unsigned i,
                                         mlir::Type otherwise);

/// The common extents of all operands. Fails if two operands disagree, and
/// without operands.
llvm::FailureOr<Extents> meetAll(mlir::ValueRange operands);
/// The known extents of each.
[[nodiscard]] llvm::SmallVector<Extents> extentsOfAll(mlir::ValueRange values);

} // namespace mercator::stablehlo

// Use both macros in the namespace of the operation. The verifier already has
// the result types and reports mismatches with more detail.
#define MERCATOR_NOT_REFINED(OP)                                               \
  llvm::LogicalResult OP::refineReturnTypes(                                   \
      mlir::MLIRContext *, std::optional<mlir::Location>, mlir::ValueRange,    \
      mlir::DictionaryAttr, mlir::OpaqueProperties, mlir::RegionRange,         \
      llvm::SmallVectorImpl<mlir::Type> &) {                                   \
    return llvm::success();                                                    \
  }

#define MERCATOR_INFERRED(OP)                                                  \
  llvm::LogicalResult OP::inferReturnTypes(                                    \
      mlir::MLIRContext *, std::optional<mlir::Location> location,             \
      mlir::ValueRange operands, mlir::DictionaryAttr attributes,              \
      mlir::OpaqueProperties properties, mlir::RegionRange regions,            \
      llvm::SmallVectorImpl<mlir::Type> &types) {                              \
    OP::Adaptor adaptor(operands, attributes, properties, regions);            \
    if (succeeded(infer(adaptor, types)))                                      \
      return llvm::success();                                                  \
    return mlir::emitOptionalError(                                            \
        location, "expected operands from which the results of '",             \
        OP::getOperationName(), "' follow");                                   \
  }                                                                            \
  MERCATOR_NOT_REFINED(OP)

#endif // MERCATOR_DIALECTS_STABLEHLO_INFER_H
