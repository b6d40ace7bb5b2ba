// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellLoops.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/Masks.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/SumCode.h"
#include "mercator/targets/cpu/machine/Buffers.h"

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
  os << " cells, tiles of " << rows << " rows, " << parts << " parts";
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

namespace {
/// An operation of a group, and which of its loops each coordinate is.
struct CellMember {
  mutable linalg::LinalgOp op; ///< its methods are not const
  SmallVector<unsigned, 4> loops;
  bool isProduct = false;
};

/// The dimension of a buffer that each coordinate is; none if the operation
/// accesses all of the buffer.
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
      : vectorBytes(machine.vectorBytes()), random(random) {}

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
  void shareRooms();
  [[nodiscard]] bool isInPlace(const CellMember &member, mlir::Value from,
                               mlir::Value to) const;
  [[nodiscard]] int64_t tileBytes(mlir::Value buffer, const Places &places,
                                  bool &hasRow) const;
  void allocateLocals(OpBuilder &builder, mlir::Value part);
  mlir::Value viewOf(OpBuilder &builder, mlir::Value buffer,
                     const Places &places, ArrayRef<mlir::Value> first,
                     ArrayRef<int64_t> sizes);
  void findMasks();
  void setRanges(linalg::LinalgOp made, size_t number, int64_t rows);
  void emitTile(OpBuilder &builder, ArrayRef<mlir::Value> first,
                ArrayRef<int64_t> sizes);
  void scheduleProduct(linalg::LinalgOp made, const CellMember &member);

  int64_t vectorBytes;
  std::mt19937_64 *random;                    ///< null: the best tiles
  llvm::MapVector<mlir::Value, CellUse> uses; ///< of buffers that are written
  llvm::DenseMap<mlir::Value, mlir::Value> locals;
  /// Of some members: what a mask leaves of the columns of a product, or of its terms.
  struct Mask {
    SmallVector<MaskBound> bounds;
    bool isOfTerms = false;
  };
  llvm::DenseMap<size_t, Mask> masks;
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
  CellMember own{op, {}};
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
    CellMember filling{cast<linalg::LinalgOp>(*fill), {}};
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
      size_t end = i;
      for (size_t k = i; k < members.size(); ++k)
        if (llvm::is_contained(members[k].op->getOperands(), buffer))
          end = k;
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
  for (auto [place, extent] : llvm::zip_equal(places, schedule.extents))
    if (place)
      bytes /= extent;
  hasRow = places.back().has_value();
  return bytes;
}

bool CellGroup::choose() {
  // Half of a second-level cache is for the rows of a tile, and as much for what
  // all rows share. What fits into the first megabytes is in a cache anyway.
  constexpr int64_t kRowBytes = 512 * 1024, kSharedBytes = 512 * 1024,
                    kLeastLocal = 1024 * 1024;
  constexpr int64_t kMostRows = 64, kLeastRows = 8, kManyRows = 16;
  uses.clear();
  collectUses();
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
  if (localBytes < kLeastLocal)
    return false;
  int64_t most =
      std::min({extent, kMostRows, std::max<int64_t>(1, kRowBytes / rowBytes)});
  if (most <
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

/// The tiles of local buffers in one part: memory for all parts is one buffer.
void CellGroup::allocateLocals(OpBuilder &builder, mlir::Value part) {
  for (auto &[buffer, use] : uses) {
    if (!use.isLocal)
      continue;
    if (use.room != buffer) {
      locals[buffer] = locals.lookup(use.room);
      continue;
    }
    auto type = cast<MemRefType>(buffer.getType());
    Location loc = buffer.getLoc();
    SmallVector<int64_t> shape(type.getShape());
    for (auto [k, place] : llvm::enumerate(use.places))
      if (place)
        shape[*place] = k + 1 == use.places.size() ? schedule.rows : 1;
    SmallVector<int64_t> all = shape;
    all.insert(all.begin(), schedule.parts);
    // Rows that are far apart compete for the same places of the cache.
    constexpr int64_t kFarBytes = 1024, kLineBytes = 64;
    int64_t bytes = elementBytes(type.getElementType());
    if (shape.size() > 1 && shape.back() * bytes % kFarBytes == 0)
      all.back() += std::max<int64_t>(1, kLineBytes / bytes);
    mlir::Value memory;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&members.front()
                                            .op->getParentOfType<func::FuncOp>()
                                            .getBody()
                                            .front());
      memory = memref::AllocOp::create(
          builder, loc, MemRefType::get(all, type.getElementType()),
          builder.getI64IntegerAttr(64));
    }
    SmallVector<OpFoldResult> offsets(all.size(), builder.getIndexAttr(0)),
        sizes, strides(all.size(), builder.getIndexAttr(1));
    offsets[0] = part;
    sizes.push_back(builder.getIndexAttr(1));
    for (int64_t extent : shape)
      sizes.push_back(builder.getIndexAttr(extent));
    auto view = memref::SubViewOp::inferRankReducedResultType(
        shape, cast<MemRefType>(memory.getType()), offsets, sizes, strides);
    locals[buffer] = memref::SubViewOp::create(builder, loc, view, memory,
                                               offsets, sizes, strides);
  }
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
  bool isSame = llvm::none_of(uses, [&](const auto &use) {
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
  MaskRange range = rangeOf(bounds, schedule.rows, rows, made->getContext());
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
    if (found == member.loops.end())
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto moved = arith::AddIOp::create(
        builder, op.getLoc(), op, first[size_t(found - member.loops.begin())]);
    op.getResult().replaceAllUsesExcept(moved, moved);
  }
}

void CellGroup::emitTile(OpBuilder &builder, ArrayRef<mlir::Value> first,
                         ArrayRef<int64_t> sizes) {
  // One view of each part of a buffer, so that a fill and the product after it have
  // the same one.
  std::vector<std::tuple<mlir::Value, Places, mlir::Value>> views;
  for (auto [number, member] : llvm::enumerate(members)) {
    SmallVector<mlir::Value> operands;
    for (OpOperand &operand : member.op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType())) {
        operands.push_back(operand.get());
        continue;
      }
      Places places = placesOf(member, operand);
      mlir::Value view;
      for (auto &[buffer, own, known] : views)
        if (buffer == operand.get() && own == places)
          view = known;
      if (!view) {
        view = viewOf(builder, operand.get(), places, first, sizes);
        views.emplace_back(operand.get(), places, view);
      }
      operands.push_back(view);
    }
    auto made = cast<linalg::LinalgOp>(
        mlir::clone(builder, member.op, TypeRange(), operands));
    moveIndices(made, member, first);
    if (member.isProduct) {
      scheduleProduct(made, member);
      setRanges(made, number, sizes.back());
    }
  }
}

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
      return emitTile(builder, first, sizes);
    mlir::Value isWhole = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, tiles.getInductionVar(),
        index(extent / schedule.rows));
    auto either = scf::IfOp::create(builder, loc, isWhole, /*withElse=*/true);
    builder.setInsertionPointToStart(either.thenBlock());
    emitTile(builder, first, sizes);
    builder.setInsertionPointToStart(either.elseBlock());
    sizes.back() = left;
    emitTile(builder, first, sizes);
  });
  for (const CellMember &member : llvm::reverse(members))
    member.op->erase();
  for (auto &[buffer, local] : locals)
    buffer.getDefiningOp()->erase();
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
