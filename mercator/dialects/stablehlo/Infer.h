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

#include "mercator/dialects/stablehlo/Extents.h"

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

//===----------------------------------------------------------------------===//
// Extents of results, also used by verifiers. Each function fails if an
// argument is out of range.
//===----------------------------------------------------------------------===//

/// A window over one dimension.
struct WindowSpec;
/// The number of positions of a window over `n` elements. Fails if a length
/// does not fit in int64.
llvm::FailureOr<Extent> windowPlaces(Extent n, const WindowSpec &window);

llvm::FailureOr<Extents> transposed(llvm::ArrayRef<Extent> operand,
                                    llvm::ArrayRef<int64_t> permutation);
llvm::FailureOr<Extents> sliced(llvm::ArrayRef<int64_t> start,
                                llvm::ArrayRef<int64_t> limit,
                                llvm::ArrayRef<int64_t> strides);
/// The extent of one padded dimension.
llvm::FailureOr<Extent> padded(Extent n, int64_t low, int64_t high,
                               int64_t interior);
llvm::FailureOr<Extents> concatenated(mlir::ValueRange inputs, int64_t dim);

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
