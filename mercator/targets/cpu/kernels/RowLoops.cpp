// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/RowLoops.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/kernels/ScheduleText.h"
#include "mercator/targets/cpu/kernels/ShortRows.h"
#include "mercator/targets/cpu/kernels/SumCode.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

#include <random>

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
  Group(Member first, const Machine &machine, std::mt19937_64 *random)
      : machine(&machine), random(random) {
    members.push_back(first);
  }

  /// Whether the first operation can be in a group at all.
  [[nodiscard]] bool isSound() const { return fits(members.front()); }
  bool tryToAdd(linalg::LinalgOp op);
  bool tryToAdd(Member member);
  /// Decides how many rows a block has. False if that does not pay.
  bool plan();
  /// Takes what the attribute of the first operation says. Fails after an error.
  LogicalResult obey(Operation *first, StringAttr text);
  void emit(ScheduleNotes &notes);

  SmallVector<Member> members;
  /// How short rows are computed; none if they are not short.
  std::optional<ShortRowsSchedule> shortRows;

private:
  [[nodiscard]] bool fits(const Member &member) const;
  void collectUses();
  [[nodiscard]] RowProblem problem() const;
  [[nodiscard]] std::optional<RowSchedule> choose() const;
  void chooseLocal();
  void write(ScheduleNotes &notes) const;
  void emitBlock(OpBuilder &builder, mlir::Value first, OpFoldResult size);
  mlir::Value localOf(OpBuilder &builder, mlir::Value buffer,
                      mlir::Value number);

  llvm::MapVector<mlir::Value, Use> uses; ///< with rows of their own
  llvm::MapVector<mlir::Value, mlir::Value> locals;
  RowSchedule schedule;
  const Machine *machine;
  std::mt19937_64 *random; ///< null: the best blocks
};
} // namespace

/// Whether the dimension can be the rows of an operation. The columns of a reduction
/// cannot: each block of columns would walk all rows of its operands.
static bool canBeRows(linalg::LinalgOp op, unsigned dim) {
  return op.getIteratorTypesArray()[dim] == utils::IteratorType::parallel &&
         columnsOf(op) != dim;
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
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    if (tryToAdd(Member{op, dim}))
      return true;
  return false;
}

bool Group::tryToAdd(Member member) {
  if (extentOf(member) != extentOf(members.front()) ||
      !canBeRows(member.op, member.dim) || !fits(member))
    return false;
  members.push_back(member);
  return true;
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

/// Buffers of the kernel that only this group uses. If each part has one block, they
/// save nothing unless the whole buffers are larger than the cache of a core.
void Group::chooseLocal() {
  if (extentOf(members.front()) <= schedule.parts * schedule.rows &&
      problem().bytes() <= machine->ownCacheBytes())
    return;
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

RowProblem Group::problem() const {
  RowProblem p{.extent = extentOf(members.front()),
               .operations = costOf(members),
               .members = int64_t(members.size())};
  for (const auto &[buffer, use] : uses) {
    auto type = cast<MemRefType>(buffer.getType());
    int64_t piece = elementBytes(type.getElementType());
    for (int64_t extent : type.getShape().drop_front(use.dim + 1))
      piece *= extent;
    p.buffers.push_back({bytesOf(buffer), piece});
  }
  return p;
}

std::optional<RowSchedule> Group::choose() const {
  return RowSchedule::choose(problem(), machine->firstCacheBytes(),
                             machine->ownCacheBytes());
}

bool Group::plan() {
  if (!random || (*random)() % 2 == 0)
    shortRows = ShortRowsSchedule::choose(members, machine->vectorBytes());
  if (shortRows)
    return true;
  collectUses();
  std::optional<RowSchedule> chosen =
      random && members.size() > 1 ? RowSchedule::drawn(problem(), *random)
                                   : choose();
  if (chosen)
    schedule = *chosen;
  return chosen.has_value();
}

LogicalResult Group::obey(Operation *first, StringAttr text) {
  collectUses();
  StringRef rest = text.getValue().split(' ').second; // the group
  auto [loop, words] = rest.split(' ');
  llvm::Expected<RowSchedule> given = RowSchedule::parse(words);
  std::string why =
      given ? given->check(problem()) : llvm::toString(given.takeError());
  if (why.empty()) {
    schedule = *given;
    return success();
  }
  RowSchedule possible{.rows = members.size() > 1 ? 1 : 0};
  if (auto best = choose())
    possible = *best;
  return refuseSchedule(
      first, text, Twine(members.size()) + " operations on rows", why, kRows,
      text.getValue().split(' ').first + " " + loop + " " + possible.text());
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

/// The block of a local buffer in one part.
mlir::Value Group::localOf(OpBuilder &builder, mlir::Value buffer,
                           mlir::Value number) {
  auto type = cast<MemRefType>(buffer.getType());
  Location loc = members.front().op.getLoc();
  SmallVector<int64_t> shape(type.getShape());
  shape[uses.find(buffer)->second.dim] = schedule.rows;
  return localMemory(builder, loc, number, schedule.parts, shape,
                     type.getElementType());
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

void Group::emit(ScheduleNotes &notes) {
  if (shortRows) {
    std::string text;
    llvm::raw_string_ostream os(text);
    shortRows->print(os);
    notes.lines.push_back({members.front().op.getLoc(), text});
    return emitShortRows(members, *shortRows);
  }
  int64_t extent = extentOf(members.front());
  const auto [rows, parts] = schedule;
  if (extent <= rows) // one block
    return;
  chooseLocal();
  write(notes);
  OpBuilder builder(members.back().op);
  Location loc = members.back().op.getLoc();
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  bool isEven = extent % parts == 0 && extent / parts % rows == 0;
  forEachPart(builder, loc, parts, [&, rows = rows](mlir::Value number) {
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

/// The next operation of the block that accesses the buffer of a fill, itself or in its
/// regions; null if there is none.
static Operation *nextAccess(linalg::FillOp fill) {
  Operation *next = nullptr;
  SmallVector<mlir::Value> buffers = {rootOf(fill.getDpsInits()[0])};
  while (!buffers.empty()) {
    mlir::Value buffer = buffers.pop_back_val();
    for (Operation *user : buffer.getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(buffers, user->getResults());
      Operation *op = fill->getBlock()->findAncestorOpInBlock(*user);
      if (op && !isOrderless(op) && fill->isBeforeInBlock(op) &&
          (!next || op->isBeforeInBlock(next)))
        next = op;
    }
  }
  return next;
}

/// The groups that operations of a block are in.
using RowGroups = llvm::DenseMap<Operation *, unsigned>;

/// The group that an attribute names.
static std::optional<unsigned> groupInText(Operation *op) {
  auto text = op->getAttrOfType<StringAttr>(kRows);
  unsigned number = 0;
  StringRef word = text ? text.getValue().split(' ').first : "";
  if (!word.consume_front("group=") || word.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// Adds fills to groups: a fill is in the group of the next operation that accesses its
/// buffer, if nothing but the group's operations stands between them.
static void addFills(Block &block, RowGroups &groups) {
  auto groupOf = [&](Operation *op) -> std::optional<unsigned> {
    auto found = groups.find(op);
    return found == groups.end() ? std::nullopt : std::optional(found->second);
  };
  std::optional<unsigned> around; // the group of the operations that follow
  for (Operation &op : llvm::reverse(block)) {
    if (isOrderless(&op))
      continue;
    auto fill = dyn_cast<linalg::FillOp>(op);
    Operation *next = fill && around ? nextAccess(fill) : nullptr;
    if (next && !isa<linalg::FillOp>(next) && groupOf(next) == around)
      groups[&op] = *around;
    around = groupOf(&op);
  }
}

/// The groups that the attributes in a block name.
static RowGroups groupsInText(Block &block) {
  RowGroups groups;
  for (Operation &op : block)
    if (auto number = groupInText(&op); number && isa<linalg::LinalgOp>(op))
      groups[&op] = *number;
  addFills(block, groups);
  return groups;
}

/// The row dimension that an attribute names.
static std::optional<unsigned> loopOf(linalg::LinalgOp op) {
  auto text = op->getAttrOfType<StringAttr>(kRows);
  unsigned loop = 0;
  StringRef word =
      text ? text.getValue().split(' ').second.split(' ').first : "";
  if (!word.consume_front("loop=") || word.getAsInteger(10, loop) ||
      loop >= op.getNumLoops())
    return std::nullopt;
  return loop;
}

/// Writes the schedule to the operations, if they are as a text can have them: no copy
/// that the text does not have is among them, and the fills are those that are read as
/// the group's.
void Group::write(ScheduleNotes &notes) const {
  unsigned number = notes.rowGroups++;
  Builder builder(members.front().op->getContext());
  bool isFirst = true;
  SmallVector<Attribute> texts;
  for (const Member &member : members) {
    std::string text = "group=" + std::to_string(number) +
                       " loop=" + std::to_string(member.dim);
    bool isFill = isa<linalg::FillOp>(member.op.getOperation());
    if (!isFill && !member.op->hasAttr(kNumber))
      return;
    texts.push_back(isFill
                        ? Attribute()
                        : builder.getStringAttr(
                              isFirst ? text + " " + schedule.text() : text));
    isFirst &= isFill;
  }
  RowGroups read;
  for (auto [member, text] : llvm::zip_equal(members, texts))
    if (text)
      read[member.op] = number;
  addFills(*members.front().op->getBlock(), read);
  if (read.size() != members.size() ||
      !llvm::all_of(members, [&](const Member &member) {
        return read.contains(member.op);
      }))
    return;
  for (auto [member, text] : llvm::zip_equal(members, texts))
    if (text)
      notes.choose(member.op, kRows, text);
}

/// The longest group that begins with the operation; none if it has no rows.
static std::optional<Group> longestRowsFrom(linalg::LinalgOp op,
                                            const RowGroups &named,
                                            const Machine &machine,
                                            std::mt19937_64 *random) {
  std::optional<Group> best;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    if (extents[dim] == 1 || !canBeRows(op, dim))
      continue;
    Group group({op, dim}, machine, random);
    if (!group.isSound())
      continue;
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (auto other = dyn_cast<linalg::LinalgOp>(next)) {
        if (next->hasAttr(kRows) || named.contains(next) ||
            !group.tryToAdd(other))
          break;
      } else if (!isOrderless(next)) {
        break;
      }
    if (group.plan() && (!best || group.members.size() > best->members.size()))
      best = std::move(group);
  }
  return best;
}

/// The row dimension of a fill that is the first of a group.
static std::optional<unsigned> loopOfFill(linalg::LinalgOp fill,
                                          ArrayRef<Member> others,
                                          const Machine &machine) {
  for (unsigned dim = 0; dim < fill.getNumLoops(); ++dim) {
    Group group({fill, dim}, machine, nullptr);
    if (fill.getStaticLoopRanges()[dim] != 1 && canBeRows(fill, dim) &&
        group.isSound() && llvm::all_of(others, [&](const Member &member) {
          return group.tryToAdd(member);
        }))
      return dim;
  }
  return std::nullopt;
}

/// The group that the attributes of operations name, of which this is the first. Fails
/// after an error.
static FailureOr<Group> namedRowsFrom(linalg::LinalgOp start,
                                      const RowGroups &named,
                                      const Machine &machine) {
  unsigned number = named.lookup(start);
  auto refuse = [&](linalg::LinalgOp op, const Twine &why) {
    InFlightDiagnostic error = op->emitOpError()
                               << "cannot be in the group " << number
                               << " of rows: " << why;
    error.attachNote() << "help: without " << kRows << ", the compiler chooses";
    return error;
  };
  SmallVector<linalg::LinalgOp> operations;
  bool isInterrupted = false;
  for (Operation *op = start; op; op = op->getNextNode()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    auto found = named.find(op);
    if (found == named.end() || found->second != number) {
      isInterrupted |= linalgOp || !isOrderless(op);
      continue;
    }
    if (isInterrupted)
      return refuse(linalgOp, "expected its operations one after another");
    operations.push_back(linalgOp);
  }
  SmallVector<Member> others; // all but fills
  for (linalg::LinalgOp op : operations) {
    if (!hasKnownLoops(op))
      return refuse(op, "the extents of its loops are not known");
    if (isa<linalg::FillOp>(op.getOperation()))
      continue;
    std::optional<unsigned> loop = loopOf(op);
    if (!loop || !canBeRows(op, *loop))
      return refuse(op,
                    "expected \"group=N loop=L\", with a parallel loop that is "
                    "not the columns of a reduction");
    others.push_back({op, *loop});
  }
  if (others.empty())
    return refuse(start, "expected an operation that is no fill");
  Group all(others.front(), machine, nullptr);
  if (!all.isSound())
    return refuse(others.front().op,
                  "expected a loop that is one dimension of each result");
  for (const Member &member : ArrayRef(others).drop_front())
    if (!all.tryToAdd(member))
      return refuse(member.op,
                    "expected " + Twine(extentOf(others.front())) +
                        " rows that are its own in each buffer which the "
                        "group writes");
  std::optional<Group> group;
  size_t next = 0;
  for (linalg::LinalgOp op : operations) {
    bool isFill = isa<linalg::FillOp>(op.getOperation());
    if (!group) {
      std::optional<unsigned> loop =
          isFill ? loopOfFill(op, others, machine) : others[next++].dim;
      if (!loop)
        return refuse(op, "expected its buffer to have the rows of the group");
      group.emplace(Member{op, *loop}, machine, nullptr);
    } else if (isFill ? !group->tryToAdd(op)
                      : !group->tryToAdd(others[next++])) {
      return refuse(op, "expected its buffer to have the rows of the group");
    }
  }
  Operation *first = others.front().op;
  if (failed(group->obey(first, cast<StringAttr>(first->getAttr(kRows)))))
    return failure();
  return std::move(*group);
}

static std::string textOf(Division division) {
  return ("alone loop=" + Twine(division.loop) +
          " parts=" + Twine(division.parts))
      .str();
}

/// Divides an operation that is in no group.
static LogicalResult divide(linalg::LinalgOp op, ScheduleNotes &notes,
                            std::mt19937_64 *random) {
  std::optional<Division> division =
      isReduction(op) ? chooseReductionDivision(op) : chooseDivision(op, {});
  if (random && !division && hasKnownLoops(op))
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (canBeRows(op, loop) && canDivide(op, loop) && (*random)() % 2 == 0)
        division = {loop, 1};
  if (random && division)
    division->parts =
        RowSchedule::drawn({.extent = op.getStaticLoopRanges()[division->loop]},
                           *random)
            .parts;
  if (auto text = op->getAttrOfType<StringAttr>(kRows)) {
    std::optional<unsigned> loop = loopOf(op);
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    std::string why;
    if (!loop || !hasKnownLoops(op) || !canDivide(op, *loop) ||
        columnsOf(op) == loop) {
      why =
          "expected loop=L, a parallel loop of known extent that every result "
          "has as an index, and that is not the columns of a reduction";
    } else {
      auto given = RowSchedule::parse(
          text.getValue().split(' ').second.split(' ').second);
      why = given ? given->check({.extent = extents[*loop]})
                  : llvm::toString(given.takeError());
      if (why.empty())
        division = {*loop, given->parts};
    }
    if (!why.empty())
      return refuseSchedule(op, text, "an operation alone", why, kRows,
                            textOf(division.value_or(Division{0, 1})));
  }
  if (!division)
    return success();
  notes.choose(op, kRows, StringAttr::get(op->getContext(), textOf(*division)));
  if (division->parts > 1)
    divideOperation(op, *division);
  return success();
}

LogicalResult cpu::joinRows(func::FuncOp kernel, const Machine &machine,
                            ScheduleNotes &notes) {
  if (!llvm::hasSingleElement(kernel.getBody()))
    return success();
  eraseCopiesToSelf(kernel.getBody().front());
  std::mt19937_64 engine(machine.scheduleSeed + 1);
  std::mt19937_64 *random = machine.scheduleSeed != 0 ? &engine : nullptr;
  Block &block = kernel.getBody().front();
  RowGroups named = groupsInText(block);
  SmallVector<linalg::LinalgOp> operations(block.getOps<linalg::LinalgOp>()),
      alone;
  for (size_t i = 0; i < operations.size();) {
    linalg::LinalgOp op = operations[i];
    std::optional<Group> group;
    if (named.contains(op)) {
      FailureOr<Group> given = namedRowsFrom(op, named, machine);
      if (failed(given))
        return failure();
      group = std::move(*given);
    } else if (!op->hasAttr(kRows) && hasKnownLoops(op)) {
      group = longestRowsFrom(op, named, machine, random);
    }
    if (group && (group->members.size() > 1 || group->shortRows)) {
      i += group->members.size();
      for (const Member &member : group->members)
        named.erase(member.op);
      group->emit(notes);
      continue;
    }
    if (op->hasAttr(kRows) || hasKnownLoops(op))
      alone.push_back(op);
    ++i;
  }
  // A group that is written sees the operations around it as they are read again.
  for (linalg::LinalgOp op : alone)
    if (failed(divide(op, notes, random)))
      return failure();
  return success();
}
