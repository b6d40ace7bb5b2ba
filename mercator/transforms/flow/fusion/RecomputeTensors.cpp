// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A large tensor that small ones determine is computed again where it is needed, in
// place of being stored between dispatches. In the gradient of an attention,
//
//   e[i, j] = exp(q[i] * k[j] - m[i])
//   y[i]    = sum over j of e[i, j] v[j] / l[i]
//   dv[j]   = sum over i of e[i, j] / l[i] * dy[i]          dy depends on y
//
// e is needed for y with all columns of a row, and for dv with all rows of a column. No
// dispatch can do both, so e would be in memory between two of them. This pass gives dv
// an e of its own, with the layout that dv reads:
//
//   e'[j, i] = exp(k[j] * q[i] - m[i])
//   dv[j]    = sum over i of e'[j, i] / l[i] * dy[i]
//
// A *chain* is a tensor of this kind, with all of them that it is computed from. A
// reader of a chain has a *stage*, the number of products over chains that end before it
// can begin, and an *order* of the dimensions. Readers with one stage and one order have
// a chain in common. The operations of chains get an attribute: formation leaves each in
// one dispatch with its readers.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/fusion/FusionGroups.h"
#include "mercator/transforms/flow/operations/Candidates.h"
#include "mercator/transforms/flow/operations/Unstored.h"

#include "mercator/analysis/Sizes.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

namespace mercator::flow {
#define GEN_PASS_DEF_RECOMPUTETENSORS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
/// Positions of dimensions: dimension i is dimension order[i] of the original.
using Order = SmallVector<unsigned>;

/// An operand that becomes another tensor, with its dimensions in another order.
struct Change {
  unsigned operand;
  Value copy;
  Order order;
};

class Recomputation {
public:
  Recomputation(Block &block, int64_t leastBytes)
      : block(block), leastBytes(leastBytes) {}

  /// Whether something is computed again.
  bool run();
  [[nodiscard]] bool hasChains() const { return !chains.empty(); }
  void mark();

private:
  /// What a tensor of a chain is computed from.
  struct Chain {
    double operations = 0; ///< of an element, with those of what it reads
    double own = 0;        ///< without them
    int64_t elements = 0;  ///< of the largest tensor that is in no chain
  };
  struct Place {
    unsigned stage = 0;
    Order order;
    bool operator==(const Place &) const = default;
  };

  std::optional<Chain> chainOf(OpResult value);
  void findChains();
  bool dropStored();
  void findStages();
  bool pays();
  bool turns();
  [[nodiscard]] Place homeOf(OpResult value);
  Value copyOf(OpBuilder &builder, OpResult value, const Place &place);
  void prepare(linalg::LinalgOp reader);
  void eraseUnread();

  Block &block;
  int64_t leastBytes;
  llvm::MapVector<Value, Chain> chains;
  DenseSet<Value> stored; ///< that would be chains, but for a reader
  DenseMap<Operation *, unsigned> stages;
  std::map<std::tuple<void *, unsigned, Order>, Value> copies;
  llvm::MapVector<Operation *, SmallVector<Change>> changes; ///< of readers
};
} // namespace

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// The operations of the body that compute a value, in their order, and the arguments
/// that they use. None if one of them is more than arithmetic on numbers.
static std::optional<SetVector<Value>> usedBy(Value yielded, Block &body) {
  SetVector<Value> used;
  used.insert(yielded);
  for (size_t i = 0; i < used.size(); ++i) {
    Operation *op = used[i].getDefiningOp();
    if (isa<ShapedType>(used[i].getType()))
      return std::nullopt;
    if (!op || op->getBlock() != &body)
      continue;
    if (!isPure(op) || op->getNumRegions() != 0)
      return std::nullopt;
    used.insert(op->operand_begin(), op->operand_end());
  }
  return used;
}

/// Whether the map picks different dimensions.
static bool picksDims(AffineMap map) { return map.isProjectedPermutation(); }

/// The order in which the dimensions that a map picks are loops.
static Order orderOf(AffineMap map) {
  Order order(llvm::to_vector(llvm::seq(map.getNumResults())));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return map.getDimPosition(a) < map.getDimPosition(b);
  });
  return order;
}

static bool isElementwise(linalg::LinalgOp op, OpResult value) {
  return op.getIndexingMapMatchingResult(value).isPermutation();
}

std::optional<Recomputation::Chain> Recomputation::chainOf(OpResult value) {
  // Much more work would take longer than to store and load an element; in the time of
  // one other operation, a core does about eight of a product. The sources must be few,
  // or there is nothing to gain.
  constexpr double kMostOperations = 1024, kOperationsOfOther = 8;
  constexpr int64_t kLeastGain = 4;
  linalg::LinalgOp op = flow::asLinalgOnTensors(value.getOwner());
  std::optional<int64_t> bytes = bytesOf(value.getType());
  if (!op || !bytes || *bytes < leastBytes || stored.contains(value))
    return std::nullopt;
  AffineMap written = op.getIndexingMapMatchingResult(value);
  if (!picksDims(written))
    return std::nullopt;
  Block &body = *op.getBlock();
  unsigned number = value.getResultNumber();
  auto used = usedBy(body.getTerminator()->getOperand(number), body);
  if (!used)
    return std::nullopt;
  Chain chain;
  double weight = kOperationsOfOther; // of an operation of the body
  if (!isElementwise(op, value)) {
    if (!linalg::isaContractionOpInterface(op) ||
        !op.getDpsInits()[0].getDefiningOp<linalg::FillOp>())
      return std::nullopt;
    weight = 1;
    for (auto [extent, kind] :
         llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction)
        weight *= double(extent);
  } else if (llvm::any_of(op.getRegionOutputArgs(), [&](Value argument) {
               return used->contains(argument);
             })) {
    return std::nullopt;
  }
  chain.operations =
      weight * double(llvm::count_if(*used, [&](Value each) {
        return each.getParentBlock() == &body && each.getDefiningOp();
      }));
  chain.own = chain.operations;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!used->contains(op.getMatchingBlockArgument(input)))
      continue;
    if (auto known = chains.find(input->get()); known != chains.end()) {
      if (!isElementwise(op, value) ||
          !picksDims(op.getMatchingIndexingMap(input)))
        return std::nullopt;
      chain.operations += known->second.operations;
      chain.elements = std::max(chain.elements, known->second.elements);
    } else if (auto type = dyn_cast<RankedTensorType>(input->get().getType())) {
      if (!type.hasStaticShape())
        return std::nullopt;
      chain.elements = std::max(chain.elements, type.getNumElements());
    }
  }
  int64_t elements = cast<RankedTensorType>(value.getType()).getNumElements();
  if (chain.operations > kMostOperations ||
      chain.elements > elements / kLeastGain)
    return std::nullopt;
  return chain;
}

/// Finds all chains. A tensor that depends on a stored one is no chain.
void Recomputation::findChains() {
  do {
    chains.clear();
    for (Operation &op : block)
      for (OpResult result : op.getResults())
        if (std::optional<Chain> chain = chainOf(result))
          chains[result] = *chain;
  } while (dropStored());
}

/// Finds what must be stored, since a reader is no linalg operation here. False if there
/// is nothing new.
bool Recomputation::dropStored() {
  bool changed = false;
  for (auto &[value, chain] : chains)
    for (OpOperand &use : value.getUses()) {
      if (isa<tensor::DimOp>(use.getOwner()))
        continue;
      linalg::LinalgOp reader = flow::asLinalgOnTensors(use.getOwner());
      if (!reader || reader->getBlock() != &block || !reader.isDpsInput(&use) ||
          !picksDims(reader.getMatchingIndexingMap(&use)))
        changed |= stored.insert(value).second;
    }
  return changed;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void Recomputation::findStages() {
  DenseMap<Value, unsigned> after;
  for (Operation &op : block) {
    unsigned stage = 0;
    bool readsChain = false;
    for (Value operand : op.getOperands()) {
      stage = std::max(stage, after.lookup(operand));
      readsChain |= chains.contains(operand);
    }
    stages[&op] = stage;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    bool ends =
        readsChain && linalgOp && linalg::isaContractionOpInterface(linalgOp);
    for (Value result : op.getResults())
      after[result] = stage + (ends ? 1 : 0);
  }
}

/// Where the original of a chain is.
Recomputation::Place Recomputation::homeOf(OpResult value) {
  auto rank = unsigned(cast<RankedTensorType>(value.getType()).getRank());
  return {stages.lookup(value.getOwner()), llvm::to_vector(llvm::seq(rank))};
}

/// Whether a chain needs sums of a chain in another order, as if the rows and the columns
/// of a matrix are normalized in turn. Then no dispatch can compute both.
bool Recomputation::turns() {
  DenseSet<Value> turned; // such sums, and what follows from them
  for (linalg::LinalgOp op : block.getOps<linalg::LinalgOp>()) {
    bool ends = linalg::isaContractionOpInterface(op), follows = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      follows |= turned.contains(input->get());
      follows |= chains.contains(input->get()) &&
                 op.getNumReductionLoops() != 0 &&
                 !llvm::is_sorted(orderOf(op.getMatchingIndexingMap(input)));
    }
    if (!follows || ends)
      continue;
    for (Value made : op->getResults()) {
      if (chains.contains(made))
        return true;
      turned.insert(made);
    }
  }
  return false;
}

/// Whether it takes about as long to compute chains again as to store them. Readers of
/// many stages and orders would compute all that was before them each time.
bool Recomputation::pays() {
  // To store and load an element takes as long as this number of operations of products.
  constexpr double kStored = 150, kMostTimes = 4;
  DenseSet<Value> handed; // to operations outside of chains
  SmallVector<linalg::LinalgOp> readers(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp reader : readers)
    if (llvm::none_of(reader->getResults(),
                      [&](Value made) { return chains.contains(made); }))
      for (Value input : reader.getDpsInputs())
        if (chains.contains(input))
          handed.insert(input);
  double left = kMostTimes * kStored * double(handed.size());
  std::map<std::pair<unsigned, Order>, DenseSet<Value>> places;
  for (linalg::LinalgOp reader : readers)
    for (OpOperand *input : reader.getDpsInputOperands()) {
      if (!chains.contains(input->get()))
        continue;
      Place place = {stages.lookup(reader),
                     orderOf(reader.getMatchingIndexingMap(input))};
      DenseSet<Value> &made = places[{place.stage, place.order}];
      SmallVector<Value> needed = {input->get()};
      while (!needed.empty()) {
        Value value = needed.pop_back_val();
        auto chain = chains.find(value);
        if (chain == chains.end() || homeOf(cast<OpResult>(value)) == place ||
            !made.insert(value).second)
          continue;
        left -= chain->second.own;
        if (left < 0)
          return false;
        llvm::append_range(
            needed,
            cast<linalg::LinalgOp>(value.getDefiningOp()).getDpsInputs());
      }
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The map with its results in another order.
static AffineMap reordered(AffineMap map, ArrayRef<unsigned> order) {
  return map.getSubMap(order);
}

/// The tensor of a chain at a place: itself, or one that is computed again.
Value Recomputation::copyOf(OpBuilder &builder, OpResult value,
                            const Place &place) {
  if (homeOf(value) == place)
    return value;
  // References into the map stay valid while others are added.
  Value &copy = copies[{value.getAsOpaquePointer(), place.stage, place.order}];
  if (copy)
    return copy;
  auto op = cast<linalg::LinalgOp>(value.getOwner());
  Location loc = op.getLoc();
  Block &body = *op.getBlock();
  Value yielded = body.getTerminator()->getOperand(value.getResultNumber());
  SetVector<Value> used = *usedBy(yielded, body);
  // The loops: the dimensions in their new order, then what is added up.
  AffineMap written = op.getIndexingMapMatchingResult(value);
  SmallVector<unsigned> loops;
  for (unsigned dim : place.order)
    loops.push_back(written.getDimPosition(dim));
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!llvm::is_contained(loops, loop))
      loops.push_back(loop);
  SmallVector<AffineExpr> places(loops.size());
  for (auto [at, loop] : llvm::enumerate(loops))
    places[loop] = builder.getAffineDimExpr(at);
  auto moved = [&](AffineMap map) {
    return map.replaceDimsAndSymbols(places, {}, unsigned(loops.size()), 0);
  };
  SmallVector<Value> inputs, arguments;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!used.contains(op.getMatchingBlockArgument(input)))
      continue;
    AffineMap map = moved(op.getMatchingIndexingMap(input));
    Value source = input->get();
    if (chains.contains(source)) {
      Order order = orderOf(map);
      source = copyOf(builder, cast<OpResult>(source), {place.stage, order});
      map = reordered(map, order);
    }
    inputs.push_back(source);
    arguments.push_back(op.getMatchingBlockArgument(input));
    maps.push_back(map);
  }
  maps.push_back(reordered(moved(written), place.order));
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (unsigned dim : place.order)
    shape.push_back(type.getDimSize(dim));
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  auto number = size_t(value.getResultNumber());
  SmallVector<utils::IteratorType> kinds(loops.size(),
                                         utils::IteratorType::parallel);
  if (!isElementwise(op, value)) {
    auto fill = op.getDpsInits()[number].getDefiningOp<linalg::FillOp>();
    init = linalg::FillOp::create(builder, loc, fill.getInputs(), init)
               .getResult(0);
    std::fill(kinds.begin() + type.getRank(), kinds.end(),
              utils::IteratorType::reduction);
  }
  arguments.push_back(op.getRegionOutputArgs()[number]);
  auto made = linalg::GenericOp::create(
      builder, loc, TypeRange(init.getType()), inputs, init, maps, kinds,
      [&](OpBuilder &inner, Location at, ValueRange elements) {
        IRMapping known;
        known.map(arguments, elements);
        for (Operation &each : body.without_terminator()) {
          if (llvm::none_of(each.getResults(),
                            [&](Value v) { return used.contains(v); }))
            continue;
          Operation *cloned = inner.clone(each, known);
          if (auto index = dyn_cast<linalg::IndexOp>(cloned))
            index.setDim(
                cast<AffineDimExpr>(places[index.getDim()]).getPosition());
        }
        linalg::YieldOp::create(inner, at, known.lookupOrDefault(yielded));
      });
  return copy = made.getResult(0);
}

/// Makes the chains that an operation reads.
void Recomputation::prepare(linalg::LinalgOp reader) {
  for (OpOperand *input : reader.getDpsInputOperands()) {
    if (!chains.contains(input->get()))
      continue;
    OpBuilder builder(reader);
    Order order = orderOf(reader.getMatchingIndexingMap(input));
    Value copy = copyOf(builder, cast<OpResult>(input->get()),
                        {stages.lookup(reader), order});
    if (copy != input->get())
      changes[reader].push_back({input->getOperandNumber(), copy, order});
  }
}

/// Has an operation read the chains of its place.
static void redirect(linalg::LinalgOp reader, ArrayRef<Change> changes) {
  SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
  for (const Change &change : changes) {
    reader->setOperand(change.operand, change.copy);
    maps[change.operand] = reordered(maps[change.operand], change.order);
  }
  IRRewriter rewriter(reader->getContext());
  rewriter.setInsertionPoint(reader);
  auto generic = dyn_cast<linalg::GenericOp>(*reader);
  if (!generic) {
    // A named operation may not have such maps.
    generic = linalg::GenericOp::create(
        rewriter, reader.getLoc(), reader->getResultTypes(),
        reader.getDpsInputs(), reader.getDpsInits(), maps,
        reader.getIteratorTypesArray());
    rewriter.inlineRegionBefore(reader->getRegion(0), generic.getRegion(),
                                generic.getRegion().end());
    rewriter.replaceOp(reader, generic);
    return;
  }
  generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

/// Removes originals that nothing reads any more.
void Recomputation::eraseUnread() {
  SetVector<Operation *> owners;
  for (auto &[value, chain] : chains)
    owners.insert(value.getDefiningOp());
  for (Operation *op : llvm::reverse(owners.getArrayRef()))
    if (op->use_empty())
      op->erase();
}

/// Marks all results that are chains now.
void Recomputation::mark() {
  findChains();
  Builder builder(block.getParentOp()->getContext());
  llvm::MapVector<Operation *, SmallVector<int64_t>> numbers;
  for (auto &[value, chain] : chains)
    numbers[value.getDefiningOp()].push_back(
        cast<OpResult>(value).getResultNumber());
  for (auto &[op, own] : numbers)
    op->setAttr(flow::kUnstored, builder.getDenseI64ArrayAttr(own));
}

bool Recomputation::run() {
  findChains();
  if (chains.empty())
    return false;
  findStages();
  if (turns() || !pays()) {
    chains.clear();
    return false;
  }
  SmallVector<linalg::LinalgOp> readers(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp reader : readers)
    prepare(reader);
  for (auto &[reader, own] : changes)
    redirect(cast<linalg::LinalgOp>(reader), own);
  eraseUnread();
  return !changes.empty();
}

namespace {
struct RecomputeTensors : flow::impl::RecomputeTensorsBase<RecomputeTensors> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Block *> blocks; // with chains
    bool changed = false;
    getOperation()->walk([&](Block *block) {
      if (isa<linalg::LinalgOp>(block->getParentOp()))
        return;
      Recomputation recomputation(*block, leastBytes);
      changed |= recomputation.run();
      if (recomputation.hasChains())
        blocks.push_back(block);
    });
    if (changed)
      flow::fuseElementwise(getOperation(), /*mayClone=*/false,
                            /*recompute=*/false);
    for (Block *block : blocks)
      Recomputation(*block, leastBytes).mark();
  }
};
} // namespace
