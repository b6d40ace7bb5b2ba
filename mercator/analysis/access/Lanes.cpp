// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/access/Lanes.h"

#include "mercator/analysis/access/Periods.h"
#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/support/Numbers.h"
#include "mercator/support/Saturating.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mercator;
using namespace mercator::access;
using namespace mercator::indexing;

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

/// The lane and its vector: dimensions 0 and 1. Returns lane * vector + element.
static Expr addLanes(Arena &arena, LaneMapping &mapping) {
  mapping.map = Map(arena);
  Expr lane = mapping.map.domain.addDim(arena, Interval::ofSize(mapping.lanes));
  Expr element =
      mapping.map.domain.addDim(arena, Interval::ofSize(mapping.vector));
  return arena.add(arena.scale(lane, mapping.vector), element);
}

LaneMapping access::lanesOf(Arena &arena, llvm::ArrayRef<int64_t> sizes,
                            llvm::ArrayRef<int64_t> minorToMajor, int64_t lanes,
                            int64_t vector) {
  LaneMapping mapping{.map = {}, .lanes = lanes, .vector = vector};
  Expr rest = addLanes(arena, mapping);
  Domain &domain = mapping.map.domain;
  mapping.map.results.resize(sizes.size());
  int64_t left = lanes * vector; ///< values of `rest`
  bool isMixed = false;
  for (auto [place, dim] : llvm::enumerate(minorToMajor)) {
    int64_t size = sizes[dim];
    Expr &index = mapping.map.results[dim];
    bool isLast = place + 1 == minorToMajor.size();
    if (isMixed) { // `rest` numbers the elements of all further dimensions
      index = isLast ? rest : arena.mod(rest, size);
      rest = arena.floorDiv(rest, size);
    } else if (left == 1) {
      index = domain.addDim(arena, Interval::ofSize(size));
    } else if (size % left == 0) {
      Expr block = domain.addDim(arena, Interval::ofSize(size / left));
      index = arena.add(arena.scale(block, left), rest);
      left = 1;
    } else if (left % size == 0) {
      index = arena.mod(rest, size);
      rest = arena.floorDiv(rest, size);
      left /= size;
    } else {
      // Warps begin in the middle of rows: number the elements.
      int64_t count = 1;
      for (int64_t further : minorToMajor.drop_front(place))
        if (__builtin_mul_overflow(count, sizes[further], &count))
          count = Interval::kMax / 2;
      Expr warp =
          domain.addDim(arena, Interval::ofSize((count + left - 1) / left));
      rest = arena.add(arena.scale(warp, left), rest);
      domain.addConstraint(rest, Interval::ofSize(count));
      index = isLast ? rest : arena.mod(rest, size);
      rest = arena.floorDiv(rest, size);
      left = 1;
      isMixed = true;
    }
  }
  if (left > 1) // the tensor is smaller than a warp
    domain.addConstraint(rest, {0, 0});
  return mapping;
}

LaneMapping access::lanesAlong(Arena &arena, llvm::ArrayRef<int64_t> sizes,
                               int64_t dim, int64_t lanes, int64_t vector) {
  LaneMapping mapping{.map = {}, .lanes = lanes, .vector = vector};
  Expr rest = addLanes(arena, mapping);
  Domain &domain = mapping.map.domain;
  int64_t width = lanes * vector;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (int64_t(i) != dim) {
      mapping.map.results.push_back(
          domain.addDim(arena, Interval::ofSize(size)));
      continue;
    }
    Expr block =
        domain.addDim(arena, Interval::ofSize((size + width - 1) / width));
    Expr index = arena.add(arena.scale(block, width), rest);
    if (size % width != 0)
      domain.addConstraint(index, Interval::ofSize(size));
    mapping.map.results.push_back(index);
  }
  return mapping;
}

//===----------------------------------------------------------------------===//
// Loads by residue
//===----------------------------------------------------------------------===//

namespace {
/// The number of loads whose address is r modulo the line, for each r.
class Residues {
public:
  explicit Residues(int64_t line) : counts(line, 0) { counts[0] = 1; }

  /// Adds a summand that takes the value r modulo the line `added[r]` times.
  void add(llvm::ArrayRef<int64_t> added) {
    std::vector<int64_t> sums(counts.size(), 0);
    for (size_t a = 0; a < counts.size(); ++a)
      for (size_t b = 0; counts[a] != 0 && b < added.size(); ++b)
        if (added[b] != 0) {
          int64_t &sum = sums[(a + b) % counts.size()];
          sum = saturatingAdd(sum, saturatingMul(counts[a], added[b]));
        }
    counts = std::move(sums);
  }

  /// Adds coefficient * x for x = 0, ..., count - 1.
  void addMultiples(int64_t coefficient, int64_t count) {
    int64_t line = counts.size();
    int64_t step = ((coefficient % line) + line) % line;
    int64_t period = line / std::gcd(step, line);
    std::vector<int64_t> added(line, 0);
    for (int64_t k = 0; k < std::min(period, count); ++k)
      added[k * step % line] = count / period + (k < count % period ? 1 : 0);
    add(added);
  }

  std::vector<int64_t> counts;
};

/// The address of a load and its lanes.
class Loads {
public:
  Loads(const LaneMapping &lanes, const Map &map, const Layout &layout,
        const Device &memory)
      : lanes(lanes), memory(memory), arena(*map.arena),
        bytes(std::max<int64_t>(1, layout.bits / 8)),
        composed(removeUnused(compose(lanes.map, map), UnusedVars::Ranges)),
        layout(layout) {}
  Loads(const LaneMapping &toOperand, const Layout &layout,
        const Device &memory)
      : lanes(toOperand), memory(memory), arena(*toOperand.map.arena),
        bytes(std::max<int64_t>(1, layout.bits / 8)),
        composed(removeUnused(toOperand.map, UnusedVars::Ranges)),
        layout(layout) {}

  std::optional<Traffic> traffic();

private:
  using Box = std::vector<Interval>; ///< by slot

  static constexpr int64_t kMostCases = 1 << 17, kSampledCases = 1 << 11,
                           kMostValues = 1 << 16, kMostChoices = 32,
                           kMostBoxes = 1 << 10;

  bool usesLane(Expr e) const {
    return arena.uses(e, {VarKind::Dim, 0}) || arena.uses(e, {VarKind::Dim, 1});
  }
  bool usesLoad(Expr e) const;
  bool usesRuntime(Expr e) const;
  bool differsByLane(uint32_t runtime) const;
  void dropRuntimeConditions();
  bool isDataDependent();
  Traffic dataDependent();
  bool split(Traffic &traffic);
  void addCases(Expr e);
  void findPeriods();
  void addResidues(Var v, Interval bounds, llvm::ArrayRef<Term> terms);
  void addOffset(Term t);
  void prepareWalk();
  void judge(Traffic &traffic) const;
  void walkCases(Traffic &traffic);
  void chooseTogether(Traffic &traffic);
  void walkBox(Traffic &traffic, Box box, llvm::ArrayRef<size_t> open,
               const CompiledExprs &program);
  void walkCasesOf(Traffic &traffic, const Box &box,
                   llvm::ArrayRef<size_t> open, const CompiledExprs &program);
  void addCase(Traffic &traffic, std::vector<int64_t> &point, int64_t weight,
               const CompiledExprs &program);
  /// The bytes that lanes ask for first, relative to the offset of a load: a list
  /// for each key.
  using Groups = std::vector<std::vector<int64_t>>;
  /// The elements of all lanes, the elements of a lane one after the other.
  struct Elements {
    std::vector<int64_t> at;
    std::vector<std::vector<int64_t>> keys;
    std::vector<uint8_t> isActive;
  };
  Elements elementsOf(const std::vector<int64_t> &point,
                      const CompiledExprs &program) const;
  void findLaneStride(Traffic &traffic, const Elements &elements) const;
  std::vector<Groups> loadsOf(const Elements &elements) const;
  void addLoad(Traffic &traffic, llvm::ArrayRef<Groups> choices,
               int64_t weight);
  void checkNeighbors(const Elements &elements);
  void explain(Traffic &traffic) const;
  void explainStaging(Traffic &traffic) const;

  const LaneMapping &lanes;
  const Device &memory;
  Arena &arena;
  int64_t bytes; ///< of an element
  Map composed;  ///< (lane, element, loads...) to the index of the operand
  const Layout &layout;
  Expr address;
  llvm::SmallBitVector isCase; ///< by slot: enumerated
  std::vector<int64_t> steps;  ///< by slot: after so many it repeats itself
  /// Constraints that hold up to some value of a variable, by number. The
  /// others repeat themselves.
  std::vector<size_t> growing;
  /// The terms of one variable that is not enumerated, by slot.
  std::map<size_t, std::pair<Var, llvm::SmallVector<Term, 2>>> groups;
  int64_t boxes = 0;
  bool isSampled = false;
  /// Where the runtime variables of the address are read, if that differs from
  /// lane to lane. Lanes with equal indices have equal values.
  llvm::SmallVector<Expr, 2> keys;
  bool hasSeveralKeys = false; ///< in some load
  Residues residues{1};
  /// What the runtime variables add to the address: offset + k * unit.
  int64_t offset = 0, unit = 0;
  bool hasConditions = false; ///< on runtime variables; none excludes a lane
  /// Values of the runtime variables that the address mixes with the lane.
  std::vector<std::vector<std::pair<size_t, int64_t>>> choices = {{}};

  int64_t together = 1; ///< elements of a lane in one load
  /// A first walk finds whether the elements of a lane are one, and which powers
  /// of two of them are aligned neighbors.
  bool isChecking = false, areOne = true;
  uint64_t neighbors = 0; ///< the sum of these powers
};
} // namespace

bool Loads::usesLoad(Expr e) const {
  bool uses = false;
  composed.domain.forEachVar([&](Var v) {
    uses |= !(v.kind == VarKind::Dim && v.index < 2) && arena.uses(e, v);
  });
  return uses;
}

bool Loads::usesRuntime(Expr e) const {
  for (uint32_t i = 0; i < composed.domain.runtimes.size(); ++i)
    if (arena.uses(e, {VarKind::Runtime, i}))
      return true;
  return false;
}

/// True if the value is read at an index of the lane, or of a value that is.
bool Loads::differsByLane(uint32_t runtime) const {
  llvm::SmallVector<uint32_t, 4> work{runtime};
  llvm::SmallBitVector seen(composed.domain.runtimes.size());
  while (!work.empty()) {
    uint32_t r = work.pop_back_val();
    if (seen.test(r))
      continue;
    seen.set(r);
    for (Expr e : composed.domain.runtimes[r].index) {
      if (usesLane(e))
        return true;
      for (uint32_t i = 0; i < composed.domain.runtimes.size(); ++i)
        if (arena.uses(e, {VarKind::Runtime, i}))
          work.push_back(i);
    }
  }
  return false;
}

void Loads::dropRuntimeConditions() {
  size_t before = composed.domain.constraints.size();
  llvm::erase_if(composed.domain.constraints,
                 [&](const Constraint &c) { return usesRuntime(c.expr); });
  hasConditions = composed.domain.constraints.size() < before;
}

/// True if data decide which elements the lanes of a load read, and more is not
/// known. Finds the keys.
bool Loads::isDataDependent() {
  llvm::SmallVector<Term, 8> terms = arena.linearCopy(address).terms;
  for (uint32_t i = 0; i < composed.domain.runtimes.size(); ++i) {
    if (!arena.uses(address, {VarKind::Runtime, i}) || !differsByLane(i))
      continue;
    for (Term t : terms)
      if (arena.uses(t.expr, {VarKind::Runtime, i}) && usesLane(t.expr))
        return true;
    for (Expr e : composed.domain.runtimes[i].index) {
      if (usesRuntime(e))
        return true; // read where another value says
      if (!llvm::is_contained(keys, e))
        keys.push_back(e);
    }
  }
  int64_t choices = 1;
  llvm::SmallBitVector mixed(composed.domain.runtimes.size());
  for (Term t : terms)
    for (uint32_t i = 0; usesLane(t.expr) && i < mixed.size(); ++i)
      if (arena.uses(t.expr, {VarKind::Runtime, i}))
        mixed.set(i);
  for (int i : mixed.set_bits())
    choices = saturatingMul(
        choices,
        composed.domain.runtimes[i].bounds.size().value_or(Interval::kMax));
  return choices > kMostChoices;
}

/// Marks the variables of loads in e as enumerated.
void Loads::addCases(Expr e) {
  size_t slot = 0;
  composed.domain.forEachVar([&](Var v) {
    if (slot >= 2 && arena.uses(e, v))
      isCase.set(slot);
    ++slot;
  });
}

/// The values of the terms of one variable modulo the line.
void Loads::addResidues(Var v, Interval bounds, llvm::ArrayRef<Term> terms) {
  if (terms.size() == 1 && arena.kind(terms[0].expr) == ExprKind::Variable)
    return residues.addMultiples(terms[0].coefficient, *bounds.size());
  Domain only;
  (void)only.addDim(arena, bounds);
  Expr by[] = {arena.dim(0)};
  Substitution renamed;
  llvm::SmallVector<Expr, 8> list(v.index + 1);
  list[v.index] = by[0];
  (v.kind == VarKind::Dim     ? renamed.dims
   : v.kind == VarKind::Range ? renamed.ranges
                              : renamed.runtimes) = list;
  Expr sum = substitute(arena, arena.sum(terms, 0), renamed);
  CompiledExprs program(arena, only, {sum});
  int64_t line = memory.lineBytes, first = 0;
  std::vector<int64_t> added(line, 0);
  for (int64_t x = bounds.lower; x <= bounds.upper; ++x) {
    int64_t value = 0;
    if (!program.evaluate({x}, value))
      continue;
    if (x == bounds.lower)
      first = value;
    ++added[((value - first) % line + line) % line];
  }
  residues.add(added);
}

/// A term of runtime variables: some value of its residue class.
void Loads::addOffset(Term t) {
  int64_t line = memory.lineBytes;
  auto reduced = [&](int64_t x) { return ((x % line) + line) % line; };
  Residue residue = arena.residue(t.expr);
  int64_t c = reduced(t.coefficient);
  offset = reduced(offset + c * reduced(residue.remainder));
  if (residue.modulus != 0)
    unit = std::gcd(unit, c * reduced(residue.modulus));
}

/// Splits the address into lanes, cases and residues. False if a bound is not
/// known.
bool Loads::split(Traffic &traffic) {
  const Domain &domain = composed.domain;
  isCase.resize(domain.numVars());
  bool isBounded = true;
  domain.forEachVar([&](Var v) {
    isBounded &= v.kind == VarKind::Runtime || domain.bounds(v).size();
  });
  if (!isBounded) {
    traffic.grounds = {.exactness = Exactness::Unknown,
                       .reason = "an extent is not known"};
    return false;
  }
  LinearCopy linear = arena.linearCopy(address);
  for (Term t : linear.terms)
    if (usesLane(t.expr) && usesLoad(t.expr))
      addCases(t.expr);
  // The other terms belong to one variable each, or are enumerated.
  unit = memory.lineBytes;
  for (Term t : linear.terms) {
    llvm::SmallVector<std::pair<size_t, Var>, 2> used;
    size_t slot = 0;
    domain.forEachVar([&](Var v) {
      if (arena.uses(t.expr, v))
        used.push_back({slot, v});
      ++slot;
    });
    if (usesLane(t.expr))
      continue;
    if (usesRuntime(t.expr)) {
      addOffset(t);
      continue;
    }
    bool isSmall = used.size() == 1 &&
                   (arena.kind(t.expr) == ExprKind::Variable ||
                    *domain.bounds(used[0].second).size() <= kMostValues);
    if (!isSmall) {
      addCases(t.expr);
      continue;
    }
    auto &group = groups[used[0].first];
    group.first = used[0].second;
    group.second.push_back(t);
  }
  for (Expr e : keys)
    addCases(e);
  findPeriods();
  return true;
}

/// After how many values of a variable the lanes read the same, moved by whole
/// lines, and the same lanes take part.
void Loads::findPeriods() {
  const Domain &domain = composed.domain;
  LinearCopy linear = arena.linearCopy(address);
  llvm::erase_if(linear.terms, [&](const Term &t) {
    return usesRuntime(t.expr) && !usesLane(t.expr);
  });
  Expr moved = arena.sum(linear.terms, linear.constant);
  auto growthIn = [&](Expr e, Var v) { return Period().growth(arena, e, v); };
  for (auto [i, c] : llvm::enumerate(domain.constraints)) {
    bool repeats = true;
    size_t slot = 0;
    domain.forEachVar([&, e = c.expr](Var v) {
      if (slot++ >= 2 && arena.uses(e, v))
        repeats &= growthIn(e, v) == std::optional(Growth{});
    });
    if (repeats)
      addCases(c.expr);
    else
      growing.push_back(i);
  }
  steps.assign(domain.numVars(), 1);
  size_t slot = 0;
  domain.forEachVar([&](Var v) {
    size_t own = slot++;
    if (own < 2 || v.kind == VarKind::Runtime)
      return;
    Period period;
    bool isFound = period.add(arena, moved, v, memory.lineBytes);
    for (auto [i, c] : llvm::enumerate(domain.constraints))
      if (!llvm::is_contained(growing, i))
        isFound &= period.growth(arena, c.expr, v).has_value();
    for (Expr e : keys) // moved by one number, equal keys stay equal
      isFound &= period.growth(arena, e, v).has_value();
    steps[own] = isFound ? period.step : Interval::kMax;
  });
}

/// Each load touches at most one sector for each lane and element.
Traffic Loads::dataDependent() {
  Traffic traffic;
  traffic.loads = 1;
  for (const Variable &v : llvm::drop_begin(composed.domain.dims, 2))
    traffic.loads =
        saturatingMul(traffic.loads, v.bounds.size().value_or(Interval::kMax));
  for (const Variable &v : composed.domain.ranges)
    traffic.loads =
        saturatingMul(traffic.loads, v.bounds.size().value_or(Interval::kMax));
  int64_t most = lanes.lanes;
  if (together == lanes.vector)
    most *= lanes.vector;
  else
    traffic.loads = saturatingMul(traffic.loads, lanes.vector);
  traffic.together = together;
  traffic.sectors[most] = traffic.lines[most] = traffic.loads;
  traffic.usedBytes = saturatingMul(traffic.loads, most * bytes);
  traffic.fetchedBytes =
      saturatingMul(traffic.loads, most * memory.sectorBytes);
  traffic.neededSectors =
      saturatingMul(traffic.loads, (most * bytes + memory.sectorBytes - 1) /
                                       memory.sectorBytes);
  bool mayBeIdle = hasConditions || !composed.domain.constraints.empty() ||
                   together < lanes.vector;
  traffic.loadsAre = mayBeIdle ? Exactness::UpperBound : Exactness::Exact;
  traffic.usedAre = traffic.fetchedAre = Exactness::UpperBound;
  traffic.grounds = {
      .exactness = Exactness::UpperBound,
      .reason = "the address of each lane depends on data",
      .map = toString(composed),
      .help = "let neighboring lanes read neighboring elements of one row"};
  return traffic;
}

/// What each lane takes at a point of the enumerated variables.
Loads::Elements Loads::elementsOf(const std::vector<int64_t> &point,
                                  const CompiledExprs &program) const {
  size_t count = lanes.lanes * lanes.vector, numVars = point.size(),
         numConstraints = composed.domain.constraints.size(),
         numResults = 1 + numConstraints + keys.size();
  std::vector<int64_t> columns(count * (numVars + numResults));
  std::vector<const int64_t *> inputs(numVars);
  std::vector<int64_t *> outputs(numResults);
  for (size_t v = 0; v < numVars; ++v) {
    int64_t *column = &columns[v * count];
    inputs[v] = column;
    for (size_t i = 0; i < count; ++i)
      column[i] = v == 0   ? int64_t(i) / lanes.vector
                  : v == 1 ? int64_t(i) % lanes.vector
                           : point[v];
  }
  for (size_t r = 0; r < numResults; ++r)
    outputs[r] = &columns[(numVars + r) * count];
  Elements elements;
  elements.isActive.assign(count, 1);
  (void)program.evaluate(count, inputs.data(), outputs.data(),
                         elements.isActive.data());
  elements.at.assign(outputs[0], outputs[0] + count);
  elements.keys.resize(keys.empty() ? 0 : count);
  for (size_t i = 0; i < count; ++i) {
    bool isActive = elements.isActive[i] &&
                    composed.domain.dims[0].bounds.contains(inputs[0][i]) &&
                    composed.domain.dims[1].bounds.contains(inputs[1][i]);
    for (auto [k, c] : llvm::enumerate(composed.domain.constraints))
      isActive &= c.bounds.contains(outputs[k + 1][i]);
    elements.isActive[i] = isActive;
    for (size_t k = 0; k < keys.size(); ++k)
      elements.keys[i].push_back(outputs[1 + numConstraints + k][i]);
  }
  return elements;
}

/// How far lanes are apart, if they all are as far.
void Loads::findLaneStride(Traffic &traffic, const Elements &elements) const {
  std::optional<int64_t> before;
  for (int64_t lane = 0; lane < lanes.lanes; ++lane) {
    size_t first = lane * lanes.vector;
    if (!elements.isActive[first])
      continue;
    int64_t at = elements.at[first];
    if (before && lane == 1)
      traffic.laneStride = at - *before;
    else if (before && traffic.laneStride &&
             *traffic.laneStride != at - *before)
      traffic.laneStride.reset();
    before = at;
  }
}

/// The loads of a point, by number; those that no lane takes part in are empty.
std::vector<Loads::Groups> Loads::loadsOf(const Elements &elements) const {
  int64_t parts = lanes.vector / together;
  // Of each part, the lanes that take it whole, then its elements one by one.
  bool mayBeCut = !lanes.isOneLoad && !areOne && together > 1;
  int64_t each = mayBeCut ? 1 + together : 1;
  std::vector<std::map<std::vector<int64_t>, std::vector<int64_t>>> byKey(
      parts * each);
  for (int64_t lane = 0; lane < lanes.lanes; ++lane)
    for (int64_t part = 0; part < parts; ++part) {
      size_t first = lane * lanes.vector + part * together;
      auto active =
          llvm::ArrayRef(elements.isActive).slice(first, size_t(together));
      bool isCut = mayBeCut && llvm::is_contained(active, 0);
      for (int64_t k = 0; k < together; ++k) {
        if (!active[k])
          continue;
        size_t load = part * each + (isCut ? 1 + k : 0);
        byKey[load]
             [keys.empty() ? std::vector<int64_t>() : elements.keys[first + k]]
                 .push_back(elements.at[first + k]);
      }
    }
  std::vector<Groups> loads(byKey.size());
  for (auto [groups, list] : llvm::zip_equal(loads, byKey))
    for (auto &[key, at] : list) {
      if (!lanes.isInBanks) {
        llvm::sort(at);
        at.erase(std::unique(at.begin(), at.end()), at.end());
      }
      groups.push_back(std::move(at));
    }
  return loads;
}

/// Takes back what these lanes contradict.
void Loads::checkNeighbors(const Elements &elements) {
  auto isKeyOf = [&](size_t i, size_t k) {
    return keys.empty() || elements.keys[i] == elements.keys[k];
  };
  for (int64_t lane = 0; lane < lanes.lanes; ++lane) {
    size_t first = lane * lanes.vector;
    std::optional<size_t> some;
    for (size_t i = first; i < first + lanes.vector; ++i) {
      if (!elements.isActive[i])
        continue;
      areOne &=
          !some || (elements.at[i] == elements.at[*some] && isKeyOf(i, *some));
      some = some.value_or(i);
    }
    for (int64_t count = 2; count <= lanes.vector; count *= 2) {
      if ((neighbors & count) == 0)
        continue;
      for (size_t i = first; i < first + lanes.vector; i += count) {
        auto active = llvm::ArrayRef(elements.isActive).slice(i, size_t(count));
        if (llvm::is_contained(active, 0))
          continue; // taken one by one
        bool fits = true;
        for (int64_t k = 1; k < count; ++k)
          fits &= elements.at[i + k] == elements.at[i] + k * bytes &&
                  isKeyOf(i + k, i);
        int64_t whole = count * bytes;
        fits &= unit % whole == 0;
        for (int64_t r = 0; r < memory.lineBytes && fits; ++r)
          fits &= residues.counts[r] == 0 ||
                  (elements.at[i] + r + offset) % whole == 0;
        if (!fits)
          neighbors &= ~uint64_t(count);
      }
    }
  }
}

namespace {
/// What one load touches at most, over the values of runtime variables.
struct Touched {
  int64_t sectors = 0, lines = 0;
  bool isSame = true, isAligned = true;
};
} // namespace

/// The loads at a point of the enumerated variables.
void Loads::addCase(Traffic &traffic, std::vector<int64_t> &point,
                    int64_t weight, const CompiledExprs &program) {
  std::vector<std::vector<Groups>> all; // by load, by choice
  for (const auto &choice : choices) {
    for (auto [slot, value] : choice)
      point[slot] = value;
    Elements elements = elementsOf(point, program);
    if (isChecking) {
      checkNeighbors(elements);
      continue;
    }
    if (traffic.loads == 0 && all.empty())
      findLaneStride(traffic, elements);
    std::vector<Groups> loads = loadsOf(elements);
    all.resize(loads.size());
    for (auto [list, at] : llvm::zip_equal(all, loads))
      if (!at.empty() && !llvm::is_contained(list, at))
        list.push_back(std::move(at));
  }
  for (const std::vector<Groups> &load : all)
    if (!load.empty())
      addLoad(traffic, load, weight);
}

/// One load, for some values of runtime variables.
void Loads::addLoad(Traffic &traffic, llvm::ArrayRef<Groups> all,
                    int64_t weight) {
  bool isFirst = traffic.loads == 0;
  auto lanesOf = [](const Groups &groups) {
    size_t count = 0;
    for (const std::vector<int64_t> &at : groups)
      count += at.size();
    return count;
  };
  size_t most = 0;
  bool isUniform = true;
  for (const Groups &at : all) {
    isUniform &= lanesOf(at) == 1;
    // Two keys may lead to one element.
    if (lanesOf(at) != lanesOf(all.front()) || at.size() > 1)
      traffic.usedAre = Exactness::UpperBound;
    if (at.size() > 1) {
      traffic.fetchedAre = Exactness::UpperBound;
      hasSeveralKeys = true;
    }
    most = std::max(most, lanesOf(at));
  }
  int64_t used = most * bytes, line = memory.lineBytes;
  traffic.isUniform = isFirst ? isUniform : traffic.isUniform && isUniform;
  auto touched = [&](const std::vector<int64_t> &at, int64_t unit,
                     int64_t shift) {
    int64_t count = 0, last = std::numeric_limits<int64_t>::min();
    for (int64_t a : at)
      for (int64_t u = (a + shift) / unit; u <= (a + shift + bytes - 1) / unit;
           ++u)
        if (u != last)
          ++count, last = u;
    return count;
  };
  // Each group at the worst of its places.
  std::vector<std::optional<Touched>> byShift(line);
  auto passes = [&](llvm::ArrayRef<int64_t> at, int64_t shift) {
    std::vector<int64_t> first; // of each lane
    for (size_t i = 0; i < at.size(); i += lanes.vector)
      first.push_back(at[i] + shift);
    return bankPasses(first, bytes * lanes.vector, memory);
  };
  auto touchedAt = [&](int64_t residue) {
    std::optional<Touched> &known = byShift[residue];
    if (known)
      return *known;
    known.emplace();
    for (const Groups &groups : all) {
      Touched sum;
      for (const std::vector<int64_t> &at : groups) {
        Touched own;
        for (int64_t k = 0; k < line; k += unit) {
          int64_t shift = (residue + offset + k) % line;
          if (at.front() < 0) // keep the division rounding down
            shift += (-at.front() / line + 1) * line;
          int64_t sectors = lanes.isInBanks
                                ? passes(at, shift)
                                : touched(at, memory.sectorBytes, shift);
          own.isSame &= own.sectors == 0 || own.sectors == sectors;
          own.sectors = std::max(own.sectors, sectors);
          own.lines = std::max(own.lines, touched(at, line, shift));
          own.isAligned &= (at.front() + shift) % memory.sectorBytes == 0;
        }
        sum.sectors += own.sectors, sum.lines += own.lines;
        sum.isSame &= own.isSame, sum.isAligned &= own.isAligned;
      }
      known->isSame &=
          sum.isSame && (known->sectors == 0 || known->sectors == sum.sectors);
      known->isAligned &= sum.isAligned;
      known->sectors = std::max(known->sectors, sum.sectors);
      known->lines = std::max(known->lines, sum.lines);
    }
    return *known;
  };
  for (int64_t r = 0; r < line; ++r) {
    int64_t loads = saturatingMul(residues.counts[r], weight);
    if (loads == 0)
      continue;
    Touched worst = touchedAt(r);
    if (!worst.isSame)
      traffic.fetchedAre = Exactness::UpperBound;
    traffic.isAligned &= worst.isAligned;
    int64_t &s = traffic.sectors[worst.sectors],
            &l = traffic.lines[worst.lines];
    s = saturatingAdd(s, loads), l = saturatingAdd(l, loads);
    traffic.loads = saturatingAdd(traffic.loads, loads);
    auto addTo = [&](int64_t &sum, int64_t each) {
      sum = saturatingAdd(sum, saturatingMul(each, loads));
    };
    addTo(traffic.usedBytes, used);
    addTo(traffic.fetchedBytes, worst.sectors * memory.sectorBytes);
    addTo(traffic.neededSectors,
          (used + memory.sectorBytes - 1) / memory.sectorBytes);
  }
}

/// Splits the box until each constraint that grows is decided in it, or has one
/// value for all loads.
void Loads::walkBox(Traffic &traffic, Box box, llvm::ArrayRef<size_t> open,
                    const CompiledExprs &program) {
  ++boxes;
  Domain domain = composed.domain;
  size_t next = 0;
  domain.forEachVar([&](Var v) { domain.bounds(v) = box[next++]; });
  llvm::SmallVector<Constraint, 4> constraints;
  std::swap(constraints, domain.constraints);
  IntervalAnalysis analysis(arena, domain);
  llvm::SmallVector<size_t, 4> undecided;
  std::optional<size_t> widest;
  for (size_t i : open) {
    const Constraint &c = constraints[i];
    Interval values = analysis.interval(c.expr);
    if (c.bounds.contains(values.lower) && c.bounds.contains(values.upper))
      continue;
    if (values.upper < c.bounds.lower || values.lower > c.bounds.upper)
      return; // no lane takes part
    undecided.push_back(i);
    size_t slot = 0;
    domain.forEachVar([&, e = c.expr](Var v) {
      size_t own = slot++;
      if (own >= 2 && v.kind != VarKind::Runtime && arena.uses(e, v) &&
          *box[own].size() > 1 &&
          (!widest || *box[own].size() > *box[*widest].size()))
        widest = own;
    });
  }
  if (!widest || boxes > kMostBoxes)
    return walkCasesOf(traffic, box, undecided, program);
  Interval whole = box[*widest];
  int64_t middle = whole.lower + (whole.upper - whole.lower) / 2;
  box[*widest] = {whole.lower, middle};
  walkBox(traffic, box, undecided, program);
  box[*widest] = {middle + 1, whole.upper};
  walkBox(traffic, box, undecided, program);
}

/// The loads of a box in which no other constraints than the open ones differ
/// from period to period.
void Loads::walkCasesOf(Traffic &traffic, const Box &box,
                        llvm::ArrayRef<size_t> open,
                        const CompiledExprs &program) {
  const Domain &domain = composed.domain;
  size_t firstRuntime = domain.dims.size() + domain.ranges.size();
  std::vector<int64_t> point, step(box.size(), 1);
  std::vector<size_t> cases;
  residues = Residues(memory.lineBytes);
  int64_t count = 1, all = 1;
  size_t next = 0;
  domain.forEachVar([&](Var v) {
    size_t slot = next++;
    point.push_back(box[slot].hasLower() ? box[slot].lower : 0);
    if (slot < 2 || slot >= firstRuntime)
      return;
    int64_t size = *box[slot].size();
    bool isOpen = llvm::any_of(open, [&](size_t i) {
      return arena.uses(domain.constraints[i].expr, v);
    });
    if (isOpen || isCase[slot]) {
      step[slot] = isOpen ? size : std::min(size, steps[slot]);
      cases.push_back(slot);
      count = saturatingMul(count, step[slot]);
      all = saturatingMul(all, size);
    } else if (auto it = groups.find(slot); it != groups.end()) {
      addResidues(v, box[slot], it->second.second);
    } else {
      residues.addMultiples(0, size);
    }
  });
  if (count <= kMostCases) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t number = i, weight = 1;
      for (size_t slot : llvm::reverse(cases)) {
        int64_t k = number % step[slot];
        number /= step[slot];
        point[slot] = box[slot].lower + k;
        weight = saturatingMul(
            weight, (*box[slot].size() - k + step[slot] - 1) / step[slot]);
      }
      addCase(traffic, point, weight, program);
    }
    return;
  }
  // Some of all loads, without a phase.
  isSampled = true;
  uint64_t state = 0x9e3779b97f4a7c15;
  for (int64_t i = 0; i < kSampledCases; ++i) {
    for (size_t slot : cases) {
      state = state * 6364136223846793005 + 1442695040888963407;
      point[slot] = box[slot].lower +
                    int64_t((state >> 17) % uint64_t(*box[slot].size()));
    }
    addCase(traffic, point,
            all / kSampledCases + (i < all % kSampledCases ? 1 : 0), program);
  }
}

/// Values of the runtime variables that are enumerated.
void Loads::prepareWalk() {
  const Domain &domain = composed.domain;
  size_t slot = 0;
  domain.forEachVar([&](Var v) {
    size_t own = slot++;
    if (v.kind != VarKind::Runtime || !isCase[own])
      return;
    Interval bounds = domain.bounds(v);
    decltype(choices) more;
    for (const auto &choice : choices)
      for (int64_t value = bounds.lower; value <= bounds.upper; ++value) {
        more.push_back(choice);
        more.back().push_back({own, value});
      }
    choices = std::move(more);
  });
}

/// How many elements of a lane one load takes.
void Loads::chooseTogether(Traffic &traffic) {
  together = lanes.isOneLoad || memory.banks == 0 ? lanes.vector : 1;
  if (together == lanes.vector)
    return;
  constexpr int64_t kMostBytes = 16; // of a lane
  bool isWord = layout.bits % 8 == 0 && llvm::isPowerOf2_64(bytes);
  for (int64_t count = 2;
       isWord && lanes.vector % count == 0 && count <= lanes.mostTogether &&
       count * bytes <= kMostBytes && memory.lineBytes % (count * bytes) == 0;
       count *= 2)
    neighbors |= uint64_t(count);
  isChecking = true;
  walkCases(traffic);
  isChecking = false;
  if (areOne)
    together = lanes.vector;
  else if (neighbors != 0)
    together = int64_t(llvm::bit_floor(neighbors));
}

void Loads::walkCases(Traffic &traffic) {
  const Domain &domain = composed.domain;
  // Runtime variables that only move all lanes stand in `offset`.
  LinearCopy linear = arena.linearCopy(address);
  llvm::erase_if(linear.terms, [&](const Term &t) {
    return usesRuntime(t.expr) && !usesLane(t.expr);
  });
  llvm::SmallVector<Expr, 4> exprs = {arena.sum(linear.terms, linear.constant)};
  for (const Constraint &c : domain.constraints)
    exprs.push_back(c.expr);
  llvm::append_range(exprs, keys);
  CompiledExprs program(arena, domain, exprs);
  Box box;
  domain.forEachVar([&](Var v) { box.push_back(domain.bounds(v)); });
  boxes = 0;
  walkBox(traffic, box, growing, program);
}

/// How exact the numbers are.
void Loads::judge(Traffic &traffic) const {
  if (hasConditions)
    traffic.loadsAre = traffic.usedAre = traffic.fetchedAre =
        Exactness::UpperBound;
  if (isSampled)
    traffic.loadsAre = traffic.usedAre = traffic.fetchedAre =
        traffic.grounds.exactness = Exactness::Sampled;
  else if (hasSeveralKeys)
    traffic.grounds.exactness = Exactness::UpperBound;
  else if (traffic.loadsAre != Exactness::Exact ||
           traffic.usedAre != Exactness::Exact)
    traffic.grounds.exactness =
        Exactness::Sampled; // fewer lanes may waste more
  else
    traffic.grounds.exactness = traffic.fetchedAre;
}

void Loads::explain(Traffic &traffic) const {
  Grounds &grounds = traffic.grounds;
  grounds.map = toString(composed);
  double factor = traffic.factor();
  auto times = [&] { return shortNumber(factor) + " times the traffic"; };
  if (hasSeveralKeys) {
    traffic.laneStride.reset();
    grounds.reason = "the address of each lane depends on data";
    if (factor >= 1.005)
      grounds.help =
          "let neighboring lanes read neighboring elements of one row";
    return;
  }
  if (traffic.isUniform) {
    grounds.reason = "all lanes read one element";
    return;
  }
  if (factor < 1.005) {
    grounds.reason = "coalesced";
    return;
  }
  if (together < lanes.vector) {
    grounds.reason =
        (together == 1 ? "each element of a lane is a load of its own, "
                       : std::to_string(together) +
                             " elements of a lane are one load, ") +
        times();
    grounds.help = "let a lane take neighbors of at most 16 bytes, from a "
                   "multiple of their bytes";
    return;
  }
  if (traffic.laneStride && *traffic.laneStride == bytes * lanes.vector) {
    grounds.reason = "unaligned: loads begin inside sectors, " + times();
    grounds.help = "pad the rows to a multiple of " +
                   std::to_string(memory.sectorBytes) + " bytes";
    return;
  }
  // The dimension of the operand that changes from lane to lane.
  std::optional<size_t> dim;
  for (auto [i, e] : llvm::enumerate(composed.results))
    if (arena.uses(e, {VarKind::Dim, 0}))
      dim = i;
  if (traffic.laneStride)
    grounds.reason = "strided: " + times();
  else
    grounds.reason = "lanes are spread: " + times();
  if (!dim)
    return;
  grounds.term = toString(arena, composed.results[*dim], &composed.domain);
  if (layout.minorToMajor.front() == int64_t(*dim)) {
    grounds.help = memory.banks > 0
                       ? "read whole rows and keep them in shared memory"
                       : "use all elements of a line while it is in the cache";
    return;
  }
  grounds.help =
      "make dimension " + std::to_string(*dim) + " the fastest in memory";
  if (memory.banks > 0)
    explainStaging(traffic);
}

/// A tile whose rows are read from memory and whose columns the lanes take.
static std::string plural(double passes) {
  return shortNumber(passes) + (passes == 1 ? " pass" : " passes");
}

void Loads::explainStaging(Traffic &traffic) const {
  traffic.staged = stagedTile(lanes.lanes, bytes, memory);
  const StagedTile &tile = *traffic.staged;
  std::string side = std::to_string(tile.side);
  std::string &help = traffic.grounds.help;
  help +=
      ", or stage tiles of " + side + "x" + side + " elements in shared memory";
  if (tile.padding > 0)
    help += ", in rows of " + std::to_string(tile.side + tile.padding) +
            ": a column of these takes " + plural(tile.paddedPasses) +
            " of the banks, and " + shortNumber(tile.passes) + " in rows of " +
            side;
}

std::optional<Traffic> Loads::traffic() {
  if (composed.isKnownEmpty())
    return std::nullopt;
  dropRuntimeConditions();
  address =
      simplify(arena, layout.byteOf(arena, composed.results), composed.domain);
  if (isDataDependent()) {
    together = lanes.isOneLoad || memory.banks == 0 ? lanes.vector : 1;
    return dataDependent();
  }
  Traffic traffic;
  traffic.grounds.exactness = Exactness::Exact;
  if (!split(traffic))
    return traffic;
  prepareWalk();
  chooseTogether(traffic);
  traffic.together = together;
  walkCases(traffic);
  if (traffic.loads == 0)
    return std::nullopt;
  judge(traffic);
  explain(traffic);
  return traffic;
}

std::optional<Traffic> access::trafficOf(const LaneMapping &lanes,
                                         const Map &map, const Layout &layout,
                                         const Device &memory) {
  return Loads(lanes, map, layout, memory).traffic();
}

std::optional<Traffic> access::trafficOf(const LaneMapping &toOperand,
                                         const Layout &layout,
                                         const Device &memory) {
  return Loads(toOperand, layout, memory).traffic();
}

std::vector<std::optional<int64_t>>
access::addressesOf(const LaneMapping &lanes, const Map &map,
                    const Layout &layout, int64_t number) {
  Arena &arena = *map.arena;
  Map composed = compose(lanes.map, map);
  const Domain &domain = composed.domain;
  if (composed.isKnownEmpty() || number < 0)
    return {};
  llvm::SmallVector<Expr, 4> exprs = {layout.byteOf(arena, composed.results)};
  for (const Constraint &c : domain.constraints)
    exprs.push_back(c.expr);
  for (auto [i, v] : llvm::enumerate(domain.runtimes))
    if (arena.uses(exprs[0], {VarKind::Runtime, uint32_t(i)}) &&
        llvm::any_of(v.index,
                     [&](Expr e) { return arena.uses(e, {VarKind::Dim, 0}); }))
      return {};
  CompiledExprs program(arena, domain, exprs);
  std::vector<Interval> bounds;
  domain.forEachVar([&](Var v) { bounds.push_back(domain.bounds(v)); });
  std::vector<int64_t> point(bounds.size());
  for (size_t slot = bounds.size(); slot-- > 2;) {
    if (slot >= domain.dims.size() + domain.ranges.size()) {
      point[slot] = bounds[slot].hasLower() ? bounds[slot].lower : 0;
      continue;
    }
    std::optional<int64_t> size = bounds[slot].size();
    if (!size)
      return {};
    point[slot] = bounds[slot].lower + number % *size;
    number /= *size;
  }
  if (number > 0)
    return {};
  std::vector<std::optional<int64_t>> addresses;
  std::vector<int64_t> results(exprs.size());
  for (point[0] = 0; point[0] < lanes.lanes; ++point[0]) {
    bool isActive = program.evaluate(point, results);
    for (auto [i, c] : llvm::enumerate(domain.constraints))
      isActive &= c.bounds.contains(results[i + 1]);
    addresses.push_back(isActive ? std::optional(results[0]) : std::nullopt);
  }
  return addresses;
}
