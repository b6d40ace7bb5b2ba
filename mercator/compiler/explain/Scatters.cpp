// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Scatters.h"

#include "mercator/compiler/explain/Dispatches.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/scatter/Planner.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::scatter;
using llvm::StringRef;

const Explanation::Scatter::Way *Explanation::Scatter::takenWay() const {
  auto taken = llvm::find_if(ways, [](const Way &way) { return way.taken; });
  return taken == ways.end() ? nullptr : &*taken;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

static std::string howUpdated(const Dimension &dimension) {
  if (dimension.batchAxis)
    return "follows batch axis " + std::to_string(*dimension.batchAxis);
  if (!dimension.start)
    return dimension.extent == dimension.updated
               ? "whole"
               : "the first " + std::to_string(dimension.updated);
  return dimension.updated == 1
             ? "one, at start " + std::to_string(*dimension.start)
             : std::to_string(dimension.updated) + ", from start " +
                   std::to_string(*dimension.start) + " on";
}

/// The interval of a start; a bound that follows from its type is not knowledge.
static indexing::Interval knownOf(const Dimension &dimension,
                                  mlir::IntegerType type) {
  unsigned bits = type.getWidth();
  int64_t least = type.isUnsigned() ? 0 : llvm::minIntN(bits);
  int64_t most = !type.isUnsigned() ? llvm::maxIntN(bits)
                 : bits >= 64       ? INT64_MAX
                                    : int64_t(llvm::maxUIntN(bits));
  indexing::Interval known = dimension.known;
  if (known.lower <= least && !type.isUnsigned())
    known.lower = indexing::Interval::kMin;
  if (known.upper >= most)
    known.upper = indexing::Interval::kMax;
  return known;
}

static std::string knownText(indexing::Interval known) {
  if (known.isBounded())
    return "in [" + std::to_string(known.lower) + ", " +
           std::to_string(known.upper) + "]";
  if (known.hasLower())
    return "at least " + std::to_string(known.lower);
  if (known.hasUpper())
    return "at most " + std::to_string(known.upper);
  return "any";
}

static std::string boundsText(const Dimension &dimension, bool isClamped) {
  std::string last = "[0, " + std::to_string(dimension.lastStart()) + "]";
  if (!dimension.mayBeBelow() && !dimension.mayBeAbove())
    return "inside " + last;
  return (isClamped ? "clamped to " : "may be outside ") + last;
}

static std::vector<Explanation::Scatter::Dimension>
dimensionsOf(const scatter::Planning &planning, mlir::Operation *op) {
  bool isClamped = llvm::isa<stablehlo::DynamicUpdateSliceOp>(op);
  std::vector<Explanation::Scatter::Dimension> dimensions;
  for (const Dimension &dimension : planning.dimensions) {
    auto &out = dimensions.emplace_back(Explanation::Scatter::Dimension{
        .extent = dimension.extent,
        .updated = dimension.updated,
        .start = dimension.start,
        .batchAxis = dimension.batchAxis,
        .lower = {},
        .upper = {},
        .clampBelow = isClamped && dimension.mayBeBelow(),
        .clampAbove = isClamped && dimension.mayBeAbove(),
        .mayBeOutside =
            !isClamped && (dimension.mayBeBelow() || dimension.mayBeAbove()),
        .howUpdated = howUpdated(dimension),
        .known = "",
        .bounds = ""});
    if (!dimension.start)
      continue;
    mlir::Value starts =
        isClamped ? op->getOperand(2 + *dimension.start)
                  : llvm::cast<stablehlo::ScatterOp>(op).getScatterIndices();
    indexing::Interval known = knownOf(
        dimension, llvm::cast<mlir::IntegerType>(
                       llvm::cast<mlir::RankedTensorType>(starts.getType())
                           .getElementType()));
    if (known.hasLower())
      out.lower = known.lower;
    if (known.hasUpper())
      out.upper = known.upper;
    out.known = knownText(known);
    out.bounds = boundsText(dimension, isClamped);
  }
  return dimensions;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// Prints nodes, one a line: `%1 = ClipByValue %at, 0, 4095 : i32`.
class PlanText {
public:
  explicit PlanText(const InstructionTable &table) : table(table) {}

  void add(mlir::Operation *node, bool isBeside) {
    if (isShort(node->getResult(0)))
      return;
    std::string line;
    llvm::raw_string_ostream os(line);
    os << '%' << numbers.size() << " = " << node->getName().stripDialect();
    StringRef separator = " ";
    for (mlir::Value operand : node->getOperands()) {
      os << separator << use(operand);
      separator = ", ";
    }
    os << " : " << typeText(node->getResult(0));
    if (isBeside)
      os << ", on the AI CPU";
    numbers[node->getResult(0)] = numbers.size();
    lines.push_back(std::move(line));
  }

  std::vector<std::string> lines;

private:
  /// Scalars and short vectors are printed where they are used.
  static mlir::DenseIntElementsAttr elementsOf(mlir::Value value) {
    mlir::DenseIntElementsAttr elements;
    if (mlir::matchPattern(value, mlir::m_Constant(&elements)))
      return elements;
    return {};
  }
  static bool isShort(mlir::Value value) {
    constexpr int64_t kShort = 8;
    mlir::DenseIntElementsAttr elements = elementsOf(value);
    return elements && elements.getType().getRank() <= 1 &&
           elements.getNumElements() <= kShort;
  }
  static std::string typeText(mlir::Value value) {
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    std::string text;
    llvm::raw_string_ostream os(text);
    for (int64_t extent : type.getShape())
      os << extent << 'x';
    os << type.getElementType();
    return text;
  }
  std::string use(mlir::Value value) const {
    auto found = numbers.find(value);
    if (found != numbers.end())
      return "%" + std::to_string(found->second);
    bool isNode =
        value.getDefiningOp() &&
        value.getDefiningOp()->getName().getDialectNamespace() == "ascend";
    if (!isNode || !isShort(value))
      return table.nameOf(value);
    std::string text;
    llvm::raw_string_ostream os(text);
    mlir::DenseIntElementsAttr elements = elementsOf(value);
    bool isScalar = elements.getType().getRank() == 0,
         isSigned = !elements.getElementType().isUnsignedInteger();
    os << (isScalar ? "" : "[");
    llvm::interleaveComma(
        elements.getValues<llvm::APInt>(), os,
        [&](const llvm::APInt &element) { element.print(os, isSigned); });
    os << (isScalar ? "" : "]");
    return text;
  }

  const InstructionTable &table;
  llvm::DenseMap<mlir::Value, size_t> numbers;
};
} // namespace

/// Why a way that applies is not taken.
static std::string whyDearer(const scatter::Candidate &candidate,
                             const scatter::Candidate &best) {
  std::string other = identifier(best.way).str();
  if (!candidate.beside.empty() && best.beside.empty())
    return "the cores do not execute it: " + candidate.beside.front().why;
  auto more = [](int64_t count, StringRef what) {
    return std::to_string(count) + " more " + what.str() +
           (count == 1 ? "" : "s");
  };
  llvm::SmallVector<std::string, 2> reasons;
  const ascend::NodeCost &cost = candidate.cost, &least = best.cost;
  if (cost.bytes > least.bytes)
    reasons.push_back(more(cost.bytes - least.bytes, "byte"));
  if (cost.nodes > least.nodes)
    reasons.push_back(more(cost.nodes - least.nodes, "node"));
  if (reasons.empty())
    return "smaller pieces than " + other;
  return llvm::join(reasons, " and ") + " than " + other;
}

static void describe(const scatter::Planning &planning, mlir::Operation *op,
                     const InstructionTable &table, const Device &device,
                     Explanation::Scatter &scatter) {
  scatter.body = name(planning.by).str();
  scatter.collision = identifier(planning.collision).str();
  scatter.hasSpareRow = planning.hasSpareRow;
  scatter.dimensions = dimensionsOf(planning, op);
  scatter.notes = planning.notes;
  const scatter::Candidate *best = planning.best();
  for (const scatter::Candidate &candidate : planning.candidates) {
    bool isTaken = &candidate == best;
    Explanation::Scatter::Way way{.name = identifier(candidate.way).str(),
                                  .taken = isTaken,
                                  .possible = candidate.applies()};
    if (candidate.applies()) {
      way.bytes = candidate.cost.bytes;
      way.bytesInPlace = candidate.cost.bytes - candidate.cost.copied;
      way.indexEntries = candidate.cost.indexEntries;
      way.nodes = candidate.cost.nodes;
      for (const ascend::BesideCores &it : candidate.beside)
        way.aiCpu.push_back({it.why, it.nodes, it.bytes});
    }
    if (!isTaken)
      way.whyNot =
          candidate.applies() ? whyDearer(candidate, *best) : candidate.whyNot;
    scatter.ways.push_back(std::move(way));
  }
  if (!best)
    return;
  PlanText plan(table);
  for (mlir::Operation *node : best->nodes)
    plan.add(node, !ascend::besideCores(node, device).empty());
  if (best->nodes.empty())
    plan.lines.push_back("the result is " +
                         table.nameOf(op->getOperand(best->operand)));
  scatter.plan = std::move(plan.lines);
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// The operand, the update, and the scalars or the tensor of indices.
static void describeOperands(mlir::Operation *op, const InstructionTable &table,
                             Explanation::Scatter &scatter) {
  auto tensor = [&](mlir::Value value) {
    Explanation::Tensor tensor = describe(value);
    tensor.name = table.nameOf(value);
    return tensor;
  };
  mlir::ValueRange indices;
  mlir::Value update;
  if (auto several = llvm::dyn_cast<stablehlo::ScatterOp>(op)) {
    update = several.getUpdates()[0];
    indices = several->getOperands().slice(several.getInputs().size(), 1);
  } else {
    update = op->getOperand(1);
    indices = op->getOperands().drop_front(2);
  }
  scatter.into = tensor(op->getOperand(0));
  scatter.updates = tensor(update);
  for (mlir::Value index : indices)
    scatter.indices.push_back(tensor(index));
  scatter.gives = tensor(op->getResult(0));
  scatter.isReadElsewhere = !op->getOperand(0).hasOneUse();
  scatter.isArgument = llvm::isa<mlir::BlockArgument>(op->getOperand(0));
}

static Explanation::Scatter explainScatter(const InstructionTable &table,
                                           const Instruction &instruction,
                                           const Device &device) {
  mlir::Operation *op = instruction.op;
  Explanation::Scatter scatter;
  scatter.function = instruction.computation->name;
  scatter.instruction = table.nameOf(op);
  scatter.operation = op->getName().getStringRef().str();
  scatter.place = placeOf(op->getLoc());
  describeOperands(op, table, scatter);
  forEachRecord(table, instruction, indexing::Direction::OutToIn,
                [&](const MapRecord &r) { scatter.maps.push_back(r); });
  scatter::Planning planning = planScatter(op, device);
  scatter.refused = planning.refused;
  if (scatter.refused.empty())
    describe(planning, op, table, device, scatter);
  planning.keep(nullptr);
  return scatter;
}

std::vector<Explanation::Scatter>
mercator::explainScatters(const InstructionTable &table, const Device &device) {
  // Planning changes the blocks, so the operations are collected first.
  std::vector<Instruction> found;
  for (const Computation &computation : table.getComputations())
    for (mlir::Operation &op : *computation.block)
      if (isScatter(&op))
        found.push_back({&computation, &op, nullptr});
  std::vector<Explanation::Scatter> scatters;
  for (const Instruction &instruction : found)
    scatters.push_back(explainScatter(table, instruction, device));
  return scatters;
}
