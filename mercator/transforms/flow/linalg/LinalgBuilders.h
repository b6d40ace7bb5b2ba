// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Builders for the passes that rewrite linalg on tensors.
///
/// For example, a convolution with a 1x1 filter is
///
///   canCollapse(image, {{0, 1, 2}, {3}})          // NHWC to rows x channels
///   Value rows = collapse(b, image, {{0, 1, 2}, {3}});
///   Value sum = ... linalg.matmul of rows and the filter ...
///   Value result = expandLike(b, sum, init, {{0, 1, 2}, {3}});
///
/// All builders take dynamic extents; static extents are kept in the types.

#ifndef MERCATOR_TRANSFORMS_FLOW_LINALG_LINALGBUILDERS_H
#define MERCATOR_TRANSFORMS_FLOW_LINALG_LINALGBUILDERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mercator::flow {

/// Axes that are merged to one, in order.
using Groups = llvm::ArrayRef<mlir::ReassociationIndices>;

/// Applies the patterns everywhere under `root`; its blocks do not change.
/// Every rewrite is correct by itself, so stopping before the fixed point is no
/// error.
void rewriteEverywhere(mlir::Operation *root, mlir::RewritePatternSet patterns);

//===--- Extents ----------------------------------------------------------===//

/// Whether the axes of a group can be merged and split again: at most one of
/// them has an unknown extent, so the types alone determine the split, and the
/// product of the others fits in int64_t.
[[nodiscard]] bool canCollapse(llvm::ArrayRef<int64_t> shape, Groups groups);
[[nodiscard]] bool canCollapse(mlir::Value tensor, Groups groups);

//===--- Shapes -----------------------------------------------------------===//

mlir::Value emptyTensor(mlir::ImplicitLocOpBuilder &b,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes,
                        mlir::Type element);

/// Requires: canCollapse(tensor, groups).
mlir::Value collapse(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                     Groups groups);

/// The inverse of collapse(like, groups): `tensor` in the shape of `like`.
mlir::Value expandLike(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                       mlir::Value like, Groups groups);

/// A linalg.generic whose axis i of the result is axis permutation[i] of the
/// tensor.
mlir::Value transpose(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                      llvm::ArrayRef<int64_t> permutation);

/// Appends zeros after the last element along each axis. Requires: isNumber of
/// the element type.
mlir::Value padHigh(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                    llvm::ArrayRef<mlir::OpFoldResult> high);

/// The slice from the start of `tensor` that has the shape of `like`.
mlir::Value sliceLike(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                      mlir::Value like);

//===--- Numbers ----------------------------------------------------------===//

/// Whether arith computes with the type: a float or a signless integer.
[[nodiscard]] bool isNumber(mlir::Type type);

/// Requires: isNumber(type).
mlir::Value zero(mlir::ImplicitLocOpBuilder &b, mlir::Type type);

/// A tensor of zeros with these sizes. Requires: isNumber(element).
mlir::Value zeros(mlir::ImplicitLocOpBuilder &b,
                  llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element);

/// x + y with the meaning of linalg's named operations: `or` for i1.
mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);

/// A sum of products over one loop, in einsum notation: lhs[m, k] * rhs[k, n]
/// summed into init[m, n] is contract(b, lhs, "mk", rhs, "kn", init, "mn"). The
/// loops are those of `init`, then the loop that `init` lacks. Operands are
/// extended to the element type of `init` with their signs, as in the named
/// operations. Requires: isNumber of the element type of each operand.
mlir::Value contract(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                     llvm::StringRef lhsAxes, mlir::Value rhs,
                     llvm::StringRef rhsAxes, mlir::Value init,
                     llvm::StringRef initAxes);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_LINALG_LINALGBUILDERS_H
