// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The result types that follow from operands and attributes.
///
/// `AddOp::create(builder, loc, a, b)` needs no result type: the generated code
/// calls `AddOp::inferReturnTypes`. Such a function is defined by two things in
/// one of the files Infer*.cpp, here and in `chlo`:
///
///   static LogicalResult infer(AddOp::Adaptor op, Types &types);
///   MERCATOR_INFERRED(AddOp)
///
/// `infer` says the most that follows: `3` and `?` add to `3`. It fails where
/// nothing does, because the operation is not valid; the verifier is who says
/// why. Verifiers compare the result an operation has with what `infer` says
/// (`expectInferred`), and accept a result that says less.

#ifndef MERCATOR_DIALECTS_STABLEHLO_INFER_H
#define MERCATOR_DIALECTS_STABLEHLO_INFER_H

#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/dialects/stablehlo/TensorExtents.h"

namespace mercator::stablehlo {

using Types = llvm::SmallVectorImpl<mlir::Type>;

/// The one type.
inline llvm::LogicalResult inferred(Types &types, mlir::Type type) {
  types.push_back(type);
  return llvm::success();
}
inline mlir::Type elementOf(mlir::Value tensor) {
  return mlir::cast<mlir::RankedTensorType>(tensor.getType()).getElementType();
}

/// A quantisation along a dimension moves to dimension `dim`; other element
/// types are themselves.
[[nodiscard]] mlir::Type withQuantizedDimension(mlir::Type element,
                                                int64_t dim);
/// What the body of a reduction returns as value `i`; where there is no body
/// yet, `otherwise`.
[[nodiscard]] mlir::Type returnedElement(mlir::Region &body, unsigned i,
                                         mlir::Type otherwise);

/// What is known of extents that all the operands have. Fails where two
/// disagree, and without an operand.
llvm::FailureOr<Extents> meetAll(mlir::ValueRange operands);
/// What is known of the extents of each.
[[nodiscard]] llvm::SmallVector<Extents> extentsOfAll(mlir::ValueRange values);

} // namespace mercator::stablehlo

// Both stand where the operation's own namespace is used. The verifier has the
// result types already, and says more about a mismatch.
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
