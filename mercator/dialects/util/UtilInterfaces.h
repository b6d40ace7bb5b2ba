// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Interfaces of the operations of `util`, `flow` and `hal`: the operand whose
/// storage a result uses (TiedOpInterface), and the values that are the dynamic
/// extents of operands and results (ShapeAwareOpInterface).
///
///   %1 = flow.tensor.reshape %0 : tensor<?xf32>{%d} -> tensor<?x1xf32>{%e}
///
///   findTiedBaseValue(%1)            %0, or what %0 is tied to
///   findDynamicDims(%1)              %e
///   buildDynamicDimsForValue(%1)     %e; of values with unknown extents,
///                                    new tensor.dim operations

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

/// The value whose storage `value` uses. Follows ties up to a value that is not
/// tied, which may be a block argument.
mlir::Value findTiedBaseValue(mlir::Value value);

/// Whether an operation ties one of its results to `value`.
bool hasAnyTiedUses(mlir::Value value);

/// The attribute `tied_operands` for these ties. Ties count from the first
/// operand that may be tied. Null if nothing is tied.
mlir::ArrayAttr getTiesAttr(mlir::Builder &builder,
                            llvm::ArrayRef<int64_t> ties);

/// The number of `?` of a type; types without a shape have none.
unsigned getNumDynamicDims(mlir::Type type);

/// The dynamic extents of `values[index]`; `dims` are those of all `values`.
/// Requires: one for each `?`. An operation with both lists verifies this with
/// verifyDynamicDims().
mlir::ValueRange findVariadicDynamicDims(unsigned index, mlir::TypeRange types,
                                         mlir::ValueRange dims);

/// The dynamic extents of `value`, if a defining operation knows them. They
/// dominate `value`. For a static shape: the empty range.
std::optional<mlir::ValueRange> findDynamicDims(mlir::Value value);

/// The dynamic extents of `value`. Creates tensor.dim operations if
/// findDynamicDims() knows none.
llvm::SmallVector<mlir::Value>
buildDynamicDimsForValue(mlir::Location loc, mlir::Value value,
                         mlir::OpBuilder &builder);

/// All extents of a shape: `dims` for the dynamic ones, new constants for the
/// static ones.
llvm::SmallVector<mlir::Value> buildShape(mlir::Location loc,
                                          llvm::ArrayRef<int64_t> shape,
                                          mlir::ValueRange dims,
                                          mlir::OpBuilder &builder);

/// The same with an attribute for each static extent.
llvm::SmallVector<mlir::OpFoldResult>
getMixedShape(mlir::Builder &builder, llvm::ArrayRef<int64_t> shape,
              mlir::ValueRange dims);

/// Emits an error at `op` unless `dims` has one value for each `?` of `types`.
/// `what` names the values: "operand", "result".
llvm::LogicalResult verifyDynamicDims(mlir::Operation *op, llvm::StringRef what,
                                      mlir::TypeRange types,
                                      mlir::ValueRange dims);

} // namespace mercator::util

#endif // MERCATOR_DIALECTS_UTIL_UTILINTERFACES_H
