// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/GroupByMaps.h"

#include "mercator/analysis/Sizes.h"
#include "mercator/analysis/cells/Align.h"
#include "mercator/analysis/cells/Space.h"
#include "mercator/analysis/maps/AffineBridge.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/transforms/flow/formation/Blocks.h"
#include "mercator/transforms/flow/formation/Candidates.h"
#include "mercator/transforms/flow/formation/Cloneable.h"
#include "mercator/transforms/flow/formation/maps/Arrange.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/Format.h"

#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using indexing::Arena;
using indexing::Expr;
using indexing::Interval;

/// The most operations that one search for a third operation visits.
static constexpr unsigned kMaxVisits = 4096;

/// The most operations of a dispatch: each is compiled, and equal dispatches are
/// compiled once.
static constexpr unsigned kMaxMembers = 64;

/// What an unknown extent is taken for.
static constexpr double kUnknownExtent = 128;

namespace {
/// An operation that can be in a dispatch with others.
struct Node {
  Operation *op;
  unsigned position;
  /// None: a dispatch of its own.
  std::optional<cells::Space> space;
  /// The cells that the operation has alone, as expressions over its
  /// iterations.
  SmallVector<Expr> cells;
};

struct Edge {
  unsigned from, to; ///< nodes
  Value value;       ///< a result of `from`, or what both read
  OpOperand *use;    ///< of `to`, perhaps of a view of the value
  indexing::MapSet maps;
  double bytes;
  bool areSiblings;
};

struct Group {
  unsigned parent;
  /// The coordinates of the parent, over those of this group.
  SmallVector<Expr> up;
  /// The values of each coordinate.
  SmallVector<Interval> cells;
  Traffic traffic;
  SmallVector<unsigned> members;
  SmallVector<unsigned> edges; ///< from or to members
  /// Operations of the block that use results; members and repetitions are
  /// dropped when the list has doubled.
  SmallVector<Operation *> users;
  unsigned usersKept = 0;
  unsigned first = 0, last = 0; ///< positions
};

/// A merge that is possible.
struct Merge {
  unsigned writer, reader; ///< groups
  SmallVector<cells::Pair> pairs;
  SmallVector<Interval> cells;
  SmallVector<double> extents;
  Origins writerOrigins, readerOrigins;
  SmallVector<Handed> handed;
  Estimate estimate;
  Operation *third = nullptr; ///< between the two, if one was found
  /// The writer has no coordinates: each tile of cells computes all of it.
  bool isRepeated = false;
  /// If that was refused: how often each value would be computed.
  double wouldRepeat = 0;
};

class MapGrouping {
public:
  MapGrouping(FunctionOpInterface function, const Machine &machine,
              ArrayRef<FusedLines> fused, Reasons &reasons)
      : machine(machine), fused(fused), reasons(reasons), blocks(function) {}

  DispatchGroups run();

private:
  const Machine &machine;
  ArrayRef<FusedLines> fused;
  Reasons &reasons;
  FormationBlocks blocks;
  Arena arena;
  /// For each operation with effects the next in its block.
  DenseMap<Operation *, Operation *> nextEffect;
  std::vector<Node> nodes;
  DenseMap<Operation *, unsigned> nodeOf;
  std::vector<Edge> edges;
  std::vector<Group> groups; ///< the first of them are those of the nodes

  void collectNodes();
  void addEdges(unsigned node);
  void addSiblings();
  void addTraffic(unsigned node);
  bool escapes(Value value);

  SmallVector<Expr> compose(ArrayRef<Expr> up, ArrayRef<Expr> own);
  unsigned groupOf(unsigned number);
  SmallVector<Expr> cellsOf(unsigned node);
  SmallVector<Operation *> &usersOf(unsigned group);
  std::optional<EdgeReason> dependsThroughOthers(unsigned from, unsigned to,
                                                 Operation *&third);
  bool findCells(Merge &merge, ArrayRef<unsigned> between);
  std::optional<Merge> repeatWriter(const Merge &merge);
  std::optional<EdgeReason> judge(const Merge &merge);
  std::optional<EdgeReason> ask(const Edge &edge, Merge &merge);
  void merge(Merge &merge);
  void fuseLines();
  std::string whatKeepsApart(const Edge &edge, const Merge &merge);
  std::vector<FusedLines> linesOfEdges();
  void explain(const Edge &edge, const FusedLines &lines,
               std::optional<EdgeReason> refusal, Merge &merge);

  bool isRepeated(unsigned node);
  AffineMap toAffineCells(unsigned node);
  DispatchGroups finish();
};
} // namespace

//===--- Operations -------------------------------------------------------===//

static bool isCandidate(Operation *op) {
  return (asLinalgOnTensors(op) || isRoot(op) ||
          isa<tensor::InsertSliceOp>(op)) &&
         !isCloneable(op) && canStart(op);
}

static double bytesOrGuess(Type type) {
  if (std::optional<int64_t> bytes = bytesOf(type))
    return double(*bytes);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  double bytes = 4;
  for (int64_t extent : tensor.getShape())
    bytes *= ShapedType::isDynamic(extent) ? kUnknownExtent : double(extent);
  return bytes;
}

/// Arithmetic operations in one iteration.
static double operationsPerIteration(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return 0;
  double count = 0;
  for (Operation &part : linalgOp.getBlock()->without_terminator())
    if (!part.hasTrait<OpTrait::ConstantLike>())
      // A function of the math dialect takes about ten instructions.
      count += part.getName().getDialectNamespace() == "math" ? 10 : 1;
  return count;
}

void MapGrouping::collectNodes() {
  DenseSet<Operation *> loops(blocks.scalarLoops.begin(),
                              blocks.scalarLoops.end());
  Operation *lastEffect = nullptr;
  for (Operation *op : blocks.operations) {
    if (!loops.contains(op) && !isCandidate(op)) {
      if (isMemoryEffectFree(op))
        continue;
      if (lastEffect && lastEffect->getBlock() == op->getBlock())
        nextEffect[lastEffect] = op;
      lastEffect = op;
      continue;
    }
    Node node{op, blocks.position.lookup(op), {}, {}};
    if (!loops.contains(op))
      node.space = cells::spaceOf(op, arena);
    // Coordinates are numbered by the bits of a word.
    if (node.space && node.space->extents.size() > 24)
      node.space.reset();
    Group group;
    group.parent = nodes.size();
    if (node.space)
      for (unsigned loop : node.space->parallel.set_bits()) {
        node.cells.push_back(arena.dim(loop));
        group.cells.push_back(Interval::ofSize(node.space->extents[loop]));
      }
    group.members = {unsigned(nodes.size())};
    group.first = group.last = node.position;
    for (Operation *user : op->getUsers())
      if (Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
          inBlock && !isResolvableDim(user))
        group.users.push_back(inBlock);
    nodeOf[op] = nodes.size();
    nodes.push_back(std::move(node));
    groups.push_back(std::move(group));
  }
}

//===--- Edges ------------------------------------------------------------===//

/// The operand of `op` with the value, or a use of it in the body.
static OpOperand *useOf(Operation *op, Value value) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == value)
      return &operand;
  for (OpOperand &use : value.getUses())
    if (op->isAncestor(use.getOwner()))
      return &use;
  return nullptr;
}

void MapGrouping::addEdges(unsigned number) {
  Node &node = nodes[number];
  if (!node.space)
    return;
  for (cells::Read &read : node.space->reads) {
    Value seen = read.value;
    SmallVector<Operation *> views;
    read = cells::throughViews(
        std::move(read), arena,
        [&](Operation *op) {
          return op->getBlock() == node.op->getBlock() && isView(op);
        },
        views);
    auto from = nodeOf.find(read.value.getDefiningOp());
    if (from == nodeOf.end() || from->second == number ||
        !nodes[from->second].space ||
        read.value.getDefiningOp()->getBlock() != node.op->getBlock())
      continue;
    double bytes = std::min(bytesOrGuess(read.value.getType()),
                            bytesOrGuess(seen.getType()));
    groups[from->second].edges.push_back(edges.size());
    groups[number].edges.push_back(edges.size());
    edges.push_back({from->second, number, read.value, useOf(node.op, seen),
                     read.maps, bytes, false});
  }
}

/// Edges between operations that read one tensor through equal maps and have
/// equal iterations, each with the next.
void MapGrouping::addSiblings() {
  DenseMap<Value, SmallVector<std::pair<unsigned, unsigned>>> readers;
  SmallVector<Value> order;
  for (unsigned number = 0; number < nodes.size(); ++number) {
    if (!nodes[number].space)
      continue;
    for (auto [i, read] : llvm::enumerate(nodes[number].space->reads)) {
      auto &list = readers[read.value];
      if (list.empty())
        order.push_back(read.value);
      if (list.empty() || list.back().first != number)
        list.emplace_back(number, i);
    }
  }
  auto areAlike = [&](std::pair<unsigned, unsigned> a,
                      std::pair<unsigned, unsigned> b) {
    const cells::Space &first = *nodes[a.first].space;
    const cells::Space &second = *nodes[b.first].space;
    const indexing::MapSet &one = first.reads[a.second].maps;
    const indexing::MapSet &other = second.reads[b.second].maps;
    return nodes[a.first].op->getBlock() == nodes[b.first].op->getBlock() &&
           first.extents == second.extents &&
           first.parallel == second.parallel && one.size() == 1 &&
           other.size() == 1 &&
           one.front().map.results == other.front().map.results;
  };
  constexpr unsigned kMaxKinds = 8;
  for (Value value : order) {
    // The last reader of each kind.
    SmallVector<std::pair<unsigned, unsigned>> kinds;
    for (std::pair<unsigned, unsigned> reader : readers[value]) {
      auto *known = llvm::find_if(
          kinds, [&](auto other) { return areAlike(other, reader); });
      if (known == kinds.end()) {
        if (kinds.size() < kMaxKinds)
          kinds.push_back(reader);
        continue;
      }
      edges.push_back({known->first, reader.first, value,
                       useOf(nodes[reader.first].op, value),
                       nodes[reader.first].space->reads[reader.second].maps,
                       bytesOrGuess(value.getType()), true});
      *known = reader;
    }
  }
}

/// Whether anything but the edges reads the value.
bool MapGrouping::escapes(Value value) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isResolvableDim(user))
      continue;
    if (isView(user) && use.getOperandNumber() == 0 &&
        user->getBlock() == value.getParentBlock()) {
      if (escapes(user->getResult(0)))
        return true;
      continue;
    }
    Operation *inBlock = value.getParentBlock()->findAncestorOpInBlock(*user);
    auto it = nodeOf.find(inBlock ? inBlock : user);
    if (it == nodeOf.end() || !nodes[it->second].space)
      return true;
    auto style = dyn_cast<linalg::LinalgOp>(user);
    if (style && style.isDpsInit(&use) &&
        !style.payloadUsesValueFromOperand(&use))
      return true;
  }
  return false;
}

void MapGrouping::addTraffic(unsigned number) {
  Node &node = nodes[number];
  if (!node.space)
    return;
  const cells::Space &space = *node.space;
  SmallVector<double> extents;
  SmallVector<unsigned> loops;
  for (unsigned loop : space.parallel.set_bits()) {
    loops.push_back(loop);
    extents.push_back(space.extents[loop] == Interval::kMax
                          ? kUnknownExtent
                          : double(space.extents[loop]));
  }
  Traffic &traffic = groups[number].traffic = Traffic(
      extents, space.countIterations() * operationsPerIteration(node.op));
  auto dividers = [&](const indexing::MapSet &maps) {
    Coordinates all = 0;
    for (auto [i, loop] : llvm::enumerate(loops)) {
      bool divides = !maps.empty();
      for (const indexing::OperandMap &map : maps)
        divides &= llvm::any_of(map.map.results, [&](Expr result) {
          return arena.uses(result, {indexing::VarKind::Dim, loop});
        });
      if (divides)
        all |= Coordinates(1) << i;
    }
    return all;
  };
  for (const cells::Read &read : space.reads) {
    // Fills and small constants are made in each dispatch.
    if (Operation *maker = read.value.getDefiningOp();
        maker && isCloneable(maker))
      continue;
    OpOperand *use = useOf(node.op, read.value);
    double bytes =
        bytesOrGuess(use ? use->get().getType() : read.value.getType());
    traffic.addRead(read.value, bytes, dividers(read.maps));
  }
  DenseMap<Value, unsigned> uses;
  for (unsigned edge : groups[number].edges)
    if (edges[edge].from == number)
      ++uses[edges[edge].value];
  for (auto [result, write] : llvm::zip(node.op->getResults(), space.writes))
    traffic.addWrite(result, bytesOrGuess(result.getType()),
                     dividers(indexing::MapSet(write)),
                     uses.lookup(result) + (escapes(result) ? 1 : 0));
}

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
    Group &group = groups[at];
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

SmallVector<Operation *> &MapGrouping::usersOf(unsigned number) {
  Group &group = groups[number];
  if (group.users.size() > 2 * group.usersKept + 8) {
    SmallPtrSet<Operation *, 16> seen;
    llvm::erase_if(group.users, [&](Operation *user) {
      auto it = nodeOf.find(user);
      return (it != nodeOf.end() && groupOf(it->second) == number) ||
             !seen.insert(user).second;
    });
    group.usersKept = group.users.size();
  }
  return group.users;
}

/// Whether a third operation depends on group `from` and is needed by `to`:
/// then they cannot be one. Views between the two are not third.
std::optional<EdgeReason> MapGrouping::dependsThroughOthers(unsigned from,
                                                            unsigned to,
                                                            Operation *&third) {
  struct Step {
    Operation *op;
    bool onlyViews;
    Operation *before;
  };
  SmallVector<Step> work;
  for (Operation *user : usersOf(from))
    work.push_back({user, true, nullptr});
  DenseSet<void *> visited[2];
  unsigned visits = 0;
  while (!work.empty()) {
    auto [op, onlyViews, before] = work.pop_back_val();
    auto node = nodeOf.find(op);
    void *key = op;
    if (node != nodeOf.end()) {
      unsigned group = groupOf(node->second);
      if (group == from)
        continue;
      if (group == to) {
        if (onlyViews)
          continue;
        third = before;
        return EdgeReason::throughOthers;
      }
      // A group may come before the operation that led to it.
      if (groups[group].first > groups[to].last)
        continue;
      key = &groups[group];
    } else if (blocks.position.lookup(op) > groups[to].last) {
      continue;
    }
    bool isBetween = node == nodeOf.end() && isView(op) && onlyViews;
    if (!visited[isBetween].insert(key).second)
      continue;
    if (++visits > kMaxVisits)
      return EdgeReason::tooManyVisits;
    if (node != nodeOf.end()) {
      for (Operation *user : usersOf(groupOf(node->second)))
        work.push_back({user, false, op});
      continue;
    }
    for (Operation *user : op->getUsers())
      if (Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user))
        work.push_back({inBlock, isBetween, op});
    // Operations with effects keep their order.
    if (Operation *next = nextEffect.lookup(op))
      work.push_back({next, false, op});
  }
  return std::nullopt;
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
  const Group &writer = groups[merge.writer], &reader = groups[merge.reader];
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
      return EdgeReason::throughOthers;
    between = {unsigned(&edge - edges.data())};
    if (auto no = dependsThroughOthers(merge.reader, merge.writer, merge.third))
      return no;
  }
  if (groups[merge.writer].members.size() +
          groups[merge.reader].members.size() >
      kMaxMembers)
    return EdgeReason::tooMany;
  if (auto no = dependsThroughOthers(merge.writer, merge.reader, merge.third))
    return no;
  findCells(merge, between);
  merge.estimate = Traffic::estimateMerged(
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
    return EdgeReason::tooLarge;
  double alone = groups[merge.writer].traffic.estimate(machine).time(machine) +
                 groups[merge.reader].traffic.estimate(machine).time(machine);
  return merge.estimate.time(machine) > alone
             ? std::optional(EdgeReason::slower)
             : std::nullopt;
}

/// The merge in which the reader keeps its cells, and each tile of them computes all
/// of the writer: some numbers for each channel, say. Nothing if others need what it
/// writes.
std::optional<Merge> MapGrouping::repeatWriter(const Merge &merge) {
  const Group &writer = groups[merge.writer], &reader = groups[merge.reader];
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
  repeated.estimate = Traffic::estimateMerged(
      machine, writer.traffic, repeated.writerOrigins, reader.traffic,
      repeated.readerOrigins, repeated.extents, repeated.handed,
      /*repeatsFirst=*/true);
  return repeated;
}

void MapGrouping::merge(Merge &merge) {
  Group &writer = groups[merge.writer], &reader = groups[merge.reader];
  for (const cells::Pair &pair : merge.pairs) {
    writer.up.push_back(pair.writer);
    reader.up.push_back(pair.reader);
  }
  Traffic traffic = Traffic::merge(
      std::move(writer.traffic), merge.writerOrigins, std::move(reader.traffic),
      merge.readerOrigins, merge.extents, merge.handed, merge.isRepeated);
  bool writerIsLarger = writer.members.size() >= reader.members.size();
  unsigned keptNumber = writerIsLarger ? merge.writer : merge.reader;
  unsigned goneNumber = writerIsLarger ? merge.reader : merge.writer;
  Group &kept = groups[keptNumber], &gone = groups[goneNumber];
  // The group is a new one: the coordinates of both halves change.
  unsigned number = groups.size();
  Group both;
  both.parent = number;
  both.cells = std::move(merge.cells);
  both.traffic = std::move(traffic);
  both.members = std::move(kept.members);
  both.edges = std::move(kept.edges);
  both.users = std::move(kept.users);
  both.usersKept = kept.usersKept;
  both.first = std::min(kept.first, gone.first);
  both.last = std::max(kept.last, gone.last);
  llvm::append_range(both.members, gone.members);
  llvm::append_range(both.edges, gone.edges);
  llvm::append_range(both.users, gone.users);
  kept.parent = gone.parent = number;
  groups.push_back(std::move(both));
}

//===--- The sweep --------------------------------------------------------===//

DispatchGroups MapGrouping::run() {
  collectNodes();
  for (unsigned node = 0; node < nodes.size(); ++node)
    addEdges(node);
  addSiblings();
  for (unsigned node = 0; node < nodes.size(); ++node)
    addTraffic(node);
  auto order = llvm::to_vector(llvm::seq(unsigned(edges.size())));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tuple(edges[a].areSiblings, -edges[a].bytes, a) <
           std::tuple(edges[b].areSiblings, -edges[b].bytes, b);
  });
  double before = 0, timeBefore = 0;
  for (unsigned node = 0; node < nodes.size(); ++node) {
    Estimate alone = groups[node].traffic.estimate(machine);
    before += alone.bytes;
    timeBefore += alone.time(machine);
  }
  // A merge may remove what was between two other groups.
  constexpr unsigned kMaxRounds = 4;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    for (unsigned number : order) {
      const Edge edge = edges[number];
      if (groupOf(edge.from) == groupOf(edge.to))
        continue;
      Merge candidate;
      if (ask(edges[number], candidate))
        continue;
      merge(candidate);
      changed = true;
    }
    if (!changed)
      break;
  }
  fuseLines();
  if (reasons.isListening()) {
    Totals totals{.operations = unsigned(nodes.size()),
                  .bytesBefore = before,
                  .timeBefore = timeBefore};
    for (unsigned number = 0; number < groups.size(); ++number)
      if (groups[number].parent == number) {
        Estimate group = groups[number].traffic.estimate(machine);
        totals.bytes += group.bytes;
        totals.time += group.time(machine);
        ++totals.dispatches;
      }
    reasons.note(totals);
  }
  if (reasons.isListening())
    for (auto [edge, lines] : llvm::zip_equal(edges, linesOfEdges())) {
      Merge candidate;
      std::optional<EdgeReason> no;
      if (groupOf(edge.from) != groupOf(edge.to))
        no = ask(edge, candidate);
      explain(edge, lines, no, candidate);
    }
  return finish();
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
    if (!no || *no == EdgeReason::slower || *no == EdgeReason::tooLarge)
      merge(candidate);
  }
}

//===--- Reasons ----------------------------------------------------------===//

static std::string spellBytes(double bytes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (bytes < 1024)
    os << llvm::format("%.0f B", bytes);
  else if (bytes < 1024 * 1024)
    os << llvm::format("%.4g KiB", bytes / 1024);
  else
    os << llvm::format("%.4g MiB", bytes / (1024 * 1024));
  return text;
}

static std::string spellTime(double ns) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (ns < 1e6)
    os << llvm::format("%.3g us", ns / 1000);
  else
    os << llvm::format("%.3g ms", ns / 1e6);
  return text;
}

static std::string spellCells(double cells) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.0f", cells) << (cells == 1 ? " cell" : " cells");
  return text;
}

static std::string spell(const indexing::MapSet &maps) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      maps, os, [&](const indexing::OperandMap &map) { os << map.map; },
      " and ");
  return text;
}

/// The index of the value that keeps a coordinate from being common: it is read
/// through a loop inside the cell.
std::string MapGrouping::whatKeepsApart(const Edge &edge, const Merge &merge) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto result = cast<OpResult>(edge.value);
  SmallVector<Expr> writer = cells::ofElements(
      arena, cellsOf(edge.from),
      nodes[edge.from].space->writes[result.getResultNumber()]);
  if (edge.maps.empty())
    return text;
  const indexing::Map &read = edge.maps.front().map;
  for (auto [i, coordinate] : llvm::enumerate(writer)) {
    if (!coordinate || llvm::any_of(merge.pairs, [&](const cells::Pair &pair) {
          return pair.writer &&
                 arena.uses(pair.writer, {indexing::VarKind::Dim, unsigned(i)});
        }))
      continue;
    Expr term =
        substitute(arena, coordinate,
                   {.dims = read.results, .ranges = {}, .runtimes = {}});
    os << (text.empty() ? "" : ", ") << "`" << indexing::Printed{arena, term}
       << "`";
  }
  return text;
}

void MapGrouping::explain(const Edge &edge, const FusedLines &lines,
                          std::optional<EdgeReason> refusal, Merge &merge) {
  if (edge.areSiblings || !edge.use)
    return;
  auto result = cast<OpResult>(edge.value);
  EdgeNote note{.producer = result,
                .use = edge.use,
                .consumer = nodes[edge.to].op,
                .answer = refusal.value_or(EdgeReason::together)};
  note.made = spell(indexing::MapSet(
      nodes[edge.from].space->writes[result.getResultNumber()]));
  note.read = spell(edge.maps);
  llvm::raw_string_ostream cost(note.cost);
  bool isPrice =
      refusal == EdgeReason::slower || refusal == EdgeReason::tooLarge;
  if (refusal == EdgeReason::throughOthers && merge.third)
    note.third = merge.third;
  if (!refusal && isRepeated(edge.from) && !isRepeated(edge.to))
    cost << "each value is computed "
         << llvm::format(
                "%.0f",
                groups[groupOf(edge.from)].traffic.estimate(machine).tiles)
         << " times, once in each tile of cells";
  if (isPrice) {
    Estimate first = groups[merge.writer].traffic.estimate(machine);
    Estimate second = groups[merge.reader].traffic.estimate(machine);
    const Estimate &both = merge.estimate;
    cost << "two dispatches of " << spellCells(first.cells) << " and "
         << spellCells(second.cells) << " take about "
         << spellTime(first.time(machine) + second.time(machine)) << ", one of "
         << spellCells(both.cells) << " " << spellTime(both.time(machine));
    if (both.cells < machine.cores)
      cost << "; " << llvm::format("%.0f", both.cells) << " of "
           << llvm::format("%.0f", machine.cores) << " cores would be busy";
    if (both.rereads > 1)
      cost << "; " << spellBytes(both.reread) << " would be read "
           << llvm::format("%.0f", both.rereads) << " times";
    if (refusal == EdgeReason::tooLarge)
      cost << "; a cell hands on " << spellBytes(both.innerBytes)
           << ", the cache of a core has " << spellBytes(machine.cacheBytes);
    if (std::string terms = whatKeepsApart(edge, merge); !terms.empty())
      cost << "; " << terms << " runs inside a cell";
    if (merge.wouldRepeat > 1)
      cost << "; if all cells were kept, each value would be computed "
           << llvm::format("%.0f", merge.wouldRepeat) << " times";
    if (lines.producer != 0 && lines.consumer != 0) {
      llvm::raw_string_ostream help(note.help);
      help << "--fuse=" << lines.producer << "," << lines.consumer;
      if (lines.number > 1)
        help << ":" << lines.number;
      help << " makes it one dispatch, of " << spellCells(both.cells)
           << " with " << spellBytes(both.cellBytes) << " each";
    }
  }
  reasons.note(std::move(note));
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
    const Group &group = groups[number];
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
                                 ArrayRef<FusedLines> fused, Reasons &reasons) {
  return MapGrouping(function, machine, fused, reasons).run();
}
