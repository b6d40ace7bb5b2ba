// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What an operation iterates over, and the maps from its iterations to the
/// elements that it reads and writes.
///
///   %y = linalg.matmul ins(%a, %b)       iterations  (d0, d1, d2), 32 x 16 x 64
///                                        independent  d0 and d1
///                                        reads %a    (d0, d1, d2) -> (d0, d2)
///                                        reads %b    (d0, d1, d2) -> (d2, d1)
///                                        writes %y   (d0, d1, d2) -> (d0, d1)
///
/// The iterations of an operation of linalg are those of its loops. Those of
/// another operation on tensors are the elements of its result.
///
/// ```cpp (mlir::Operation *matmul, Arena &arena)
/// std::optional<cells::Space> space = cells::spaceOf(matmul, arena);
/// assert(space->extents.size() == 3 && space->parallel.count() == 2);
/// ```

#ifndef MERCATOR_ANALYSIS_CELLS_SPACE_H
#define MERCATOR_ANALYSIS_CELLS_SPACE_H

#include "mercator/indexing/decide/MapSet.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>
#include <vector>

namespace mercator::cells {

/// A tensor that an operation reads.
struct Read {
  mlir::Value value;
  /// From iterations to elements of `value`; contains all that are read.
  indexing::MapSet maps;
};

struct Space {
  mlir::Operation *op = nullptr;
  /// The extent of each dimension of the iterations; the largest int64 if it is not
  /// known.
  llvm::SmallVector<int64_t> extents;
  /// The dimensions whose iterations do not depend on each other.
  llvm::SmallBitVector parallel;
  /// For each result the map from iterations to its elements.
  std::vector<indexing::Map> writes;
  /// The tensors that are read: operands, and values that the body uses.
  std::vector<Read> reads;

  /// The iterations; saturates. Unknown extents count as 128.
  [[nodiscard]] double countIterations() const;
};

/// Nothing for an operation whose iterations are not known, and for one that
/// does not write each element of its results.
[[nodiscard]] std::optional<Space> spaceOf(mlir::Operation *op,
                                           indexing::Arena &arena);

/// The same read through operations that `isView` accepts: the value that they
/// begin with, and the composed maps. Such an operation reads one tensor, its
/// first operand, and has one result. Ensures: the views are added to `passed`,
/// the nearest first.
[[nodiscard]] Read
throughViews(Read read, indexing::Arena &arena,
             llvm::function_ref<bool(mlir::Operation *)> isView,
             llvm::SmallVectorImpl<mlir::Operation *> &passed);

} // namespace mercator::cells

#endif // MERCATOR_ANALYSIS_CELLS_SPACE_H
