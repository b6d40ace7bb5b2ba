// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ShortRows.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/TransposeCode.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
/// What the operations do with a buffer that has rows.
struct RowsUse {
  unsigned dim = 0;      ///< of the rows
  int64_t columns = 1;   ///< elements of a row
  bool isTurned = false; ///< blocks of it are transposed
  bool isWritten = false;
  bool beginsWritten = false; ///< all of a row, before it is read
  bool isLocal = false;       ///< only the operations use it
};
using RowsUses = llvm::MapVector<mlir::Value, RowsUse>;
} // namespace

void ShortRowsSchedule::print(llvm::raw_ostream &os) const {
  os << "blocks of " << rows << " rows side by side, lanes=" << lanes
     << " parts=" << parts;
}

static int64_t rowsOf(const RowMember &member) {
  return member.op.getStaticLoopRanges()[member.dim];
}

/// The buffers with rows; empty if some operand cannot be read in blocks of rows.
static RowsUses usesOf(ArrayRef<RowMember> members) {
  RowsUses uses;
  llvm::SmallPtrSet<Operation *, 8> own;
  for (const RowMember &member : members)
    own.insert(member.op);
  for (const RowMember &member : members)
    for (OpOperand &operand : member.op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type)
        continue;
      RowAccess rows = rowAccess(member.op, operand, member.dim);
      if (rows.kind == RowAccess::Kind::All)
        continue;
      if (rows.kind != RowAccess::Kind::Own || !type.hasStaticShape() ||
          !type.getLayout().isIdentity() ||
          !type.getElementType().isIntOrFloat() ||
          !member.op.getMatchingIndexingMap(&operand).isProjectedPermutation(
              /*allowZeroInResults=*/true))
        return {};
      auto [found, isNew] = uses.insert({operand.get(), RowsUse()});
      RowsUse &use = found->second;
      if (isNew) {
        use.dim = rows.dim;
        use.columns = type.getNumElements() / type.getDimSize(rows.dim);
        use.isTurned = int64_t(rows.dim) + 1 != type.getRank();
        use.beginsWritten = isPlainWrite(member.op, operand);
        use.isLocal =
            use.beginsWritten &&
            bool(operand.get().getDefiningOp<memref::AllocOp>()) &&
            llvm::all_of(operand.get().getUsers(),
                         [&](Operation *user) { return own.contains(user); });
      }
      use.isWritten |= member.op.isDpsInit(&operand);
      int64_t bits = type.getElementType().getIntOrFloatBitWidth();
      if (use.isTurned && (use.dim != 0 || (bits != 32 && bits != 64)))
        return {};
    }
  return uses;
}

/// Whether a row takes more than a few additions and comparisons.
static bool computesMuch(ArrayRef<RowMember> members) {
  int64_t operations = 0;
  for (const RowMember &member : members)
    member.op->walk([&](Operation *inner) {
      if (isa<math::MathDialect>(inner->getDialect()) ||
          isa<arith::DivFOp, arith::SelectOp>(inner))
        operations += 8;
      else if (isa<arith::ArithDialect>(inner->getDialect()))
        ++operations;
    });
  return operations >= 8;
}

std::optional<ShortRowsSchedule>
ShortRowsSchedule::choose(ArrayRef<RowMember> members, int64_t vectorBytes) {
  constexpr int64_t kShort = 64, kLeastVectors = 8, kCacheBytes = 24 * 1024,
                    kMostRows = 256;
  if (vectorBytes < 16)
    return std::nullopt;
  ShortRowsSchedule schedule;
  schedule.lanes = vectorBytes / 4;
  int64_t extent = rowsOf(members.front());
  if (extent < kLeastVectors * schedule.lanes)
    return std::nullopt;
  bool isShort = false, isTurned = false;
  double cost = 0;
  for (const RowMember &member : members) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(*member.op))
      return std::nullopt;
    bool loads = false;
    member.op->walk([&](memref::LoadOp) { loads = true; });
    int64_t columns = 1;
    for (int64_t range : member.op.getStaticLoopRanges())
      columns *= range;
    columns /= extent;
    if (loads || columns >= kShort)
      return std::nullopt;
    isShort |= columns > 1;
    // Other operations take one loop (FlatLoops.h).
    isTurned |= columns > 1 && !isa<linalg::FillOp>(*member.op) &&
                llvm::any_of(member.op.getIndexingMapsArray(),
                             [](AffineMap map) { return !map.isIdentity(); });
    cost += costOf(member.op);
  }
  RowsUses uses = usesOf(members);
  int64_t bytes = 0;
  for (auto &[buffer, use] : uses) {
    auto type = cast<MemRefType>(buffer.getType());
    bytes += use.columns * elementBytes(type.getElementType());
  }
  if (!isShort || !isTurned || bytes == 0 || !computesMuch(members))
    return std::nullopt;
  int64_t lanes = schedule.lanes;
  schedule.rows = std::clamp(kCacheBytes / bytes / lanes * lanes, lanes,
                             std::min(kMostRows, extent / lanes * lanes));
  schedule.parts = evenParts(extent / schedule.rows, partsFor(cost));
  return schedule;
}

//===----------------------------------------------------------------------===//
// Transposed blocks
//===----------------------------------------------------------------------===//

namespace {
class ShortRowsEmitter {
public:
  ShortRowsEmitter(ArrayRef<RowMember> members,
                   const ShortRowsSchedule &schedule)
      : members(members), schedule(schedule), uses(usesOf(members)),
        builder(members.back().op), loc(members.back().op.getLoc()) {}

  void run();

private:
  mlir::Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value plus(mlir::Value a, mlir::Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  mlir::Value times(mlir::Value a, int64_t b) {
    return arith::MulIOp::create(builder, loc, a, index(b));
  }
  mlir::Value line(mlir::Value buffer) { return lineOf(builder, loc, buffer); }
  mlir::Value load(VectorType type, mlir::Value from, mlir::Value at,
                   int64_t count);
  void store(mlir::Value value, mlir::Value to, mlir::Value at, int64_t count);
  void turn(mlir::Value buffer, mlir::Value first, int64_t rows, bool isIn);
  void square(mlir::Value buffer, mlir::Value local, mlir::Value from,
              mlir::Value row, int64_t rows, int64_t column, int64_t columns,
              bool isIn);
  void allocate(mlir::Value part);
  mlir::Value blockOf(mlir::Value buffer, mlir::Value first, int64_t rows);
  void block(mlir::Value first, int64_t rows);

  ArrayRef<RowMember> members;
  const ShortRowsSchedule &schedule;
  RowsUses uses;
  OpBuilder builder;
  Location loc;
  /// Of a part: the block of a buffer, with the rows as its last dimension.
  llvm::DenseMap<mlir::Value, mlir::Value> blocks;
};
} // namespace

mlir::Value ShortRowsEmitter::load(VectorType type, mlir::Value from,
                                   mlir::Value at, int64_t count) {
  if (count >= type.getNumElements())
    return vector::LoadOp::create(builder, loc, type, from, ValueRange(at));
  mlir::Value zero =
      arith::ConstantOp::create(builder, loc, type, builder.getZeroAttr(type));
  mlir::Value mask = vector::CreateMaskOp::create(
      builder, loc, VectorType::get(type.getShape(), builder.getI1Type()),
      ValueRange(index(count)));
  return vector::MaskedLoadOp::create(builder, loc, type, from, ValueRange(at),
                                      mask, zero);
}

void ShortRowsEmitter::store(mlir::Value value, mlir::Value to, mlir::Value at,
                             int64_t count) {
  auto type = cast<VectorType>(value.getType());
  if (count >= type.getNumElements()) {
    vector::StoreOp::create(builder, loc, value, to, ValueRange(at));
    return;
  }
  mlir::Value mask = vector::CreateMaskOp::create(
      builder, loc, VectorType::get(type.getShape(), builder.getI1Type()),
      ValueRange(index(count)));
  vector::MaskedStoreOp::create(builder, loc, to, ValueRange(at), mask, value);
}

/// Some columns of as many rows as a vector has lanes, between the buffer from `from`
/// on and its block from `row` on. Of less rows, the vectors in the block have lanes
/// that no operation reads.
void ShortRowsEmitter::square(mlir::Value buffer, mlir::Value local,
                              mlir::Value from, mlir::Value row, int64_t rows,
                              int64_t column, int64_t columns, bool isIn) {
  auto element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t lanes = schedule.lanes * 32 / element.getIntOrFloatBitWidth();
  auto type = VectorType::get({lanes}, element);
  int64_t all = uses.find(buffer)->second.columns;
  mlir::Value outside = line(buffer), inside = line(local);
  auto rowAt = [&](int64_t i) { return plus(from, index(i * all + column)); };
  auto columnAt = [&](int64_t j) {
    return plus(row, index((column + j) * schedule.rows));
  };
  SmallVector<mlir::Value> vectors;
  if (isIn) {
    for (int64_t i = 0; i < lanes; ++i)
      vectors.push_back(i < rows ? load(type, outside, rowAt(i), columns)
                                 : vectors.back());
    vectors = transposed(builder, loc, std::move(vectors));
    for (int64_t j = 0; j < columns; ++j)
      store(vectors[size_t(j)], inside, columnAt(j), lanes);
    return;
  }
  for (int64_t j = 0; j < lanes; ++j)
    vectors.push_back(j < columns ? load(type, inside, columnAt(j), lanes)
                                  : vectors.back());
  vectors = transposed(builder, loc, std::move(vectors));
  for (int64_t i = 0; i < rows; ++i)
    store(vectors[size_t(i)], outside, rowAt(i), columns);
}

/// Copies rows of a buffer to its block, or back.
void ShortRowsEmitter::turn(mlir::Value buffer, mlir::Value first, int64_t rows,
                            bool isIn) {
  auto element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t lanes = schedule.lanes * 32 / element.getIntOrFloatBitWidth(),
          all = uses.find(buffer)->second.columns;
  mlir::Value local = blocks.lookup(buffer);
  auto squares = [&](mlir::Value row, int64_t count) {
    mlir::Value from = times(plus(first, row), all);
    for (int64_t j = 0; j < all; j += lanes)
      square(buffer, local, from, row, count, j, std::min(lanes, all - j),
             isIn);
  };
  int64_t full = rows / lanes * lanes;
  if (full > 0) {
    auto loop =
        scf::ForOp::create(builder, loc, index(0), index(full), index(lanes));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    squares(loop.getInductionVar(), lanes);
  }
  if (full != rows)
    squares(index(full), rows - full);
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// The blocks of one part.
void ShortRowsEmitter::allocate(mlir::Value part) {
  for (auto &[buffer, use] : uses) {
    if (!use.isTurned && !use.isLocal)
      continue;
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + use.dim);
    shape.push_back(schedule.rows);
    blocks[buffer] = localMemory(builder, loc, part, schedule.parts, shape,
                                 type.getElementType());
  }
}

/// The rows of a buffer that operations of a block access.
mlir::Value ShortRowsEmitter::blockOf(mlir::Value buffer, mlir::Value first,
                                      int64_t rows) {
  mlir::Value block = blocks.lookup(buffer);
  mlir::Value from = block ? block : buffer;
  auto type = cast<MemRefType>(from.getType());
  size_t dim = block ? size_t(type.getRank() - 1)
                     : size_t(uses.find(buffer)->second.dim);
  SmallVector<OpFoldResult> offsets(size_t(type.getRank()),
                                    builder.getIndexAttr(0)),
      sizes, strides(size_t(type.getRank()), builder.getIndexAttr(1));
  for (int64_t extent : type.getShape())
    sizes.push_back(builder.getIndexAttr(extent));
  if (!block)
    offsets[dim] = first;
  sizes[dim] = builder.getIndexAttr(rows);
  return memref::SubViewOp::create(builder, loc, from, offsets, sizes, strides);
}

/// The map into a block: the rows are last.
static AffineMap mapOf(AffineMap map, unsigned dim) {
  SmallVector<AffineExpr> results(map.getResults());
  AffineExpr row = results[dim];
  results.erase(results.begin() + dim);
  results.push_back(row);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// All operations, for some rows.
void ShortRowsEmitter::block(mlir::Value first, int64_t rows) {
  for (auto &[buffer, use] : uses)
    if (use.isTurned && !use.beginsWritten)
      turn(buffer, first, rows, /*isIn=*/true);
  llvm::DenseMap<mlir::Value, mlir::Value> views;
  for (auto &[buffer, use] : uses)
    views[buffer] = blockOf(buffer, first, rows);
  for (const RowMember &member : members) {
    SmallVector<mlir::Value> operands;
    SmallVector<AffineMap> maps = member.op.getIndexingMapsArray();
    for (OpOperand &operand : member.op->getOpOperands()) {
      auto use = uses.find(operand.get());
      operands.push_back(use == uses.end() ? operand.get()
                                           : views.lookup(operand.get()));
      if (use != uses.end() && blocks.contains(operand.get())) {
        AffineMap &map = maps[operand.getOperandNumber()];
        map = mapOf(map, use->second.dim);
      }
    }
    auto made = cast<linalg::LinalgOp>(
        mlir::clone(builder, member.op, TypeRange(), operands));
    auto generic = dyn_cast<linalg::GenericOp>(*made);
    if (!generic)
      continue;
    generic.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    SmallVector<OpFoldResult> starts(maps.front().getNumDims(),
                                     builder.getIndexAttr(0));
    starts[member.dim] = first;
    linalg::offsetIndices(builder, made, starts);
    if (made.getNumReductionLoops() != 0)
      continue;
    SmallVector<unsigned> order;
    for (unsigned loop = 0; loop < maps.front().getNumDims(); ++loop)
      if (loop != member.dim)
        order.push_back(loop);
    order.push_back(member.dim);
    IRRewriter rewriter(builder);
    rewriter.setInsertionPoint(generic);
    (void)linalg::interchangeGenericOp(rewriter, generic, order);
  }
  for (auto &[buffer, use] : uses)
    if (use.isTurned && use.isWritten && !use.isLocal)
      turn(buffer, first, rows, /*isIn=*/false);
}

void ShortRowsEmitter::run() {
  int64_t extent = rowsOf(members.front()), count = extent / schedule.rows,
          rest = extent % schedule.rows;
  forEachPart(builder, loc, schedule.parts, [&](mlir::Value number) {
    allocate(number);
    auto [from, to] = rangeOfPart(builder, loc, number, count, schedule.parts);
    auto loop = scf::ForOp::create(builder, loc, from, to, index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    block(times(loop.getInductionVar(), schedule.rows), schedule.rows);
  });
  if (rest != 0) {
    blocks.clear();
    allocate(index(0));
    block(index(count * schedule.rows), rest);
  }
  for (const RowMember &member : llvm::reverse(members))
    member.op->erase();
  for (auto &[buffer, use] : uses)
    if (use.isLocal)
      buffer.getDefiningOp()->erase();
}

void cpu::emitShortRows(ArrayRef<RowMember> members,
                        const ShortRowsSchedule &schedule) {
  ShortRowsEmitter(members, schedule).run();
}
