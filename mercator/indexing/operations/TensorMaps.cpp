// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of copies, permutations, reshapes and contractions.

#include "mercator/indexing/operations/TensorMaps.h"
#include "mercator/indexing/operations/TensorMapsDetail.h"
#include "mercator/indexing/simplify/Inverse.h"

#include "llvm/ADT/DenseMap.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::indexing::detail;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

Map indexing::detail::onBox(Arena &arena, Sizes sizes) {
  Map map(arena);
  for (int64_t size : sizes)
    map.domain.addDim(arena, Interval::ofSize(size));
  return map;
}

Map indexing::detail::finish(Map &&map) {
  if (map.domain.hasEmptyBounds() ||
      llvm::any_of(map.domain.constraints,
                   [](const Constraint &c) { return c.bounds.isEmpty(); }))
    return Map::makeEmpty(*map.arena, map.numDims(), map.numResults());
  mergeRuntimes(map);
  return std::move(map);
}

Map indexing::detail::inDirection(Direction direction, Map &&outToIn,
                                  Sizes operand) {
  return direction == Direction::OutToIn
             ? std::move(outToIn)
             : inverse(outToIn, operand, {.foldPoints = false});
}

//===--- Copies, permutations, whole dimensions ---------------------------===//

Map indexing::selectDims(Arena &arena, Sizes from, Sizes to,
                         ArrayRef<int64_t> source) {
  Map map = onBox(arena, from);
  for (auto [size, dim] : llvm::zip_equal(to, source))
    map.results.push_back(
        dim >= 0 ? arena.dim(dim)
                 : map.domain.addRange(arena, Interval::ofSize(size)));
  return finish(std::move(map));
}

Map indexing::everything(Arena &arena, Sizes from, Sizes to) {
  SmallVector<int64_t> source(to.size(), -1);
  return selectDims(arena, from, to, source);
}

Map indexing::broadcast(Arena &arena, Direction direction, Sizes operand,
                        Sizes result, ArrayRef<int64_t> dims) {
  Map map = onBox(arena, result);
  for (auto [size, dim] : llvm::zip_equal(operand, dims))
    map.results.push_back(size == 1 && result[dim] != 1 ? arena.constant(0)
                                                        : arena.dim(dim));
  return inDirection(direction, finish(std::move(map)), operand);
}

Map indexing::transpose(Arena &arena, Direction direction, Sizes operand,
                        ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result, source(operand.size());
  for (auto [i, dim] : llvm::enumerate(permutation)) {
    result.push_back(operand[dim]);
    source[dim] = i;
  }
  return inDirection(direction, selectDims(arena, result, operand, source),
                     operand);
}

Map indexing::reverse(Arena &arena, Sizes sizes, ArrayRef<int64_t> dims) {
  Map map = Map::identity(arena, sizes);
  if (map.isKnownEmpty())
    return map;
  for (int64_t dim : dims)
    map.results[dim] =
        arena.sub(arena.constant(sizes[dim] - 1), arena.dim(dim));
  return map;
}

Map indexing::slice(Arena &arena, Direction direction, Sizes operand,
                    ArrayRef<int64_t> starts, ArrayRef<int64_t> limits,
                    ArrayRef<int64_t> strides) {
  Map map(arena);
  for (size_t i = 0; i < operand.size(); ++i) {
    int64_t start = starts[i], stride = strides[i];
    int64_t size =
        std::max<int64_t>(0, ceilDivPositive(limits[i] - start, stride));
    Expr d = map.domain.addDim(arena, Interval::ofSize(size));
    map.results.push_back(arena.add(arena.scale(d, stride), start));
  }
  return inDirection(direction, finish(std::move(map)), operand);
}

Map indexing::concatenate(Arena &arena, Direction direction, Sizes operand,
                          int64_t dim, int64_t offset) {
  Map map = Map::identity(arena, operand);
  if (map.isKnownEmpty())
    return map;
  map.domain.dims[dim].bounds = {offset, offset + operand[dim] - 1};
  map.results[dim] = arena.add(arena.dim(dim), -offset);
  return inDirection(direction, std::move(map), operand);
}

//===--- Reshapes ---------------------------------------------------------===//

namespace {

/// The indices of one group, whose sizes `from` and `to` have equal products.
/// Each index is a quotient and remainder of the whole linear index, although
/// some terms of it never matter. With these terms, a reshape back finds all
/// digits of one number and recombines them.
void reshapeGroup(Arena &arena, ArrayRef<Expr> index, Sizes from, Sizes to,
                  SmallVectorImpl<Expr> &out) {
  SmallVector<Term, 6> terms;
  int64_t stride = 1;
  for (size_t i = from.size(); i-- > 0;) {
    if (from[i] != 1)
      terms.push_back({index[i], stride});
    stride *= from[i];
  }
  Expr number = arena.sum(terms, 0);
  bool leading = true;
  for (int64_t size : to) {
    if (size == 1) {
      out.push_back(arena.constant(0));
      continue;
    }
    stride /= size;
    Expr digit = arena.floorDiv(number, stride);
    out.push_back(leading ? digit : arena.mod(digit, size));
    leading = false;
  }
}

} // namespace

SmallVector<Expr, 6> indexing::reshapeIndex(Arena &arena, ArrayRef<Expr> index,
                                            Sizes from, Sizes to) {
  SmallVector<Expr, 6> out;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    bool oneHere = i < from.size() && from[i] == 1;
    bool oneThere = j < to.size() && to[j] == 1;
    if (oneHere || oneThere) {
      // Dimensions of size 1 belong to no group. Two at the same position keep
      // the variable.
      if (oneThere)
        out.push_back(oneHere ? index[i] : arena.constant(0));
      i += oneHere;
      j += oneThere;
      continue;
    }
    size_t i0 = i++, j0 = j++;
    int64_t here = from[i0], there = to[j0];
    while (here != there) {
      if (here < there)
        here *= from[i++];
      else
        there *= to[j++];
    }
    reshapeGroup(arena, index.slice(i0, i - i0), from.slice(i0, i - i0),
                 to.slice(j0, j - j0), out);
  }
  return out;
}

Map indexing::reshape(Arena &arena, Sizes from, Sizes to) {
  return bitcast(arena, from, {}, to, {});
}

Map indexing::bitcast(Arena &arena, Sizes from, ArrayRef<int64_t> fromLayout,
                      Sizes to, ArrayRef<int64_t> toLayout) {
  Map map = onBox(arena, from);
  map.results.resize(to.size(), arena.constant(0));
  if (llvm::is_contained(from, 0))
    return finish(std::move(map));
  // The dimensions from the slowest-varying to the fastest-varying.
  auto majorToMinor = [](size_t rank, ArrayRef<int64_t> layout) {
    SmallVector<int64_t> order(llvm::reverse(layout));
    if (order.empty())
      llvm::append_range(order, llvm::seq<int64_t>(0, rank));
    return order;
  };
  SmallVector<int64_t> fromOrder = majorToMinor(from.size(), fromLayout);
  SmallVector<int64_t> toOrder = majorToMinor(to.size(), toLayout);
  SmallVector<Expr, 6> index;
  SmallVector<int64_t> fromPhysical, toPhysical;
  for (int64_t dim : fromOrder) {
    index.push_back(arena.dim(dim));
    fromPhysical.push_back(from[dim]);
  }
  for (int64_t dim : toOrder)
    toPhysical.push_back(to[dim]);
  SmallVector<Expr, 6> physical =
      reshapeIndex(arena, index, fromPhysical, toPhysical);
  for (auto [dim, expr] : llvm::zip_equal(toOrder, physical))
    map.results[dim] = expr;
  return map;
}

Map indexing::bitcastWidth(Arena &arena, Sizes from,
                           ArrayRef<int64_t> fromLayout, Sizes to,
                           ArrayRef<int64_t> toLayout, int64_t ratio,
                           bool fromIsNarrow) {
  if (llvm::is_contained(from, 0) || llvm::is_contained(to, 0))
    return Map::makeEmpty(arena, from.size(), to.size());
  int64_t count = 1; // the number of wide elements
  for (int64_t size : fromIsNarrow ? to : from)
    count *= size;
  const int64_t narrow[] = {count, ratio}, wide[] = {count};
  Map there = bitcast(arena, from, fromLayout,
                      fromIsNarrow ? Sizes(narrow) : Sizes(wide), {});
  Map across = fromIsNarrow ? selectDims(arena, narrow, wide, {0})
                            : selectDims(arena, wide, narrow, {0, -1});
  Map back = bitcast(arena, fromIsNarrow ? Sizes(wide) : Sizes(narrow), {}, to,
                     toLayout);
  return compose(compose(there, across), back);
}

//===--- Contractions -----------------------------------------------------===//

Map indexing::dot(Arena &arena, Direction direction, DotSide side, Sizes lhs,
                  Sizes rhs, const DotDims &dims) {
  bool left = side == DotSide::Lhs;
  Sizes operand = left ? lhs : rhs, other = left ? rhs : lhs;
  ArrayRef<int64_t> batch = left ? dims.lhsBatch : dims.rhsBatch;
  ArrayRef<int64_t> otherBatch = left ? dims.rhsBatch : dims.lhsBatch;
  ArrayRef<int64_t> contracting =
      left ? dims.lhsContracting : dims.rhsContracting;
  ArrayRef<int64_t> otherContracting =
      left ? dims.rhsContracting : dims.lhsContracting;

  // fromResult[i]: the result dimension of operand dimension i, or -1.
  SmallVector<int64_t> result, fromResult(operand.size(), -1);
  for (int64_t dim : batch) {
    fromResult[dim] = result.size();
    result.push_back(operand[dim]);
  }
  auto addFree = [&](Sizes sizes, ArrayRef<int64_t> batchDims,
                     ArrayRef<int64_t> contractingDims, bool isOperand) {
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (llvm::is_contained(batchDims, (int64_t)dim) ||
          llvm::is_contained(contractingDims, (int64_t)dim))
        continue;
      if (isOperand)
        fromResult[dim] = result.size();
      result.push_back(size);
    }
  };
  if (!left)
    addFree(other, otherBatch, otherContracting, /*isOperand=*/false);
  addFree(operand, batch, contracting, /*isOperand=*/true);
  if (left)
    addFree(other, otherBatch, otherContracting, /*isOperand=*/false);
  return inDirection(direction, selectDims(arena, result, operand, fromResult),
                     operand);
}

Map indexing::byLabels(Arena &arena, Sizes from, ArrayRef<unsigned> fromLabels,
                       Sizes to, ArrayRef<unsigned> toLabels) {
  Map map = onBox(arena, from);
  llvm::SmallDenseMap<unsigned, Expr> values;
  for (auto [i, label] : llvm::enumerate(fromLabels)) {
    auto [known, isNew] = values.try_emplace(label, arena.dim(i));
    if (!isNew)
      map.domain.addConstraint(arena.sub(arena.dim(i), known->second),
                               Interval::point(0));
  }
  for (auto [size, label] : llvm::zip_equal(to, toLabels)) {
    auto [known, isNew] = values.try_emplace(label);
    if (isNew)
      known->second = map.domain.addRange(arena, Interval::ofSize(size));
    map.results.push_back(known->second);
  }
  return finish(std::move(map));
}

Map indexing::reduce(Arena &arena, Direction direction, Sizes operand,
                     ArrayRef<int64_t> dims) {
  SmallVector<int64_t> result, source;
  for (auto [dim, size] : llvm::enumerate(operand)) {
    if (llvm::is_contained(dims, (int64_t)dim)) {
      source.push_back(-1);
      continue;
    }
    source.push_back(result.size());
    result.push_back(size);
  }
  return inDirection(direction, selectDims(arena, result, operand, source),
                     operand);
}
