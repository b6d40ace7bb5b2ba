// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CellsCheck.h"

#include "mercator/transforms/flow/formation/maps/Arrange.h"
#include "mercator/transforms/flow/formation/maps/GroupByMaps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/Pass.h"

#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::testing;

using Point = SmallVector<int64_t>;

namespace {
/// All points of a box, in order.
class Box {
public:
  explicit Box(ArrayRef<int64_t> extents)
      : extents(extents), strides(computeStrides(extents)),
        count(computeProduct(extents)) {}
  [[nodiscard]] int64_t size() const { return count; }
  [[nodiscard]] Point operator[](int64_t i) const {
    return delinearize(i, strides);
  }
  [[nodiscard]] bool contains(const Point &point) const {
    for (auto [at, extent] : llvm::zip_equal(point, extents))
      if (at < 0 || at >= extent)
        return false;
    return true;
  }

private:
  Point extents, strides;
  int64_t count;
};
} // namespace

static constexpr int64_t kMostPoints = 20'000;

/// The iterations of an operation that can be enumerated; nothing otherwise.
static std::optional<Point> iterationsOf(Operation *op) {
  Point extents;
  if (auto generic = dyn_cast<linalg::LinalgOp>(op)) {
    extents = generic.getStaticLoopRanges();
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    extents.assign(insert.getType().getShape().begin(),
                   insert.getType().getShape().end());
  } else {
    return std::nullopt;
  }
  if (ShapedType::isDynamicShape(extents))
    return std::nullopt;
  int64_t count = 1;
  for (int64_t extent : extents)
    if (extent == 0 || (count *= extent) > kMostPoints)
      return std::nullopt;
  return extents;
}

/// The element that a view with static sizes takes its element from; nothing if
/// it takes none, as in the padding of a pad.
static std::optional<Point> through(Operation *view, const Point &at) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(view)) {
    auto shapeOf = [](Value value) {
      return cast<RankedTensorType>(value.getType()).getShape();
    };
    int64_t place = linearize(at, computeStrides(shapeOf(view->getResult(0))));
    return delinearize(place, computeStrides(shapeOf(view->getOperand(0))));
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(view)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    Point from;
    unsigned next = 0;
    for (auto [i, offset] : llvm::enumerate(slice.getStaticOffsets()))
      from.push_back(offset +
                     (dropped[i] ? 0 : at[next++] * slice.getStaticStride(i)));
    return from;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(view)) {
    Point from;
    for (auto [index, low] : llvm::zip_equal(at, pad.getStaticLow()))
      from.push_back(index - low);
    if (Box(pad.getSourceType().getShape()).contains(from))
      return from;
    return std::nullopt;
  }
  return at; // a cast
}

static bool isStatic(Operation *view) {
  for (Type type :
       {view->getOperand(0).getType(), view->getResult(0).getType()})
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return false;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(view))
    return !ShapedType::isDynamicShape(slice.getStaticOffsets()) &&
           !ShapedType::isDynamicShape(slice.getStaticStrides());
  if (auto pad = dyn_cast<tensor::PadOp>(view))
    return !ShapedType::isDynamicShape(pad.getStaticLow());
  return true;
}

/// The element of an operand that an iteration reads; nothing if it reads none.
static std::optional<Point> readBy(OpOperand &operand, const Point &iteration) {
  if (auto generic = dyn_cast<linalg::LinalgOp>(operand.getOwner()))
    return Point(generic.getMatchingIndexingMap(&operand).compose(iteration));
  auto insert = cast<tensor::InsertSliceOp>(operand.getOwner());
  Point inside;
  bool isInside = true;
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  for (auto [i, at] : llvm::enumerate(iteration)) {
    int64_t by = at - insert.getStaticOffset(i);
    int64_t step = insert.getStaticStride(i);
    isInside &=
        by >= 0 && by % step == 0 && by / step < insert.getStaticSize(i);
    if (!dropped[i])
      inside.push_back(by / step);
  }
  bool isSource = operand.getOperandNumber() == 0;
  if (isSource != isInside)
    return std::nullopt;
  return isSource ? inside : iteration;
}

namespace {
class GroupCheck {
public:
  GroupCheck(const flow::DispatchGroups &grouping, CellsTally &tally)
      : grouping(grouping), tally(tally) {}

  void check(Operation *reader) {
    checkResults(reader);
    if (grouping.repeated.contains(reader))
      checkRepeated(reader);
    checkBody(reader);
    for (OpOperand &operand : reader->getOpOperands()) {
      auto generic = dyn_cast<linalg::LinalgOp>(reader);
      if (generic && !generic.payloadUsesValueFromOperand(&operand))
        continue;
      SmallVector<Operation *> views;
      Value value = operand.get();
      Operation *writer = value.getDefiningOp();
      while (writer && flow::isView(writer) && !grouping.isMember(writer)) {
        views.push_back(writer);
        value = writer->getOperand(0);
        writer = value.getDefiningOp();
      }
      auto it = grouping.groupOf.find(writer);
      if (it == grouping.groupOf.end() ||
          it->second != grouping.groupOf.lookup(reader))
        continue;
      if (checkEdge(operand, views, cast<OpResult>(value)))
        ++tally.edges;
      else
        ++tally.unchecked;
    }
  }

private:
  const flow::DispatchGroups &grouping;
  CellsTally &tally;

  /// The cells of the elements of a result.
  using Cells = std::map<Point, Point>;
  static std::optional<Cells> cellsOf(OpResult result, AffineMap cells) {
    std::optional<Point> extents = iterationsOf(result.getOwner());
    if (!extents)
      return std::nullopt;
    auto generic = dyn_cast<linalg::LinalgOp>(result.getOwner());
    Cells known;
    Box box(*extents);
    for (int64_t i = 0; i < box.size(); ++i) {
      Point at = box[i];
      Point element =
          generic
              ? Point(generic.getIndexingMapMatchingResult(result).compose(at))
              : at;
      Point cell(cells.compose(at));
      // The iterations that sum up an element are in one cell.
      if (!known.try_emplace(element, cell).second && known[element] != cell)
        known[element] = {INT64_MIN};
    }
    return known;
  }

  void fail(const llvm::Twine &what) {
    if (tally.wrong.empty())
      tally.wrong = ("cells: " + what).str();
  }

  static std::string spell(Operation *op) {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    return text;
  }

  /// The iterations that write one element are in one cell.
  void checkResults(Operation *op) {
    AffineMap own = grouping.cells.lookup(op);
    if (!own || !isa<linalg::LinalgOp>(op))
      return;
    for (OpResult result : op->getResults())
      if (std::optional<Cells> cells = cellsOf(result, own))
        for (const auto &[element, cell] : *cells)
          if (cell == Point{INT64_MIN})
            fail("an element of " + spell(op) + " is written in two cells");
  }

  /// What is computed in every cell leaves no dispatch.
  void checkRepeated(Operation *op) {
    SmallVector<Operation *> users(op->getUsers());
    while (!users.empty()) {
      Operation *user = users.pop_back_val();
      if (grouping.isMember(user)
              ? grouping.groupOf.lookup(user) == grouping.groupOf.lookup(op)
              : isa<tensor::DimOp>(user))
        continue;
      Operation *above = user;
      while (above && !grouping.isMember(above))
        above = above->getParentOp();
      if (above &&
          grouping.groupOf.lookup(above) == grouping.groupOf.lookup(op))
        continue;
      if (!flow::isView(user) || grouping.isMember(user))
        fail(spell(op) + " is computed in every cell, and leaves the dispatch");
      llvm::append_range(users, user->getUsers());
    }
  }

  /// A body may read any element of a tensor from outside.
  void checkBody(Operation *reader) {
    AffineMap own = grouping.cells.lookup(reader);
    reader->walk([&](Operation *inner) {
      if (inner == reader)
        return;
      for (Value value : inner->getOperands()) {
        auto it = grouping.groupOf.find(value.getDefiningOp());
        if (it != grouping.groupOf.end() &&
            it->second == grouping.groupOf.lookup(reader) &&
            isa<TensorType>(value.getType()) && own &&
            own.getNumResults() > 0 &&
            !grouping.repeated.contains(value.getDefiningOp()))
          fail(spell(reader) + " reads a member in its body");
      }
    });
  }

  bool checkEdge(OpOperand &operand, ArrayRef<Operation *> views,
                 OpResult value) {
    Operation *reader = operand.getOwner();
    if (grouping.repeated.contains(value.getOwner())) {
      ++tally.repeated;
      return true;
    }
    if (grouping.repeated.contains(reader)) {
      fail(spell(reader) + " is computed in every cell, and reads a member");
      return true;
    }
    AffineMap readerCells = grouping.cells.lookup(reader);
    AffineMap writerCells = grouping.cells.lookup(value.getOwner());
    std::optional<Point> extents = iterationsOf(reader);
    if (!readerCells || !writerCells || !extents ||
        !llvm::all_of(views, isStatic))
      return false;
    auto insert = dyn_cast<tensor::InsertSliceOp>(reader);
    if (insert && (ShapedType::isDynamicShape(insert.getStaticOffsets()) ||
                   ShapedType::isDynamicShape(insert.getStaticSizes()) ||
                   ShapedType::isDynamicShape(insert.getStaticStrides())))
      return false;
    std::optional<Cells> cells = cellsOf(value, writerCells);
    if (!cells)
      return false;
    Box box(*extents);
    for (int64_t i = 0; i < box.size(); ++i) {
      std::optional<Point> at = readBy(operand, box[i]);
      for (Operation *view : views)
        if (at)
          at = through(view, *at);
      if (!at)
        continue;
      Point cell(readerCells.compose(box[i]));
      if (cells->at(*at) == cell || !tally.wrong.empty())
        continue;
      llvm::raw_string_ostream os(tally.wrong);
      os << "cells: iteration (";
      llvm::interleaveComma(box[i], os);
      os << ") of " << *reader << " is in cell (";
      llvm::interleaveComma(cell, os);
      os << "), and element (";
      llvm::interleaveComma(*at, os);
      os << ") of " << *value.getOwner() << ", which it reads, in (";
      llvm::interleaveComma(cells->at(*at), os);
      os << ")";
    }
    return true;
  }
};

class CellsCheck : public PassInstrumentation {
public:
  explicit CellsCheck(CellsTally &tally) : tally(tally) {
    machines.emplace_back(llvm::cantFail(findDevice("zen5")));
    // All that is possible is merged.
    machines.push_back(machines.front());
    machines.back().dispatchNs = machines.back().cacheBytes = 1e30;
    // Cells matter more than anything else.
    machines.push_back(machines.front());
    machines.back().cores = 1e9;
    machines.back().flopsPerNs = 1e-3;
  }

private:
  CellsTally &tally;
  std::vector<flow::Machine> machines;

  void runBeforePass(Pass *pass, Operation *op) override {
    if (pass->getArgument() != "iree-flow-form-dispatch-regions")
      return;
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function || function.isExternal())
      return;
    for (const flow::Machine &machine : machines) {
      flow::Reasons reasons(function);
      flow::DispatchGroups grouping =
          flow::groupByMaps(function, machine, {}, reasons);
      // Formation would repair this, and hide the fault.
      flow::takeCirclesApart(function, grouping);
      if (!grouping.apart.empty() && tally.wrong.empty())
        tally.wrong = "dispatches need each other in a circle";
      for (const flow::Group &group : grouping.groups)
        if (group.members.size() > 1)
          for (Operation *member : group.members)
            GroupCheck(grouping, tally).check(member);
    }
  }
};
} // namespace

std::unique_ptr<PassInstrumentation>
testing::createCellsCheck(CellsTally &tally) {
  return std::make_unique<CellsCheck>(tally);
}
