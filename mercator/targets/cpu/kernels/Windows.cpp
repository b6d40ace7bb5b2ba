// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Windows.h"

#include "mercator/targets/cpu/kernels/CellSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
/// An index of an operand: scale * (loop of the result) + step * (loop of the window).
struct WindowIndex {
  std::optional<unsigned> outer, inner;
  int64_t scale = 1, step = 1;
};

class Window {
public:
  explicit Window(linalg::GenericOp op) : op(op) {}

  bool match();
  void unroll();

private:
  bool matchInput(OpOperand &input);
  [[nodiscard]] mlir::Value viewOf(OpBuilder &builder, unsigned input,
                                   ArrayRef<int64_t> place) const;

  linalg::GenericOp op;
  SmallVector<int64_t> extents;
  /// The operation that combines an element with those before, and the element.
  Operation *combiner = nullptr;
  mlir::Value element;
  /// Of each operand, its indices; none for one that only gives the window its extents.
  SmallVector<std::optional<SmallVector<WindowIndex>>> inputs;
  int64_t size = 1; ///< elements of a window
  bool overlaps = false;
};
} // namespace

static std::optional<WindowIndex> indexOf(AffineExpr expr,
                                          ArrayRef<utils::IteratorType> loops) {
  WindowIndex index;
  auto add = [&](AffineExpr term) {
    int64_t factor = 1;
    if (auto product = dyn_cast<AffineBinaryOpExpr>(term);
        product && product.getKind() == AffineExprKind::Mul)
      if (auto constant = dyn_cast<AffineConstantExpr>(product.getRHS())) {
        factor = constant.getValue();
        term = product.getLHS();
      }
    auto dim = dyn_cast<AffineDimExpr>(term);
    if (!dim || factor < 1)
      return false;
    bool isOuter = loops[dim.getPosition()] == utils::IteratorType::parallel;
    std::optional<unsigned> &loop = isOuter ? index.outer : index.inner;
    if (loop)
      return false;
    loop = dim.getPosition();
    (isOuter ? index.scale : index.step) = factor;
    return true;
  };
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (sum && sum.getKind() == AffineExprKind::Add
          ? !add(sum.getLHS()) || !add(sum.getRHS())
          : !add(expr))
    return std::nullopt;
  return index;
}

bool Window::matchInput(OpOperand &input) {
  if (!op.payloadUsesValueFromOperand(&input)) {
    inputs.push_back(std::nullopt);
    return true;
  }
  auto type = dyn_cast<MemRefType>(input.get().getType());
  if (!type || !type.hasStaticShape())
    return false;
  SmallVector<WindowIndex> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(&input).getResults()) {
    std::optional<WindowIndex> index =
        indexOf(expr, op.getIteratorTypesArray());
    if (!index)
      return false;
    overlaps |= index->outer && index->inner;
    indices.push_back(*index);
  }
  inputs.push_back(std::move(indices));
  return true;
}

bool Window::match() {
  constexpr int64_t kMostElements = 32;
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1 ||
      op.hasIndexSemantics() || op->hasAttr(kGroup) || op->hasAttr(kCells))
    return false;
  extents = op.getStaticLoopRanges();
  for (auto [extent, kind] :
       llvm::zip_equal(extents, op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(extent))
      return false;
    if (kind == utils::IteratorType::reduction &&
        (size *= extent) > kMostElements)
      return false;
  }
  Operation *end = op.getBody()->getTerminator();
  BlockArgument before = op.getRegionOutputArgs().front();
  combiner = end->getOperand(0).getDefiningOp();
  if (size < 2 || !combiner || combiner->getBlock() != op.getBody() ||
      !arith::getNeutralElement(combiner) || !before.hasOneUse() ||
      *before.user_begin() != combiner)
    return false;
  element = combiner->getOperand(combiner->getOperand(0) == before ? 1 : 0);
  if (!op.getIndexingMapsArray().back().isProjectedPermutation())
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!matchInput(*input))
      return false;
  return overlaps;
}

/// The elements of an operand at one place of the window.
mlir::Value Window::viewOf(OpBuilder &builder, unsigned input,
                           ArrayRef<int64_t> place) const {
  SmallVector<int64_t> first, sizes, strides;
  for (const WindowIndex &index : *inputs[input]) {
    first.push_back(index.inner ? place[*index.inner] * index.step : 0);
    sizes.push_back(index.outer ? extents[*index.outer] : 1);
    strides.push_back(index.outer ? index.scale : 1);
  }
  linalg::GenericOp own = op;
  return memref::SubViewOp::create(
      builder, own.getLoc(), own.getDpsInputs()[input], first, sizes, strides);
}

void Window::unroll() {
  OpBuilder builder(op);
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> loops(extents.size());
  SmallVector<unsigned> windowLoops;
  unsigned outer = 0;
  for (auto [d, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel)
      loops[d] = builder.getAffineDimExpr(outer++);
    else
      windowLoops.push_back(d);
  SmallVector<mlir::Value> operands;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> place(extents.size(), 0);
  for (int64_t number = 0; number < size; ++number) {
    int64_t rest = number;
    for (unsigned d : llvm::reverse(windowLoops)) {
      place[d] = rest % extents[d];
      rest /= extents[d];
    }
    for (auto [i, indices] : llvm::enumerate(inputs)) {
      if (!indices)
        continue;
      SmallVector<AffineExpr> results;
      for (const WindowIndex &index : *indices)
        results.push_back(index.outer ? loops[*index.outer]
                                      : builder.getAffineConstantExpr(0));
      operands.push_back(viewOf(builder, i, place));
      maps.push_back(AffineMap::get(outer, 0, results, context));
    }
  }
  SmallVector<AffineExpr> result;
  for (AffineExpr expr : op.getIndexingMapsArray().back().getResults())
    result.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
  maps.push_back(AffineMap::get(outer, 0, result, context));
  auto made = linalg::GenericOp::create(
      builder, op.getLoc(), operands, op.getDpsInits(), maps,
      SmallVector<utils::IteratorType>(outer, utils::IteratorType::parallel),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        size_t next = 0;
        mlir::Value all;
        BlockArgument before = op.getRegionOutputArgs().front();
        auto combine = [&](mlir::Value left, mlir::Value right) {
          IRMapping mapping;
          mapping.map(before, left);
          mapping.map(element, right);
          return inner.clone(*combiner, mapping)->getResult(0);
        };
        for (int64_t number = 0; number < size; ++number) {
          IRMapping mapping;
          for (auto [i, indices] : llvm::enumerate(inputs))
            if (indices)
              mapping.map(op.getRegionInputArgs()[i], arguments[next++]);
          for (Operation &own : op.getBody()->without_terminator())
            if (&own != combiner)
              inner.clone(own, mapping);
          mlir::Value value = mapping.lookupOrDefault(element);
          all = all ? combine(all, value) : value;
        }
        linalg::YieldOp::create(inner, loc, combine(arguments.back(), all));
      });
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    made->setAttr(attribute.getName(), attribute.getValue());
  op.erase();
}

void cpu::unrollWindows(func::FuncOp kernel) {
  SmallVector<linalg::GenericOp> ops;
  kernel.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops)
    if (Window window(op); window.match())
      window.unroll();
}
