// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What operations of `util`, `flow` and `hal` can be asked: which results use
/// the storage of which operands (TiedOpInterface), and which values are the
/// dynamic extents of operands and results (ShapeAwareOpInterface).
///
///   %1 = flow.tensor.reshape %0 : tensor<?xf32>{%d} -> tensor<?x1xf32>{%e}
///
///   findTiedBaseValue(%1)            %0, or what %0 is tied to
///   findDynamicDims(%1)              %e
///   buildDynamicDimsForValue(%1)     %e; of a value that nobody knows the
///                                    extents of, new tensor.dim operations

#ifndef MERCATOR_DIALECTS_UTIL_UTILINTERFACES_H
#define MERCATOR_DIALECTS_UTIL_UTILINTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace mercator::util::detail {
llvm::SmallVector<int64_t> readTies(mlir::Operation *op);
std::optional<unsigned> getTie(mlir::Operation *op, unsigned resultIndex);
void setTie(mlir::Operation *op, unsigned resultIndex,
            std::optional<unsigned> operandIndex);
llvm::SmallVector<mlir::Value> getTiedTo(mlir::Operation *op,
                                         unsigned operandIndex);
llvm::LogicalResult verifyTies(mlir::Operation *op);
} // namespace mercator::util::detail

#include "mercator/dialects/util/UtilInterfaces.h.inc"

namespace mercator::util {

/// The value whose storage `value` uses: follows ties up to a value that is not
/// tied, which may be a block argument.
mlir::Value findTiedBaseValue(mlir::Value value);

/// Whether an operation ties one of its results to `value`.
bool hasAnyTiedUses(mlir::Value value);

/// What `tied_operands` holds for these ties, which count from the first
/// operand that may be tied; null where nothing is tied.
mlir::ArrayAttr getTiesAttr(mlir::Builder &builder,
                            llvm::ArrayRef<int64_t> ties);

/// How many `?` a type has; types without a shape have none.
unsigned getNumDynamicDims(mlir::Type type);

/// The extents of `values[index]`, where `dims` are those of all of `values`.
/// Requires as many as there are `?`; an operation that holds a list of each
/// verifies this with verifyDynamicDims().
mlir::ValueRange findVariadicDynamicDims(unsigned index, mlir::TypeRange types,
                                         mlir::ValueRange dims);

/// The dynamic extents of `value`, where an operation that it comes from knows
/// them. They dominate `value`. A value with a static shape has none to know:
/// the empty range.
std::optional<mlir::ValueRange> findDynamicDims(mlir::Value value);

/// The dynamic extents of `value`, with new tensor.dim operations where
/// findDynamicDims() knows none.
llvm::SmallVector<mlir::Value>
buildDynamicDimsForValue(mlir::Location loc, mlir::Value value,
                         mlir::OpBuilder &builder);

/// All extents of a shape whose dynamic ones are `dims`, the static ones as new
/// constants.
llvm::SmallVector<mlir::Value> buildShape(mlir::Location loc,
                                          llvm::ArrayRef<int64_t> shape,
                                          mlir::ValueRange dims,
                                          mlir::OpBuilder &builder);

/// The same without constants: an attribute for each static extent.
llvm::SmallVector<mlir::OpFoldResult>
getMixedShape(mlir::Builder &builder, llvm::ArrayRef<int64_t> shape,
              mlir::ValueRange dims);

/// Diagnoses at `op` unless there is one of `dims` for each `?` of `types`.
/// `what` names them: "operand", "result".
llvm::LogicalResult verifyDynamicDims(mlir::Operation *op, llvm::StringRef what,
                                      mlir::TypeRange types,
                                      mlir::ValueRange dims);

} // namespace mercator::util

#endif // MERCATOR_DIALECTS_UTIL_UTILINTERFACES_H
