// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CopiedParts.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <vector>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
/// Elements of a buffer: their first one, and the number in each dimension, `step`
/// elements apart.
struct Box {
  SmallVector<int64_t> first, size, step;

  [[nodiscard]] int64_t elements() const {
    int64_t count = 1;
    for (int64_t extent : size)
      count *= extent;
    return count;
  }
  [[nodiscard]] bool contains(const Box &other) const {
    for (size_t d = 0; d < first.size(); ++d)
      if (other.first[d] < first[d] ||
          other.first[d] + other.size[d] > first[d] + size[d])
        return false;
    return true;
  }
  /// None if no element is in both. Requires: the other one has steps of 1.
  [[nodiscard]] std::optional<Box> meet(const Box &other) const;
};

/// A view of a box of a buffer.
struct BoxView {
  mlir::Value buffer;
  Box box;
};

/// A part of what a reader reads.
struct CopiedPart {
  Box box;                    ///< in the buffer that is read
  mlir::Value source;         ///< the buffer with these elements
  SmallVector<int64_t> first; ///< of the part, in `source`
  mlir::Value number = {};    ///< that all elements are, if a fill wrote them
};

/// What a reader reads, and the copies that wrote it.
struct CopiedParts {
  std::vector<CopiedPart> parts;
  SmallVector<memref::CopyOp> copies;
  bool isForwarded = false; ///< some part is read elsewhere
};

class PartsReader {
public:
  PartsReader(Operation *op, const BoxView &view) : op(op), view(view) {}

  /// Looks for the copies before the operation.
  CopiedParts find();

private:
  void addPart(CopiedParts &found, const Box &box, const BoxView *from,
               const Box &into);
  void fillLeft(CopiedParts &found, linalg::FillOp fill);

  Operation *op;
  BoxView view;
  SmallVector<Box> left;                     ///< what no copy was found for
  llvm::SmallPtrSet<mlir::Value, 8> changed; ///< after the current operation
};
} // namespace

std::optional<Box> Box::meet(const Box &other) const {
  Box both;
  for (size_t d = 0; d < first.size(); ++d) {
    // The numbers of the elements in this box.
    int64_t from = std::max<int64_t>(
                0, llvm::divideCeilSigned(other.first[d] - first[d], step[d])),
            to =
                std::min(size[d], llvm::divideCeilSigned(
                                      other.first[d] + other.size[d] - first[d],
                                      step[d]));
    if (from >= to)
      return std::nullopt;
    both.first.push_back(first[d] + from * step[d]);
    both.size.push_back(to - from);
    both.step.push_back(step[d]);
  }
  return both;
}

/// The elements of `all` that are not in `other`, which is a part of it.
static SmallVector<Box> restOf(const Box &all, const Box &other) {
  SmallVector<Box> rest;
  Box inner = all;
  for (size_t d = all.first.size(); d-- > 0;) {
    int64_t before = (other.first[d] - inner.first[d]) / inner.step[d],
            after = inner.size[d] - before - other.size[d];
    Box slab = inner;
    slab.size[d] = before;
    if (before > 0)
      rest.push_back(slab);
    slab.first[d] = other.first[d] + other.size[d] * inner.step[d];
    slab.size[d] = after;
    if (after > 0)
      rest.push_back(slab);
    inner.first[d] = other.first[d];
    inner.size[d] = other.size[d];
  }
  return rest;
}

/// The box that a value is of a buffer; none if it is no box of known place, or has
/// steps and may not.
static std::optional<BoxView> boxOf(mlir::Value value, bool mayStep = false) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getRank() == 0)
    return std::nullopt;
  BoxView own{value,
              {SmallVector<int64_t>(size_t(type.getRank()), 0),
               SmallVector<int64_t>(type.getShape()),
               SmallVector<int64_t>(size_t(type.getRank()), 1)}};
  while (auto view = own.buffer.getDefiningOp<memref::SubViewOp>()) {
    if (view.getSourceType().getRank() != type.getRank() ||
        ShapedType::isDynamicShape(view.getStaticOffsets()) ||
        llvm::any_of(view.getStaticStrides(),
                     [&](int64_t s) { return mayStep ? s < 1 : s != 1; }))
      return std::nullopt;
    for (auto [first, step, offset, stride] :
         llvm::zip_equal(own.box.first, own.box.step, view.getStaticOffsets(),
                         view.getStaticStrides())) {
      first = first * stride + offset;
      step *= stride;
    }
    own.buffer = view.getSource();
  }
  return own;
}

/// A view of the elements.
static mlir::Value viewOf(OpBuilder &builder, Location loc, mlir::Value buffer,
                          ArrayRef<int64_t> first, ArrayRef<int64_t> size,
                          ArrayRef<int64_t> step) {
  auto type = cast<MemRefType>(buffer.getType());
  if (llvm::all_of(first, [](int64_t i) { return i == 0; }) &&
      type.getShape() == size)
    return buffer;
  return memref::SubViewOp::create(builder, loc, buffer, first, size, step);
}

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

/// The elements of `box` that a copy of `from` into `into` wrote. Without `from`, they
/// are read in place.
void PartsReader::addPart(CopiedParts &found, const Box &box,
                          const BoxView *from, const Box &into) {
  if (!from || changed.contains(rootOf(from->buffer)) ||
      rootOf(from->buffer) == rootOf(view.buffer)) {
    found.parts.push_back({box, view.buffer, box.first});
    return;
  }
  SmallVector<int64_t> first;
  for (size_t d = 0; d < box.first.size(); ++d)
    first.push_back(box.first[d] - into.first[d] + from->box.first[d]);
  found.parts.push_back({box, from->buffer, first});
  found.isForwarded = true;
}

/// The elements of no part were filled with a number, such as the border of a pad.
void PartsReader::fillLeft(CopiedParts &found, linalg::FillOp fill) {
  if (!fill || fill.getDpsInits()[0] != view.buffer ||
      !isa<linalg::GenericOp>(op))
    return;
  found.isForwarded = true;
  for (const Box &box : left)
    found.parts.push_back({box, view.buffer, box.first, fill.getInputs()[0]});
  left.clear();
}

CopiedParts PartsReader::find() {
  CopiedParts found;
  left = {view.box};
  bool isRead = false; // between the copies and the reader
  mlir::Value root = rootOf(view.buffer);
  for (Operation *other = op->getPrevNode(); other && !left.empty();
       other = other->getPrevNode()) {
    if (isOrderless(other))
      continue;
    auto copy = dyn_cast<memref::CopyOp>(other);
    auto linalgOp = dyn_cast<linalg::LinalgOp>(other);
    if (!copy && (!linalgOp || !linalgOp.hasPureBufferSemantics()))
      break;
    SmallVector<mlir::Value> written;
    if (copy)
      written.push_back(copy.getTarget());
    else
      llvm::append_range(written, linalgOp.getDpsInits());
    bool writes = llvm::any_of(
        written, [&](mlir::Value to) { return rootOf(to) == root; });
    if (writes && !copy) {
      fillLeft(found, dyn_cast<linalg::FillOp>(other));
      break;
    }
    if (writes) {
      std::optional<BoxView> into = boxOf(copy.getTarget()),
                             from = boxOf(copy.getSource());
      if (!into || into->buffer != view.buffer)
        break;
      bool isSame = from && from->box.first.size() == into->box.first.size();
      SmallVector<Box> rest;
      for (const Box &box : left) {
        std::optional<Box> both = box.meet(into->box);
        if (!both) {
          rest.push_back(box);
          continue;
        }
        addPart(found, *both, isSame ? &*from : nullptr, into->box);
        rest.append(restOf(box, *both));
      }
      left = std::move(rest);
      if (!isRead)
        found.copies.push_back(copy);
    }
    bool reads =
        copy ? rootOf(copy.getSource()) == root
             : llvm::any_of(other->getOperands(), [&](mlir::Value operand) {
                 return isa<MemRefType>(operand.getType()) &&
                        rootOf(operand) == root;
               });
    bool loads = false;
    other->walk([&](memref::LoadOp load) {
      loads |= rootOf(load.getMemRef()) == root;
    });
    isRead |= reads || loads;
    for (mlir::Value to : written)
      changed.insert(rootOf(to));
  }
  for (const Box &box : left)
    addPart(found, box, nullptr, box);
  return found;
}

/// Nothing is written to a buffer that a part is read from.
static bool areApart(const CopiedParts &found, ArrayRef<mlir::Value> written,
                     mlir::Value buffer) {
  return llvm::none_of(found.parts, [&](const CopiedPart &part) {
    return llvm::any_of(written, [&](mlir::Value to) {
      return part.source != buffer && rootOf(to) == rootOf(part.source);
    });
  });
}

static constexpr size_t kMostParts = 8;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static void splitCopy(memref::CopyOp copy) {
  std::optional<BoxView> from = boxOf(copy.getSource());
  auto target = cast<MemRefType>(copy.getTarget().getType());
  if (!from || !target.hasStaticShape() ||
      rootOf(copy.getSource()) == rootOf(copy.getTarget()))
    return;
  CopiedParts found = PartsReader(copy, *from).find();
  if (!found.isForwarded || found.parts.size() > kMostParts ||
      !areApart(found, copy.getTarget(), from->buffer))
    return;
  OpBuilder builder(copy);
  for (const CopiedPart &part : found.parts) {
    SmallVector<int64_t> place;
    for (auto [own, first] : llvm::zip_equal(part.box.first, from->box.first))
      place.push_back(own - first);
    memref::CopyOp::create(builder, copy.getLoc(),
                           viewOf(builder, copy.getLoc(), part.source,
                                  part.first, part.box.size, part.box.step),
                           viewOf(builder, copy.getLoc(), copy.getTarget(),
                                  place, part.box.size, part.box.step));
  }
  copy.erase();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether vectors compute nearly all elements, or could do so of none before.
static bool areWide(const CopiedParts &found, const BoxView &view) {
  constexpr int64_t kWide = 16, kMostNarrow = 8;
  int64_t narrow = 0, all = 0;
  if (view.box.size.back() < kWide)
    return true;
  for (const CopiedPart &part : found.parts) {
    all += part.box.elements();
    if (part.box.size.back() < kWide)
      narrow += part.box.elements();
  }
  return narrow * kMostNarrow <= all;
}

/// Whether only copies read what the operation writes.
static bool isLast(linalg::LinalgOp op) {
  for (mlir::Value written : op.getDpsInits())
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (!isa<memref::CopyOp>(next) && !isOrderless(next))
        for (mlir::Value operand : next->getOperands())
          if (isa<MemRefType>(operand.getType()) &&
              rootOf(operand) == rootOf(written))
            return false;
  return true;
}

/// The operation for each part of an operand.
static SmallVector<linalg::LinalgOp> splitInto(linalg::LinalgOp op,
                                               OpOperand &operand,
                                               const BoxView &view,
                                               const CopiedParts &found) {
  SmallVector<linalg::LinalgOp> pieces;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<OpFoldResult> bounds;
  for (int64_t extent : op.getStaticLoopRanges())
    bounds.push_back(builder.getIndexAttr(extent));
  for (const CopiedPart &part : found.parts) {
    SmallVector<OpFoldResult> starts(bounds.size()), sizes(bounds.size());
    for (auto [d, result] : llvm::enumerate(map.getResults())) {
      unsigned loop = cast<AffineDimExpr>(result).getPosition();
      starts[loop] = builder.getIndexAttr(
          (part.box.first[d] - view.box.first[d]) / view.box.step[d]);
      sizes[loop] = builder.getIndexAttr(part.box.size[d]);
    }
    SmallVector<mlir::Value> operands = linalg::makeTiledShapes(
        builder, loc, op, op->getOperands(), starts, sizes, bounds,
        /*omitPartialTileCheck=*/true);
    mlir::Value &own = operands[operand.getOperandNumber()];
    Operation *unused = own.getDefiningOp();
    bool isNumber = bool(part.number);
    own = isNumber ? part.number
                   : viewOf(builder, loc, part.source, part.first,
                            part.box.size, part.box.step);
    if (unused && unused->use_empty() && isa<memref::SubViewOp>(unused))
      unused->erase();
    Operation *made = mlir::clone(builder, op, TypeRange(), operands);
    linalg::offsetIndices(builder, cast<linalg::LinalgOp>(made), starts);
    if (isNumber) {
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[operand.getOperandNumber()] =
          AffineMap::get(op.getNumLoops(), 0, op.getContext());
      cast<linalg::GenericOp>(made).setIndexingMapsAttr(
          builder.getAffineMapArrayAttr(maps));
    }
    pieces.push_back(cast<linalg::LinalgOp>(made));
  }
  op.erase();
  return pieces;
}

/// Whether the operation writes all elements of a copy, and reads none of them.
static bool writesOver(linalg::LinalgOp op, OpOperand &operand,
                       const CopiedParts &found, memref::CopyOp copy) {
  std::optional<BoxView> into = boxOf(copy.getTarget());
  for (const CopiedPart &part : found.parts)
    if (part.source == into->buffer && part.box.meet(into->box))
      return false;
  bool covers = false;
  for (OpOperand &other : op->getOpOperands()) {
    if (&other == &operand || !isa<MemRefType>(other.get().getType()) ||
        rootOf(other.get()) != rootOf(into->buffer))
      continue;
    std::optional<BoxView> written = boxOf(other.get());
    if (!isPlainWrite(op, other) || !written ||
        written->buffer != into->buffer || !written->box.contains(into->box))
      return false;
    covers = true;
  }
  return covers;
}

/// The operations that replace an operation; none if nothing does. Their operands may
/// have parts, too.
static SmallVector<linalg::LinalgOp> splitOnce(linalg::LinalgOp op) {
  if (!hasKnownLoops(op) || op.getNumReductionLoops() != 0 ||
      op->walk([](memref::LoadOp) {
          return WalkResult::interrupt();
        }).wasInterrupted())
    return {};
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isDpsInit(&operand) || !op.payloadUsesValueFromOperand(&operand) ||
        !op.getMatchingIndexingMap(&operand).isPermutation())
      continue;
    std::optional<BoxView> view = boxOf(operand.get(), /*mayStep=*/true);
    if (!view)
      continue;
    CopiedParts found = PartsReader(op, *view).find();
    SmallVector<mlir::Value> written(op.getDpsInits());
    // The parts are computed one after another. None of them may read what another
    // one writes.
    bool isApart = areApart(found, written, view->buffer);
    for (OpOperand &other : op->getOpOperands())
      if (isa<MemRefType>(other.get().getType()) && !op.isDpsInit(&other) &&
          llvm::any_of(written, [&](mlir::Value to) {
            return rootOf(to) == rootOf(other.get());
          }))
        isApart &= op.getMatchingIndexingMap(&other).isPermutation() &&
                   llvm::is_contained(written, other.get()) &&
                   llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
                     return init.get() != other.get() ||
                            op.getMatchingIndexingMap(&init) ==
                                op.getMatchingIndexingMap(&other);
                   });
    if (!found.isForwarded || found.parts.size() > kMostParts || !isApart ||
        !areWide(found, *view))
      continue;
    for (memref::CopyOp copy : found.copies)
      if (writesOver(op, operand, found, copy))
        copy.erase();
    return splitInto(op, operand, *view, found);
  }
  return {};
}

static void splitOperation(linalg::LinalgOp op) {
  constexpr size_t kMostPieces = 16;
  if (!isLast(op))
    return;
  SmallVector<linalg::LinalgOp> left = {op};
  for (size_t pieces = 1; !left.empty() && pieces <= kMostPieces;) {
    SmallVector<linalg::LinalgOp> made = splitOnce(left.pop_back_val());
    pieces += made.empty() ? 0 : made.size() - 1;
    left.append(made);
  }
}

//===----------------------------------------------------------------------===//
// What nobody reads
//===----------------------------------------------------------------------===//

/// The copies into a buffer and its views, and fills; false if something else uses them.
static bool collectCopies(mlir::Value buffer, SmallVector<Operation *> &users) {
  for (Operation *user : buffer.getUsers()) {
    auto copy = dyn_cast<memref::CopyOp>(user);
    if ((copy && copy.getSource() != buffer) || isa<linalg::FillOp>(user)) {
      users.push_back(user);
      continue;
    }
    if (!isa<memref::SubViewOp>(user) ||
        !collectCopies(user->getResult(0), users))
      return false;
    users.push_back(user);
  }
  return true;
}

static bool eraseUnread(Block &block) {
  bool isChanged = false;
  for (auto alloc :
       llvm::make_early_inc_range(block.getOps<memref::AllocOp>())) {
    SmallVector<Operation *> users;
    if (!collectCopies(alloc, users))
      continue;
    // Users of a view come before it, and the uses of a copy's source remain.
    for (Operation *user : users)
      user->erase();
    alloc.erase();
    isChanged = true;
  }
  return isChanged;
}

void cpu::readCopiedParts(func::FuncOp kernel) {
  if (!llvm::hasSingleElement(kernel.getBody()))
    return;
  Block &block = kernel.getBody().front();
  eraseCopiesToSelf(block);
  if (block.getOps<memref::CopyOp>().empty())
    return;
  SmallVector<Operation *> operations;
  for (Operation &op : block)
    if (isa<memref::CopyOp, linalg::LinalgOp>(op))
      operations.push_back(&op);
  for (Operation *op : operations)
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      splitCopy(copy);
    else
      splitOperation(cast<linalg::LinalgOp>(op));
  while (eraseUnread(block))
    ;
}
