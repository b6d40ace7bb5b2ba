// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations on short rows, with many rows side by side in vectors.
///
///   m[i]    = max over 9 j of x[i, j]        for blocks of 256 rows i:
///   y[i, j] = exp(x[i, j] - m[i])               x'[j, i] = x[i, j]
///                                     =>        m[i]     = max over j of x'[j, i]
///                                               y'[j, i] = exp(x'[j, i] - m[i])
///                                               y[i, j]  = y'[j, i]
///
/// A row of 9 elements fills half of a vector, and its sum is one chain of additions. A
/// block of transposed rows is in the first-level cache, and its innermost loop has as
/// many iterations as rows. Transposes take registers (TransposeCode.h).
///
/// Sums of fewer than 64 terms are added one after another, in both forms
/// (SumOrder.h). So results keep their bits.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SHORTROWS_H
#define MERCATOR_TARGETS_CPU_KERNELS_SHORTROWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace mercator::cpu {

/// An operation on buffers, and its loop over rows (RowLoops.h).
struct RowMember {
  mutable mlir::linalg::LinalgOp op; ///< its methods are not const
  unsigned dim;
};

struct ShortRowsSchedule {
  int64_t lanes = 1; ///< of a vector
  int64_t rows = 1;  ///< of a block: whole vectors
  int64_t parts = 1; ///< that several threads may compute

  /// The schedule of operations that are joined; none if they cannot be computed like
  /// this, or if it does not pay. `vectorBytes`: the width of vectors of the machine.
  [[nodiscard]] static std::optional<ShortRowsSchedule>
  choose(llvm::ArrayRef<RowMember> members, int64_t vectorBytes);

  /// `blocks of 256 rows side by side, lanes=16 parts=8`.
  void print(llvm::raw_ostream &os) const;
};

/// Replaces the operations. Requires: the schedule was chosen for them.
void emitShortRows(llvm::ArrayRef<RowMember> members,
                   const ShortRowsSchedule &schedule);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SHORTROWS_H
