// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/MapGrouping.h"

#include "mercator/analysis/Sizes.h"
#include "mercator/transforms/flow/formation/maps/Arrange.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using namespace mercator::flow::maps;
using indexing::Expr;
using indexing::Interval;

/// The most operations of a dispatch: each is compiled, and equal dispatches are
/// compiled once.
static constexpr unsigned kMaxMembers = 64;

//===--- Groups -----------------------------------------------------------===//

/// Coordinates over others. Nothing where one of these is nothing.
SmallVector<Expr> MapGrouping::compose(ArrayRef<Expr> up, ArrayRef<Expr> own) {
  return llvm::map_to_vector(up, [&](Expr coordinate) -> Expr {
    if (!coordinate)
      return {};
    for (auto [i, e] : llvm::enumerate(own))
      if (!e && arena.uses(coordinate, {indexing::VarKind::Dim, unsigned(i)}))
        return {};
    return substitute(arena, coordinate,
                      {.dims = own, .ranges = {}, .runtimes = {}});
  });
}

/// The group that a node or an earlier group is in. Afterwards it is the parent
/// of all that are on the way.
unsigned MapGrouping::groupOf(unsigned number) {
  SmallVector<unsigned> path;
  while (groups[number].parent != number) {
    path.push_back(number);
    number = groups[number].parent;
  }
  if (path.empty())
    return number;
  path.pop_back();
  for (unsigned at : llvm::reverse(path)) {
    CellGroup &group = groups[at];
    group.up = compose(groups[group.parent].up, group.up);
    group.parent = number;
  }
  return number;
}

/// The coordinates of the group of a node, over the iterations of the node.
SmallVector<Expr> MapGrouping::cellsOf(unsigned node) {
  if (groupOf(node) == node)
    return nodes[node].cells;
  return compose(groups[node].up, nodes[node].cells);
}

/// The item of a member.
unsigned MapGrouping::itemOf(unsigned group) const {
  return nodes[groups[group].members.front()].item;
}

/// Whether a third group reads what the writer computes and feeds the reader: then
/// the two cannot be one.
std::optional<EdgeReason> MapGrouping::dependsThroughOthers(Merge &merge) {
  GroupOrder::Answer answer =
      order.between(itemOf(merge.writer), itemOf(merge.reader));
  switch (answer.between) {
  case GroupOrder::Between::Nothing:
    return std::nullopt;
  case GroupOrder::Between::Unknown:
    return EdgeReason::TooManyVisits;
  case GroupOrder::Between::Something:
    merge.third = blocks.operations[answer.third];
    return EdgeReason::ThroughOthers;
  }
  llvm_unreachable("no answer");
}

/// The coordinates that the two groups have in common along all edges between
/// them.
bool MapGrouping::findCells(Merge &merge, ArrayRef<unsigned> between) {
  SmallVector<cells::Pair> pairs;
  bool isFirst = true;
  DenseMap<Value, unsigned> uses;
  for (unsigned number : between) {
    const Edge &edge = edges[number];
    SmallVector<cells::Pair> here;
    SmallVector<Expr> reader = cellsOf(edge.to);
    if (edge.areSiblings) {
      SmallVector<Expr> other = cellsOf(edge.from);
      for (auto [i, a] : llvm::enumerate(other))
        for (auto [j, b] : llvm::enumerate(reader))
          if (a && a == b)
            here.push_back({arena.dim(i), arena.dim(j)});
    } else {
      auto result = cast<OpResult>(edge.value);
      SmallVector<Expr> writer = cells::ofElements(
          arena, cellsOf(edge.from),
          nodes[edge.from].space->writes[result.getResultNumber()]);
      here = cells::align(arena, writer, edge.maps, reader,
                          sizesOf(edge.value.getType()));
      ++uses[edge.value];
    }
    if (std::exchange(isFirst, false))
      pairs = std::move(here);
    else
      llvm::erase_if(pairs, [&](const cells::Pair &pair) {
        return !llvm::is_contained(here, pair);
      });
  }
  const CellGroup &writer = groups[merge.writer],
                  &reader = groups[merge.reader];
  merge.pairs = cells::chooseIndependent(arena, pairs, writer.cells.size(),
                                         reader.cells.size());
  for (auto [value, count] : uses)
    merge.handed.push_back({value, count});
  // The values of a coordinate are those that either group gives it.
  auto boxOf = [&](ArrayRef<Interval> cells) {
    indexing::Domain box;
    for (Interval cell : cells)
      box.addDim(arena, cell);
    return box;
  };
  indexing::IntervalAnalysis ofWriter(arena, boxOf(writer.cells));
  indexing::IntervalAnalysis ofReader(arena, boxOf(reader.cells));
  auto origin = [&](Expr e, unsigned count) {
    Coordinates set = 0;
    for (unsigned i = 0; i < count; ++i)
      if (arena.uses(e, {indexing::VarKind::Dim, i}))
        set |= Coordinates(1) << i;
    return set;
  };
  for (const cells::Pair &pair : merge.pairs) {
    Interval values =
        ofWriter.interval(pair.writer).hull(ofReader.interval(pair.reader));
    merge.cells.push_back(values);
    merge.extents.push_back(values.isBounded() ? double(*values.size())
                                               : kUnknownExtent);
    merge.writerOrigins.push_back(origin(pair.writer, writer.cells.size()));
    merge.readerOrigins.push_back(origin(pair.reader, reader.cells.size()));
  }
  return true;
}

/// Why the groups of an edge stay apart; nothing if they become one as `merge`
/// says.
std::optional<EdgeReason> MapGrouping::ask(const Edge &edge, Merge &merge) {
  merge.writer = groupOf(edge.from);
  merge.reader = groupOf(edge.to);
  unsigned small =
      groups[merge.writer].edges.size() < groups[merge.reader].edges.size()
          ? merge.writer
          : merge.reader;
  SmallVector<unsigned> between;
  bool isBackward = false;
  for (unsigned number : groups[small].edges) {
    unsigned from = groupOf(edges[number].from);
    unsigned to = groupOf(edges[number].to);
    if (from == merge.writer && to == merge.reader)
      between.push_back(number);
    isBackward |= from == merge.reader && to == merge.writer;
  }
  if (edge.areSiblings) {
    // Siblings with an edge between them were asked about that.
    if (!between.empty() || isBackward)
      return EdgeReason::ThroughOthers;
    between = {unsigned(&edge - edges.data())};
  }
  if (groups[merge.writer].members.size() +
          groups[merge.reader].members.size() >
      kMaxMembers)
    return EdgeReason::TooMany;
  if (auto no = dependsThroughOthers(merge))
    return no;
  // The tiles of a dispatch have blocks of one kind.
  if (!isForced(edge) && groups[merge.writer].hasChain &&
      groups[merge.reader].hasChain)
    return EdgeReason::OwnChains;
  findCells(merge, between);
  merge.estimate = GroupTraffic::estimateMerged(
      machine, groups[merge.writer].traffic, merge.writerOrigins,
      groups[merge.reader].traffic, merge.readerOrigins, merge.extents,
      merge.handed, /*repeatsFirst=*/false);
  std::optional<EdgeReason> no = judge(merge);
  if (edge.areSiblings)
    return no;
  if (std::optional<Merge> repeated = repeatWriter(merge)) {
    bool isFaster =
        no || repeated->estimate.time(machine) < merge.estimate.time(machine);
    if (isFaster && !judge(*repeated)) {
      merge = std::move(*repeated);
      return std::nullopt;
    }
    merge.wouldRepeat = repeated->estimate.tiles;
  }
  return no;
}

/// Whether one dispatch is possible and faster than two.
std::optional<EdgeReason> MapGrouping::judge(const Merge &merge) {
  if (2 * merge.estimate.innerBytes > machine.cacheBytes)
    return EdgeReason::TooLarge;
  double alone = groups[merge.writer].traffic.estimate(machine).time(machine) +
                 groups[merge.reader].traffic.estimate(machine).time(machine);
  return merge.estimate.time(machine) > alone
             ? std::optional(EdgeReason::Slower)
             : std::nullopt;
}

/// The merge in which the reader keeps its cells, and each tile of them computes all
/// of the writer: some numbers for each channel, say. Nothing if others need what it
/// writes.
std::optional<Merge> MapGrouping::repeatWriter(const Merge &merge) {
  const CellGroup &writer = groups[merge.writer],
                  &reader = groups[merge.reader];
  if (reader.cells.empty() || !writer.traffic.isOnlyHanded(merge.handed))
    return std::nullopt;
  Merge repeated;
  repeated.writer = merge.writer;
  repeated.reader = merge.reader;
  repeated.cells = reader.cells;
  repeated.handed = merge.handed;
  repeated.isRepeated = true;
  for (auto [i, cell] : llvm::enumerate(reader.cells)) {
    repeated.pairs.push_back({Expr(), arena.dim(i)});
    repeated.extents.push_back(cell.isBounded() ? double(*cell.size())
                                                : kUnknownExtent);
    repeated.writerOrigins.push_back(~Coordinates(0)); // divides nothing
    repeated.readerOrigins.push_back(Coordinates(1) << i);
  }
  repeated.estimate = GroupTraffic::estimateMerged(
      machine, writer.traffic, repeated.writerOrigins, reader.traffic,
      repeated.readerOrigins, repeated.extents, repeated.handed,
      /*repeatsFirst=*/true);
  return repeated;
}

void MapGrouping::merge(Merge &merge) {
  order.merge(itemOf(merge.writer), itemOf(merge.reader));
  join(merge);
}

/// Makes one group of two, without a look at the others.
void MapGrouping::join(Merge &merge) {
  CellGroup &writer = groups[merge.writer], &reader = groups[merge.reader];
  for (const cells::Pair &pair : merge.pairs) {
    writer.up.push_back(pair.writer);
    reader.up.push_back(pair.reader);
  }
  GroupTraffic traffic = GroupTraffic::merge(
      std::move(writer.traffic), merge.writerOrigins, std::move(reader.traffic),
      merge.readerOrigins, merge.extents, merge.handed, merge.isRepeated);
  bool writerIsLarger = writer.members.size() >= reader.members.size();
  unsigned keptNumber = writerIsLarger ? merge.writer : merge.reader;
  unsigned goneNumber = writerIsLarger ? merge.reader : merge.writer;
  CellGroup &kept = groups[keptNumber], &gone = groups[goneNumber];
  // The group is a new one: the coordinates of both halves change.
  unsigned number = groups.size();
  CellGroup both;
  both.parent = number;
  both.writer = merge.writer;
  both.reader = merge.reader;
  both.cells = std::move(merge.cells);
  both.traffic = std::move(traffic);
  both.hasChain = kept.hasChain || gone.hasChain;
  both.members = std::move(kept.members);
  both.edges = std::move(kept.edges);
  llvm::append_range(both.members, gone.members);
  llvm::append_range(both.edges, gone.edges);
  kept.parent = gone.parent = number;
  groups.push_back(std::move(both));
}
