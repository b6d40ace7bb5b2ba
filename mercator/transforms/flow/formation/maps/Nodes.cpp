// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/MapGrouping.h"

#include "mercator/analysis/Sizes.h"
#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/transforms/flow/formation/Cloneable.h"
#include "mercator/transforms/flow/formation/maps/Arrange.h"
#include "mercator/transforms/flow/operations/Candidates.h"
#include "mercator/transforms/flow/operations/Unstored.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using namespace mercator::flow::maps;
using indexing::Expr;
using indexing::Interval;

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
  for (auto [item, op] : llvm::enumerate(blocks.operations)) {
    if (!loops.contains(op) && !isCandidate(op))
      continue;
    Node node{op, unsigned(item), {}, {}};
    if (!loops.contains(op))
      node.space = cells::spaceOf(op, arena);
    // Coordinates are numbered by the bits of a word.
    if (node.space && node.space->extents.size() > 24)
      node.space.reset();
    if (node.space)
      for (unsigned loop : node.space->parallel.set_bits())
        node.cells.push_back(arena.dim(loop));
    nodeOf[op] = nodes.size();
    nodes.push_back(std::move(node));
  }
}

/// A group for each node.
void MapGrouping::startGroups() {
  groups.clear();
  for (auto [number, node] : llvm::enumerate(nodes)) {
    CellGroup &group = groups.emplace_back();
    group.parent = number;
    if (node.space)
      for (unsigned loop : node.space->parallel.set_bits())
        group.cells.push_back(Interval::ofSize(node.space->extents[loop]));
    group.members = {unsigned(number)};
    group.hasChain = llvm::any_of(node.op->getResults(), isUnstored);
  }
  for (auto [number, edge] : llvm::enumerate(edges)) {
    if (edge.areSiblings)
      continue;
    groups[edge.from].edges.push_back(number);
    groups[edge.to].edges.push_back(number);
  }
  for (unsigned node = 0; node < nodes.size(); ++node)
    addTraffic(node);
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

/// The difference of two bounds, if both are constants.
static std::optional<double> distanceOf(Value lower, Value upper) {
  APInt from, to;
  if (!matchPattern(lower, m_ConstantInt(&from)) ||
      !matchPattern(upper, m_ConstantInt(&to)))
    return std::nullopt;
  return std::max(0.0, double(to.getSExtValue() - from.getSExtValue()));
}

/// The iterations of a loop, if they are known; else a guess.
static double iterationsOf(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    if (std::optional<APInt> count = loop.getStaticTripCount())
      return count->roundToDouble();
  return isa<LoopLikeOpInterface>(op) ? kUnknownExtent : 1;
}

/// Whether `inner` goes on where the iteration of `outer` begins. Together the two
/// pass once over the range of the outer one:
///
///   for %begin = 0 to %n step %w { for %i = %begin to min(%begin + %w, %n) .. }
static bool isTileOf(scf::ForOp inner, scf::ForOp outer) {
  return inner.getLowerBound() == outer.getInductionVar();
}

/// The operations on numbers of a loop, each as often as it is done.
static double operationsOf(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  double times = iterationsOf(op), inside = 0, tiled = 0;
  std::optional<double> range =
      loop && !loop.getStaticTripCount()
          ? distanceOf(loop.getLowerBound(), loop.getUpperBound())
          : std::nullopt;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &part : block.without_terminator()) {
        auto nested = dyn_cast<scf::ForOp>(part);
        if (range && nested && isTileOf(nested, loop))
          tiled +=
              *range * operationsOf(&part) / std::max(1.0, iterationsOf(&part));
        else if (part.getNumRegions() > 0)
          inside += operationsOf(&part);
        else if (!part.hasTrait<OpTrait::ConstantLike>())
          inside += part.getName().getDialectNamespace() == "math" ? 10 : 1;
      }
  return times * inside + tiled;
}

/// The traffic of a loop on numbers, or of another operation whose maps are not
/// known: all of the tensors, in one cell.
void MapGrouping::addWholeTraffic(unsigned number) {
  Operation *op = nodes[number].op;
  GroupTraffic &traffic = groups[number].traffic =
      GroupTraffic::ofScalars(operationsOf(op));
  SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  for (Value value : read) {
    Operation *maker = value.getDefiningOp();
    if (isa<RankedTensorType>(value.getType()) &&
        !(maker && isCloneable(maker)))
      traffic.addRead(value, bytesOrGuess(value.getType()), 0);
  }
  for (Value result : op->getResults())
    traffic.addWrite(result, bytesOrGuess(result.getType()), 0,
                     result.use_empty() ? 0 : 1);
}

/// What is read of a tensor of which the body picks elements, as a gather does: at
/// most one for each iteration.
static double bytesPicked(Operation *op, Value value, double iterations) {
  double whole = bytesOrGuess(value.getType());
  double picks = 0;
  for (OpOperand &use : value.getUses()) {
    if (!op->isProperAncestor(use.getOwner()))
      continue;
    if (!isa<tensor::ExtractOp>(use.getOwner()))
      return whole;
    ++picks;
  }
  Type element = getElementTypeOrSelf(value.getType());
  return std::min(whole, picks * iterations *
                             bytesOrGuess(RankedTensorType::get({}, element)));
}

void MapGrouping::addTraffic(unsigned number) {
  Node &node = nodes[number];
  if (!node.space)
    return addWholeTraffic(number);
  const cells::Space &space = *node.space;
  SmallVector<double> extents;
  SmallVector<unsigned> loops;
  for (unsigned loop : space.parallel.set_bits()) {
    loops.push_back(loop);
    extents.push_back(space.extents[loop] == Interval::kMax
                          ? kUnknownExtent
                          : double(space.extents[loop]));
  }
  GroupTraffic &traffic = groups[number].traffic = GroupTraffic(
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
        use && use->getOwner() != node.op
            ? bytesPicked(node.op, use->get(), space.countIterations())
            : bytesOrGuess(use ? use->get().getType() : read.value.getType());
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
