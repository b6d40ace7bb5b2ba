// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/scatter/Planner.h"

#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/operators/Unsupported.h"
#include "mercator/targets/ascend/scatter/Ways.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace mlir;
using namespace mercator;
using namespace mercator::scatter;
using indexing::Arena;
using indexing::Domain;
using indexing::Interval;

namespace sh = mercator::stablehlo;

//===--- Names ------------------------------------------------------------===//

StringRef scatter::identifier(Way way) {
  switch (way) {
  case Way::None:
    return "none";
  case Way::Rows:
    return "scatter-rows";
  case Way::Elements:
    return "scatter-elements";
  case Way::Mask:
    return "mask";
  }
  return "";
}

StringRef scatter::name(Combination by) {
  switch (by) {
  case Combination::Update:
    return "update";
  case Combination::Add:
    return "add";
  case Combination::Multiply:
    return "multiply";
  case Combination::Greatest:
    return "maximum";
  case Combination::Least:
    return "minimum";
  }
  return "";
}

StringRef scatter::identifier(Collision collision) {
  switch (collision) {
  case Collision::None:
    return "none";
  case Collision::Exact:
    return "exact";
  case Collision::Rounded:
    return "rounded";
  case Collision::Unordered:
    return "unordered";
  }
  return "";
}

//===--- The choice -------------------------------------------------------===//

bool Candidate::operator<(const Candidate &other) const {
  bool isBeside = !beside.empty(), isOtherBeside = !other.beside.empty();
  if (isBeside != isOtherBeside)
    return isOtherBeside;
  return cost < other.cost;
}

const Candidate *Planning::best() const {
  const Candidate *best = nullptr;
  for (const Candidate &candidate : candidates)
    if (candidate.applies() && (!best || candidate < *best))
      best = &candidate;
  return best;
}

void Planning::keep(const Candidate *kept) {
  for (Candidate &candidate : candidates) {
    if (&candidate == kept)
      continue;
    for (Operation *node : llvm::reverse(candidate.nodes))
      node->erase();
    candidate.nodes.clear();
    candidate.last = nullptr;
  }
}

//===--- What is known ----------------------------------------------------===//

/// The interval of component `k` of all index vectors.
static Interval knownStart(Value indices, int64_t vectorDim, int64_t k) {
  Arena arena;
  Domain domain;
  SmallVector<indexing::Expr> at;
  for (auto [d, extent] : llvm::enumerate(ascend::typeOf(indices).getShape()))
    at.push_back(int64_t(d) == vectorDim
                     ? arena.constant(k)
                     : domain.addDim(arena, Interval::ofSize(extent)));
  KnownValues known(arena, domain);
  KnownElement found = known.element(indices, at);
  if (!found.exact)
    return found.range;
  return indexing::IntervalAnalysis(arena, domain)
      .interval(found.exact)
      .intersect(found.range);
}

static std::vector<Dimension> dimensionsOf(sh::DynamicUpdateSliceOp op) {
  std::vector<Dimension> dimensions;
  for (auto [d, extent, size] :
       llvm::enumerate(ascend::typeOf(op.getOperand()).getShape(),
                       ascend::typeOf(op.getUpdate()).getShape())) {
    Dimension &dimension = dimensions.emplace_back(
        Dimension{.extent = extent, .updated = size, .updateDim = d});
    if (extent == size)
      continue; // the start can only be 0
    dimension.start = d;
    dimension.known = knownStart(op.getStartIndices()[d], /*vectorDim=*/0, 0);
  }
  return dimensions;
}

static std::vector<Dimension> dimensionsOf(sh::ScatterOp op) {
  sh::ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  ArrayRef<int64_t> shape = ascend::typeOf(op.getInputs()[0]).getShape(),
                    given = ascend::typeOf(op.getUpdates()[0]).getShape(),
                    mapped = dims.getScatterDimsToOperandDims(),
                    paired = dims.getInputBatchingDims();
  int64_t vector = dims.getIndexVectorDim();
  std::vector<Dimension> dimensions;
  size_t window = 0;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    int64_t dim = d;
    Dimension &dimension =
        dimensions.emplace_back(Dimension{.extent = extent, .updated = 1});
    if (!llvm::is_contained(dims.getInsertedWindowDims(), dim) &&
        !llvm::is_contained(paired, dim)) {
      dimension.updateDim = dims.getUpdateWindowDims()[window++];
      dimension.updated = given[*dimension.updateDim];
    }
    const auto *batching = llvm::find(paired, dim);
    if (batching != paired.end()) {
      int64_t axis =
          dims.getScatterIndicesBatchingDims()[batching - paired.begin()];
      dimension.batchAxis = axis - (axis > vector);
    }
    const auto *column = llvm::find(mapped, dim);
    if (column != mapped.end()) {
      dimension.start = column - mapped.begin();
      dimension.known =
          knownStart(op.getScatterIndices(), vector, *dimension.start);
    }
  }
  return dimensions;
}

/// How the body combines an element with an update; nothing if GE has no
/// scatter for it.
static std::optional<Combination> combinationOf(sh::ScatterOp op) {
  Block &body = op.getUpdateComputation().front();
  Value result = body.getTerminator()->getOperand(0), old = body.getArgument(0),
        update = body.getArgument(1);
  if (result == update)
    return Combination::Update;
  Operation *root = result.getDefiningOp();
  if (!root || root->getNumOperands() != 2)
    return std::nullopt;
  Value x = root->getOperand(0), y = root->getOperand(1);
  if (!(x == old && y == update) && !(x == update && y == old))
    return std::nullopt;
  // For booleans a sum is OR, a product AND.
  bool isBoolean = ascend::elementOf(op.getInputs()[0]).isInteger(1);
  if (isa<sh::MaxOp>(root) || (isBoolean && isa<sh::AddOp, sh::OrOp>(root)))
    return Combination::Greatest;
  if (isa<sh::MinOp>(root) || (isBoolean && isa<sh::MulOp, sh::AndOp>(root)))
    return Combination::Least;
  if (isa<sh::AddOp>(root))
    return Combination::Add;
  if (isa<sh::MulOp>(root))
    return Combination::Multiply;
  return std::nullopt;
}

/// Why a way cannot combine elements of this type; empty if it can.
static std::string whyNot(Way way, Combination by, Type element) {
  element = combinedIn(by, element);
  if (by == Combination::Greatest || by == Combination::Least) {
    if (way == Way::Elements)
      return "ScatterElements replaces an element, adds to it or multiplies it";
    return ascend::takes("TensorScatterMax", element) &&
                   !isa<ComplexType>(element)
               ? ""
               : "GE's TensorScatterMax and TensorScatterMin take real numbers "
                 "only";
  }
  if (way == Way::Rows && by == Combination::Multiply)
    return "GE's scatters of rows do not multiply";
  // Booleans are replaced as bytes.
  if (element.isInteger(1))
    return "";
  StringRef op = way == Way::Elements     ? "ScatterElements"
                 : by == Combination::Add ? "ScatterNdAdd"
                                          : "ScatterNdUpdate";
  if (ascend::takes(op, element))
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << "GE's " << op << " has no " << element;
  return text;
}

//===--- Notes ------------------------------------------------------------===//

static Collision collisionOf(sh::ScatterOp op, Planning &planning) {
  if (op.getUniqueIndices()) {
    planning.notes.push_back(
        "no two updates have the same element: the program says "
        "unique_indices");
    return Collision::None;
  }
  int64_t windows = 1, axis = 0;
  auto given = ascend::typeOf(op.getUpdates()[0]).getShape();
  auto inWindow = op.getScatterDimensionNumbers().getUpdateWindowDims();
  for (int64_t extent : given)
    if (!llvm::is_contained(inWindow, axis++))
      windows *= extent;
  if (windows == 1) {
    planning.notes.push_back(
        "no two updates have the same element: there is one window");
    return Collision::None;
  }
  Type element = ascend::elementOf(op.getInputs()[0]);
  if (planning.by == Combination::Update) {
    planning.notes.push_back(
        "of two updates of one element any may stay, and it may differ from "
        "run to run, as StableHLO allows");
    return Collision::Unordered;
  }
  bool isRounded =
      planning.by == Combination::Add || planning.by == Combination::Multiply;
  if (isRounded && !isa<IntegerType>(element)) {
    planning.notes.push_back(
        "the order of two updates of one element is not defined: the rounding "
        "of the result may differ from run to run, as StableHLO allows");
    return Collision::Rounded;
  }
  planning.notes.push_back(
      ("the order of two updates of one element is not defined and does not "
       "matter: the body, " +
       name(planning.by) + ", is exact and commutative")
          .str());
  return Collision::Exact;
}

/// Whether updates may lie outside, and why.
static void noteSpareRow(Planning &planning) {
  std::string outside, inside;
  for (auto [d, dimension] : llvm::enumerate(planning.dimensions)) {
    if (!dimension.start)
      continue;
    std::string last = "[0, " + std::to_string(dimension.lastStart()) + "]",
                which = "dimension " + std::to_string(d);
    if (dimension.mayBeBelow() || dimension.mayBeAbove()) {
      outside += (outside.empty() ? "" : ", ") +
                 ("those of " + which + " may be outside " + last);
      continue;
    }
    inside += (inside.empty() ? "" : ", ") +
              ("those of " + which + " lie in [") +
              std::to_string(dimension.known.lower) + ", " +
              std::to_string(dimension.known.upper) + "], inside " + last;
  }
  planning.hasSpareRow = !outside.empty();
  if (!outside.empty())
    planning.notes.push_back("a spare row takes the updates outside: of the "
                             "starts, " +
                             outside);
  else if (!inside.empty())
    planning.notes.push_back("no spare row: of the starts, " + inside);
}

//===--- Planning ---------------------------------------------------------===//

bool scatter::isScatter(Operation *op) {
  return isa<sh::ScatterOp, sh::DynamicUpdateSliceOp>(op);
}

namespace {
/// Adds candidates, each with the nodes that `emit` inserts.
class Planner {
public:
  Planner(Operation *op, const Device &device, Planning &planning)
      : op(op), b(op->getLoc(), op), device(device), planning(planning) {}

  void add(Way way, llvm::function_ref<Value(ImplicitLocOpBuilder &)> emit) {
    Candidate &candidate = planning.candidates.emplace_back(Candidate{way});
    Operation *before = op->getPrevNode();
    candidate.last = emit(b);
    Operation *node = before ? before->getNextNode() : &op->getBlock()->front();
    for (; node != op; node = node->getNextNode())
      candidate.nodes.push_back(node);
    candidate.cost = ascend::costOf(candidate.nodes);
    candidate.beside = ascend::besideCores(candidate.nodes, device);
  }
  void refuse(Way way, const Twine &why) {
    planning.candidates.push_back({.way = way, .whyNot = why.str()});
  }
  /// The result is one of the operands.
  void trivial(unsigned operand, const Twine &why) {
    planning.candidates.push_back({.way = Way::None, .operand = operand});
    refuse(Way::Rows, why);
    refuse(Way::Elements, why);
    refuse(Way::Mask, why);
  }

private:
  Operation *op;
  ImplicitLocOpBuilder b;
  const Device &device;
  Planning &planning;
};
} // namespace

static void planUpdate(sh::DynamicUpdateSliceOp op, Planner &planner,
                       Planning &planning) {
  Value x = op.getOperand(), update = op.getUpdate();
  if (ascend::typeOf(update).getNumElements() == 0)
    return planner.trivial(0, "the update has no elements");
  if (x.getType() == update.getType())
    return planner.trivial(1, "the update replaces the whole operand");
  planning.dimensions = dimensionsOf(op);
  planning.notes.push_back("the starts are clamped, and no element has two "
                           "updates: no spare row");
  planner.refuse(Way::None, "the update replaces a part of the operand");
  for (Way way : {Way::Rows, Way::Elements}) {
    std::string why = whyNot(way, Combination::Update, ascend::elementOf(x));
    if (why.empty())
      planner.add(way, [&](ImplicitLocOpBuilder &b) {
        return scatterRows(b, way, op, planning.dimensions);
      });
    else
      planner.refuse(way, why);
  }
  for (auto [d, dimension] : llvm::enumerate(planning.dimensions))
    if (dimension.start && dimension.extent > INT32_MAX)
      return planner.refuse(Way::Mask, "dimension " + Twine(d) +
                                           " has more elements than an int32");
  planner.add(Way::Mask, [&](ImplicitLocOpBuilder &b) {
    return chooseByMask(b, op, planning.dimensions);
  });
}

static void planScatterOp(sh::ScatterOp op, Planner &planner,
                          Planning &planning) {
  Value x = op.getInputs()[0];
  if (x.getType() != op.getResult(0).getType()) {
    planning.refused = "its result has another type than its operand";
    return;
  }
  if (ascend::typeOf(x).getNumElements() == 0)
    return planner.trivial(0, "the operand has no elements");
  if (ascend::typeOf(op.getUpdates()[0]).getNumElements() == 0)
    return planner.trivial(0, "there are no updates");
  std::optional<Combination> by = combinationOf(op);
  if (!by) {
    planning.refused = "GE's scatters replace an element, add to it, multiply "
                       "it, or take the greater or the lesser; this body does "
                       "something else";
    return;
  }
  std::string noRows = whyNot(Way::Rows, *by, ascend::elementOf(x)),
              noElements = whyNot(Way::Elements, *by, ascend::elementOf(x));
  if (!noRows.empty() && !noElements.empty()) {
    planning.refused = noRows;
    return;
  }
  planning.by = *by;
  planning.dimensions = dimensionsOf(op);
  noteSpareRow(planning);
  planning.collision = collisionOf(op, planning);
  planner.refuse(Way::None, "there are updates");
  for (auto [way, why] :
       {std::pair(Way::Rows, noRows), std::pair(Way::Elements, noElements)})
    if (why.empty())
      planner.add(way, [&](ImplicitLocOpBuilder &b) {
        return scatterRows(b, way, op, *by, planning.dimensions);
      });
    else
      planner.refuse(way, why);
  planner.refuse(Way::Mask, "a mask stands for one window, whose start is "
                            "clamped");
}

Planning scatter::planScatter(Operation *op, const Device &device) {
  Planning planning;
  planning.refused = ascend::whyNoConversion(op);
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  // A mask is the only way, which the conversion emits itself.
  if (planning.refused.empty() &&
      (!llvm::all_of(op->getOperandTypes(), isStatic) ||
       !llvm::all_of(op->getResultTypes(), isStatic)))
    planning.refused = "its shapes are known only at run time";
  if (!planning.refused.empty())
    return planning;
  Planner planner(op, device, planning);
  if (auto slice = dyn_cast<sh::DynamicUpdateSliceOp>(op))
    planUpdate(slice, planner, planning);
  else
    planScatterOp(cast<sh::ScatterOp>(op), planner, planning);
  return planning;
}
