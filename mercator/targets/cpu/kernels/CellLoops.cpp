// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/CellLoops.h"
#include "mercator/targets/cpu/kernels/CellGroup.h"
#include "mercator/targets/cpu/kernels/Contraction.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/UnitViews.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

/// Memory of a tile of a buffer.
mlir::Value CellGroup::allocateLocal(OpBuilder &builder, Location loc,
                                     mlir::Value part, ArrayRef<int64_t> shape,
                                     Type element) {
  // Rows that are far apart compete for the same places of the cache.
  constexpr int64_t kFarBytes = 512, kLineBytes = 64;
  int64_t bytes = elementBytes(element);
  bool areFar = shape.size() > 1 && shape.back() * bytes % kFarBytes == 0;
  return localMemory(builder, loc, part, schedule.parts, shape, element,
                     areFar ? std::max<int64_t>(1, kLineBytes / bytes) : 0);
}

/// The tiles of local buffers in one part.
void CellGroup::allocateLocals(OpBuilder &builder, mlir::Value part) {
  auto make = [&](mlir::Value buffer, const Places &places) {
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<int64_t> shape(type.getShape());
    size_t last = problem.extents.size() - 1;
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
  if (sums)
    foundInfinite = bitsFor(builder, members.back().op.getDpsInits()[0]);
  if (!softmax)
    return;
  const Places &places = uses.find(softmax->maxima)->second.places;
  for (mlir::Value *row : {&own.old, &own.shift, &own.factor})
    *row = make(softmax->maxima, places);
  for (mlir::Value *found : {&foundInfinite, &foundCounting})
    *found = bitsFor(builder, softmax->maxima);
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

/// Gives a product in a tile its schedule: the next one that its member has, or one
/// that is chosen.
void CellGroup::scheduleProduct(linalg::LinalgOp made, size_t number) {
  const CellMember &member = members[number];
  std::optional<Contraction> part = Contraction::of(made);
  assert(part && "a tile of a product is a product");
  ContractionProblem own(*part, vectorBytes);
  ContractionSchedule tile = ContractionSchedule::ofTile(own, vectorBytes);
  if (random)
    tile = tile.varied(own, *random, /*isInTile=*/true);
  SmallVector<std::string> &known = products[number];
  if (auto given = member.op->getAttrOfType<ArrayAttr>(kProducts);
      given && known.size() < given.size()) {
    auto obeyed = tile.given(member.op, given[known.size()], own, true);
    isRefused |= failed(obeyed);
    if (succeeded(obeyed))
      tile = *obeyed;
  }
  known.push_back(tile.text());
  made->setAttr(kSchedule, StringAttr::get(made->getContext(), tile.text()));
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
  masks.clear();
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
    ContractionProblem product(own, vectorBytes);
    if (use == uses.end() || !use->second.isLocal || product.group != 1 ||
        !product.outerColumns.empty())
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
            product.column.extent)
      continue;
    if (auto bounds = maskOf(reader->op, *read, reader->loops.back(),
                             column.getPosition())) {
      last = Found{product.column.extent, *bounds};
      masks[number] = {*bounds, /*isOfTerms=*/false};
    }
  }
}

/// Whether the rows of a product in a tile are those of the tile.
static bool hasRowsOfTile(linalg::LinalgOp made, int64_t rows,
                          int64_t vectorBytes) {
  Contraction own = *Contraction::of(made);
  ContractionProblem problem(own, vectorBytes);
  return problem.row.extent == rows && problem.outerRows.empty() &&
         llvm::all_of(own.batch, [](const ContractionLoop &loop) {
           return loop.extent == 1;
         });
}

/// Gives a product in a tile the columns or terms that a mask leaves. In a block, these
/// are what is left of a block whose other columns are skipped as a whole.
void CellGroup::setRanges(linalg::LinalgOp made, size_t number,
                          const Tile &tile) {
  auto mask = masks.find(number);
  if (mask == masks.end())
    return;
  const auto &[bounds, isOfTerms] = mask->second;
  bool isInBlock = members[number].column.has_value();
  if (isInBlock && isOfTerms && !tile.limitsTerms)
    return;
  MLIRContext *context = made->getContext();
  int64_t rows = tile.sizes[problem.extents.size() - 1];
  MaskRange range = rangeOf(bounds, schedule.rows, context);
  AffineExpr first = getAffineConstantExpr(0, context),
             last = getAffineConstantExpr(rows - 1, context), begin = first,
             farther = first;
  if (isInBlock)
    begin = getAffineDimExpr(kBlockDim, context) * schedule.block;
  if (isInBlock && isOfTerms)
    farther = getAffineDimExpr(kEverythingDim, context) * (2 * kMostOfMask);
  // Terms of whole tiles are left out in vectors.
  bool isByRows =
      (isInBlock || !isOfTerms) && hasRowsOfTile(made, rows, vectorBytes);
  auto set = [&](StringRef name, AffineMap map, AffineExpr shift) {
    if (!map)
      return;
    SmallVector<AffineExpr> results;
    for (AffineExpr bound : map.getResults()) {
      if (!isByRows)
        bound = bound.replace({{getAffineDimExpr(kFirstRowDim, context), first},
                               {getAffineDimExpr(kLastRowDim, context), last}});
      results.push_back(bound - begin + shift);
    }
    made->setAttr(name, AffineMapAttr::get(
                            AffineMap::get(kMaskDims, 0, results, context)));
  };
  set(isOfTerms ? kTermsBegin : kColumnsBegin, range.begin, -farther);
  set(isOfTerms ? kTermsEnd : kColumnsEnd, range.end, farther);
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
    mlir::Value begin =
        isColumn ? first.back() : first[size_t(found - member.loops.begin())];
    auto move = [&](Operation *number, mlir::Value begin,
                    ArrayRef<Operation *> excepted) {
      builder.setInsertionPointAfter(number);
      auto moved = arith::AddIOp::create(builder, op.getLoc(),
                                         number->getResult(0), begin);
      number->getResult(0).replaceUsesWithIf(moved, [&](OpOperand &use) {
        return use.getOwner() != moved &&
               !llvm::is_contained(excepted, use.getOwner());
      });
    };
    // Sums of 32 bits have more lanes in a vector than those of indices.
    SmallVector<Operation *> casts;
    for (Operation *user : op->getUsers())
      if (isa<arith::IndexCastOp>(user))
        casts.push_back(user);
    if (!llvm::all_of(op->getUsers(), [&](Operation *user) {
          return llvm::is_contained(casts, user);
        }))
      move(op, begin, casts);
    for (Operation *cast : casts) {
      builder.setInsertionPoint(cast);
      move(cast,
           arith::IndexCastOp::create(builder, op.getLoc(),
                                      cast->getResult(0).getType(), begin),
           {});
    }
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
  for (StringRef name : {kCells, kGroup, kProducts})
    made->removeAttr(name);
  moveIndices(made, member, tile.first);
  // A maximum is only subtracted: its zero needs no sign, which takes half the time.
  if (softmax && number == softmax->maximum)
    made->walk([](arith::MaximumFOp op) {
      op.setFastmath(op.getFastmath() | arith::FastMathFlags::nsz);
    });
  if (member.isProduct) {
    setRanges(made, number, tile);
    if (member.column && made.getIteratorTypesArray()[*member.column] ==
                             utils::IteratorType::reduction)
      made->setAttr(kAddsBlock, builder.getUnitAttr());
    tile.products.emplace_back(made, number);
  }
}

/// Gives the products of a tile their schedules. What follows a product has been made.
void CellGroup::scheduleProducts(Tile &tile) {
  for (auto [made, number] : tile.products)
    scheduleProduct(made, number);
  tile.products.clear();
}

void CellGroup::emitTile(OpBuilder &builder, Tile tile, mlir::Value number) {
  if (softmax)
    return emitBlocks(builder, tile, number);
  if (sums)
    return emitSums(builder, tile, number);
  for (size_t i = 0; i < members.size(); ++i)
    emitMember(builder, tile, i);
  scheduleProducts(tile);
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

LogicalResult CellGroup::emit(ScheduleNotes &notes) {
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
  int64_t rowTiles = problem.rowTiles(schedule.rows),
          extent = problem.extents.back();
  int64_t left = extent % schedule.rows;
  ArrayRef<int64_t> outer = ArrayRef(problem.extents).drop_back();
  findInfiniteBlocks(builder);
  forEachPart(builder, loc, schedule.parts, [&](mlir::Value part) {
    allocateLocals(builder, part);
    auto [from, to] = rangeOfPart(builder, loc, part,
                                  problem.tiles(schedule.rows), schedule.parts);
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
    if (schedule.overlaps)
      first.back() = arith::MinSIOp::create(builder, loc, first.back(),
                                            index(extent - schedule.rows));
    if (left == 0 || schedule.overlaps)
      return emitTile(builder, {first, sizes, {}, {}}, tiles.getInductionVar());
    mlir::Value isWhole = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, tiles.getInductionVar(),
        index(extent / schedule.rows));
    auto either = scf::IfOp::create(builder, loc, isWhole, /*withElse=*/true);
    builder.setInsertionPointToStart(either.thenBlock());
    emitTile(builder, {first, sizes, {}, {}}, tiles.getInductionVar());
    builder.setInsertionPointToStart(either.elseBlock());
    sizes.back() = left;
    emitTile(builder, {first, sizes, {}, {}}, tiles.getInductionVar());
  });
  LogicalResult result = write(notes);
  for (const CellMember &member : llvm::reverse(members))
    member.op->erase();
  for (auto &[buffer, local] : locals)
    buffer.getDefiningOp()->erase();
  if (softmax)
    softmax->weights.getDefiningOp()->erase();
  return result;
}

/// Whether a text can name the group: it has each of the operations, and a fill is
/// before the operation that uses its buffer.
bool CellGroup::canBeNamed() const {
  for (const auto *member = members.begin(); member != members.end();
       ++member) {
    auto fill = dyn_cast<linalg::FillOp>(member->op.getOperation());
    const auto *user =
        std::find_if(member, members.end(), [](const CellMember &m) {
          return !isa<linalg::FillOp>(m.op.getOperation());
        });
    if (fill ? user == members.end() ||
                   !llvm::is_contained(user->op.getDpsInits(),
                                       fill.getDpsInits()[0])
             : !member->op->hasAttr(kNumber))
      return false;
  }
  return true;
}

/// Notes the schedules that the code has. Fails after an error: they are not those that
/// the members have.
LogicalResult CellGroup::write(ScheduleNotes &notes) {
  notes.lines.push_back(
      {members.front().op.getLoc(), schedule.describe(problem)});
  Builder builder(members.front().op->getContext());
  for (const auto &[number, texts] : products) {
    linalg::LinalgOp op = members[number].op;
    auto given = op->getAttrOfType<ArrayAttr>(kProducts);
    if (given && given.size() != texts.size())
      return op->emitOpError()
             << "has " << given.size() << " schedules of its product: expected "
             << texts.size() << ", one for each place of its code";
  }
  if (isRefused || !canBeNamed())
    return failure(isRefused);
  std::string group = "group=" + std::to_string(notes.groups++),
              tiles = " " + schedule.text(); // said once
  for (auto [number, member] : llvm::enumerate(members)) {
    if (isa<linalg::FillOp>(member.op.getOperation()))
      continue;
    SmallVector<AffineExpr> coordinates;
    for (unsigned loop : member.loops)
      coordinates.push_back(builder.getAffineDimExpr(loop));
    notes.choose(
        member.op, kCells,
        AffineMapAttr::get(AffineMap::get(member.op.getNumLoops(), 0,
                                          coordinates, builder.getContext())));
    notes.choose(member.op, kGroup, builder.getStringAttr(group + tiles));
    tiles.clear();
    if (auto own = products.find(number); own != products.end()) {
      SmallVector<StringRef> texts(own->second.begin(), own->second.end());
      notes.choose(member.op, kProducts, builder.getStrArrayAttr(texts));
    }
  }
  return success();
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
    mlir::Value root = rootOf(fill.getDpsInits()[0]);
    Operation *next = fill->getNextNode();
    while (next && (isOrderless(next) || accessesOperandsAlone(next)) &&
           !accesses(next, root))
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

namespace {
/// An operation that needs no member so far, with its fills.
struct Skipped {
  linalg::LinalgOp op;
  SmallVector<linalg::FillOp> fills;
};
} // namespace

/// Adds an operation, and the skipped operations that it needs, if they have the
/// coordinates of the others. Fails if the operation cannot be added.
static std::optional<CellGroup> withSkipped(const CellGroup &group,
                                            linalg::LinalgOp op,
                                            ArrayRef<linalg::FillOp> fills,
                                            SmallVectorImpl<Skipped> &skipped) {
  CellGroup longer = group;
  if (!longer.add(op, fills))
    return std::nullopt;
  CellGroup whole = longer;
  SmallVector<linalg::LinalgOp> readers{op};
  SmallVector<Skipped> others;
  for (const Skipped &each : llvm::reverse(skipped)) {
    linalg::LinalgOp producer = each.op;
    bool isRead = llvm::any_of(readers, [&](linalg::LinalgOp reader) {
      return llvm::any_of(producer.getDpsInits(), [&](mlir::Value written) {
        return llvm::is_contained(reader.getDpsInputs(), written);
      });
    });
    CellGroup more = whole;
    if (isRead && more.add(producer, each.fills) &&
        more.problem.extents.size() == longer.problem.extents.size()) {
      whole = std::move(more);
      readers.push_back(producer);
    } else {
      others.insert(others.begin(), each);
    }
  }
  // The others run before the loop.
  if (others.size() == skipped.size() ||
      llvm::any_of(others,
                   [&](const Skipped &each) { return whole.meets(each.op); }))
    return longer;
  skipped = std::move(others);
  llvm::sort(whole.members, [](const CellMember &a, const CellMember &b) {
    return a.op->isBeforeInBlock(b.op);
  });
  return whole;
}

/// The fills that stand directly before an operation, in their order.
static SmallVector<linalg::FillOp> fillsBefore(Operation *op) {
  SmallVector<linalg::FillOp> fills;
  for (Operation *other = op->getPrevNode();
       other && (isa<linalg::FillOp>(other) || isOrderless(other));
       other = other->getPrevNode())
    if (auto fill = dyn_cast<linalg::FillOp>(other))
      fills.insert(fills.begin(), fill);
  return fills;
}

/// Whether a fill of its buffers stands before the operation. In a text, the fill is a
/// member of its group.
static bool hasFillBefore(linalg::LinalgOp op) {
  return llvm::any_of(fillsBefore(op), [&](linalg::FillOp fill) {
    return llvm::is_contained(op.getDpsInits(), fill.getDpsInits()[0]);
  });
}

/// The longest group that begins with the operation and pays.
static std::optional<Found>
longestFrom(Operation *start, const Machine &machine, std::mt19937_64 *random) {
  std::optional<Found> best;
  CellGroup group(machine, random);
  SmallVector<linalg::FillOp> fills;
  SmallVector<Skipped> skipped;
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
    if (!group.members.empty() && !group.meets(linalgOp)) {
      skipped.push_back({linalgOp, own});
      continue;
    }
    std::optional<CellGroup> longer =
        withSkipped(group, linalgOp, own, skipped);
    if (!longer)
      break;
    bool lost = longer->problem.extents.size() < group.problem.extents.size();
    bool pays = longer->choose();
    if (best && lost && !pays)
      break;
    group = std::move(*longer);
    if (pays)
      best = Found{group, op->getNextNode()};
  }
  return best;
}

/// The number of the group that the operation is in; none if its attribute does not
/// begin with one.
static std::optional<unsigned> groupOf(Operation *op) {
  auto text = op->getAttrOfType<StringAttr>(kGroup);
  unsigned number = 0;
  StringRef word = text ? text.getValue().split(' ').first : "";
  if (!word.consume_front("group=") || word.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// The group that an attribute of its first operation names. Fails after an error.
static FailureOr<Found> namedFrom(linalg::LinalgOp start,
                                  const Machine &machine) {
  std::optional<unsigned> number = groupOf(start);
  if (!number)
    return start->emitOpError()
           << "has " << kGroup << " = " << start->getAttr(kGroup)
           << ": expected \"group=N\", and of the first operation rows and parts";
  Found found{CellGroup(machine, nullptr), nullptr};
  SmallVector<linalg::FillOp> fills = fillsBefore(start);
  Operation *between = nullptr;
  for (Operation *op = start; op; op = op->getNextNode()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      if (!isOrderless(op))
        break;
      continue;
    }
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (fill && !found.group.meets(linalgOp)) {
      fills.push_back(fill);
      continue;
    }
    // A fill is that of the first operation that uses its buffer.
    SmallVector<linalg::FillOp> own;
    for (linalg::FillOp each : fills)
      if (llvm::is_contained(linalgOp.getDpsInits(), each.getDpsInits()[0]))
        own.push_back(each);
    fills.clear();
    if (groupOf(op) != number) {
      if (!between && found.group.meets(linalgOp))
        between = op;
      continue;
    }
    if (between)
      return between->emitOpError()
             << "stands between the operations of the tiles " << *number
             << ", and needs what one of them writes, or changes what it reads";
    if (failed(found.group.addGiven(linalgOp, own)))
      return failure();
    found.next = op->getNextNode();
  }
  if (failed(found.group.obey()))
    return failure();
  return found;
}

LogicalResult cpu::joinCells(func::FuncOp kernel, const Machine &machine,
                             ScheduleNotes &notes) {
  if (!llvm::hasSingleElement(kernel.getBody()))
    return success();
  Block &block = kernel.getBody().front();
  bool hasProduct = llvm::any_of(block.getOps<linalg::LinalgOp>(), [](auto op) {
    return op->hasAttr(kGroup) || Contraction::of(op).has_value();
  });
  if (!hasProduct)
    return success();
  uint64_t seed = machine.scheduleSeed;
  std::mt19937_64 random(seed);
  eraseCopiesToSelf(block);
  readThroughUnitViews(block);
  sinkFills(block);
  for (Operation *op = &block.front(); op;) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    std::optional<Found> found;
    if (linalgOp && op->hasAttr(kGroup)) {
      FailureOr<Found> named = namedFrom(linalgOp, machine);
      if (failed(named))
        return failure();
      found = std::move(*named);
    } else if (linalgOp && !hasFillBefore(linalgOp)) {
      found = longestFrom(op, machine, seed ? &random : nullptr);
    }
    op = found ? found->next : op->getNextNode();
    if (found && failed(found->group.emit(notes)))
      return failure();
  }
  return success();
}
