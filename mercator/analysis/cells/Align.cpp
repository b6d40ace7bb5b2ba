// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/cells/Align.h"

#include "mercator/indexing/simplify/Inverse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include <vector>

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::cells;
using llvm::ArrayRef;
using llvm::SmallVector;

static bool isPlain(Arena &arena, Expr e) {
  return arena.kind(e) == ExprKind::Variable;
}

/// Whether dimensions are the only variables of `e`.
static bool hasOnlyDims(Arena &arena, Expr e, const Domain &domain) {
  bool only = true;
  domain.forEachVar([&](Var v) {
    if (v.kind != VarKind::Dim && arena.uses(e, v))
      only = false;
  });
  return only;
}

/// `e` as an expression over coordinates, which are given over the same
/// variables as `e`; an empty handle if it is not one, as far as is known.
static Expr express(Arena &arena, Expr e, ArrayRef<Expr> coordinates,
                    unsigned numDims) {
  SmallVector<Expr> places(numDims);
  for (auto [i, coordinate] : llvm::enumerate(coordinates)) {
    if (!coordinate)
      continue;
    if (coordinate == e)
      return arena.dim(i);
    if (isPlain(arena, coordinate))
      places[arena.var(coordinate).index] = arena.dim(i);
  }
  for (unsigned dim = 0; dim < numDims; ++dim)
    if (!places[dim] && arena.uses(e, {VarKind::Dim, dim}))
      return {};
  // A number is a coordinate of which there is one value.
  return arena.isConstant(e)
             ? Expr()
             : substitute(arena, e,
                          {.dims = places, .ranges = {}, .runtimes = {}});
}

SmallVector<Expr> cells::ofElements(Arena &arena, ArrayRef<Expr> coordinates,
                                    const Map &write) {
  SmallVector<Expr> elements(write.numDims());
  for (auto [i, result] : llvm::enumerate(write.results))
    if (isPlain(arena, result))
      elements[arena.var(result).index] = arena.dim(i);
  return llvm::map_to_vector(coordinates, [&](Expr coordinate) -> Expr {
    if (!coordinate)
      return {};
    for (unsigned dim = 0; dim < write.numDims(); ++dim)
      if (!elements[dim] && arena.uses(coordinate, {VarKind::Dim, dim}))
        return {};
    return substitute(arena, coordinate,
                      {.dims = elements, .ranges = {}, .runtimes = {}});
  });
}

/// The pairs along one map.
static SmallVector<Pair> alignMap(Arena &arena, ArrayRef<Expr> writer,
                                  const Map &map, ArrayRef<Expr> reader,
                                  ArrayRef<int64_t> sizes) {
  SmallVector<Pair> pairs;
  auto add = [&](Expr first, Expr second) {
    if (first && second && !llvm::is_contained(pairs, Pair{first, second}))
      pairs.push_back({first, second});
  };
  for (auto [i, coordinate] : llvm::enumerate(writer)) {
    if (!coordinate)
      continue;
    Expr read = simplify(
        arena,
        substitute(arena, coordinate,
                   {.dims = map.results, .ranges = {}, .runtimes = {}}),
        map.domain);
    if (hasOnlyDims(arena, read, map.domain))
      add(arena.dim(i), express(arena, read, reader, map.numDims()));
  }
  // The other way is needed only for coordinates that no plain pair has.
  bool allPlain = llvm::all_of(llvm::seq(reader.size()), [&](size_t i) {
    return !reader[i] || llvm::any_of(pairs, [&](const Pair &pair) {
      return pair.reader == arena.dim(i);
    });
  });
  if (allPlain)
    return pairs;
  Map back = inverse(map, sizes);
  if (back.isKnownEmpty())
    return pairs;
  for (auto [i, coordinate] : llvm::enumerate(reader)) {
    if (!coordinate)
      continue;
    Expr cell = simplify(
        arena,
        substitute(arena, coordinate,
                   {.dims = back.results, .ranges = {}, .runtimes = {}}),
        back.domain);
    if (hasOnlyDims(arena, cell, back.domain))
      add(express(arena, cell, writer, back.numDims()), arena.dim(i));
  }
  return pairs;
}

SmallVector<Pair> cells::align(Arena &arena, ArrayRef<Expr> writer,
                               const MapSet &maps, ArrayRef<Expr> reader,
                               ArrayRef<int64_t> sizes) {
  SmallVector<Pair> pairs;
  for (auto [i, read] : llvm::enumerate(maps)) {
    SmallVector<Pair> here = alignMap(arena, writer, read.map, reader, sizes);
    if (i == 0)
      pairs = std::move(here);
    else
      llvm::erase_if(pairs, [&](const Pair &pair) {
        return !llvm::is_contained(here, pair);
      });
  }
  return pairs;
}

SmallVector<Pair> cells::chooseIndependent(Arena &arena, ArrayRef<Pair> pairs,
                                           unsigned numWriter,
                                           unsigned numReader) {
  auto dimsOf = [&](Expr e, unsigned count) {
    llvm::SmallBitVector dims(count);
    for (unsigned i = 0; i < count; ++i)
      if (arena.uses(e, {VarKind::Dim, i}))
        dims.set(i);
    return dims;
  };
  struct Candidate {
    Pair pair;
    llvm::SmallBitVector writer, reader;
    /// Plain pairs lose nothing; else a pair of more coordinates has more cells.
    unsigned rank;
  };
  std::vector<Candidate> candidates;
  for (const Pair &pair : pairs) {
    Candidate candidate{pair, dimsOf(pair.writer, numWriter),
                        dimsOf(pair.reader, numReader), 0};
    bool arePlain = isPlain(arena, pair.writer) && isPlain(arena, pair.reader);
    candidate.rank =
        arePlain ? 0
                 : 100 - candidate.writer.count() - candidate.reader.count();
    candidates.push_back(std::move(candidate));
  }
  // Candidates of one rank stay in order.
  for (auto [i, candidate] : llvm::enumerate(candidates))
    candidate.rank = candidate.rank * 1024 + i;
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.rank < b.rank;
  });
  SmallVector<Pair> chosen;
  llvm::SmallBitVector writerUsed(numWriter), readerUsed(numReader);
  for (const Candidate &candidate : candidates) {
    if (candidate.writer.anyCommon(writerUsed) ||
        candidate.reader.anyCommon(readerUsed))
      continue;
    writerUsed |= candidate.writer;
    readerUsed |= candidate.reader;
    chosen.push_back(candidate.pair);
  }
  return chosen;
}
