// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/GroupByMaps.h"

#include "mercator/analysis/maps/AffineBridge.h"
#include "mercator/transforms/flow/formation/maps/MapGrouping.h"
#include "mercator/transforms/flow/operations/Unstored.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using namespace mercator::flow::maps;
using indexing::Expr;
using indexing::Interval;

//===--- The sweep --------------------------------------------------------===//

DispatchGroups MapGrouping::run() {
  collectNodes();
  for (unsigned node = 0; node < nodes.size(); ++node)
    addEdges(node);
  addSiblings();
  startGroups();
  Totals alone = totals(nodes.size());
  sweep();
  review();
  fuseLines();
  if (reasons.isListening()) {
    Totals now = totals(
        llvm::count_if(llvm::seq<size_t>(0, groups.size()), [&](size_t number) {
          return groups[number].parent == number;
        }));
    now.bytesBefore = alone.bytes;
    now.timeBefore = alone.time;
    reasons.note(now);
  }
  if (reasons.isListening())
    for (auto [edge, lines] : llvm::zip_equal(edges, linesOfEdges())) {
      Merge candidate;
      std::optional<EdgeReason> no;
      const Division *division = nullptr;
      if (groupOf(edge.from) != groupOf(edge.to)) {
        no = ask(edge, candidate);
        if (!no && (division = divisionOf(edge)))
          no = EdgeReason::Slower;
      }
      explain(edge, lines, no, candidate, division);
    }
  return finish();
}

/// Whether the value must be in no other dispatch.
bool MapGrouping::isForced(const Edge &edge) {
  return !edge.areSiblings && isUnstored(edge.value);
}

/// Whether the groups of the edge stay apart. If not, `merge` says how they become one.
bool MapGrouping::refuses(const Edge &edge, Merge &merge) {
  std::optional<EdgeReason> no = ask(edge, merge);
  bool isCost = no == EdgeReason::Slower || no == EdgeReason::TooLarge;
  return no && !(isCost && isForced(edge));
}

/// Merges what one dispatch computes faster than two.
void MapGrouping::sweep() {
  auto order = llvm::to_vector(llvm::seq(unsigned(edges.size())));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    auto rank = [&](unsigned number) {
      const Edge &edge = edges[number];
      return std::tuple(!isForced(edge), edge.areSiblings, -edge.bytes, number);
    };
    return rank(a) < rank(b);
  });
  // A merge may remove what was between two other groups.
  constexpr unsigned kMaxRounds = 4;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    for (unsigned number : order) {
      const Edge edge = edges[number];
      if (groupOf(edge.from) == groupOf(edge.to))
        continue;
      Merge candidate;
      if (refuses(edges[number], candidate))
        continue;
      merge(candidate);
      merges.emplace_back(number, groups.size() - 1);
      changed = true;
    }
    if (!changed)
      break;
  }
}

/// The totals of the groups as they are.
Totals MapGrouping::totals(unsigned dispatches) {
  Totals all{.operations = unsigned(nodes.size()), .dispatches = dispatches};
  for (unsigned number = 0; number < groups.size(); ++number)
    if (groups[number].parent == number) {
      Estimate group = groups[number].traffic.estimate(machine);
      all.bytes += group.bytes;
      all.time += group.time(machine);
    }
  return all;
}

Totals MapGrouping::estimate(const DispatchGroups &grouping) {
  collectNodes();
  for (unsigned node = 0; node < nodes.size(); ++node)
    addEdges(node);
  startGroups();
  Totals alone = totals(nodes.size());
  for (const Edge &edge : edges) {
    auto from = grouping.groupOf.find(nodes[edge.from].op);
    auto to = grouping.groupOf.find(nodes[edge.to].op);
    Merge candidate;
    candidate.writer = groupOf(edge.from);
    candidate.reader = groupOf(edge.to);
    if (candidate.writer == candidate.reader ||
        from == grouping.groupOf.end() || to == grouping.groupOf.end() ||
        from->second != to->second)
      continue;
    SmallVector<unsigned> between;
    for (unsigned number : groups[candidate.reader].edges)
      if (groupOf(edges[number].from) == candidate.writer &&
          groupOf(edges[number].to) == candidate.reader)
        between.push_back(number);
    findCells(candidate, between);
    join(candidate);
  }
  Totals now = totals(grouping.groups.size());
  now.bytesBefore = alone.bytes;
  now.timeBefore = alone.time;
  return now;
}

/// The line of the text that an operation was made from; 0 if
/// it is not known.
static unsigned lineOf(Operation *op) {
  unsigned line = 0;
  op->getLoc()->walk([&](Location inner) {
    if (auto file = dyn_cast<FileLineColLoc>(inner)) {
      line = file.getLine();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return line;
}

/// The lines of each edge, and which of the edges with these lines it is. All
/// calls of a function have its lines.
std::vector<FusedLines> MapGrouping::linesOfEdges() {
  std::vector<FusedLines> lines;
  std::map<std::pair<unsigned, unsigned>,
           std::vector<std::pair<unsigned, unsigned>>>
      known;
  for (const Edge &edge : edges) {
    std::pair key(lineOf(nodes[edge.from].op), lineOf(nodes[edge.to].op));
    auto &list = known[key];
    auto at = llvm::find(list, std::pair(edge.from, edge.to));
    unsigned number = at - list.begin() + 1;
    if (at == list.end())
      list.emplace_back(edge.from, edge.to);
    lines.push_back({key.first, key.second, number});
  }
  return lines;
}

/// Merges what the user asked for, after all others: then it is possible if
/// `help` said so.
void MapGrouping::fuseLines() {
  if (fused.empty())
    return;
  for (auto [edge, lines] : llvm::zip_equal(edges, linesOfEdges())) {
    if (!llvm::is_contained(fused, lines) || edge.areSiblings ||
        groupOf(edge.from) == groupOf(edge.to))
      continue;
    Merge candidate;
    std::optional<EdgeReason> no = ask(edge, candidate);
    if (!no || *no == EdgeReason::Slower || *no == EdgeReason::TooLarge)
      merge(candidate);
  }
}

//===--- The result -------------------------------------------------------===//

/// Whether each cell computes all of a node.
bool MapGrouping::isRepeated(unsigned node) {
  SmallVector<Expr> cells = cellsOf(node);
  return llvm::is_contained(cells, Expr());
}

/// The cells of a node as an affine map from its iterations.
AffineMap MapGrouping::toAffineCells(unsigned node) {
  if (!nodes[node].space || isRepeated(node))
    return {};
  indexing::Map map(arena);
  for (int64_t extent : nodes[node].space->extents)
    map.domain.addDim(arena, Interval::ofSize(extent));
  llvm::append_range(map.results, cellsOf(node));
  return toAffine(nodes[node].op->getContext(), map).value_or(AffineMap());
}

DispatchGroups MapGrouping::finish() {
  DispatchGroups result;
  // The numbers of the groups, in the order of their last members.
  SmallVector<std::pair<unsigned, unsigned>> order;
  DenseMap<Operation *, unsigned> rank;
  for (auto [i, op] : llvm::enumerate(blocks.operations))
    rank[op] = i;
  for (unsigned number = 0; number < groups.size(); ++number) {
    const CellGroup &group = groups[number];
    if (group.parent != number)
      continue;
    // A slice that is alone is no dispatch, but perhaps a copy.
    Operation *only = nodes[group.members.front()].op;
    if (group.members.size() == 1 && isa<tensor::InsertSliceOp>(only))
      continue;
    unsigned last = 0;
    for (unsigned member : group.members)
      last = std::max(last, rank.lookup(nodes[member].op));
    order.emplace_back(last, number);
  }
  llvm::sort(order);
  for (auto [last, number] : order) {
    SmallVector<Operation *> ops;
    for (unsigned member : groups[number].members)
      ops.push_back(nodes[member].op);
    llvm::sort(ops, [&](Operation *a, Operation *b) {
      return rank.lookup(a) < rank.lookup(b);
    });
    for (Operation *op : ops)
      result.groupOf[op] = result.groups.size();
    for (unsigned member : groups[number].members) {
      if (ops.size() == 1)
        break;
      if (isRepeated(member))
        result.repeated.insert(nodes[member].op);
      else
        result.cells[nodes[member].op] = toAffineCells(member);
    }
    result.groups.push_back({ops.back(), std::move(ops)});
  }
  result.operations = blocks.operations;
  return result;
}

DispatchGroups flow::groupByMaps(FunctionOpInterface function,
                                 const Machine &machine,
                                 ArrayRef<FusedLines> fused, Reasons &reasons,
                                 DispatchTime *time) {
  return MapGrouping(function, machine, fused, reasons, time).run();
}

Totals flow::estimateGroups(FunctionOpInterface function,
                            const Machine &machine,
                            const DispatchGroups &grouping, Reasons &reasons) {
  return MapGrouping(function, machine, {}, reasons).estimate(grouping);
}
