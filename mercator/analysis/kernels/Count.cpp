// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/kernels/Count.h"

#include "mercator/analysis/access/Accesses.h"
#include "mercator/analysis/kernels/Neighbors.h"
#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/support/Saturating.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <numeric>

using namespace mercator;
using namespace mercator::access;
using namespace mercator::kernels;
using namespace mercator::indexing;

//===----------------------------------------------------------------------===//
// One access
//===----------------------------------------------------------------------===//

/// Replaces a variable by the least of its values, in the index and where it is asked
/// for: a load that does not depend on a loop is done once.
static void fix(Map &map, Var v) {
  int64_t least = map.domain.bounds(v).lower;
  llvm::SmallVector<Expr, 6> values(v.index + 1);
  values[v.index] = map.arena->constant(least);
  if (v.kind == VarKind::Dim)
    substitute(map, {.dims = values, .ranges = {}, .runtimes = {}});
  else
    substitute(map, {.dims = {}, .ranges = values, .runtimes = {}});
  map.domain.bounds(v) = {least, least};
}

/// Constraints that hold everywhere go.
static void dropDecided(Map &map) {
  Domain box = map.domain;
  box.constraints.clear();
  IntervalAnalysis analysis(*map.arena, box);
  llvm::erase_if(map.domain.constraints, [&](const Constraint &c) {
    Interval values = analysis.interval(c.expr);
    return values.hasLower() && values.hasUpper() &&
           c.bounds.contains(values.lower) && c.bounds.contains(values.upper);
  });
}

/// A constraint that says the same as others goes.
static void simplifyExprs(Map &map) {
  Domain box = map.domain;
  box.constraints.clear();
  Domain kept = box;
  for (Constraint &c : map.domain.constraints) {
    c.expr = simplify(*map.arena, c.expr, box);
    Constraint other = {simplify(*map.arena, c.expr, kept), c.bounds};
    if (!llvm::is_contained(kept.constraints, other))
      kept.constraints.push_back(c);
  }
  map.domain.constraints = std::move(kept.constraints);
  for (Expr &e : map.results)
    e = simplify(*map.arena, e, map.domain);
}

/// True if the element adds `coefficient` to e for each of its steps, from a multiple
/// of the modulus.
static bool isSplit(const Map &map, Expr e, int64_t coefficient,
                    int64_t modulus) {
  Arena &arena = *map.arena;
  Var element{VarKind::Dim, 1};
  LinearCopy linear = arena.linearCopy(e);
  int64_t found = 0;
  for (Term t : linear.terms)
    if (arena.uses(t.expr, element)) {
      if (arena.kind(t.expr) != ExprKind::Variable)
        return false;
      found += t.coefficient;
    }
  if (found != coefficient)
    return false;
  llvm::erase_if(linear.terms,
                 [&](const Term &t) { return arena.uses(t.expr, element); });
  IntervalAnalysis analysis(arena, map.domain);
  Residue rest = analysis.residue(arena.sum(linear.terms, linear.constant));
  if (rest.modulus == 0) // a constant
    return rest.remainder % modulus == 0;
  return rest.modulus % modulus == 0 && rest.remainder % modulus == 0;
}

/// True if the condition holds for all elements of a thread, or for none.
static bool isOfAll(const Map &map, const Constraint &c, int64_t count) {
  return !map.arena->uses(c.expr, {VarKind::Dim, 1}) ||
         (isSplit(map, c.expr, 1, count) && c.bounds.lower % count == 0 &&
          (c.bounds.upper + 1) % count == 0);
}

/// True if a step of the element is a step of one element in memory, from an aligned
/// address, and no lane takes only some of its elements.
static bool areAlignedNeighbors(const Map &map, Expr address, int64_t bytes,
                                int64_t count) {
  return isSplit(map, address, bytes, bytes * count) &&
         llvm::all_of(map.domain.constraints, [&](const Constraint &c) {
           return isOfAll(map, c, count);
         });
}

/// True if a lane may take some of its neighbors and not the others.
static bool cutsNeighbors(const Map &map) {
  int64_t count = *map.domain.dims[1].bounds.size();
  return count > 1 &&
         llvm::any_of(map.domain.constraints, [&](const Constraint &c) {
           return !isOfAll(map, c, count);
         });
}

/// The elements of a thread as a range, one load after the other.
static Map spreadElements(Map map) {
  Arena &arena = *map.arena;
  Interval elements = map.domain.dims[1].bounds;
  int64_t count = *elements.size();
  if (count == 1)
    return map;
  Expr first[] = {Expr(), arena.constant(0)};
  for (Constraint &c : map.domain.constraints)
    if (isOfAll(map, c, count))
      c.expr = substitute(arena, c.expr,
                          {.dims = first, .ranges = {}, .runtimes = {}});
  Expr each[] = {Expr(), map.domain.addRange(arena, elements)};
  substitute(map, {.dims = each, .ranges = {}, .runtimes = {}});
  map.domain.dims[1].bounds = {0, 0};
  return map;
}

/// The dimension of the elements, split: `vector` of them in one instruction.
static LaneMapping joined(Map map, int64_t vector) {
  Arena &arena = *map.arena;
  Interval whole = map.domain.dims[1].bounds;
  int64_t count = *whole.size();
  if (vector < count) {
    Expr part = map.domain.addRange(arena, Interval::ofSize(count / vector));
    Expr dims[] = {Expr(), arena.add(arena.scale(part, vector), arena.dim(1))};
    substitute(map, {.dims = dims, .ranges = {}, .runtimes = {}});
    map.domain.dims[1].bounds = Interval::ofSize(vector);
  }
  int64_t lanes = *map.domain.dims[0].bounds.size();
  return {.map = std::move(map),
          .lanes = lanes,
          .vector = vector,
          .isOneLoad = true};
}

/// The map of one instruction of the step, to the index of a tensor; its first ranges
/// are loops of the step. True if it stands before a loop whose end has a condition.
static bool prepare(Map &map, const Step &step) {
  Arena &arena = *map.arena;
  size_t loops = step.map.domain.ranges.size();
  bool isBefore = false;
  simplifyExprs(map);
  // An index that is known only when the program runs depends on where it is read.
  auto isRead = [&](Var v) {
    llvm::SmallVector<Expr, 8> work(map.results.begin(), map.results.end());
    llvm::SmallBitVector seen(map.domain.runtimes.size());
    while (!work.empty()) {
      Expr e = work.pop_back_val();
      if (arena.uses(e, v))
        return true;
      for (uint32_t i = 0; i < seen.size(); ++i)
        if (!seen.test(i) && arena.uses(e, {VarKind::Runtime, i})) {
          seen.set(i);
          llvm::append_range(work, map.domain.runtimes[i].index);
        }
    }
    return false;
  };
  if (step.kind == Step::Kind::Reads) {
    for (uint32_t r = 0; r < loops; ++r) {
      Var loop{VarKind::Range, r};
      if (isRead(loop))
        continue;
      isBefore |=
          llvm::any_of(map.domain.constraints, [&](const Constraint &c) {
            return arena.uses(c.expr, loop);
          });
      fix(map, loop);
    }
    if (Var element{VarKind::Dim, 1}; !isRead(element))
      fix(map, element);
  }
  simplifyExprs(map);
  dropDecided(map);
  return isBefore;
}

static std::string textOf(const Map &map) {
  std::string text;
  for (Expr e : map.results)
    text += (text.empty() ? "" : ", ") + toString(*map.arena, e, &map.domain);
  return "(" + text + ")";
}

/// The same index under the same conditions, in any order.
static bool isSame(const Map &a, const Map &b) {
  return a.results == b.results && a.domain.dims == b.domain.dims &&
         a.domain.ranges == b.domain.ranges &&
         a.domain.runtimes == b.domain.runtimes &&
         a.domain.constraints.size() == b.domain.constraints.size() &&
         llvm::all_of(a.domain.constraints, [&](const Constraint &c) {
           return llvm::is_contained(b.domain.constraints, c);
         });
}

/// How one instruction reads or writes a tensor of that layout.
static std::optional<Counted> countAccess(const Step &step, const Map &map,
                                          const Layout &layout,
                                          const Device &device) {
  Arena &arena = *map.arena;
  int64_t count = *map.domain.dims[1].bounds.size();
  int64_t bytes = std::max<int64_t>(1, layout.bits / 8), vector = 1;
  if (count > 1 && step.join != Step::Join::Never) {
    int64_t most = std::gcd(
        count,
        int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(1, 16 / bytes)))));
    Expr address = layout.byteOf(arena, map.results);
    if (step.join == Step::Join::IfFlat)
      address = simplify(arena, address, map.domain);
    if (step.join == Step::Join::Always ||
        (layout.bits >= 8 && areAlignedNeighbors(map, address, bytes, most)))
      vector = most;
  }
  Counted counted{.kind = step.kind,
                  .map = map,
                  .by = textOf(map),
                  .vector = vector,
                  .vectorBytes = vector * bytes,
                  .byEngine = step.byEngine};
  std::optional<Traffic> traffic =
      trafficOf(joined(map, vector), layout, device);
  if (!traffic)
    return std::nullopt;
  counted.traffic = std::move(*traffic);
  return counted;
}

namespace {
/// An instruction before it is counted.
struct Access {
  const Step *step;
  unsigned operand; ///< or result
  Map map;
  Layout layout;
  bool isExact = true; ///< the map
  /// Why the count is at most that of the map; empty if it is the same.
  std::string atMost = {};
  /// Why it may be another one.
  std::string guess = {};
  mlir::Type element = {};

  [[nodiscard]] bool mayJoin() const {
    return step->join == Step::Join::IfAligned ||
           step->join == Step::Join::IfFlat;
  }
  [[nodiscard]] bool isTruth() const { return element && element.isInteger(1); }
};

/// The conditions that all threads of a step share.
size_t conditionsOf(const Step &step) {
  Map own = step.map;
  simplifyExprs(own);
  dropDecided(own);
  return own.domain.constraints.size();
}

const char *const kConditionsTogether =
    "neighbors that have conditions may be loaded together";
const char *const kConditionsApart =
    "neighbors that have conditions may be loaded apart";
const char *const kTruthsApart =
    "truth values that are neighbors may be loaded in parts";
} // namespace

/// Requires: the reason is not empty.
static void weaken(Counted &counted, Exactness exactness,
                   const std::string &reason) {
  Traffic &traffic = counted.traffic;
  for (Exactness *e : {&traffic.loadsAre, &traffic.fetchedAre})
    if (*e == Exactness::Exact || exactness == Exactness::Sampled)
      *e = exactness;
  if (counted.why.empty() || exactness == Exactness::Sampled)
    counted.why = reason;
}

/// Accesses of one tensor by one element a thread, joined. `mostLoads`: of an unrolled
/// loop.
static std::vector<Counted> countJoined(llvm::ArrayRef<Access *> accesses,
                                        int64_t mostLoads,
                                        const Device &device) {
  std::vector<Counted> all;
  std::vector<ThreadLoad> loads;
  for (const Access *access : accesses) {
    const Step &step = *access->step;
    int64_t elements = *access->map.domain.dims[1].bounds.size();
    loads.push_back({.map = spreadElements(access->map),
                     .layout = access->layout,
                     .loops = step.map.domain.ranges.size() - step.unrolled,
                     .most = saturatingMul(mostLoads, elements),
                     .conditions = conditionsOf(step),
                     .isStore = step.kind != Step::Kind::Reads});
  }
  Neighbors found = joinNeighbors(loads);
  if (found.isPartly) {
    for (Access *access : accesses)
      if (access->atMost.empty())
        access->atMost = "a loop is unrolled in part, and some of its loads "
                         "are joined";
    return all;
  }
  for (JoinedLoad &load : found.loads) {
    const Access &first = *accesses[load.of];
    Layout flat{.shape = {first.layout.elements()},
                .minorToMajor = {0},
                .bits = first.layout.bits};
    int64_t lanes = *load.map.domain.dims[0].bounds.size();
    Counted counted{.kind = first.step->kind,
                    .operand = first.operand,
                    .map = load.map,
                    .by = textOf(first.map),
                    .vector = load.vector,
                    .vectorBytes = load.vector * first.layout.bits / 8};
    std::optional<Traffic> traffic = trafficOf({.map = std::move(load.map),
                                                .lanes = lanes,
                                                .vector = load.vector,
                                                .isOneLoad = true},
                                               flat, device);
    if (!traffic)
      continue;
    counted.traffic = std::move(*traffic);
    if (!first.atMost.empty())
      weaken(counted, Exactness::UpperBound, first.atMost);
    if (!first.guess.empty())
      weaken(counted, Exactness::Sampled, first.guess);
    if (load.vector > 1 && first.isTruth())
      weaken(counted, Exactness::Sampled, kTruthsApart);
    if (found.isGuess)
      weaken(counted, Exactness::Sampled, kConditionsApart);
    all.push_back(std::move(counted));
  }
  return all;
}

/// Whether LLVM sees how far the elements of a thread are apart.
static bool isSeen(const Access &access) {
  const Map &map = access.map;
  Arena &arena = *map.arena;
  if (*map.domain.dims[1].bounds.size() == 1)
    return true;
  Expr address = access.layout.byteOf(arena, map.results);
  if (access.step->join == Step::Join::IfFlat)
    address = simplify(arena, address, map.domain);
  return llvm::all_of(arena.linearCopy(address).terms, [&](const Term &t) {
    return arena.kind(t.expr) == ExprKind::Variable ||
           !arena.uses(t.expr, {VarKind::Dim, 1});
  });
}

/// All instructions of one kernel.
static std::vector<Counted> countAll(std::vector<Access> &accesses,
                                     int64_t mostLoads, const Device &device) {
  std::vector<Counted> all;
  // By operand: those that may be joined with others.
  std::map<std::pair<Step::Kind, unsigned>, std::vector<Access *>> joinable;
  for (Access &access : accesses) {
    if (access.step->kind != Step::Kind::Adds && access.mayJoin() &&
        isSeen(access) && !access.step->isApart && access.isExact &&
        access.layout.bits >= 8 && access.layout.tiles.empty())
      joinable[{access.step->kind, access.operand}].push_back(&access);
  }
  // Elements of a thread that lie in two rows: another access may read some of them.
  for (Access &access : accesses)
    if (access.atMost.empty() && access.step->kind == Step::Kind::Reads &&
        access.mayJoin() && !isSeen(access) &&
        llvm::any_of(accesses, [&](const Access &other) {
          return &other != &access && other.operand == access.operand &&
                 other.step->kind == Step::Kind::Reads;
        }))
      access.atMost = "neighbors in several rows may share a load";
  std::vector<const Access *> done;
  for (auto &[operand, list] : joinable) {
    std::vector<Counted> joined = countJoined(list, mostLoads, device);
    if (joined.empty())
      continue;
    llvm::append_range(done, list);
    for (Counted &counted : joined)
      all.push_back(std::move(counted));
  }
  for (const Access &access : accesses) {
    if (llvm::is_contained(done, &access))
      continue;
    std::optional<Counted> counted =
        countAccess(*access.step, access.map, access.layout, device);
    if (!counted)
      continue;
    counted->operand = access.operand;
    if (counted->vector > 1 && access.mayJoin() &&
        access.map.domain.constraints.size() > conditionsOf(*access.step))
      weaken(*counted, Exactness::Sampled, kConditionsApart);
    if (counted->vector > 1 && access.mayJoin() && access.isTruth())
      weaken(*counted, Exactness::Sampled, kTruthsApart);
    if (!access.guess.empty())
      weaken(*counted, Exactness::Sampled, access.guess);
    if (!access.atMost.empty())
      weaken(*counted, Exactness::UpperBound, access.atMost);
    all.push_back(std::move(*counted));
  }
  return all;
}

static void add(Verdict<int64_t> &sum, int64_t value, Exactness exactness,
                llvm::StringRef reason) {
  sum.value = saturatingAdd(sum.value, value);
  if (exactness == Exactness::Exact)
    return;
  if (sum.why.exactness == Exactness::Exact || exactness == Exactness::Sampled)
    sum.why = {.exactness = exactness, .reason = reason.str()};
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The steps in shared memory: the passes that the banks take, in place of sectors.
static void countShared(const Kernel &kernel, const Device &device,
                        Counts &counts) {
  Verdict<int64_t> *all[] = {&counts.sharedLoads, &counts.sharedLoadPasses,
                             &counts.sharedStores, &counts.sharedStorePasses};
  const char *noBanks = "the device has no shared memory";
  for (Verdict<int64_t> *v : all)
    v->why.exactness = Exactness::Exact;
  if (!kernel.sharedUnknown.empty() || device.banks == 0) {
    for (Verdict<int64_t> *v : all)
      v->why = {.exactness = Exactness::Unknown,
                .reason = device.banks == 0 ? noBanks : kernel.sharedUnknown};
    return;
  }
  Device memory = device; // where an address lies in a row of the banks
  memory.lineBytes = memory.sectorBytes = memory.baseAlignment =
      device.banks * device.bankBytes;
  for (const SharedStep &step : kernel.shared) {
    Map map = spreadElements(step.map);
    dropDecided(map);
    int64_t lanes = *map.domain.dims[0].bounds.size();
    std::optional<Traffic> traffic = trafficOf({.map = std::move(map),
                                                .lanes = lanes,
                                                .vector = 1,
                                                .isOneLoad = true,
                                                .isInBanks = true},
                                               step.tile, memory);
    if (!traffic)
      continue;
    counts.leastPasses =
        saturatingAdd(counts.leastPasses, traffic->neededSectors);
    bool isRead = step.kind == Step::Kind::Reads;
    auto exactness = [&](Exactness own) {
      return own == Exactness::Exact && !step.atMost.empty()
                 ? Exactness::UpperBound
                 : own;
    };
    const std::string &reason =
        step.atMost.empty() ? traffic->grounds.reason : step.atMost;
    add(isRead ? counts.sharedLoads : counts.sharedStores, traffic->loads,
        exactness(traffic->loadsAre), reason);
    add(isRead ? counts.sharedLoadPasses : counts.sharedStorePasses,
        traffic->touchedSectors(), exactness(traffic->fetchedAre), reason);
  }
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static constexpr int64_t kMemoryUnit = 64;

static int64_t lastCacheOf(const Device &device) {
  int64_t bytes = 0;
  for (const Device::Cache &cache : device.caches)
    bytes = std::max(bytes, cache.bytes);
  return bytes;
}

namespace {
/// The bytes that lookups of a table bring.
struct LookedUp {
  double bytes = 0;
  bool isBound = false; ///< no more than these
};
} // namespace

/// Of what does not stay in the last cache, each lookup is taken to bring its bytes: for
/// single elements a bound. Otherwise indices are taken to be evenly spread.
static LookedUp lookUp(double tableBytes, double rowBytes, double lookups,
                       const Device &device) {
  double piece = std::ceil(rowBytes / kMemoryUnit) * kMemoryUnit;
  double pieces =
      std::max(1.0, tableBytes / std::max(rowBytes, double(kMemoryUnit)));
  double distinct = pieces * -std::expm1(lookups * std::log1p(-1 / pieces));
  if (pieces <= 1)
    distinct = 1;
  if (distinct * piece > double(lastCacheOf(device)))
    return {lookups * piece, false};
  return {distinct * piece, false};
}

/// The same for a map: how often an index is looked up, and what each brings.
static LookedUp lookUp(const Map &map, const Layout &layout,
                       const Device &device) {
  double lookups = 1, rowBytes = std::max<int64_t>(1, layout.bits / 8);
  Arena &arena = *map.arena;
  auto inIndex = [&](Var v) {
    for (const RuntimeVariable &r : map.domain.runtimes)
      for (Expr e : r.index)
        if (arena.uses(e, v))
          return true;
    return false;
  };
  map.domain.forEachVar([&](Var v) {
    if (v.kind == VarKind::Runtime)
      return;
    double size = double(map.domain.bounds(v).size().value_or(1));
    bool isRead =
        llvm::any_of(map.results, [&](Expr e) { return arena.uses(e, v); });
    if (inIndex(v))
      lookups *= size;
    else if (isRead)
      rowBytes *= size;
  });
  LookedUp all = lookUp(double(layout.bytes()), rowBytes, lookups, device);
  // Elements of a row may lie apart.
  all.isBound =
      rowBytes * 8 <= double(layout.bits) && all.bytes >= lookups * kMemoryUnit;
  return all;
}

static Verdict<int64_t> unitsOf(const MapSet &maps, const Layout &layout,
                                const Device &device) {
  bool isIndexed = false;
  LookedUp all{.isBound = true};
  for (const OperandMap &m : maps) {
    bool uses = false;
    for (uint32_t i = 0; i < m.map.domain.runtimes.size(); ++i)
      for (Expr e : m.map.results)
        uses |= m.map.arena->uses(e, {VarKind::Runtime, i});
    isIndexed |= uses;
    if (uses) {
      LookedUp own = lookUp(m.map, layout, device);
      all.bytes += own.bytes;
      all.isBound &= own.isBound;
    }
  }
  int64_t whole =
      (layout.bytes() + kMemoryUnit - 1) / kMemoryUnit * kMemoryUnit;
  if (isIndexed) {
    bool fits = whole <= lastCacheOf(device);
    auto bytes = int64_t(all.bytes);
    if (all.isBound)
      return {bytes,
              {.exactness = Exactness::UpperBound,
               .reason = "indices are known only when the program runs; each "
                         "lookup may bring its bytes"}};
    return {fits ? std::min(whole, bytes) : bytes,
            {.exactness = Exactness::Sampled,
             .reason = "indices are known only when the program runs; they are "
                       "taken to be evenly spread"}};
  }
  Verdict<int64_t> units = linesOf(maps, layout, kMemoryUnit);
  units.value = saturatingMul(units.value, kMemoryUnit);
  return units;
}

//===----------------------------------------------------------------------===//
// What a compiler may change
//===----------------------------------------------------------------------===//

/// Operations that LLVM writes as many instructions, some with branches.
static bool isLong(mlir::Operation *op) {
  return llvm::isa<stablehlo::SineOp, stablehlo::CosineOp, stablehlo::TanOp,
                   stablehlo::PowOp, stablehlo::Atan2Op, stablehlo::ExpOp,
                   stablehlo::Expm1Op, stablehlo::LogOp, stablehlo::Log1pOp,
                   stablehlo::TanhOp, stablehlo::LogisticOp, stablehlo::CbrtOp>(
             op) ||
         (llvm::isa<stablehlo::RemOp, stablehlo::DivOp>(op) &&
          !llvm::isa<mlir::FloatType>(
              mlir::getElementTypeOrSelf(op->getResult(0).getType())));
}

/// How many times XLA writes the body of a loop in a fusion, one after the other: as
/// often as 400 operations hold. Here operations are counted that may be in it.
static int64_t mostUnrolled(mlir::Operation *fusion) {
  constexpr int64_t kMostOperations = 400, kOwn = 5, kLong = 20;
  int64_t operations = kOwn;
  fusion->walk([&](mlir::Operation *op) {
    if (op->getNumOperands() > 0 && op->getNumResults() > 0)
      operations += isLong(op) ? kLong : 1;
  });
  return kMostOperations / operations;
}

/// Whether LLVM may find that a value is not needed: `(x & y) | y` is y.
static bool mayCancel(mlir::Operation *fusion) {
  auto isInteger = [](mlir::Operation *op) {
    return llvm::isa_and_nonnull<stablehlo::AndOp, stablehlo::OrOp,
                                 stablehlo::XorOp, stablehlo::AddOp,
                                 stablehlo::SubtractOp, stablehlo::MulOp,
                                 stablehlo::DivOp, stablehlo::RemOp,
                                 stablehlo::MaxOp, stablehlo::MinOp>(op) &&
           mlir::getElementTypeOrSelf(op->getResult(0).getType())
               .isIntOrIndex();
  };
  return fusion
      ->walk([&](mlir::Operation *op) {
        if (!isInteger(op))
          return mlir::WalkResult::advance();
        for (mlir::Value operand : op->getOperands()) {
          mlir::Operation *inner = operand.getDefiningOp();
          if (isInteger(inner) &&
              llvm::any_of(inner->getOperands(), [&](mlir::Value v) {
                return llvm::is_contained(op->getOperands(), v);
              }))
            return mlir::WalkResult::interrupt();
        }
        return mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// How many reductions of a fusion read the value.
static int reductionsOf(mlir::Value value, mlir::Block &body) {
  llvm::DenseSet<mlir::Value> reads = {value};
  int count = 0;
  for (mlir::Operation &op : body)
    if (llvm::any_of(op.getOperands(),
                     [&](mlir::Value v) { return reads.contains(v); })) {
      count += llvm::isa<stablehlo::ReduceOp>(op);
      for (mlir::Value result : op.getResults())
        reads.insert(result);
    }
  return count;
}

/// Whether XLA writes out the loops of a map.
static bool isUnrolled(const Map &map, int64_t most) {
  int64_t count = 1;
  for (const Variable &v : map.domain.ranges)
    count = saturatingMul(count, v.bounds.size().value_or(Interval::kMax));
  return count <= most;
}

namespace {
/// The arguments of a fusion that a `select` chooses from.
///
/// Of `select(p, x, y)`, LLVM may load x or y at an address that p selects, and of
/// `select(p, -x, -y)` as well. It does not where one of them is no load.
class Chosen {
public:
  explicit Chosen(mlir::Block &body) {
    for (mlir::BlockArgument argument : body.getArguments())
      reads.insert(argument);
    for (mlir::Operation &op : body)
      if (llvm::any_of(op.getOperands(),
                       [&](mlir::Value v) { return reads.contains(v); }))
        for (mlir::Value result : op.getResults())
          reads.insert(result);
    for (mlir::Value root : body.getTerminator()->getOperands())
      certain.insert(root);
    for (mlir::Operation &op : llvm::reverse(body)) {
      bool isCertain = llvm::any_of(
          op.getResults(), [&](mlir::Value v) { return certain.contains(v); });
      bool isChosen = llvm::any_of(
          op.getResults(), [&](mlir::Value v) { return chosen.contains(v); });
      auto select = llvm::dyn_cast<stablehlo::SelectOp>(op);
      bool chooses = select && reads.contains(select.getOnTrue()) &&
                     reads.contains(select.getOnFalse());
      for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
        bool isBranch = chooses && i > 0;
        if (isCertain && !isBranch)
          certain.insert(operand);
        if (isChosen || (isCertain && isBranch))
          chosen.insert(operand);
      }
    }
  }

  /// `maps`: how many maps lead to the argument.
  [[nodiscard]] bool contains(mlir::Value argument, size_t maps) const {
    return chosen.contains(argument) &&
           (maps > 1 || !certain.contains(argument));
  }

private:
  llvm::DenseSet<mlir::Value> reads, certain, chosen;
};
} // namespace

//===----------------------------------------------------------------------===//
// A kernel
//===----------------------------------------------------------------------===//

Counts kernels::count(const Kernel &kernel, mlir::Operation *op, Arena &arena,
                      const Device &device) {
  Counts counts;
  for (Verdict<int64_t> *v :
       {&counts.loads, &counts.loadSectors, &counts.stores,
        &counts.storeSectors, &counts.adds, &counts.addSectors,
        &counts.bytesRead, &counts.bytesWritten})
    v->why.exactness = Exactness::Exact;
  auto fusion = llvm::dyn_cast<hlo::FusionOp>(op);
  FusionMaps maps(arena);
  /// By operand, then by the shape that the maps start from.
  std::map<unsigned, std::map<std::vector<int64_t>, MapSet>> readOf;
  std::vector<Access> accesses;
  bool isReduction = kernel.emitter == Emitter::RowReduction ||
                     kernel.emitter == Emitter::ColumnReduction;
  auto addAccess = [&](Access access) {
    if (prepare(access.map, *access.step) && access.guess.empty())
      access.guess = "what stands before a loop may be loaded again at its end";
    if (isReduction && access.atMost.empty() &&
        access.step->kind == Step::Kind::Reads && cutsNeighbors(access.map))
      access.atMost = kConditionsTogether;
    // The same load for another value is one load.
    if (llvm::none_of(accesses, [&](const Access &other) {
          return access.step->kind == Step::Kind::Reads &&
                 other.step->kind == Step::Kind::Reads &&
                 (other.step == access.step ||
                  (!other.step->isApart && !access.step->isApart)) &&
                 other.operand == access.operand &&
                 isSame(other.map, access.map);
        }))
      accesses.push_back(std::move(access));
  };
  std::optional<Chosen> chosen;
  bool isBranchy = false, cancels = false, joinsParts = false;
  int reductions = 0;
  if (fusion) {
    if (kernel.emitter == Emitter::Loop)
      fusion->walk([&](stablehlo::ReduceOp) { ++reductions; });
    if (kernel.emitter != Emitter::Concatenate)
      fusion->walk([&](stablehlo::ConcatenateOp) { joinsParts = true; });
    cancels = mayCancel(op);
    chosen.emplace(fusion.getBody().front());
    fusion->walk([&](mlir::Operation *inner) { isBranchy |= isLong(inner); });
  }
  for (const Step &step : kernel.steps) {
    if (step.kind != Step::Kind::Reads) {
      if (std::optional<Layout> layout =
              Layout::of(op->getResult(step.result).getType()))
        addAccess({.step = &step,
                   .operand = step.result,
                   .map = step.map,
                   .layout = *layout,
                   .atMost = step.atMost,
                   .guess = step.guess});
      continue;
    }
    std::vector<Reached> reached;
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(step.value);
    if (argument)
      reached.push_back({argument.getArgNumber(), 0, MapSet(step.map)});
    else if (step.value)
      reached = maps.toArguments({step.value, 0});
    for (const Reached &r : reached) {
      std::optional<Layout> layout =
          Layout::of(op->getOperand(r.number).getType());
      if (!layout || r.leaf != 0)
        continue;
      for (const OperandMap &m : r.maps) {
        if (m.map.isKnownEmpty() || m.devices != 0 ||
            (!argument && step.map.numResults() != m.map.numDims()))
          continue;
        Access access{.step = &step,
                      .operand = r.number,
                      .map = argument ? m.map : compose(step.map, m.map),
                      .layout = *layout,
                      .isExact = m.exact,
                      .atMost = m.exact ? step.atMost : m.reason,
                      .element = mlir::getElementTypeOrSelf(
                          op->getOperand(r.number).getType())};
        if (step.isUnguarded && (argument || m.map.domain.constraints.empty()))
          access.map.domain.constraints.clear();
        if (llvm::isa<mlir::ComplexType>(access.element) && isBranchy)
          access.guess = "the parts of complex numbers may be loaded apart";
        if (access.atMost.empty() && joinsParts &&
            access.map.domain.constraints.size() >
                step.map.domain.constraints.size())
          access.atMost = "branches of a concatenation may share a load";
        if (reductions > 1 && access.guess.empty() &&
            (r.maps.size() > 1 ||
             (!isUnrolled(m.map, mostUnrolled(op)) &&
              reductionsOf(fusion.getBody().getArgument(r.number),
                           fusion.getBody().front()) > 1)))
          access.guess = "what several reductions read may be loaded again";
        if (access.atMost.empty() && cancels)
          access.atMost = "a value that cancels may not be loaded";
        if (access.atMost.empty() && chosen &&
            kernel.emitter != Emitter::TritonBlock &&
            kernel.emitter != Emitter::TritonProduct &&
            chosen->contains(fusion.getBody().getArgument(r.number),
                             r.maps.size()))
          access.atMost =
              "of the values of a select, only the chosen one may be loaded";
        addAccess(std::move(access));
      }
    }
  }
  counts.accesses = countAll(accesses, fusion ? mostUnrolled(op) : 1, device);
  for (const Counted &c : counts.accesses) {
    if (c.byEngine)
      continue;
    auto [loads, sectors] =
        c.kind == Step::Kind::Reads
            ? std::pair(&counts.loads, &counts.loadSectors)
        : c.kind == Step::Kind::Writes
            ? std::pair(&counts.stores, &counts.storeSectors)
            : std::pair(&counts.adds, &counts.addSectors);
    const std::string &reason =
        c.why.empty() ? c.traffic.grounds.reason : c.why;
    add(*loads, c.traffic.loads, c.traffic.loadsAre, reason);
    add(*sectors, c.traffic.touchedSectors(), c.traffic.fetchedAre, reason);
  }
  countShared(kernel, device, counts);
  if (!kernel.uncounted.empty())
    for (Verdict<int64_t> *v : {&counts.loads, &counts.loadSectors,
                                &counts.stores, &counts.storeSectors})
      v->why = {.exactness = Exactness::Unknown, .reason = kernel.uncounted};
  if (!fusion)
    return counts;
  // Bytes: what the results depend on, once.
  mlir::Block &body = fusion.getBody().front();
  for (mlir::Value root : body.getTerminator()->getOperands()) {
    std::optional<Layout> own = Layout::of(root.getType());
    if (!own)
      continue;
    std::vector<int64_t> shape(own->shape.begin(), own->shape.end());
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(root)) {
      if (std::optional<Layout> layout = Layout::of(argument.getType()))
        readOf[argument.getArgNumber()][shape].insert(
            {Map::identity(arena, layout->shape)});
      continue;
    }
    for (const Reached &r : maps.toArguments({root, 0}))
      for (const OperandMap &m : r.maps)
        readOf[r.number][shape].insert(m);
  }
  bool isInPlace = kernel.emitter == Emitter::UpdateInPlace ||
                   kernel.emitter == Emitter::Scatter;
  for (auto &[number, sets] : readOf) {
    std::optional<Layout> layout = Layout::of(op->getOperand(number).getType());
    if (!layout)
      continue;
    counts.leastBytes += layout->bytes();
    if (isInPlace && number == 0)
      continue;
    Verdict<int64_t> bytes;
    for (auto &[shape, set] : sets) {
      Verdict<int64_t> part = unitsOf(set, *layout, device);
      if (bytes.why.exactness == Exactness::Unknown || part.value > bytes.value)
        bytes = part;
    }
    bool isWhole = bytes.value >= layout->bytes();
    if (sets.size() > 1 && !isWhole && bytes.isExact())
      bytes.why = {.exactness = Exactness::LowerBound,
                   .reason = "results of different shapes read other parts"};
    if ((bytes.why.exactness == Exactness::Sampled ||
         bytes.why.exactness == Exactness::UpperBound) &&
        layout->bytes() > lastCacheOf(device))
      counts.bytesScattered += bytes.value;
    add(counts.bytesRead, bytes.value, bytes.why.exactness, bytes.why.reason);
  }
  // An addition reads where it adds.
  for (const Step &step : kernel.steps) {
    if (step.kind != Step::Kind::Adds)
      continue;
    std::optional<Layout> table = Layout::of(op->getResult(0).getType()),
                          updates = Layout::of(step.value.getType());
    if (!table || !updates)
      continue;
    double lookups = double(updates->shape.front()),
           row = double(updates->bytes()) / lookups;
    add(counts.bytesRead,
        int64_t(std::min(
            double(table->bytes()),
            lookUp(double(table->bytes()), row, lookups, device).bytes)),
        Exactness::Sampled,
        "indices are known only when the program runs; they are taken to be "
        "evenly spread");
  }
  for (mlir::Value result : op->getResults())
    if (std::optional<Layout> layout = Layout::of(result.getType())) {
      counts.leastBytes += layout->bytes();
      if (!isInPlace)
        add(counts.bytesWritten, layout->bytes(), Exactness::Exact, "");
    }
  return counts;
}
