// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellGroup.h"
#include "mercator/targets/cpu/kernels/Contraction.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/kernels/ScheduleText.h"
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

/// Why the operation is in no group with these members; empty if it may be.
StringRef CellGroup::whyNever(linalg::LinalgOp op) const {
  if (!hasKnownLoops(op))
    return "the extents of its loops are not known";
  for (const CellMember &member : members)
    if (loadsWhatIsWritten(op, member.op) || loadsWhatIsWritten(member.op, op))
      return "it loads elements that another operation of the tiles writes";
  bool loadsElsewhere = false;
  op->walk([&](memref::LoadOp) { loadsElsewhere = true; });
  if (loadsElsewhere)
    return "its body loads elements of buffers";
  std::optional<Contraction> contraction = Contraction::of(op);
  if (!contraction)
    return "";
  auto whole =
      ContractionSchedule::choose(ContractionProblem(*contraction, vectorBytes),
                                  vectorBytes, machine->ownCacheBytes());
  return whole.form != ContractionSchedule::Form::Tiles || whole.split != 0
             ? "its sums have another order, that of dots, of streams or of parts"
             : "";
}

/// Adds the operation, and the fills of its buffers before it.
void CellGroup::append(linalg::LinalgOp op, ArrayRef<unsigned> loops,
                       ArrayRef<linalg::FillOp> fills) {
  // Dimension i of a filled buffer is loop i of the fill.
  for (linalg::FillOp fill : fills) {
    CellMember filling{cast<linalg::LinalgOp>(*fill), {}, false, {}};
    for (OpOperand &init : op.getDpsInitsMutable())
      if (init.get() == fill.getDpsInits()[0])
        for (unsigned loop : loops)
          filling.loops.push_back(rowAccess(op, init, loop).dim);
    members.push_back(std::move(filling));
  }
  members.push_back({op,
                     SmallVector<unsigned, 4>(loops),
                     Contraction::of(op).has_value(),
                     {}});
}

bool CellGroup::add(linalg::LinalgOp op, ArrayRef<linalg::FillOp> fills) {
  constexpr size_t kMostOperations = 32;
  if (op->hasAttr(kSchedule) || op->hasAttr(kGroup) || op->hasAttr(kRows) ||
      members.size() + fills.size() >= kMostOperations || !whyNever(op).empty())
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned, 4> kept, loops;
  if (members.empty()) {
    for (unsigned loop = 0; loop < ranges.size(); ++loop)
      if (isGoodLoop(op, loop) && fits(op, loop, 0)) {
        kept.push_back(unsigned(problem.extents.size()));
        loops.push_back(loop);
        problem.extents.push_back(ranges[loop]);
      }
  } else {
    for (unsigned k = 0; k < problem.extents.size(); ++k)
      for (unsigned loop = 0; loop < ranges.size(); ++loop)
        if (ranges[loop] == problem.extents[k] &&
            !llvm::is_contained(loops, loop) && isGoodLoop(op, loop) &&
            fits(op, loop, k)) {
          kept.push_back(k);
          loops.push_back(loop);
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
    keep(problem.extents);
  for (CellMember &member : members)
    keep(member.loops);
  append(op, loops, fills);
  return true;
}

LogicalResult CellGroup::addGiven(linalg::LinalgOp op,
                                  ArrayRef<linalg::FillOp> fills) {
  auto map = op->getAttrOfType<AffineMapAttr>(kCells);
  auto refuse = [&](const Twine &why) {
    InFlightDiagnostic error = op->emitOpError();
    error << "cannot be in tiles of the cells " << op->getAttr(kCells) << ": "
          << why.str();
    error.attachNote() << "help: without " << kCells << " and " << kGroup
                       << ", the compiler chooses";
    return error;
  };
  if (op->hasAttr(kRows))
    return refuse("it has " + Twine(kRows) + ", too");
  if (StringRef why = whyNever(op); !why.empty())
    return refuse(why);
  if (!map || map.getValue().getNumDims() != op.getNumLoops() ||
      map.getValue().getNumSymbols() != 0 ||
      map.getValue().getNumResults() == 0)
    return refuse("expected an affine map from its " + Twine(op.getNumLoops()) +
                  " loops to at least one coordinate");
  if (!members.empty() &&
      map.getValue().getNumResults() != problem.extents.size())
    return refuse("expected " + Twine(problem.extents.size()) +
                  " coordinates, as the first operation of the tiles has");
  SmallVector<unsigned, 4> loops;
  for (auto [k, expr] : llvm::enumerate(map.getValue().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(loops, dim.getPosition()))
      return refuse("expected a loop for each coordinate, and no loop twice");
    unsigned loop = dim.getPosition();
    int64_t extent = op.getStaticLoopRanges()[loop];
    if (!members.empty() && extent != problem.extents[k])
      return refuse("d" + Twine(loop) + " has " + Twine(extent) +
                    " values, and the coordinate " + Twine(problem.extents[k]));
    if (!isGoodLoop(op, loop))
      return refuse(
          "d" + Twine(loop) +
          " is no coordinate: expected a parallel loop that is one "
          "dimension of each result and of operands, not the columns");
    if (!fits(op, loop, unsigned(k)))
      return refuse(
          "a cell would need another one: expected d" + Twine(loop) +
          " to be the dimension of a buffer that the others have there");
    loops.push_back(loop);
    if (members.empty())
      problem.extents.push_back(extent);
  }
  append(op, loops, fills);
  return success();
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
  if (!softmax && !sums)
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

/// Finds what is computed in blocks of `block` columns, or of a good number of them;
/// nothing if `block` is 0.
void CellGroup::findBlocks(std::optional<int64_t> block) {
  softmax.reset();
  sums.reset();
  for (CellMember &member : members)
    member.column.reset();
  uses.clear();
  collectUses();
  problem.columns = problem.block = schedule.block = 0;
  auto isLocal = [&](mlir::Value buffer) {
    auto use = uses.find(buffer);
    return use != uses.end() && use->second.isLocal;
  };
  ArrayRef<std::optional<unsigned>> loops;
  if (!isPrecise && (softmax = OnlineSoftmax::of(members, isLocal))) {
    problem.columns = softmax->columns;
    problem.block = softmax->block;
    loops = softmax->loops;
  } else if ((sums = ColumnSums::of(members, isLocal, isPrecise))) {
    problem.columns = sums->columns;
    problem.block = sums->block;
    loops = sums->loops;
  } else {
    return;
  }
  schedule.block = std::min(block.value_or(problem.block), problem.columns);
  if (schedule.block <= 0) {
    softmax.reset();
    sums.reset();
    return;
  }
  for (auto [member, loop] : llvm::zip_equal(members, loops))
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
  // A later phase may need the rows of an earlier one.
  if (sums && !uses.find(buffer)->second.places.back())
    return members.size();
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
  size_t count = problem.extents.size();
  for (auto [place, extent] : llvm::zip(places, problem.extents))
    if (place)
      bytes /= extent;
  hasRow = places[count - 1].has_value();
  if (places.size() > count && places.back())
    bytes = bytes / problem.columns * schedule.block;
  return bytes;
}

/// Whether a row can be computed twice by one thread, in two tiles: no member changes
/// what another one reads first, and no mask follows the number of the tile.
bool CellGroup::canRepeatRows() const {
  auto isChanged = [&](mlir::Value read) {
    return isa<MemRefType>(read.getType()) && !uses.contains(read) &&
           llvm::any_of(uses, [&](const auto &use) {
             return rootOf(use.first) == rootOf(read);
           });
  };
  return masks.empty() &&
         llvm::all_of(uses,
                      [](const auto &use) {
                        return use.second.isLocal || use.second.beginsWritten;
                      }) &&
         llvm::none_of(members, [&](const CellMember &member) {
           return llvm::any_of(member.op->getOperands(), isChanged);
         });
}

/// What decides how large tiles are. Requires: the softmax and the rooms are known.
void CellGroup::describeProblem() {
  findMasks();
  problem.canRepeatRows = canRepeatRows();
  problem.products = 0;
  problem.rowBytes = problem.sharedBytes = problem.localBytes = 0;
  problem.operations = 0;
  for (auto &[buffer, use] : uses)
    if (use.isLocal) {
      auto type = cast<MemRefType>(buffer.getType());
      problem.localBytes +=
          type.getNumElements() * elementBytes(type.getElementType());
    }
  std::map<std::pair<void *, bool>, int64_t> counted;
  for (const CellMember &member : members) {
    problem.products += member.isProduct;
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
      (hasRow ? problem.rowBytes : problem.sharedBytes) +=
          std::max<int64_t>(0, bytes - known);
      known = std::max(known, bytes);
    }
    double points = 1;
    for (int64_t extent : member.op.getStaticLoopRanges())
      points *= double(extent);
    problem.operations += member.isProduct ? points / 4 : costOf(member.op);
  }
}

bool CellGroup::choose() {
  findBlocks({});
  shareRooms();
  describeProblem();
  if (problem.products == 0 || problem.rowBytes == 0)
    return false;
  std::optional<CellSchedule> chosen;
  if (!random)
    chosen = CellSchedule::choose(problem, machine->ownCacheBytes());
  // Or each operation alone, but for a softmax in blocks: its sums have another order.
  else if (problem.block != 0 || (*random)() % 2 == 0)
    chosen = CellSchedule::drawn(problem, *random);
  if (chosen)
    schedule = *chosen;
  return chosen.has_value();
}

LogicalResult CellGroup::obey() {
  const CellMember *first =
      llvm::find_if(members, [](const CellMember &member) {
        return member.op->hasAttr(kGroup);
      });
  auto text = cast<StringAttr>(first->op->getAttr(kGroup));
  llvm::Expected<CellSchedule> given =
      CellSchedule::parse(text.getValue().split(' ').second);
  if (given) {
    findBlocks(given->block);
    shareRooms();
    describeProblem();
  }
  std::string why =
      given ? given->check(problem) : llvm::toString(given.takeError());
  if (why.empty()) {
    schedule = *given;
    return success();
  }
  CellSchedule possible =
      CellSchedule::choose(problem, machine->ownCacheBytes())
          .value_or(CellSchedule());
  return refuseSchedule(first->op, text, "tiles of cells", why, kGroup,
                        text.getValue().split(' ').first + " " +
                            possible.text());
}
