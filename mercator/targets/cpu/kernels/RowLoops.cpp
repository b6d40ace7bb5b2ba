// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/RowLoops.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/ShortRows.h"
#include "mercator/targets/cpu/kernels/SumCode.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
constexpr size_t kMostOperations = 32;

using Member = RowMember;

RowAccess accessOf(const Member &member, OpOperand &operand) {
  return rowAccess(member.op, operand, member.dim);
}
int64_t extentOf(const Member &member) {
  return member.op.getStaticLoopRanges()[member.dim];
}

/// What a group does with a buffer.
struct Use {
  unsigned dim = 0; ///< of rows
  bool isWritten = false;
  /// The first operation writes all of a row, without reading it.
  bool beginsWritten = false;
  bool isLocal = false;
};

class Group {
public:
  Group(Member first, const Machine &machine)
      : vectorBytes(machine.vectorBytes()),
        cacheBytes(machine.ownCacheBytes() / 4) {
    members.push_back(first);
  }

  /// Whether the first operation can be in a group at all.
  [[nodiscard]] bool isSound() const { return fits(members.front()); }
  bool tryToAdd(linalg::LinalgOp op);
  /// Decides how many rows a block has. False if that does not pay.
  bool plan();
  void emit();

  SmallVector<Member> members;
  /// How short rows are computed; none if they are not short.
  std::optional<ShortRowsSchedule> shortRows;

private:
  [[nodiscard]] bool fits(const Member &member) const;
  [[nodiscard]] bool hasEnoughRows() const;
  [[nodiscard]] bool hasLongPieces() const;
  void collectUses();
  void chooseLocal();
  void chooseBlocks();
  void emitBlock(OpBuilder &builder, mlir::Value first, OpFoldResult size);
  mlir::Value localOf(OpBuilder &builder, mlir::Value buffer,
                      mlir::Value number);

  llvm::MapVector<mlir::Value, Use> uses; ///< with rows of their own
  llvm::MapVector<mlir::Value, mlir::Value> locals;
  int64_t vectorBytes;
  int64_t cacheBytes; ///< for the rows of a block: a quarter of a core's own
  int64_t parts = 1, rows = 1; ///< of a block
};
} // namespace

/// Whether the dimension can be the rows of an operation. The columns of a reduction
/// cannot: each block of columns would walk all rows of its operands.
static bool canBeRows(linalg::LinalgOp op, unsigned dim) {
  return op.getIteratorTypesArray()[dim] == utils::IteratorType::parallel &&
         columnsOf(op) != dim;
}

/// In several parts, if that pays.
static void divide(linalg::LinalgOp op) {
  if (isReduction(op))
    divideReduction(op);
  else
    divideOperation(op);
}

//===----------------------------------------------------------------------===//
// What can be joined
//===----------------------------------------------------------------------===//

bool Group::fits(const Member &member) const {
  linalg::LinalgOp op = member.op;
  if (llvm::any_of(members, [&](const Member &other) {
        return loadsWhatIsWritten(op, other.op) ||
               loadsWhatIsWritten(other.op, op);
      }))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isWritten = op.isDpsInit(&operand);
    RowAccess rows = accessOf(member, operand);
    if (isWritten && rows.kind != RowAccess::Kind::Own)
      return false;
    auto agrees = [&](const Member &other) {
      for (OpOperand &access : linalg::LinalgOp(other.op)->getOpOperands()) {
        if (!isa<MemRefType>(access.get().getType()) ||
            rootOf(access.get()) != rootOf(operand.get()) ||
            (!isWritten && !other.op.isDpsInit(&access)))
          continue;
        RowAccess their = accessOf(other, access);
        if (access.get() != operand.get() ||
            rows.kind != RowAccess::Kind::Own ||
            their.kind != RowAccess::Kind::Own || rows.dim != their.dim)
          return false;
      }
      return true;
    };
    if (!agrees(member) || !llvm::all_of(members, agrees))
      return false;
  }
  return true;
}

bool Group::tryToAdd(linalg::LinalgOp op) {
  if (members.size() == kMostOperations || !hasKnownLoops(op))
    return false;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    Member member{op, dim};
    if (extents[dim] == extentOf(members.front()) && canBeRows(op, dim) &&
        fits(member)) {
      members.push_back(member);
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static int64_t bytesOf(mlir::Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getNumElements() * elementBytes(type.getElementType());
}

void Group::collectUses() {
  for (const Member &member : members) {
    linalg::LinalgOp op = member.op;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type || !type.hasStaticShape())
        continue;
      RowAccess rows = accessOf(member, operand);
      if (rows.kind != RowAccess::Kind::Own)
        continue;
      auto [use, isNew] = uses.insert({operand.get(), Use{rows.dim}});
      if (isNew)
        use->second.beginsWritten = isPlainWrite(op, operand);
      use->second.isWritten |= op.isDpsInit(&operand);
    }
  }
}

/// Buffers of the kernel that only this group uses.
void Group::chooseLocal() {
  llvm::SmallPtrSet<Operation *, 8> own;
  for (const Member &member : members)
    own.insert(member.op);
  for (auto &[buffer, use] : uses) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!use.isWritten || !use.beginsWritten ||
        !type.getLayout().isIdentity() ||
        !llvm::all_of(buffer.getUsers(),
                      [&](Operation *user) { return own.contains(user); }))
      continue;
    use.isLocal = bool(buffer.getDefiningOp<memref::AllocOp>());
  }
}

static double costOf(ArrayRef<Member> members) {
  double cost = 0;
  for (const Member &member : members)
    cost += cpu::costOf(member.op);
  return cost;
}

/// For several parts, if there is work for them.
bool Group::hasEnoughRows() const {
  return extentOf(members.front()) >=
         std::min<int64_t>(8, partsFor(costOf(members)));
}

/// Whether the rows of a block are long pieces of the buffers that are not in the
/// cache anyway. Of a buffer whose last dimension is the row, a block would be a few
/// elements here and there.
bool Group::hasLongPieces() const {
  constexpr int64_t kLong = 1024;
  for (const auto &[buffer, use] : uses) {
    auto type = cast<MemRefType>(buffer.getType());
    int64_t piece = rows * elementBytes(type.getElementType());
    for (int64_t extent : type.getShape().drop_front(use.dim + 1))
      piece *= extent;
    if (piece < kLong && bytesOf(buffer) > cacheBytes)
      return false;
  }
  return true;
}

bool Group::plan() {
  shortRows = ShortRowsSchedule::choose(members, vectorBytes);
  if (shortRows)
    return true;
  collectUses();
  chooseBlocks();
  return hasEnoughRows() && (members.size() == 1 || hasLongPieces());
}

void Group::chooseBlocks() {
  int64_t extent = extentOf(members.front()), bytes = 1;
  parts = evenParts(extent, partsFor(costOf(members)));
  for (auto &[buffer, use] : uses)
    bytes += bytesOf(buffer);
  int64_t rowBytes = (bytes + extent - 1) / extent;
  int64_t ofPart = (extent + parts - 1) / parts;
  rows = evenParts(ofPart, std::max<int64_t>(1, cacheBytes / rowBytes));
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// Rows of a buffer.
static mlir::Value rowsOf(OpBuilder &builder, Location loc, mlir::Value buffer,
                          unsigned dim, OpFoldResult first, OpFoldResult size) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes, strides(type.getRank(), builder.getIndexAttr(1));
  for (int64_t extent : type.getShape())
    sizes.push_back(builder.getIndexAttr(extent));
  offsets[dim] = first;
  sizes[dim] = size;
  return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes,
                                   strides);
}

/// The block of a local buffer in one part: memory for all parts is one buffer.
mlir::Value Group::localOf(OpBuilder &builder, mlir::Value buffer,
                           mlir::Value number) {
  auto type = cast<MemRefType>(buffer.getType());
  Location loc = members.front().op.getLoc();
  SmallVector<int64_t> shape(type.getShape());
  shape[uses.find(buffer)->second.dim] = rows;
  SmallVector<int64_t> all = shape;
  all.insert(all.begin(), parts);
  mlir::Value memory;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &members.front().op->getParentOfType<func::FuncOp>().getBody().front());
    memory = memref::AllocOp::create(
        builder, loc, MemRefType::get(all, type.getElementType()),
        builder.getI64IntegerAttr(64));
  }
  SmallVector<OpFoldResult> offsets(all.size(), builder.getIndexAttr(0)), sizes,
      strides(all.size(), builder.getIndexAttr(1));
  offsets[0] = number;
  for (int64_t extent : all)
    sizes.push_back(builder.getIndexAttr(extent));
  sizes[0] = builder.getIndexAttr(1);
  auto view = memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(memory.getType()), offsets, sizes, strides);
  return memref::SubViewOp::create(builder, loc, view, memory, offsets, sizes,
                                   strides);
}

void Group::emitBlock(OpBuilder &builder, mlir::Value first,
                      OpFoldResult size) {
  OpFoldResult none = builder.getIndexAttr(0);
  for (const Member &member : members) {
    linalg::LinalgOp op = member.op;
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> starts(op.getNumLoops(), none), sizes = starts,
                                                              bounds;
    for (int64_t extent : op.getStaticLoopRanges())
      bounds.push_back(builder.getIndexAttr(extent));
    starts[member.dim] = first;
    sizes[member.dim] = size;
    SmallVector<mlir::Value> operands = linalg::makeTiledShapes(
        builder, loc, op, op->getOperands(), OpFoldResult(first), sizes, bounds,
        /*omitPartialTileCheck=*/true);
    for (auto [operand, original] : llvm::zip(operands, op->getOperands())) {
      auto local = locals.find(original);
      if (local == locals.end())
        continue;
      Operation *unused = operand.getDefiningOp();
      operand = rowsOf(builder, loc, local->second,
                       uses.find(original)->second.dim, none, size);
      if (unused && unused->use_empty() && isa<memref::SubViewOp>(unused))
        unused->erase();
    }
    Operation *made = mlir::clone(builder, op, TypeRange(), operands);
    linalg::offsetIndices(builder, cast<linalg::LinalgOp>(made), starts);
  }
}

void Group::emit() {
  if (shortRows)
    return emitShortRows(members, *shortRows);
  int64_t extent = extentOf(members.front());
  chooseLocal();
  bool isLarge = extent > parts * rows;
  if (!isLarge) // all buffers are in the cache
    for (auto &[buffer, use] : uses)
      use.isLocal = false;
  if (members.size() == 1) {
    divide(members.front().op);
    return;
  }
  if (parts == 1 && !isLarge)
    return;
  OpBuilder builder(members.back().op);
  Location loc = members.back().op.getLoc();
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  bool isEven = extent % parts == 0 && extent / parts % rows == 0;
  forEachPart(builder, loc, parts, [&](mlir::Value number) {
    for (auto &[buffer, use] : uses)
      if (use.isLocal)
        locals[buffer] = localOf(builder, buffer, number);
    auto [from, to] = rangeOfPart(builder, loc, number, extent, parts);
    if (isEven && extent / parts == rows)
      return emitBlock(builder, from, builder.getIndexAttr(rows));
    auto loop = scf::ForOp::create(builder, loc, from, to, index(rows));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    mlir::Value first = loop.getInductionVar();
    if (isEven)
      return emitBlock(builder, first, builder.getIndexAttr(rows));
    mlir::Value left = arith::SubIOp::create(builder, loc, to, first);
    emitBlock(
        builder, first,
        mlir::Value(arith::MinSIOp::create(builder, loc, left, index(rows))));
  });
  for (const Member &member : llvm::reverse(members))
    member.op->erase();
  for (auto &[buffer, local] : locals)
    buffer.getDefiningOp()->erase();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// The longest group that begins with the operation; none if it has no rows.
static std::optional<Group> longestFrom(linalg::LinalgOp op,
                                        const Machine &machine) {
  std::optional<Group> best;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    if (extents[dim] == 1 || !canBeRows(op, dim))
      continue;
    Group group({op, dim}, machine);
    if (!group.isSound())
      continue;
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (auto other = dyn_cast<linalg::LinalgOp>(next)) {
        if (!group.tryToAdd(other))
          break;
      } else if (!isOrderless(next)) {
        break;
      }
    if (group.plan() && (!best || group.members.size() > best->members.size()))
      best = std::move(group);
  }
  return best;
}

void cpu::joinRows(func::FuncOp kernel, const Machine &machine,
                   ScheduleNotes &notes) {
  if (!llvm::hasSingleElement(kernel.getBody()))
    return;
  eraseCopiesToSelf(kernel.getBody().front());
  SmallVector<linalg::LinalgOp> operations(
      kernel.getBody().front().getOps<linalg::LinalgOp>());
  for (size_t i = 0; i < operations.size();) {
    if (!hasKnownLoops(operations[i])) {
      ++i;
      continue;
    }
    if (std::optional<Group> group = longestFrom(operations[i], machine)) {
      i += group->members.size();
      if (group->shortRows) {
        std::string text;
        llvm::raw_string_ostream os(text);
        group->shortRows->print(os);
        notes.push_back({group->members.front().op.getLoc(), text});
      }
      group->emit();
    } else {
      divide(operations[i++]);
    }
  }
}
