// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/TransposedReads.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/kernels/TransposeCode.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
class TransposedReads {
public:
  TransposedReads(linalg::GenericOp op, const Machine &machine)
      : op(op), builder(op), loc(op.getLoc()),
        vectorBytes(machine.vectorBytes()),
        smallBytes(machine.firstCacheBytes() / 2) {}

  bool run();

private:
  bool choose();
  bool isTransposed(unsigned input);
  [[nodiscard]] int64_t lanesOf(unsigned input);
  void transposeInto(mlir::Value scratch, unsigned input,
                     ArrayRef<mlir::Value> first);
  void compute(ArrayRef<mlir::Value> first);
  mlir::Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value plus(mlir::Value a, mlir::Value b) {
    return builder.createOrFold<arith::AddIOp>(loc, a, b);
  }
  /// `body` for 0, step, .. below the extent.
  void loop(int64_t extent, int64_t step,
            llvm::function_ref<void(mlir::Value)> body) {
    auto made =
        scf::ForOp::create(builder, loc, index(0), index(extent), index(step));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    body(made.getInductionVar());
  }
  SmallVector<mlir::Value> indices(AffineMap map, ArrayRef<mlir::Value> point) {
    SmallVector<mlir::Value> places;
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      places.push_back(affine::makeComposedAffineApply(
          builder, loc, map.getSubMap({i}),
          getAsOpFoldResult(ValueRange(point))));
    return places;
  }
  /// The points of a tile: dimensions other than fast and slow are one point.
  [[nodiscard]] int64_t sizeOf(unsigned dim) const;

  linalg::GenericOp op;
  OpBuilder builder;
  Location loc;
  int64_t vectorBytes;
  int64_t smallBytes; ///< the columns of such an operand stay in the cache
  unsigned slow = 0;  ///< fastest in the result
  std::optional<unsigned> fast = {}; ///< fastest in the transposed inputs
  SmallVector<int64_t> extents;
  SmallVector<bool> tiled;          ///< the inputs that are transposed first
  SmallVector<mlir::Value> scratch; ///< of each input; null without one
};
} // namespace

/// The side of a tile: a few of them are in the first-level cache.
static constexpr int64_t kSide = 64;

int64_t TransposedReads::sizeOf(unsigned dim) const {
  return dim == slow || dim == *fast ? std::min(kSide, extents[dim]) : 1;
}

int64_t TransposedReads::lanesOf(unsigned input) {
  auto type = cast<MemRefType>(op.getDpsInputs()[input].getType());
  constexpr int64_t kMostLanes = 16; // so many vectors are in registers
  return std::min(kMostLanes,
                  vectorBytes * 8 /
                      int64_t(type.getElementType().getIntOrFloatBitWidth()));
}

bool TransposedReads::isTransposed(unsigned input) {
  auto type = dyn_cast<MemRefType>(op.getDpsInputs()[input].getType());
  AffineMap map = op.getIndexingMapsArray()[input];
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !map.isProjectedPermutation() || map.getNumResults() < 2)
    return false;
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return false;
  unsigned own = cast<AffineDimExpr>(map.getResults().back()).getPosition();
  int64_t lanes = lanesOf(input);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  return own != slow && (!fast || *fast == own) && lanes >= 4 &&
         map.isFunctionOfDim(slow) && extents[own] >= lanes &&
         extents[slow] >= lanes && type.getNumElements() * bytes > smallBytes;
}

/// The result decides which loop is innermost.
bool TransposedReads::choose() {
  if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() != 0 ||
      op.getNumDpsInits() != 1)
    return false;
  auto type = dyn_cast<MemRefType>(op.getDpsInits()[0].getType());
  AffineMap to = op.getIndexingMapsArray().back();
  extents = op.getStaticLoopRanges();
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !to.isPermutation() || to.getNumResults() < 2 ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      llvm::any_of(extents, ShapedType::isDynamic))
    return false;
  // Some elements are computed twice: an operand must not be the result.
  if (llvm::is_contained(op.getDpsInputs(), op.getDpsInits()[0]))
    return false;
  slow = cast<AffineDimExpr>(to.getResults().back()).getPosition();
  bool isFound = false;
  for (unsigned i = 0; i < op.getNumDpsInputs(); ++i) {
    bool isOne = isTransposed(i);
    if (isOne)
      fast =
          cast<AffineDimExpr>(op.getIndexingMapsArray()[i].getResults().back())
              .getPosition();
    tiled.push_back(isOne);
    isFound |= isOne;
  }
  return isFound;
}

/// scratch[i, j] is the element of the input at i along fast and j along slow. A
/// square that would reach beyond the tile begins earlier.
void TransposedReads::transposeInto(mlir::Value buffer, unsigned input,
                                    ArrayRef<mlir::Value> first) {
  mlir::Value from = op.getDpsInputs()[input];
  AffineMap map = op.getIndexingMapsArray()[input];
  int64_t lanes = lanesOf(input);
  auto vector = VectorType::get(
      {lanes}, cast<MemRefType>(from.getType()).getElementType());
  auto startOf = [&](unsigned dim, mlir::Value step) {
    return builder.createOrFold<arith::MinSIOp>(loc, step,
                                                index(sizeOf(dim) - lanes));
  };
  loop(sizeOf(*fast), lanes, [&](mlir::Value iStep) {
    mlir::Value i = startOf(*fast, iStep);
    loop(sizeOf(slow), lanes, [&](mlir::Value jStep) {
      mlir::Value j = startOf(slow, jStep);
      SmallVector<mlir::Value> rows;
      for (int64_t k = 0; k < lanes; ++k) {
        SmallVector<mlir::Value> point(first);
        point[*fast] = plus(point[*fast], i);
        point[slow] = plus(plus(point[slow], j), index(k));
        rows.push_back(vector::LoadOp::create(builder, loc, vector, from,
                                              indices(map, point)));
      }
      rows = transposed(builder, loc, std::move(rows));
      for (int64_t k = 0; k < lanes; ++k)
        vector::StoreOp::create(builder, loc, rows[size_t(k)], buffer,
                                ValueRange{plus(i, index(k)), j});
    });
  });
}

void TransposedReads::compute(ArrayRef<mlir::Value> first) {
  loop(sizeOf(*fast), 1, [&](mlir::Value i) {
    loop(sizeOf(slow), 1, [&](mlir::Value j) {
      SmallVector<mlir::Value> point(first);
      point[*fast] = plus(point[*fast], i);
      point[slow] = plus(point[slow], j);
      IRMapping mapping;
      for (auto [k, argument] :
           llvm::enumerate(op.getBody()->getArguments().drop_back())) {
        mlir::Value value = op.getDpsInputs()[k];
        if (scratch[k])
          value = memref::LoadOp::create(builder, loc, scratch[k],
                                         ValueRange{i, j});
        else if (isa<MemRefType>(value.getType()))
          value = memref::LoadOp::create(
              builder, loc, value,
              indices(op.getIndexingMapsArray()[k], point));
        mapping.map(argument, value);
      }
      for (Operation &part : op.getBody()->without_terminator()) {
        if (auto place = dyn_cast<linalg::IndexOp>(part))
          mapping.map(place.getResult(), point[place.getDim()]);
        else
          builder.clone(part, mapping);
      }
      memref::StoreOp::create(
          builder, loc,
          mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0)),
          op.getDpsInits()[0],
          indices(op.getIndexingMapsArray().back(), point));
    });
  });
}

bool TransposedReads::run() {
  if (!choose())
    return false;
  SmallVector<int64_t> counts;
  int64_t total = 1;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    int64_t size = sizeOf(unsigned(dim));
    counts.push_back((extent + size - 1) / size);
    total *= counts.back();
  }
  int64_t parts = std::min(total, partsFor(costOf(op)));
  forEachPart(builder, loc, parts, [&](mlir::Value number) {
    scratch.assign(tiled.size(), {});
    for (unsigned i = 0; i < tiled.size(); ++i)
      if (tiled[i]) {
        auto type = cast<MemRefType>(op.getDpsInputs()[i].getType());
        scratch[i] = memref::AllocaOp::create(
            builder, loc,
            MemRefType::get({sizeOf(*fast), sizeOf(slow)},
                            type.getElementType()),
            builder.getI64IntegerAttr(64));
      }
    PartRange part = rangeOfPart(builder, loc, number, total, parts);
    forEachTile(
        builder, loc, part, op.getIndexingMapsArray().back(), counts,
        [&](ArrayRef<mlir::Value> numbers) {
          SmallVector<mlir::Value> first;
          for (auto [dim, own] : llvm::enumerate(numbers)) {
            int64_t size = sizeOf(unsigned(dim));
            first.push_back(builder.createOrFold<arith::MinSIOp>(
                loc, builder.createOrFold<arith::MulIOp>(loc, own, index(size)),
                index(extents[dim] - size)));
          }
          for (unsigned i = 0; i < scratch.size(); ++i)
            if (scratch[i])
              transposeInto(scratch[i], i, first);
          compute(first);
        });
  });
  op->erase();
  return true;
}

void cpu::tileTransposedReads(func::FuncOp kernel, const Machine &machine) {
  SmallVector<linalg::GenericOp> operations;
  kernel.walk([&](linalg::GenericOp op) { operations.push_back(op); });
  for (linalg::GenericOp op : operations)
    if (!op->hasAttr(kRows))
      TransposedReads(op, machine).run();
}
