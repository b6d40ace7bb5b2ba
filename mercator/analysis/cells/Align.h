// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which parts of two operations can be computed together.
///
/// Operations that share a kernel run in *cells*: parts of the work that do not
/// depend on each other. Each operation has coordinates, expressions over its
/// iterations, and iteration i belongs to the cell with the values of these
/// expressions. A matrix product and a row sum that reads it:
///
///   %p = matmul   iterations (d0, d1, d2)   writes (d0, d1)
///   %r = row sum  iterations (d0, d1)       reads  (d0, d1), d1 is summed
///
///   cells of %p alone   (d0, d1)     one for each element
///   cells of %r alone   (d0)         one for each row
///   cells of both       (d0)  (d0)   row d0 of %p, then its sum
///
/// The law: an iteration of the reader and each element that it reads have equal
/// coordinates. So no cell waits for another cell, and no element is computed
/// twice. `align` finds all coordinates that obey it along one read:
///
///   coordinate a of the writer survives if  a(element read by i) is a function
///     of the reader's coordinates at i
///   coordinate b of the reader survives if  b(i) is a function of the element
///     read, thus of the writer's coordinates
///
/// The second is found with the inverse of the map. It pairs a pooling window of
/// 2 with its rows, (d0 floordiv 2) with (d0), and a head of an attention with
/// its block of 32 columns, (d1 floordiv 32) with (d1).
///
/// ```cpp (Arena &arena)
/// // A writer with one cell for each element, a reader of windows of two.
/// Map window(arena);
/// Expr d0 = window.domain.addDim(arena, Interval::ofSize(8));
/// Expr d1 = window.domain.addDim(arena, Interval::ofSize(2));
/// window.results = {arena.add(arena.scale(d0, 2), d1)};
/// auto pairs = cells::align(arena, {arena.dim(0)}, window, {d0}, {16});
/// assert(pairs.size() == 1);
/// assert(pairs[0].writer == arena.floorDiv(arena.dim(0), 2));
/// assert(pairs[0].reader == arena.dim(0));
/// ```

#ifndef MERCATOR_ANALYSIS_CELLS_ALIGN_H
#define MERCATOR_ANALYSIS_CELLS_ALIGN_H

#include "mercator/indexing/decide/MapSet.h"

namespace mercator::cells {

/// A coordinate that two groups of operations share, as an expression over the
/// coordinates of each: d0 is the first coordinate of that group.
struct Pair {
  indexing::Expr writer, reader;
  bool operator==(const Pair &) const = default;
};

/// The coordinates of the elements of a result: those of the iterations that
/// write them. `coordinates` are expressions over iterations, `write` is the map
/// from iterations to elements. An empty handle where an element belongs to
/// several cells; so does what an operation without that coordinate writes.
[[nodiscard]] llvm::SmallVector<indexing::Expr>
ofElements(indexing::Arena &arena, llvm::ArrayRef<indexing::Expr> coordinates,
           const indexing::Map &write);

/// All pairs of coordinates that obey the law along a read. `writer` are the
/// coordinates of the elements of the value, of shape `sizes`; `reader` those of
/// the iterations that read it through `maps`.
[[nodiscard]] llvm::SmallVector<Pair>
align(indexing::Arena &arena, llvm::ArrayRef<indexing::Expr> writer,
      const indexing::MapSet &maps, llvm::ArrayRef<indexing::Expr> reader,
      llvm::ArrayRef<int64_t> sizes);

/// As many of the pairs as can be the coordinates of one group: no coordinate of
/// either side is in two of them. Pairs of plain coordinates come first, then those
/// of the most coordinates, which leave the most cells.
[[nodiscard]] llvm::SmallVector<Pair>
chooseIndependent(indexing::Arena &arena, llvm::ArrayRef<Pair> pairs,
                  unsigned numWriter, unsigned numReader);

} // namespace mercator::cells

#endif // MERCATOR_ANALYSIS_CELLS_ALIGN_H
