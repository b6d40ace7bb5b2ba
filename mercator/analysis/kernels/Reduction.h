// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What row and column reductions have in common. Internal to this folder.

#ifndef MERCATOR_ANALYSIS_KERNELS_REDUCTION_H
#define MERCATOR_ANALYSIS_KERNELS_REDUCTION_H

#include "mercator/analysis/kernels/Fused.h"

namespace mercator::kernels {

/// The operand of a reduction as three groups of neighbors in memory, the last one
/// fastest. Of a row reduction: reduced, kept, reduced. Of a column reduction: kept,
/// reduced, kept.
struct ReductionShape {
  bool isRow = true;
  llvm::SmallVector<int64_t, 3> sizes = {1, 1, 1};
  bool operator==(const ReductionShape &) const = default;
};

/// None if neither the kept nor the reduced dimensions are neighbors in memory, or if
/// a loop is faster: XLA's IsReductionFromOrToContiguousDimensions.
[[nodiscard]] std::optional<ReductionShape>
reductionShapeOf(mlir::Operation *op);

/// Adds the reads of the heroes' operands at `input`, a map to the three groups, the
/// roots that are no reductions there, and the results at `output`, a map to the
/// number of the kept element. Each reduction has a tile in shared memory, if any.
/// `last`: a part of the reads that LLVM may take element by element; null if none.
void addReduction(Kernel &kernel, const Fused &fused, indexing::Arena &arena,
                  llvm::ArrayRef<mlir::Operation *> heroes,
                  const indexing::Map &input, llvm::ArrayRef<int64_t> sizes,
                  const indexing::Map &output, const TilePlaces *tile,
                  const indexing::Map *last = nullptr);

/// How many neighbors a thread reads at once: 1, 2 or 4.
[[nodiscard]] int64_t vectorOf(const Fused &fused, int64_t minor,
                               int64_t threads);

} // namespace mercator::kernels

#endif // MERCATOR_ANALYSIS_KERNELS_REDUCTION_H
