// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ragged dot: products in groups. The sizes of the groups are the operand
// `group_sizes`: group g begins at the sum of the sizes of the groups before
// it.
//
//   rows, 3 groups        the right operand, one map for each group, e.g. 1:
//   (d0, d1)[s0]{rt0, rt1} -> (1, s0, d1), d0 - rt0 >= 0, d0 - rt0 - rt1 < 0
//
// A size that is not a constant is a runtime variable. The operation requires
// that no size is negative.

#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/indexing/map/IntervalAnalysis.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// The labels of the dimensions of operands and result, as letters of an
/// einsum.
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
  // The group sizes that an element reads: those of its batch index, for all
  // groups.
  if (rankOf(op.getGroupSizes()) > 1)
    for (int64_t dim : shapes.prefix)
      l.sizes.push_back(l.lhs[dim]);
  l.sizes.push_back(next++);
  return l;
}

/// A map by labels (byLabels) whose indices can be restricted.
struct LabelledMap {
  Map map;
  ArrayRef<unsigned> from, to;

  /// The index with the label. Requires: a label of one of the sides.
  [[nodiscard]] Expr at(unsigned label) const {
    const auto *dim = llvm::find(from, label);
    return dim == from.end() ? map.results[llvm::find(to, label) - to.begin()]
                             : map.arena->dim(dim - from.begin());
  }
  void restrict(unsigned label, Interval bounds) {
    Interval &own = map.domain.bounds(map.arena->var(at(label)));
    own = own.intersect(bounds);
    map.domain.knownEmpty |= own.isEmpty();
  }
  /// Restricts `expr` to at least 0, or to less than 0.
  void restrictSign(Expr expr, bool isNegative) {
    Interval sign =
        isNegative ? Interval{Interval::kMin, -1} : Interval{0, Interval::kMax};
    Interval bounds = IntervalAnalysis(*map.arena, map.domain).interval(expr);
    if (sign.contains(bounds))
      return;
    bounds = bounds.intersect(sign);
    map.domain.knownEmpty |= bounds.isEmpty();
    map.domain.addConstraint(expr, bounds);
  }
};

/// The part of `map` whose ragged index lies in the groups from `first` to
/// `last`. Nothing if a size is negative.
std::optional<LabelledMap> partOf(const LabelledMap &map, chlo::RaggedDotOp op,
                                  const Labels &l, int64_t ragged,
                                  int64_t first, int64_t last) {
  LabelledMap part = map;
  Arena &arena = *map.map.arena;
  int64_t extent = sizesOf(op.getLhs().getType())[ragged];
  SmallVector<Expr, 2> at;
  for (unsigned label : ArrayRef(l.sizes).drop_back())
    at.push_back(part.at(label));
  at.emplace_back();
  Expr begin = arena.constant(0), end = begin;
  for (int64_t g = 0; g <= last; ++g) {
    at.back() = arena.constant(g);
    IndexValue size =
        indexValue(arena, part.map.domain, op.getGroupSizes(), at);
    if (size.exact && size.range.lower < 0)
      return std::nullopt;
    if (g == first)
      begin = end;
    end = arena.add(end, clampedIndex(part.map, size, {0, extent}));
  }
  Expr row = part.at(l.lhs[ragged]);
  if (arena.isConstant(begin) && arena.isConstant(end)) {
    part.restrict(l.lhs[ragged],
                  {arena.constantValue(begin), arena.constantValue(end) - 1});
    return part;
  }
  part.restrictSign(arena.sub(row, begin), /*isNegative=*/false);
  part.restrictSign(arena.sub(row, end), /*isNegative=*/true);
  mergeRuntimes(part.map);
  return part;
}

/// One map for each group; if `together`, one map for all groups. Nothing if
/// there are too many groups, or a size is negative.
std::optional<MapSet> mapsByGroup(const LabelledMap &map, chlo::RaggedDotOp op,
                                  const Labels &l, int64_t ragged,
                                  bool together) {
  // The map of the last group has a runtime variable for each group.
  constexpr int64_t kMostGroups = 16, kMostRuntimes = 8;
  int64_t groups = sizesOf(op.getGroupSizes().getType()).back();
  if (groups < 0 || groups > kMostGroups)
    return std::nullopt;
  MapSet maps;
  for (int64_t g = 0; g < groups; ++g) {
    int64_t last = together ? groups - 1 : g;
    std::optional<LabelledMap> part = partOf(map, op, l, ragged, g, last);
    if (!part || part->map.domain.runtimes.size() > kMostRuntimes)
      return std::nullopt;
    if (!together)
      part->restrict(Labels::kGroup, Interval::point(g));
    if (!part->map.isKnownEmpty())
      maps.insert({std::move(part->map)});
    if (together)
      break;
  }
  return maps;
}

MapSet mapsFor(chlo::RaggedDotOp op, const Query &q, ReadsOf reads) {
  using Mode = chlo::RaggedDotShapes::Mode;
  enum { Lhs, Rhs, GroupSizes };
  chlo::RaggedDotShapes shapes = chlo::raggedDotShapes(op);
  Mode mode = shapes.mode;
  if (mode == Mode::Batch && q.operand == GroupSizes)
    return q.nothing(); // the product of a batch index ignores its group
  // An empty contracting dimension has no groups.
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
  // The begin and end of a group depend on the sizes of all groups.
  if (mode == Mode::Batch || q.operand == GroupSizes ||
      reads == ReadsOf::MaskedForm)
    return map;

  // All rows of the left operand that are in some group have the same map.
  bool together = mode == Mode::Rows && q.operand == Lhs;
  int64_t ragged =
      op.getRaggedDotDimensionNumbers().getLhsRaggedDimensions().front();
  if (q.isStatic && !map.isKnownEmpty())
    if (std::optional<MapSet> maps =
            mapsByGroup({map, from, to}, op, l, ragged, together))
      return maps->empty() ? MapSet(q.nothing()) : *maps;
  if (mode == Mode::Contracting)
    return q.approximate(
        std::move(map),
        "ragged_dot: only the contracting indices in the group of the element are read");
  return q.approximate(
      std::move(map),
      q.operand == Lhs
          ? llvm::Twine("ragged_dot: a row behind the last group "
                        "reads nothing")
          : "ragged_dot: with " + llvm::Twine(shapes.groups) +
                " groups, a row reads the matrix of its own group");
}

MapSet raggedDotMaps(chlo::RaggedDotOp op, const Query &q) {
  return mapsFor(op, q, ReadsOf::Meaning);
}

} // namespace

MapSet maps::maskedRaggedDotMaps(chlo::RaggedDotOp op, const Query &q) {
  return mapsFor(op, q, ReadsOf::MaskedForm);
}

void maps::attachRaggedDotMaps(mlir::MLIRContext *context) {
  attach<chlo::RaggedDotOp, raggedDotMaps>(context);
}
