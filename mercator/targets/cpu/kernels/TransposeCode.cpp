// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/TransposeCode.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

SmallVector<mlir::Value> cpu::transposed(OpBuilder &builder, Location loc,
                                         SmallVector<mlir::Value> rows) {
  // The perfect shuffle: a round interleaves vector i with vector i + n / 2, and
  // log2(n) rounds transpose.
  auto count = int64_t(rows.size());
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < count / 2; ++i) {
    low.append({i, count + i});
    high.append({count / 2 + i, count + count / 2 + i});
  }
  for (int64_t round = 1; round < count; round *= 2) {
    SmallVector<mlir::Value> next;
    for (int64_t i = 0; i < count / 2; ++i)
      for (ArrayRef<int64_t> order : {low, high})
        next.push_back(vector::ShuffleOp::create(
            builder, loc, rows[size_t(i)], rows[size_t(i + count / 2)], order));
    rows = std::move(next);
  }
  return rows;
}

void cpu::forEachTile(OpBuilder &builder, Location loc, PartRange part,
                      AffineMap order, ArrayRef<int64_t> counts,
                      llvm::function_ref<void(ArrayRef<mlir::Value>)> body) {
  mlir::Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, part.begin, part.end, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<mlir::Value> numbers(counts.size());
  mlir::Value rest = loop.getInductionVar();
  for (AffineExpr e : llvm::reverse(order.getResults())) {
    unsigned dim = cast<AffineDimExpr>(e).getPosition();
    mlir::Value count =
        arith::ConstantIndexOp::create(builder, loc, counts[dim]);
    numbers[dim] = arith::RemUIOp::create(builder, loc, rest, count);
    rest = arith::DivUIOp::create(builder, loc, rest, count);
  }
  body(numbers);
}

namespace {
class Emitter {
public:
  Emitter(linalg::LinalgOp op, int64_t vectorBytes)
      : op(op), builder(op), loc(op.getLoc()), vectorBytes(vectorBytes) {}

  bool run();

private:
  bool isTranspose();
  void tile(SmallVector<mlir::Value> first);
  void block(SmallVector<mlir::Value> first);
  mlir::Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// The indices of a buffer at a point of the loops.
  SmallVector<mlir::Value> indices(AffineMap map, ArrayRef<mlir::Value> point) {
    SmallVector<mlir::Value> places;
    for (AffineExpr e : map.getResults())
      places.push_back(point[cast<AffineDimExpr>(e).getPosition()]);
    return places;
  }

  linalg::LinalgOp op;
  OpBuilder builder;
  Location loc;
  int64_t vectorBytes, lanes = 0;
  unsigned fast = 0, slow = 0; ///< fastest in the input, and in the result
  SmallVector<int64_t> extents;
};
} // namespace

/// The side of a tile: two of them are in the first-level cache.
static constexpr int64_t kTile = 64;

bool Emitter::isTranspose() {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0)
    return false;
  Block &body = *op.getBlock();
  if (!llvm::hasSingleElement(body) ||
      body.front().getOperand(0) != body.getArgument(0))
    return false;
  AffineMap from = op.getIndexingMapsArray()[0],
            to = op.getIndexingMapsArray()[1];
  auto isContiguous = [](mlir::Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.hasStaticShape() && type.getLayout().isIdentity();
  };
  mlir::Value input = op.getDpsInputs()[0];
  if (!from.isPermutation() || !to.isPermutation() ||
      !isa<MemRefType>(input.getType()) || !isContiguous(input) ||
      !isContiguous(op.getDpsInits()[0]))
    return false;
  Type element = cast<MemRefType>(input.getType()).getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
      from.getNumResults() < 2)
    return false;
  constexpr int64_t kMostLanes = 16; // so many vectors are in registers
  lanes = std::min(kMostLanes,
                   vectorBytes * 8 / int64_t(element.getIntOrFloatBitWidth()));
  fast = cast<AffineDimExpr>(from.getResults().back()).getPosition();
  slow = cast<AffineDimExpr>(to.getResults().back()).getPosition();
  extents = op.getStaticLoopRanges();
  return fast != slow && lanes >= 4 && extents[fast] >= lanes &&
         extents[slow] >= lanes;
}

/// A square of `lanes` elements from a point on.
void Emitter::block(SmallVector<mlir::Value> first) {
  mlir::Value from = op.getDpsInputs()[0], to = op.getDpsInits()[0];
  auto vector = VectorType::get(
      {lanes}, cast<MemRefType>(from.getType()).getElementType());
  auto at = [&](unsigned dim, int64_t offset) {
    SmallVector<mlir::Value> point = first;
    point[dim] = arith::AddIOp::create(builder, loc, point[dim], index(offset));
    return point;
  };
  SmallVector<mlir::Value> rows;
  for (int64_t i = 0; i < lanes; ++i)
    rows.push_back(vector::LoadOp::create(
        builder, loc, vector, from,
        indices(op.getIndexingMapsArray()[0], at(slow, i))));
  rows = transposed(builder, loc, std::move(rows));
  for (int64_t i = 0; i < lanes; ++i)
    vector::StoreOp::create(builder, loc, rows[size_t(i)], to,
                            indices(op.getIndexingMapsArray()[1], at(fast, i)));
}

/// The blocks of a tile that begins at a point. A block that would reach beyond the
/// end begins earlier: it copies some elements again.
void Emitter::tile(SmallVector<mlir::Value> first) {
  auto blocks = [&](unsigned dim, llvm::function_ref<void(mlir::Value)> body) {
    mlir::Value end = arith::MinSIOp::create(
        builder, loc,
        arith::AddIOp::create(builder, loc, first[dim], index(kTile)),
        index(extents[dim]));
    auto loop = scf::ForOp::create(builder, loc, first[dim], end, index(lanes));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(arith::MinSIOp::create(builder, loc, loop.getInductionVar(),
                                index(extents[dim] - lanes)));
  };
  blocks(fast, [&](mlir::Value i) {
    blocks(slow, [&](mlir::Value j) {
      SmallVector<mlir::Value> point = first;
      point[fast] = i;
      point[slow] = j;
      block(point);
    });
  });
}

bool Emitter::run() {
  if (!isTranspose())
    return false;
  SmallVector<int64_t> counts;
  int64_t total = 1;
  double elements = 1;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    bool isTiled = dim == fast || dim == slow;
    counts.push_back(isTiled ? (extent + kTile - 1) / kTile : extent);
    total *= counts.back();
    elements *= double(extent);
  }
  constexpr double kOperations = 4; // of an element
  int64_t parts = std::min(total, partsFor(kOperations * elements));
  forEachPart(builder, loc, parts, [&](mlir::Value number) {
    PartRange part = rangeOfPart(builder, loc, number, total, parts);
    forEachTile(builder, loc, part, op.getIndexingMapsArray()[1], counts,
                [&](ArrayRef<mlir::Value> numbers) {
                  SmallVector<mlir::Value> first(numbers);
                  for (unsigned dim : {fast, slow})
                    first[dim] = arith::MulIOp::create(
                        builder, loc, numbers[dim], index(kTile));
                  tile(first);
                });
  });
  op->erase();
  return true;
}

void cpu::emitTransposes(func::FuncOp kernel, int64_t vectorBytes) {
  SmallVector<linalg::LinalgOp> operations;
  kernel.walk([&](linalg::LinalgOp op) { operations.push_back(op); });
  for (linalg::LinalgOp op : operations)
    if (!op->hasAttr(kRows))
      Emitter(op, vectorBytes).run();
}
