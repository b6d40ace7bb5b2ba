// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellLoops.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/Masks.h"
#include "mercator/targets/cpu/kernels/OnlineSoftmax.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/SumCode.h"
#include "mercator/targets/cpu/kernels/UnitViews.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <random>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

int64_t CellSchedule::tiles() const {
  int64_t count = rowTiles();
  for (int64_t extent : ArrayRef(extents).drop_back())
    count *= extent;
  return count;
}

void CellSchedule::print(llvm::raw_ostream &os) const {
  llvm::interleave(extents, os, " x ");
  os << " cells, tiles of " << rows << " rows, ";
  if (block != 0)
    os << "blocks of " << block << " columns, ";
  os << parts << " parts";
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

namespace {
/// The dimension of a buffer that each coordinate is; none if the operation
/// accesses all of the buffer. With blocks of columns, these are one more coordinate.
using Places = SmallVector<std::optional<unsigned>, 4>;

/// What the group does with a buffer.
struct CellUse {
  Places places;
  bool isWritten = false;
  /// The first operation writes all elements of a tile, without reading them.
  bool beginsWritten = false;
  bool isLocal = false;
  /// Of a local buffer: the one in whose room its tile is.
  mlir::Value room;
};

class CellGroup {
public:
  CellGroup(const Machine &machine, std::mt19937_64 *random)
      : vectorBytes(machine.vectorBytes()), isPrecise(machine.preciseMath),
        random(random) {}

  /// Adds an operation with its fills. Coordinates that it does not have are
  /// dropped. False if none would be left, or if the code of the operation cannot
  /// be in a tile.
  bool add(linalg::LinalgOp op, ArrayRef<linalg::FillOp> fills);
  /// Whether the operation needs what a member writes, or changes what one needs.
  [[nodiscard]] bool meets(linalg::LinalgOp op) const;
  /// Chooses the tiles. False if they do not pay.
  bool choose();
  void emit();

  SmallVector<CellMember> members;
  CellSchedule schedule;

private:
  [[nodiscard]] bool isGoodLoop(linalg::LinalgOp op, unsigned loop) const;
  [[nodiscard]] bool fits(linalg::LinalgOp op, unsigned loop,
                          unsigned coordinate) const;
  [[nodiscard]] Places placesOf(const CellMember &member,
                                OpOperand &operand) const;
  void collectUses();
  void findSoftmax();
  [[nodiscard]] size_t lastUse(mlir::Value buffer, size_t first) const;
  void shareRooms();
  [[nodiscard]] bool isInPlace(const CellMember &member, mlir::Value from,
                               mlir::Value to) const;
  [[nodiscard]] int64_t tileBytes(mlir::Value buffer, const Places &places,
                                  bool &hasRow) const;
  mlir::Value allocateLocal(OpBuilder &builder, Location loc, mlir::Value part,
                            ArrayRef<int64_t> shape, Type element);
  void allocateLocals(OpBuilder &builder, mlir::Value part);
  mlir::Value viewOf(OpBuilder &builder, mlir::Value buffer,
                     const Places &places, ArrayRef<mlir::Value> first,
                     ArrayRef<int64_t> sizes);
  void findMasks();
  void setRanges(linalg::LinalgOp made, size_t number, int64_t rows);
  /// The part of the loops that operations are made for: the first iteration and the
  /// number of each coordinate, and the columns of a block.
  struct Tile {
    SmallVector<mlir::Value> first;
    SmallVector<int64_t> sizes;
    /// One view of each part of a buffer, so that a fill and the product after it
    /// have the same one.
    std::vector<std::tuple<mlir::Value, Places, mlir::Value>> views;
  };
  mlir::Value viewIn(OpBuilder &builder, Tile &tile, mlir::Value buffer,
                     const Places &places);
  void emitMember(OpBuilder &builder, Tile &tile, size_t number);
  void emitTile(OpBuilder &builder, Tile tile, mlir::Value number);
  void emitBlocks(OpBuilder &builder, Tile &tile, mlir::Value number);
  void emitBlock(OpBuilder &builder, Tile tile, mlir::Value begin,
                 int64_t size);
  SoftmaxRows rowsOf(OpBuilder &builder, Tile &tile);
  std::pair<mlir::Value, mlir::Value> blocksLeft(OpBuilder &builder,
                                                 const Tile &tile,
                                                 ArrayRef<MaskBound> bounds,
                                                 mlir::Value number);
  void findInfiniteOperands(OpBuilder &builder, Tile &tile);
  mlir::Value countsExcluded(OpBuilder &builder, const SoftmaxRows &rows,
                             mlir::Value from, mlir::Value to,
                             mlir::Value count);
  void scale(OpBuilder &builder, Tile &tile, mlir::Value row, bool divides);
  void scheduleProduct(linalg::LinalgOp made, const CellMember &member);

  int64_t vectorBytes;
  bool isPrecise;
  std::mt19937_64 *random;                    ///< null: the best tiles
  llvm::MapVector<mlir::Value, CellUse> uses; ///< of buffers that are written
  llvm::DenseMap<mlir::Value, mlir::Value> locals;
  /// Of some members: what a mask leaves of the columns of a product, or of its terms.
  struct Mask {
    SmallVector<MaskBound> bounds;
    bool isOfTerms = false;
  };
  llvm::DenseMap<size_t, Mask> masks;
  std::optional<OnlineSoftmax> softmax;
  SoftmaxRows own; ///< its buffers, of the rows of a tile
  mlir::Value foundInfinite, foundCounting; ///< 0 if there is none
};
} // namespace

/// Whether the loop of an operation can be a coordinate, whatever the others do.
bool CellGroup::isGoodLoop(linalg::LinalgOp op, unsigned loop) const {
  if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel ||
      op.getStaticLoopRanges()[loop] == 1 || columnsOf(op) == loop)
    return false;
  bool isProduct = Contraction::of(op).has_value();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    RowAccess access = rowAccess(op, operand, loop);
    if (access.kind == RowAccess::Kind::Other)
      return false;
    if (!op.isDpsInit(&operand))
      continue;
    if (access.kind != RowAccess::Kind::Own)
      return false;
    // Tiles of a product have whole rows. With one column the rows are neighbors, and
    // take the place of columns.
    if (isProduct && (int64_t(access.dim) + 1 == type.getRank() ||
                      (*stridesOf(operand.get()))[access.dim] == 1))
      return false;
  }
  return true;
}

/// Whether the members and the operation access what any of them writes in the same
/// place of the coordinate.
bool CellGroup::fits(linalg::LinalgOp op, unsigned loop,
                     unsigned coordinate) const {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isWritten = op.isDpsInit(&operand);
    RowAccess own = rowAccess(op, operand, loop);
    auto agrees = [&](linalg::LinalgOp other, unsigned theirLoop) {
      for (OpOperand &access : other->getOpOperands()) {
        if (!isa<MemRefType>(access.get().getType()) ||
            rootOf(access.get()) != rootOf(operand.get()) ||
            (!isWritten && !other.isDpsInit(&access)))
          continue;
        RowAccess their = rowAccess(other, access, theirLoop);
        if (access.get() != operand.get() || own.kind != RowAccess::Kind::Own ||
            their.kind != RowAccess::Kind::Own || own.dim != their.dim)
          return false;
      }
      return true;
    };
    if (!agrees(op, loop) ||
        !llvm::all_of(members, [&](const CellMember &member) {
          return agrees(member.op, member.loops[coordinate]);
        }))
      return false;
  }
  return true;
}

bool CellGroup::meets(linalg::LinalgOp op) const {
  return llvm::any_of(members, [&](const CellMember &member) {
    if (loadsWhatIsWritten(op, member.op) || loadsWhatIsWritten(member.op, op))
      return true;
    for (OpOperand &own : op->getOpOperands())
      for (OpOperand &their : member.op->getOpOperands())
        if (isa<MemRefType>(own.get().getType()) &&
            isa<MemRefType>(their.get().getType()) &&
            (op.isDpsInit(&own) || member.op.isDpsInit(&their)) &&
            rootOf(own.get()) == rootOf(their.get()))
          return true;
    return false;
  });
}

bool CellGroup::add(linalg::LinalgOp op, ArrayRef<linalg::FillOp> fills) {
  constexpr size_t kMostOperations = 32;
  if (!hasKnownLoops(op) || members.size() + fills.size() >= kMostOperations)
    return false;
  for (const CellMember &member : members)
    if (loadsWhatIsWritten(op, member.op) || loadsWhatIsWritten(member.op, op))
      return false;
  bool loadsElsewhere = false;
  op->walk([&](memref::LoadOp) { loadsElsewhere = true; });
  if (loadsElsewhere)
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  CellMember own{op, {}, false, {}};
  if (std::optional<Contraction> contraction = Contraction::of(op)) {
    ContractionProblem problem(*contraction, vectorBytes);
    auto whole = ContractionSchedule::choose(problem, vectorBytes);
    if (whole.form != ContractionSchedule::Form::Tiles || whole.split != 0)
      return false;
    own.isProduct = true;
  }
  SmallVector<unsigned, 4> kept;
  if (members.empty()) {
    for (unsigned loop = 0; loop < ranges.size(); ++loop)
      if (isGoodLoop(op, loop) && fits(op, loop, 0)) {
        kept.push_back(unsigned(schedule.extents.size()));
        own.loops.push_back(loop);
        schedule.extents.push_back(ranges[loop]);
      }
  } else {
    for (unsigned k = 0; k < schedule.extents.size(); ++k)
      for (unsigned loop = 0; loop < ranges.size(); ++loop)
        if (ranges[loop] == schedule.extents[k] &&
            !llvm::is_contained(own.loops, loop) && isGoodLoop(op, loop) &&
            fits(op, loop, k)) {
          kept.push_back(k);
          own.loops.push_back(loop);
          break;
        }
  }
  if (kept.empty())
    return false;
  auto keep = [&](auto &list) {
    for (auto [i, k] : llvm::enumerate(kept))
      list[i] = list[k];
    list.resize(kept.size());
  };
  if (!members.empty())
    keep(schedule.extents);
  for (CellMember &member : members)
    keep(member.loops);
  // Dimension i of a filled buffer is loop i of the fill.
  for (linalg::FillOp fill : fills) {
    CellMember filling{cast<linalg::LinalgOp>(*fill), {}, false, {}};
    for (OpOperand &init : op.getDpsInitsMutable())
      if (init.get() == fill.getDpsInits()[0])
        for (unsigned loop : own.loops)
          filling.loops.push_back(rowAccess(op, init, loop).dim);
    members.push_back(std::move(filling));
  }
  members.push_back(std::move(own));
  return true;
}

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

Places CellGroup::placesOf(const CellMember &member, OpOperand &operand) const {
  Places places;
  for (unsigned loop : member.loops) {
    RowAccess access = rowAccess(member.op, operand, loop);
    places.push_back(access.kind == RowAccess::Kind::Own
                         ? std::optional(access.dim)
                         : std::nullopt);
  }
  if (!softmax)
    return places;
  places.emplace_back();
  if (member.column) {
    RowAccess access = rowAccess(member.op, operand, *member.column);
    if (access.kind == RowAccess::Kind::Own)
      places.back() = access.dim;
  }
  return places;
}

void CellGroup::collectUses() {
  llvm::SmallPtrSet<Operation *, 16> own;
  for (const CellMember &member : members)
    own.insert(member.op);
  for (const CellMember &member : members)
    for (OpOperand &init : member.op.getDpsInitsMutable()) {
      auto [use, isNew] = uses.insert({init.get(), CellUse()});
      if (!isNew)
        continue;
      use->second.places = placesOf(member, init);
      use->second.isWritten = true;
      use->second.beginsWritten = isPlainWrite(member.op, init);
    }
  for (auto &[buffer, use] : uses) {
    // A read before the first write sees what was there before the group.
    for (const CellMember &member : members) {
      bool writes = false, reads = false;
      for (OpOperand &operand : member.op->getOpOperands())
        if (operand.get() == buffer)
          (member.op.isDpsInit(&operand) ? writes : reads) = true;
      if (reads)
        use.beginsWritten = false;
      if (reads || writes)
        break;
    }
    auto type = cast<MemRefType>(buffer.getType());
    use.isLocal = use.beginsWritten && type.getLayout().isIdentity() &&
                  bool(buffer.getDefiningOp<memref::AllocOp>()) &&
                  llvm::all_of(buffer.getUsers(), [&](Operation *user) {
                    return own.contains(user);
                  });
  }
}

/// Whether the operation reads each element of a buffer just before it writes the
/// same one of another.
bool CellGroup::isInPlace(const CellMember &member, mlir::Value from,
                          mlir::Value to) const {
  OpOperand *read = nullptr, *written = nullptr;
  for (OpOperand &operand : member.op->getOpOperands())
    for (auto [buffer, place] : {std::pair(from, &read), {to, &written}})
      if (operand.get() == buffer) {
        if (*place)
          return false;
        *place = &operand;
      }
  if (!read || !written || member.isProduct || member.op.isDpsInit(read) ||
      !isPlainWrite(member.op, *written))
    return false;
  AffineMap map = member.op.getMatchingIndexingMap(read);
  return map.isPermutation() &&
         map == member.op.getMatchingIndexingMap(written);
}

/// Finds a softmax that is computed in blocks of columns.
void CellGroup::findSoftmax() {
  softmax.reset();
  for (CellMember &member : members)
    member.column.reset();
  uses.clear();
  collectUses();
  schedule.block = 0;
  if (isPrecise)
    return;
  softmax = OnlineSoftmax::of(members, [&](mlir::Value buffer) {
    auto use = uses.find(buffer);
    return use != uses.end() && use->second.isLocal;
  });
  if (!softmax)
    return;
  schedule.block = softmax->block;
  for (auto [member, loop] : llvm::zip_equal(members, softmax->loops))
    member.column = loop;
  uses.clear();
  collectUses();
}

/// The last member that accesses the buffer. What blocks have in common is needed to
/// the end of the last one.
size_t CellGroup::lastUse(mlir::Value buffer, size_t first) const {
  size_t end = first;
  for (size_t k = first; k < members.size(); ++k)
    if (llvm::is_contained(members[k].op->getOperands(), buffer))
      end = k;
  bool isOfBlock = softmax && end >= softmax->first && end <= softmax->last &&
                   !uses.find(buffer)->second.places.back();
  return isOfBlock ? softmax->last : end;
}

/// A tile has the room of another one that is no longer needed.
void CellGroup::shareRooms() {
  struct Room {
    mlir::Value owner, last; ///< the last buffer in it
    size_t end;              ///< the last member that accesses that one
  };
  SmallVector<Room> rooms;
  for (auto [i, member] : llvm::enumerate(members))
    for (mlir::Value buffer : member.op.getDpsInits()) {
      auto found = uses.find(buffer);
      if (found == uses.end() || !found->second.isLocal || found->second.room)
        continue;
      size_t end = lastUse(buffer, i);
      auto fits = [&](const Room &room) {
        return room.owner.getType() == buffer.getType() &&
               uses.find(room.owner)->second.places == found->second.places &&
               (room.end < i ||
                (room.end == i && isInPlace(member, room.last, buffer)));
      };
      auto *room = llvm::find_if(rooms, fits);
      if (room == rooms.end())
        room = &rooms.emplace_back(Room{buffer, buffer, end});
      room->last = buffer;
      room->end = end;
      found->second.room = room->owner;
    }
}

/// The bytes of a buffer that a tile of one row accesses.
int64_t CellGroup::tileBytes(mlir::Value buffer, const Places &places,
                             bool &hasRow) const {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = type.getNumElements() * elementBytes(type.getElementType());
  size_t count = schedule.extents.size();
  for (auto [place, extent] : llvm::zip(places, schedule.extents))
    if (place)
      bytes /= extent;
  hasRow = places[count - 1].has_value();
  if (places.size() > count && places.back())
    bytes = bytes / softmax->columns * softmax->block;
  return bytes;
}

bool CellGroup::choose() {
  // Half of a second-level cache is for the rows of a tile, and as much for what
  // all rows share. What fits into the first megabytes is in a cache anyway.
  constexpr int64_t kRowBytes = 512 * 1024, kSharedBytes = 512 * 1024,
                    kLeastLocal = 1024 * 1024;
  constexpr int64_t kMostRows = 64, kLeastRows = 8, kManyRows = 16,
                    kRowsOfBlocks = 128;
  findSoftmax();
  shareRooms();
  int64_t localBytes = 0, rowBytes = 0, sharedBytes = 0;
  for (auto &[buffer, use] : uses)
    if (use.isLocal) {
      auto type = cast<MemRefType>(buffer.getType());
      localBytes += type.getNumElements() * elementBytes(type.getElementType());
    }
  std::map<std::pair<void *, bool>, int64_t> counted;
  unsigned products = 0;
  double cost = 0;
  for (const CellMember &member : members) {
    products += member.isProduct;
    for (OpOperand &operand : member.op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      bool hasRow = false;
      int64_t bytes =
          tileBytes(operand.get(), placesOf(member, operand), hasRow);
      auto use = uses.find(operand.get());
      mlir::Value room = use != uses.end() && use->second.isLocal
                             ? use->second.room
                             : operand.get();
      int64_t &known = counted[{room.getAsOpaquePointer(), hasRow}];
      (hasRow ? rowBytes : sharedBytes) += std::max<int64_t>(0, bytes - known);
      known = std::max(known, bytes);
    }
    double points = 1;
    for (int64_t extent : member.op.getStaticLoopRanges())
      points *= double(extent);
    cost += member.isProduct ? points / 4 : costOf(member.op);
  }
  if (products == 0 || rowBytes == 0)
    return false;
  int64_t extent = schedule.extents.back();
  if (random) {
    schedule.rows =
        1 + int64_t((*random)() % uint64_t(std::min(extent, kMostRows)));
    schedule.parts =
        1 + int64_t((*random)() %
                    uint64_t(std::min<int64_t>(schedule.tiles(), 64)));
    return true;
  }
  if (localBytes < kLeastLocal && !softmax)
    return false;
  int64_t most = std::min({extent, softmax ? kRowsOfBlocks : kMostRows,
                           std::max<int64_t>(1, kRowBytes / rowBytes)});
  if (!softmax &&
      most <
          std::min(extent, sharedBytes > kSharedBytes ? kManyRows : kLeastRows))
    return false;
  int64_t tiles = (extent + most - 1) / most;
  schedule.rows = (extent + tiles - 1) / tiles;
  schedule.parts = evenParts(schedule.tiles(), partsFor(cost));
  return true;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

/// Memory of one part: that of all parts is one buffer.
mlir::Value CellGroup::allocateLocal(OpBuilder &builder, Location loc,
                                     mlir::Value part, ArrayRef<int64_t> shape,
                                     Type element) {
  SmallVector<int64_t> all(shape);
  all.insert(all.begin(), schedule.parts);
  // Rows that are far apart compete for the same places of the cache.
  constexpr int64_t kFarBytes = 512, kLineBytes = 64;
  int64_t bytes = elementBytes(element);
  if (shape.size() > 1 && shape.back() * bytes % kFarBytes == 0)
    all.back() += std::max<int64_t>(1, kLineBytes / bytes);
  mlir::Value memory;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &members.front().op->getParentOfType<func::FuncOp>().getBody().front());
    memory =
        memref::AllocOp::create(builder, loc, MemRefType::get(all, element),
                                builder.getI64IntegerAttr(64));
  }
  SmallVector<OpFoldResult> offsets(all.size(), builder.getIndexAttr(0)), sizes,
      strides(all.size(), builder.getIndexAttr(1));
  offsets[0] = part;
  sizes.push_back(builder.getIndexAttr(1));
  for (int64_t extent : shape)
    sizes.push_back(builder.getIndexAttr(extent));
  auto view = memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(memory.getType()), offsets, sizes, strides);
  return memref::SubViewOp::create(builder, loc, view, memory, offsets, sizes,
                                   strides);
}

/// The tiles of local buffers in one part.
void CellGroup::allocateLocals(OpBuilder &builder, mlir::Value part) {
  auto make = [&](mlir::Value buffer, const Places &places) {
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<int64_t> shape(type.getShape());
    size_t last = schedule.extents.size() - 1;
    for (auto [k, place] : llvm::enumerate(places))
      if (place)
        shape[*place] = k < last    ? 1
                        : k == last ? schedule.rows
                                    : schedule.block;
    return allocateLocal(builder, buffer.getLoc(), part, shape,
                         type.getElementType());
  };
  for (auto &[buffer, use] : uses) {
    if (!use.isLocal || (softmax && buffer == softmax->weights))
      continue;
    locals[buffer] =
        use.room != buffer ? locals.lookup(use.room) : make(buffer, use.places);
  }
  if (!softmax)
    return;
  const Places &places = uses.find(softmax->maxima)->second.places;
  for (mlir::Value *row : {&own.old, &own.shift, &own.factor})
    *row = make(softmax->maxima, places);
  auto type = cast<MemRefType>(softmax->maxima.getType());
  auto bits = MemRefType::get(
      {}, builder.getIntegerType(type.getElementTypeBitWidth()));
  for (mlir::Value *found : {&foundInfinite, &foundCounting})
    *found = memref::AllocaOp::create(builder, softmax->maxima.getLoc(), bits);
}

/// The elements of a buffer that a tile accesses.
mlir::Value CellGroup::viewOf(OpBuilder &builder, mlir::Value buffer,
                              const Places &places, ArrayRef<mlir::Value> first,
                              ArrayRef<int64_t> sizes) {
  auto local = locals.find(buffer);
  bool isLocal = local != locals.end();
  mlir::Value from = isLocal ? local->second : buffer;
  auto type = cast<MemRefType>(from.getType());
  if (llvm::none_of(places, [](auto place) { return place.has_value(); }))
    return from;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      extents, strides(type.getRank(), builder.getIndexAttr(1));
  for (int64_t extent : type.getShape())
    extents.push_back(builder.getIndexAttr(extent));
  for (auto [k, place] : llvm::enumerate(places)) {
    if (!place)
      continue;
    if (!isLocal)
      offsets[*place] = first[k];
    extents[*place] = builder.getIndexAttr(sizes[k]);
  }
  return memref::SubViewOp::create(builder, buffer.getLoc(), from, offsets,
                                   extents, strides);
}

/// Gives a product in a tile its schedule.
void CellGroup::scheduleProduct(linalg::LinalgOp made,
                                const CellMember &member) {
  std::optional<Contraction> part = Contraction::of(made);
  assert(part && "a tile of a product is a product");
  std::string text;
  llvm::raw_string_ostream os(text);
  ContractionProblem problem(*part, vectorBytes);
  ContractionSchedule tile = ContractionSchedule::ofTile(problem, vectorBytes);
  if (random)
    tile = tile.varied(problem, *random);
  tile.print(os);
  made->setAttr(kSchedule, StringAttr::get(made->getContext(), text));
  bool isSame = !member.column && llvm::none_of(uses, [&](const auto &use) {
    return rootOf(use.first) == rootOf(part->b) ||
           (locals.contains(use.first) &&
            rootOf(locals.lookup(use.first)) == rootOf(part->b));
  });
  if (isSame)
    made->setAttr(kSamePanels, UnitAttr::get(made->getContext()));
}

/// Finds products whose columns a mask excludes, and those that add up along the
/// masked values.
void CellGroup::findMasks() {
  struct Found {
    int64_t columns;
    SmallVector<MaskBound> bounds;
  };
  std::optional<Found> last;
  for (auto [number, member] : llvm::enumerate(members)) {
    if (!member.isProduct)
      continue;
    Contraction own = *Contraction::of(member.op);
    auto use = uses.find(own.a);
    if (last && use != uses.end() && use->second.isLocal &&
        own.sums.size() == 1 && own.sums[0].extent == last->columns)
      masks[number] = {last->bounds, /*isOfTerms=*/true};
    use = uses.find(own.c);
    ContractionProblem problem(own, vectorBytes);
    if (use == uses.end() || !use->second.isLocal || problem.group != 1 ||
        !problem.outerColumns.empty())
      continue;
    const CellMember *reader = nullptr;
    OpOperand *read = nullptr;
    unsigned count = 0;
    for (const CellMember &other : members)
      for (OpOperand &operand : other.op->getOpOperands())
        if (operand.get() == own.c && other.op != member.op &&
            !isa<linalg::FillOp>(other.op)) {
          ++count;
          reader = &other;
          read = &operand;
        }
    if (count != 1 || reader->op.isDpsInit(read))
      continue;
    AffineMap map = reader->op.getMatchingIndexingMap(read);
    auto column = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!column || llvm::is_contained(reader->loops, column.getPosition()) ||
        reader->op.getStaticLoopRanges()[column.getPosition()] !=
            problem.column.extent)
      continue;
    if (auto bounds = maskOf(reader->op, *read, reader->loops.back(),
                             column.getPosition())) {
      last = Found{problem.column.extent, *bounds};
      masks[number] = {*bounds, /*isOfTerms=*/false};
    }
  }
}

/// Gives a product in a tile the columns or terms that a mask leaves.
void CellGroup::setRanges(linalg::LinalgOp made, size_t number, int64_t rows) {
  auto mask = masks.find(number);
  if (mask == masks.end())
    return;
  const auto &[bounds, isOfTerms] = mask->second;
  MLIRContext *context = made->getContext();
  MaskRange range = rangeOf(bounds, schedule.rows, rows, context);
  if (members[number].column) {
    // What is left of a block whose other columns are skipped as a whole.
    if (isOfTerms)
      return;
    AffineExpr begin = getAffineDimExpr(1, context) * schedule.block;
    for (AffineMap *map : {&range.begin, &range.end})
      if (*map) {
        SmallVector<AffineExpr> bounds;
        for (AffineExpr bound : map->getResults())
          bounds.push_back(bound - begin);
        *map = AffineMap::get(2, 0, bounds, context);
      }
  }
  if (range.begin)
    made->setAttr(isOfTerms ? kTermsBegin : kColumnsBegin,
                  AffineMapAttr::get(range.begin));
  if (range.end)
    made->setAttr(isOfTerms ? kTermsEnd : kColumnsEnd,
                  AffineMapAttr::get(range.end));
}

/// The numbers of the cells that the body asks for begin with the tile's first.
static void moveIndices(linalg::LinalgOp made, const CellMember &member,
                        ArrayRef<mlir::Value> first) {
  SmallVector<linalg::IndexOp> indices;
  made->walk([&](linalg::IndexOp op) { indices.push_back(op); });
  for (linalg::IndexOp op : indices) {
    const auto *found = llvm::find(member.loops, op.getDim());
    bool isColumn = member.column == op.getDim();
    if (found == member.loops.end() && !isColumn)
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto moved = arith::AddIOp::create(
        builder, op.getLoc(), op,
        isColumn ? first.back() : first[size_t(found - member.loops.begin())]);
    op.getResult().replaceAllUsesExcept(moved, moved);
  }
}

mlir::Value CellGroup::viewIn(OpBuilder &builder, Tile &tile,
                              mlir::Value buffer, const Places &places) {
  for (auto &[known, own, view] : tile.views)
    if (known == buffer && own == places)
      return view;
  mlir::Value view = viewOf(builder, buffer, places, tile.first, tile.sizes);
  tile.views.emplace_back(buffer, places, view);
  return view;
}

void CellGroup::emitMember(OpBuilder &builder, Tile &tile, size_t number) {
  const CellMember &member = members[number];
  SmallVector<mlir::Value> operands;
  for (OpOperand &operand : member.op->getOpOperands()) {
    mlir::Value buffer = operand.get();
    if (!isa<MemRefType>(buffer.getType())) {
      operands.push_back(buffer);
      continue;
    }
    Places places = placesOf(member, operand);
    if (softmax && number == softmax->last && buffer == softmax->weights)
      buffer = softmax->exponentials;
    mlir::Value view = viewIn(builder, tile, buffer, places);
    if (softmax && number == softmax->exponential && buffer == softmax->maxima)
      view = rowsOf(builder, tile).shift;
    operands.push_back(view);
  }
  auto made = cast<linalg::LinalgOp>(
      mlir::clone(builder, member.op, TypeRange(), operands));
  moveIndices(made, member, tile.first);
  if (member.isProduct) {
    scheduleProduct(made, member);
    setRanges(made, number, tile.sizes[schedule.extents.size() - 1]);
  }
}

void CellGroup::emitTile(OpBuilder &builder, Tile tile, mlir::Value number) {
  if (softmax)
    return emitBlocks(builder, tile, number);
  for (size_t i = 0; i < members.size(); ++i)
    emitMember(builder, tile, i);
}

//===----------------------------------------------------------------------===//
// Blocks of columns
//===----------------------------------------------------------------------===//

/// The buffers of the rows of a tile, as many as it has.
SoftmaxRows CellGroup::rowsOf(OpBuilder &builder, Tile &tile) {
  const Places &places = uses.find(softmax->maxima)->second.places;
  auto part = [&](mlir::Value whole) {
    auto type = cast<MemRefType>(whole.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        sizes, strides(type.getRank(), builder.getIndexAttr(1));
    for (int64_t extent : type.getShape())
      sizes.push_back(builder.getIndexAttr(extent));
    size_t last = schedule.extents.size() - 1;
    sizes[*places[last]] = builder.getIndexAttr(tile.sizes[last]);
    return memref::SubViewOp::create(builder, whole.getLoc(), whole, offsets,
                                     sizes, strides)
        .getResult();
  };
  auto view = [&](mlir::Value buffer) {
    return viewIn(builder, tile, buffer, uses.find(buffer)->second.places);
  };
  return {view(softmax->maxima), part(own.old), part(own.shift),
          part(own.factor), view(softmax->sums)};
}

/// Multiplies the rows of the result by what a row has, or divides.
void CellGroup::scale(OpBuilder &builder, Tile &tile, mlir::Value row,
                      bool divides) {
  const Places &rowPlaces = uses.find(softmax->maxima)->second.places,
               &places = uses.find(softmax->result)->second.places;
  SmallVector<unsigned> dims(cast<MemRefType>(row.getType()).getRank());
  for (auto [own, place] : llvm::zip_equal(rowPlaces, places))
    if (own)
      dims[*own] = *place;
  scaleResult(builder, softmax->result.getLoc(),
              viewIn(builder, tile, softmax->result, places), row, dims,
              divides);
}

void CellGroup::emitBlock(OpBuilder &builder, Tile tile, mlir::Value begin,
                          int64_t size) {
  tile.first.push_back(begin);
  tile.sizes.push_back(size);
  Location loc = softmax->maxima.getLoc();
  for (size_t i = softmax->first; i <= softmax->last; ++i) {
    if (i == softmax->division || softmax->isBeginning(i, members[i]))
      continue;
    if (i == softmax->maximum)
      keepMaxima(builder, loc, rowsOf(builder, tile));
    if (i == softmax->last)
      scale(builder, tile, rowsOf(builder, tile).factor, /*divides=*/false);
    emitMember(builder, tile, i);
    if (i == softmax->maximum)
      rescaleSums(builder, loc, rowsOf(builder, tile));
  }
}

/// The blocks, from the first result to the second, that have columns which a mask
/// leaves.
std::pair<mlir::Value, mlir::Value>
CellGroup::blocksLeft(OpBuilder &builder, const Tile &tile,
                      ArrayRef<MaskBound> bounds, mlir::Value number) {
  Location loc = softmax->maxima.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  MaskRange range =
      rangeOf(bounds, schedule.rows, tile.sizes.back(), builder.getContext());
  auto clamped = [&](mlir::Value column) -> mlir::Value {
    column = arith::MaxSIOp::create(builder, loc, column, index(0));
    return arith::MinSIOp::create(builder, loc, column,
                                  index(softmax->columns));
  };
  mlir::Value from = index(0), to = index(softmax->columns),
              size = index(softmax->block);
  if (range.begin)
    from = clamped(affine::AffineMaxOp::create(builder, loc, range.begin,
                                               ValueRange(number)));
  if (range.end)
    to = clamped(affine::AffineMinOp::create(builder, loc, range.end,
                                             ValueRange(number)));
  from = arith::DivUIOp::create(builder, loc, from, size);
  to = arith::CeilDivUIOp::create(builder, loc, to, size);
  return {from, arith::MaxUIOp::create(builder, loc, from, to)};
}

static void storeZero(OpBuilder &builder, Location loc, mlir::Value found) {
  Type bits = cast<MemRefType>(found.getType()).getElementType();
  mlir::Value none =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(bits, 0));
  memref::StoreOp::create(builder, loc, none, found, ValueRange());
}

/// Whether what weighs the excluded columns is finite.
void CellGroup::findInfiniteOperands(OpBuilder &builder, Tile &tile) {
  Location loc = softmax->maxima.getLoc();
  storeZero(builder, loc, foundInfinite);
  const CellMember &product = members[softmax->last];
  for (OpOperand &operand : product.op->getOpOperands()) {
    if (operand.get() == softmax->weights || product.op.isDpsInit(&operand))
      continue;
    Places places = placesOf(product, operand);
    places.back().reset(); // of all blocks
    findInfinite(builder, loc, viewIn(builder, tile, operand.get(), places),
                 foundInfinite);
  }
}

/// Whether blocks that are not between the two add something.
mlir::Value CellGroup::countsExcluded(OpBuilder &builder,
                                      const SoftmaxRows &rows, mlir::Value from,
                                      mlir::Value to, mlir::Value count) {
  Location loc = softmax->maxima.getLoc();
  storeZero(builder, loc, foundCounting);
  findCounting(builder, loc, rows.maxima, softmax->excluded, foundCounting);
  mlir::Value found = arith::OrIOp::create(
      builder, loc,
      memref::LoadOp::create(builder, loc, foundInfinite, ValueRange()),
      memref::LoadOp::create(builder, loc, foundCounting, ValueRange()));
  mlir::Value none = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(found.getType(), 0));
  mlir::Value counts = arith::CmpIOp::create(
                  builder, loc, arith::CmpIPredicate::ne, found, none),
              isPart = arith::CmpIOp::create(
                  builder, loc, arith::CmpIPredicate::ult,
                  arith::SubIOp::create(builder, loc, to, from), count);
  return arith::AndIOp::create(builder, loc, counts, isPart);
}

void CellGroup::emitBlocks(OpBuilder &builder, Tile &tile, mlir::Value number) {
  Location loc = softmax->maxima.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  for (size_t i = 0; i < softmax->first; ++i)
    if (!softmax->isBeginning(i, members[i]))
      emitMember(builder, tile, i);
  SoftmaxRows rows = rowsOf(builder, tile);
  viewIn(builder, tile, softmax->result,
         uses.find(softmax->result)->second.places);
  auto begin = [&] {
    for (size_t i = 0; i < softmax->last; ++i)
      if (softmax->isBeginning(i, members[i]))
        emitMember(builder, tile, i);
  };
  int64_t full = softmax->columns / softmax->block,
          rest = softmax->columns % softmax->block;
  mlir::Value count = index(full + (rest != 0));
  auto blocks = [&](mlir::Value from, mlir::Value to) {
    auto loop = scf::ForOp::create(builder, loc, from, to, index(1));
    loop->setAttr(kBlocks, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    mlir::Value begin = arith::MulIOp::create(
        builder, loc, loop.getInductionVar(), index(softmax->block));
    if (rest == 0)
      return emitBlock(builder, tile, begin, softmax->block);
    mlir::Value isWhole =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              loop.getInductionVar(), index(full));
    auto either = scf::IfOp::create(builder, loc, isWhole, /*withElse=*/true);
    builder.setInsertionPointToStart(either.thenBlock());
    emitBlock(builder, tile, begin, softmax->block);
    builder.setInsertionPointToStart(either.elseBlock());
    emitBlock(builder, tile, begin, rest);
  };
  auto mask = masks.find(softmax->scores);
  if (mask == masks.end() || !softmax->excluded) {
    begin();
    blocks(index(0), count);
  } else {
    auto [from, to] = blocksLeft(builder, tile, mask->second.bounds, number);
    findInfiniteOperands(builder, tile);
    // Once, and if the blocks that were left out count, again with all of them.
    auto passes =
        scf::ForOp::create(builder, loc, index(0), index(2), index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(passes.getBody());
    mlir::Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                              passes.getInductionVar(), index(0));
    mlir::Value counts = countsExcluded(builder, rows, from, to, count);
    auto runs = scf::IfOp::create(
        builder, loc, arith::OrIOp::create(builder, loc, isFirst, counts),
        /*withElse=*/false);
    builder.setInsertionPointToStart(runs.thenBlock());
    begin();
    auto either = [&](mlir::Value first, mlir::Value second) -> mlir::Value {
      return arith::SelectOp::create(builder, loc, isFirst, first, second);
    };
    blocks(either(from, index(0)), either(to, count));
  }
  scale(builder, tile, rows.sums, /*divides=*/true);
  for (size_t i = softmax->last + 1; i < members.size(); ++i)
    emitMember(builder, tile, i);
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

void CellGroup::emit() {
  findMasks();
  OpBuilder builder(members.back().op);
  Location loc = members.back().op.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto op = [&](auto create, mlir::Value x, int64_t y) -> mlir::Value {
    return create(x, index(y));
  };
  auto times = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
    return arith::MulIOp::create(builder, loc, x, y);
  };
  auto over = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
    return arith::DivUIOp::create(builder, loc, x, y);
  };
  auto rest = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
    return arith::RemUIOp::create(builder, loc, x, y);
  };
  int64_t rowTiles = schedule.rowTiles(), extent = schedule.extents.back();
  int64_t left = extent % schedule.rows;
  ArrayRef<int64_t> outer = ArrayRef(schedule.extents).drop_back();
  forEachPart(builder, loc, schedule.parts, [&](mlir::Value part) {
    allocateLocals(builder, part);
    auto startOf = [&](mlir::Value number) {
      return op(over, op(times, number, schedule.tiles()), schedule.parts);
    };
    mlir::Value from = startOf(part), to = startOf(arith::AddIOp::create(
                                          builder, loc, part, index(1)));
    // The outer cells that the part has tiles of.
    mlir::Value last =
        arith::AddIOp::create(builder, loc, to, index(rowTiles - 1));
    auto cells = scf::ForOp::create(builder, loc, op(over, from, rowTiles),
                                    op(over, last, rowTiles), index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(cells.getBody());
    SmallVector<mlir::Value> first(outer.size());
    mlir::Value number = cells.getInductionVar();
    for (size_t k = outer.size(); k-- > 0;) {
      first[k] = k == 0 ? number : op(rest, number, outer[k]);
      if (k != 0)
        number = op(over, number, outer[k]);
    }
    mlir::Value begin = op(times, cells.getInductionVar(), rowTiles);
    mlir::Value lower = arith::SubIOp::create(
        builder, loc, arith::MaxSIOp::create(builder, loc, from, begin), begin);
    mlir::Value upper = arith::MinSIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, to, begin),
        index(rowTiles));
    auto tiles = scf::ForOp::create(builder, loc, lower, upper, index(1));
    tiles->setAttr(kTiles, builder.getUnitAttr());
    builder.setInsertionPointToStart(tiles.getBody());
    SmallVector<int64_t> sizes(outer.size(), 1);
    sizes.push_back(schedule.rows);
    first.push_back(op(times, tiles.getInductionVar(), schedule.rows));
    if (left == 0)
      return emitTile(builder, {first, sizes, {}}, tiles.getInductionVar());
    mlir::Value isWhole = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, tiles.getInductionVar(),
        index(extent / schedule.rows));
    auto either = scf::IfOp::create(builder, loc, isWhole, /*withElse=*/true);
    builder.setInsertionPointToStart(either.thenBlock());
    emitTile(builder, {first, sizes, {}}, tiles.getInductionVar());
    builder.setInsertionPointToStart(either.elseBlock());
    sizes.back() = left;
    emitTile(builder, {first, sizes, {}}, tiles.getInductionVar());
  });
  for (const CellMember &member : llvm::reverse(members))
    member.op->erase();
  for (auto &[buffer, local] : locals)
    buffer.getDefiningOp()->erase();
  if (softmax)
    softmax->weights.getDefiningOp()->erase();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Moves each fill down to the first operation that uses its buffer.
static void sinkFills(Block &block) {
  SmallVector<linalg::FillOp> fills(block.getOps<linalg::FillOp>());
  for (linalg::FillOp fill : llvm::reverse(fills)) {
    if (!fill.hasPureBufferSemantics())
      continue;
    auto usesIt = [&](Operation *op) {
      return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
        return isa<MemRefType>(operand.getType()) &&
               rootOf(operand) == rootOf(fill.getDpsInits()[0]);
      });
    };
    Operation *next = fill->getNextNode();
    while (next && (isOrderless(next) || isa<linalg::LinalgOp>(next)) &&
           !usesIt(next))
      next = next->getNextNode();
    if (next)
      fill->moveBefore(next);
  }
}

namespace {
/// What a search from one operation found. The loop stands at its last member, so
/// operations between the members, which need none of them, run before it.
struct Found {
  CellGroup group;
  Operation *next = nullptr; ///< after the last member
};
} // namespace

/// The longest group that begins with the operation and pays.
static std::optional<Found>
longestFrom(Operation *start, const Machine &machine, std::mt19937_64 *random) {
  std::optional<Found> best;
  CellGroup group(machine, random);
  SmallVector<linalg::FillOp> fills;
  for (Operation *op = start; op; op = op->getNextNode()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      if (!isOrderless(op))
        break;
      continue;
    }
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (fill && !group.meets(linalgOp)) {
      fills.push_back(fill);
      continue;
    }
    SmallVector<linalg::FillOp> own;
    for (linalg::FillOp each : fills)
      if (llvm::is_contained(linalgOp.getDpsInits(), each.getDpsInits()[0]))
        own.push_back(each);
    fills.clear();
    if (!group.members.empty() && !group.meets(linalgOp))
      continue;
    CellGroup longer = group;
    if (!longer.add(linalgOp, own))
      break;
    bool lost = longer.schedule.extents.size() < group.schedule.extents.size();
    bool pays = longer.choose();
    if (best && lost && !pays)
      break;
    group = std::move(longer);
    if (pays)
      best = Found{group, op->getNextNode()};
  }
  return best;
}

void cpu::joinCells(func::FuncOp kernel, const Machine &machine,
                    ScheduleNotes &notes) {
  if (!llvm::hasSingleElement(kernel.getBody()))
    return;
  Block &block = kernel.getBody().front();
  bool hasProduct = llvm::any_of(block.getOps<linalg::LinalgOp>(), [](auto op) {
    return Contraction::of(op).has_value();
  });
  if (!hasProduct)
    return;
  uint64_t seed = machine.scheduleSeed;
  std::mt19937_64 random(seed);
  eraseCopiesToSelf(block);
  readThroughUnitViews(block);
  sinkFills(block);
  for (Operation *op = &block.front(); op;) {
    bool canStart = isa<linalg::LinalgOp>(op);
    std::optional<Found> found =
        canStart ? longestFrom(op, machine, seed ? &random : nullptr)
                 : std::nullopt;
    if (!found) {
      op = op->getNextNode();
      continue;
    }
    op = found->next;
    std::string text;
    llvm::raw_string_ostream os(text);
    found->group.schedule.print(os);
    notes.push_back({found->group.members.front().op.getLoc(), text});
    found->group.emit();
  }
}
