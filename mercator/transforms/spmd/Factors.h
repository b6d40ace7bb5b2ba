// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which dimensions of the operands go with which dimensions of the result.
///
///   dot_general   lhs (d0, d1)[s0] -> (d0, s0)    rhs (d0, d1)[s0] -> (s0, d1)
///
///   factor   lhs  rhs  result
///   same      0    -     0       d0 is dimension 0 of lhs
///   same      -    1     1
///   reduced   1    0     -       a sum over the shards is completed later
///
///   slice [1:9:2]     (d0) -> (d0 * 2 + 1)
///   window    0          0       shard i needs elements near those of shard i
///
/// The maps of the operation say this (analysis/maps): an index of an operand
/// that is d_i alone goes with dimension i of the result; one that is another
/// function of d_i and of no other dimension goes with it as a window. Only which
/// indices are summed together is a property of the operation.
///
/// A dimension without a factor is read whole, for a reason that is stated.

#ifndef MERCATOR_TRANSFORMS_SPMD_FACTORS_H
#define MERCATOR_TRANSFORMS_SPMD_FACTORS_H

#include "mercator/indexing/expr/Expr.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace mercator::spmd {

struct Factor {
  enum class Kind : uint8_t { Same, Window, Reduced };
  Kind kind = Kind::Same;
  /// The dimension of each operand, of the results; -1: none.
  llvm::SmallVector<int, 3> operandDims;
  int resultDim = -1;
};

struct Factors {
  std::vector<Factor> factors;
  /// Why the operation is computed on whole operands; empty if it need not be.
  std::string refusal;

  /// The factor of a dimension; null if there is none.
  [[nodiscard]] const Factor *ofOperand(unsigned operand, int dim) const;
  [[nodiscard]] const Factor *ofResult(int dim) const;
};

/// The factors of an operation that computes tensors of static shapes. All its
/// results have the factors of the first.
[[nodiscard]] Factors factorsOf(mlir::Operation *op, indexing::Arena &arena);

/// Why an operation reads a dimension without a factor whole; empty for those that
/// have a factor for each.
[[nodiscard]] llvm::StringRef whyReadWhole(mlir::Operation *op);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_FACTORS_H
