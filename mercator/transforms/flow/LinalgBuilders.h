// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the passes that rewrite linalg on tensors build again and again.
///
/// A convolution with a 1x1 filter, for instance, is
///
///   canCollapse(image, {{0, 1, 2}, {3}})          // NHWC to rows x channels
///   Value rows = collapse(b, image, {{0, 1, 2}, {3}});
///   Value sum = ... linalg.matmul of rows and the filter ...
///   Value result = expandLike(b, sum, init, {{0, 1, 2}, {3}});
///
/// All of it takes dynamic extents; what is known is kept in the types.

#ifndef MERCATOR_TRANSFORMS_FLOW_LINALGBUILDERS_H
#define MERCATOR_TRANSFORMS_FLOW_LINALGBUILDERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mercator::flow {

/// Axes that become one, in order.
using Groups = llvm::ArrayRef<mlir::ReassociationIndices>;

/// Applies the patterns all over `root`, whose blocks stay as they are. Each
/// rewrite is right alone, so that stopping before nothing changes any more
/// would be no error.
void rewriteEverywhere(mlir::Operation *root, mlir::RewritePatternSet patterns);

//===--- Extents ----------------------------------------------------------===//

/// Whether the axes of a group can become one and be taken apart again: no
/// more than one of them has an unknown extent, so that the types alone say
/// how to, and the product of the others is an int64_t.
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

/// Axis i of the result is axis permutation[i] of the tensor; a
/// linalg.generic.
mlir::Value transpose(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                      llvm::ArrayRef<int64_t> permutation);

/// Zeros after the last element along each axis.
/// Requires: isNumber of the element type.
mlir::Value padHigh(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                    llvm::ArrayRef<mlir::OpFoldResult> high);

/// As many elements from the start of `tensor`, along each axis, as `like`
/// has.
mlir::Value sliceLike(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                      mlir::Value like);

//===--- Numbers ----------------------------------------------------------===//

/// Whether arith computes with it: a float or an integer without sign.
[[nodiscard]] bool isNumber(mlir::Type type);

/// Requires: isNumber(type).
mlir::Value zero(mlir::ImplicitLocOpBuilder &b, mlir::Type type);

/// `tensor` with every element zero, in a shape of these sizes.
/// Requires: isNumber(element).
mlir::Value zeros(mlir::ImplicitLocOpBuilder &b,
                  llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element);

/// x + y as linalg's named operations mean it: `or` of i1.
mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);

/// The sum of products over one loop, in einsum's letters: lhs[m, k] *
/// rhs[k, n] summed into init[m, n] is contract(b, lhs, "mk", rhs, "kn", init,
/// "mn"). The loops are those of `init` and, last, the one that it lacks.
/// Operands are extended to the element type of `init` as the named operations
/// do it, with their signs.
/// Requires: isNumber of the element type of each operand.
mlir::Value contract(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                     llvm::StringRef lhsAxes, mlir::Value rhs,
                     llvm::StringRef rhsAxes, mlir::Value init,
                     llvm::StringRef initAxes);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_LINALGBUILDERS_H
