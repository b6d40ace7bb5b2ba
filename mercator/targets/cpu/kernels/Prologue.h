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
/// input are neighbors, one element, or every second element:
///
///   w[k, j] = word(q[j, 2 k], q[j, 2 k + 1])    two inputs, views of q: one load has both
///
/// Each element is computed as before: results keep their bits.
///
/// A prologue of a is the same with rows instead of columns. a is computed as its rows
/// are packed, some blocks of rows at a time: a large a has no memory.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_PROLOGUE_H
#define MERCATOR_TARGETS_CPU_KERNELS_PROLOGUE_H

#include "mercator/targets/cpu/kernels/Contraction.h"

namespace mercator::cpu {

struct Prologue {
  /// A buffer, or a scalar.
  struct Operand {
    mlir::Value value;
    /// For each dimension of the operand: the stride in the buffer.
    llvm::SmallVector<int64_t> strides;
    /// From a column of b, or a row of a, to the next one.
    int64_t across = 0;
    int64_t term = 0; ///< from a term to the next one
    /// Of every second element: the input with the elements before them.
    std::optional<unsigned> before;
  };

  mlir::linalg::GenericOp op;
  llvm::SmallVector<Operand> inputs; ///< one for each argument but the last
  /// Vectors have neighbors along the terms; else along the columns, or rows.
  bool isAlongTerms = false;

  /// The stride of an input in the direction of vectors.
  [[nodiscard]] int64_t inVector(const Operand &input) const {
    return isAlongTerms ? input.term : input.across;
  }

  /// The prologue of a product, if it has one that reads nothing which the product
  /// writes, or which is in `other`, a buffer that may be null. `column`: the innermost
  /// loop of the columns.
  [[nodiscard]] static std::optional<Prologue>
  ofColumns(const Contraction &contraction, const ContractionLoop &column,
            mlir::Value other);
  /// The same for a. `row`: the innermost loop of the rows.
  [[nodiscard]] static std::optional<Prologue>
  ofRows(const Contraction &contraction, const ContractionLoop &row,
         mlir::Value other);
};

/// The prologues of a product.
struct Prologues {
  std::optional<Prologue> rows, columns;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_PROLOGUE_H
