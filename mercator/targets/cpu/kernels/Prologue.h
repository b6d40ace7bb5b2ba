// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// An operand of a product that is computed, element by element, where the product
/// reads it.
///
///   w[k, j] = (float(q[k, j]) - z[j]) * s[j]     for panels, or rows, of w:
///   c[i, j] += a[i, k] * w[k, j]            =>     t = (float(q) - z) * s
///                                                  c += a * t
///
/// So w has no memory: 16 MB of q are read, not 16 + 64 + 64. The *prologue* is the
/// operation that writes b, which nothing else reads. It has no reductions, its body is
/// arithmetic without functions, and the address of each input is linear in the columns
/// and in the terms. In the direction in which vectors of b are loaded, elements of an
/// input are neighbors or one element.
///
/// Each element is computed as before: results keep their bits.
///
/// A prologue of a, such as an activation of the rows, does not pay: b is read many
/// times as often. A gelu of 1024 x 1024 elements takes 4 % of the product with
/// 1024 x 1024 weights, most of it arithmetic.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_PROLOGUE_H
#define MERCATOR_TARGETS_CPU_KERNELS_PROLOGUE_H

#include "mercator/targets/cpu/kernels/Contraction.h"

namespace mercator::cpu {

struct Prologue {
  /// A buffer, or a scalar.
  struct Operand {
    mlir::Value value;
    /// For each dimension of b: the stride in the buffer.
    llvm::SmallVector<int64_t> strides;
    int64_t column = 0; ///< from a column of b to the next one
    int64_t term = 0;   ///< from a term to the next one
  };

  mlir::linalg::GenericOp op;
  llvm::SmallVector<Operand> inputs; ///< one for each argument but the last

  /// The prologue of a product, if it has one that reads nothing which the product
  /// writes, or which is in `other`, a buffer that may be null. `column`: the innermost
  /// loop of the columns.
  [[nodiscard]] static std::optional<Prologue>
  of(const Contraction &contraction, const ContractionLoop &column,
     mlir::Value other);
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_PROLOGUE_H
