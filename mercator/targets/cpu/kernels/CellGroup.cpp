// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellGroup.h"
#include "mercator/targets/cpu/kernels/Contraction.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/SumCode.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

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
  if (!hasKnownLoops(op) || op->hasAttr(kSchedule) ||
      members.size() + fills.size() >= kMostOperations)
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
    auto whole = ContractionSchedule::choose(problem, vectorBytes, cacheBytes);
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
  // Half of the cache is for the rows of a tile, and as much for what all rows share.
  // What fits into a whole one is in a cache anyway.
  const int64_t kRowBytes = cacheBytes / 2, kSharedBytes = cacheBytes / 2,
                kLeastLocal = cacheBytes;
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
