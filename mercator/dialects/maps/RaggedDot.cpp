// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products in groups. Which group an index belongs to, `group_sizes` says.
// Where it is a constant there is a map for each group; where it is known only
// when the program runs, the dimensions are exact and the groups are not told
// apart.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/maps/KnownValues.h"
#include "mercator/dialects/maps/Models.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// The dimensions of operands and result by labels, as an einsum's letters.
struct Labels {
  static constexpr unsigned kGroup = 0;
  SmallVector<unsigned> lhs, rhs, sizes, result;
};

Labels labelsOf(chlo::RaggedDotOp op) {
  chlo::RaggedDotDimensionNumbersAttr dims = op.getRaggedDotDimensionNumbers();
  chlo::RaggedDotShapes shapes = chlo::raggedDotShapes(op);
  Labels l;
  auto rankOf = [](mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType()).getRank();
  };
  unsigned group = Labels::kGroup, next = group + 1;
  l.lhs.resize(rankOf(op.getLhs()));
  l.rhs.resize(rankOf(op.getRhs()));
  if (shapes.mode == chlo::RaggedDotShapes::Mode::Contracting)
    l.result.push_back(group);
  auto pair = [&](ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
    for (auto [a, b] : llvm::zip_equal(lhs, rhs))
      l.lhs[a] = l.rhs[b] = next++;
  };
  pair(dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions());
  for (int64_t dim : dims.getLhsBatchingDimensions())
    l.result.push_back(l.lhs[dim]);
  pair(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions());
  for (int64_t dim : shapes.lhsFree)
    l.result.push_back(l.lhs[dim] = next++);
  for (int64_t dim : shapes.rhsFree)
    l.result.push_back(l.rhs[dim] = next++);
  for (int64_t dim : dims.getRhsGroupDimensions())
    l.rhs[dim] = group;
  // Which sizes: those for the element's own place, and of them all groups'.
  if (rankOf(op.getGroupSizes()) > 1)
    for (int64_t dim : shapes.prefix)
      l.sizes.push_back(l.lhs[dim]);
  l.sizes.push_back(next++);
  return l;
}

/// Where each group begins and, after the last, where that ends, cut off at
/// `extent`; none if the sizes are not known, or there are many.
std::optional<SmallVector<int64_t>> knownStarts(chlo::RaggedDotOp op,
                                                Arena &arena, int64_t extent) {
  constexpr size_t kMostGroups = 16;
  std::optional<SmallVector<int64_t>> sizes =
      knownVector(arena, op.getGroupSizes());
  if (!sizes || sizes->size() > kMostGroups)
    return std::nullopt;
  SmallVector<int64_t> starts = {0};
  for (int64_t size : *sizes) {
    if (size < 0)
      return std::nullopt;
    starts.push_back(starts.back() + std::min(size, extent - starts.back()));
  }
  return starts;
}

/// A map by labels whose variables can be restricted.
struct LabelledMap {
  Map map;
  ArrayRef<unsigned> from, to;

  /// Requires: a label of one of the sides.
  void restrict(unsigned label, Interval bounds) {
    const auto *dim = llvm::find(from, label);
    Var v = {VarKind::Dim, unsigned(dim - from.begin())};
    if (dim == from.end())
      v = map.arena->var(map.results[llvm::find(to, label) - to.begin()]);
    map.domain.bounds(v) = map.domain.bounds(v).intersect(bounds);
  }
};

MapSet raggedDotMaps(chlo::RaggedDotOp op, const Query &q) {
  using Mode = chlo::RaggedDotShapes::Mode;
  enum { Lhs, Rhs, GroupSizes };
  chlo::RaggedDotShapes shapes = chlo::raggedDotShapes(op);
  Mode mode = shapes.mode;
  if (mode == Mode::Batch && q.operand == GroupSizes)
    return q.nothing(); // a product for each batch index, whatever its group
  // Contracting indices that there are not belong to no group.
  llvm::ArrayRef<int64_t> lhs =
      llvm::cast<mlir::RankedTensorType>(op.getLhs().getType()).getShape();
  bool sumsNothing = llvm::any_of(
      op.getRaggedDotDimensionNumbers().getLhsContractingDimensions(),
      [&](int64_t dim) { return lhs[dim] == 0; });
  if (mode == Mode::Contracting && sumsNothing)
    return q.nothing();
  Labels l = labelsOf(op);
  ArrayRef<unsigned> operand = q.operand == Lhs   ? l.lhs
                               : q.operand == Rhs ? l.rhs
                                                  : l.sizes;
  bool back = q.direction == Direction::OutToIn;
  ArrayRef<unsigned> from = back ? ArrayRef(l.result) : operand,
                     to = back ? operand : ArrayRef(l.result);
  Map map = byLabels(q.arena, q.from(), from, q.to(), to);
  // The sizes of all groups say where each begins and ends.
  if (mode == Mode::Batch || q.operand == GroupSizes)
    return map;

  int64_t ragged =
      op.getRaggedDotDimensionNumbers().getLhsRaggedDimensions().front();
  if (std::optional<SmallVector<int64_t>> starts =
          q.isStatic && !map.isKnownEmpty()
              ? knownStarts(op, q.arena, lhs[ragged])
              : std::nullopt) {
    // Rows of the left operand meet all groups alike.
    bool byGroup = mode == Mode::Contracting || q.operand == Rhs;
    if (!byGroup)
      starts = SmallVector<int64_t>{0, starts->back()};
    MapSet maps;
    for (size_t g = 0; g + 1 < starts->size(); ++g) {
      int64_t begin = (*starts)[g], end = (*starts)[g + 1];
      LabelledMap part{map, from, to};
      if (begin == end)
        continue;
      if (byGroup)
        part.restrict(Labels::kGroup, Interval::point(g));
      part.restrict(l.lhs[ragged], {begin, end - 1});
      maps.insert({std::move(part.map)});
    }
    return maps.empty() ? MapSet(q.nothing()) : maps;
  }
  if (mode == Mode::Contracting)
    return q.approximate(std::move(map),
                         "ragged_dot: of the contracting indices only those "
                         "in the element's group are read");
  return q.approximate(
      std::move(map),
      q.operand == Lhs
          ? llvm::Twine("ragged_dot: a row behind the last group "
                        "reads nothing")
          : "ragged_dot: of the matrices of " + llvm::Twine(shapes.groups) +
                " groups a row reads its own group's");
}

} // namespace

void maps::attachRaggedDotMaps(mlir::MLIRContext *context) {
  attach<chlo::RaggedDotOp, raggedDotMaps>(context);
}
