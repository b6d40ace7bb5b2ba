// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimension i of the result is size * q<i> + stride * t<i>, where q numbers the
// tiles: that it is a multiple of the size then needs no constraint. The texts
// have p<i> = size * q<i>. After simplification, each index is split into terms of the position of the tile (parameters and runtime
// variables) and terms of the position in it (t and range variables). The second
// part takes `size` values with a common stride: the box.

#include "mercator/analysis/tiles/Tile.h"

#include "mercator/indexing/decide/CountRange.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/evaluate/PointWalk.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/support/Saturating.h"

#include <numeric>
#include <set>

using namespace mercator;
using namespace mercator::tiles;
using namespace mercator::indexing;

static constexpr Budget kCount{.steps = 1 << 14};

namespace {
class Tiling {
public:
  Tiling(const Map &given, llvm::ArrayRef<TileDim> tile)
      : given(given), tile(tile), arena(*given.arena) {}

  OperandTile run(bool withCounts);

private:
  Map placed() const;
  int64_t sizeOf(uint32_t i) const;
  Expr inOffsets(Expr e) const;
  std::string textOf(Expr e) const {
    return toString(arena, inOffsets(e), &map.domain);
  }
  bool isPosition(Expr e) const;
  bool isInside(Expr e) const;
  /// An expression from `begin` to that plus `reach`.
  struct Around {
    Expr begin;
    Interval reach;
  };
  std::optional<Around> quotientAround(Expr e);
  BoxDim around(int64_t constant, llvm::ArrayRef<Term> position,
                llvm::ArrayRef<Term> inside, llvm::ArrayRef<Term> mixed);
  BoxDim boxDim(Expr e, OperandTile &result);
  void setBox(OperandTile &result);
  void setPlaces(OperandTile &result);
  void setPositions(OperandTile &result) const;
  void addPositions(Map &rest) const;
  void setMask(OperandTile &result) const;
  Map at(llvm::function_ref<int64_t(Interval)> choose) const;
  void count(OperandTile &result);
  void decide(OperandTile &result) const;
  std::string names(const llvm::SmallBitVector &runtimes) const;
  void addHelp(OperandTile &result) const;

  const Map &given;
  llvm::ArrayRef<TileDim> tile;
  Arena &arena;
  Map map; ///< (t0, t1, ...)[ranges]{runtimes}<p0, p1, ...> to the operand
  /// Runtime variables with several values in one tile.
  llvm::SmallBitVector varying;
  /// While the box at one place is found: their values are part of the offset.
  bool isAtOnePlace = false;
  /// The size of the box, and of the reads of a whole tile without constraints.
  std::optional<int64_t> wholeElements;
};
} // namespace

/// The map with dimensions t instead of d, and parameters.
Map Tiling::placed() const {
  Map r = given;
  llvm::SmallVector<Expr, 6> by;
  r.domain.dims.clear();
  for (auto [i, dim] : llvm::enumerate(tile)) {
    Interval bounds = given.domain.dims[i].bounds;
    Expr t = r.domain.addDim(arena, Interval::ofSize(dim.size));
    r.domain.dims.back().name = arena.intern("t" + std::to_string(i));
    Expr inside = arena.scale(t, dim.stride);
    if (dim.offset) {
      by.push_back(arena.add(inside, *dim.offset));
    } else {
      int64_t last = std::max<int64_t>(
          {0, bounds.hasUpper() ? bounds.upper : 0, dim.extent - 1});
      Expr number = r.domain.addParameter(arena, "p" + std::to_string(i),
                                          {0, last / dim.size});
      by.push_back(arena.add(arena.scale(number, dim.size), inside));
    }
  }
  substitute(r, {.dims = by, .ranges = {}, .runtimes = {}});
  for (auto [i, dim] : llvm::enumerate(tile))
    r.domain.addConstraint(by[i], given.domain.dims[i].bounds);
  return r;
}

/// The size of the tile that variable i numbers; 0 if it is another variable.
int64_t Tiling::sizeOf(uint32_t i) const {
  const RuntimeVariable &v = map.domain.runtimes[i];
  unsigned dim;
  llvm::StringRef name = arena.name(v.name);
  if (!v.isParameter || !name.consume_front("p") ||
      name.getAsInteger(10, dim) || dim >= tile.size())
    return 0;
  return tile[dim].size;
}

/// e with the offsets of tiles instead of their numbers: q is p / size, and
/// size * q is p.
Expr Tiling::inOffsets(Expr e) const {
  if (arena.kind(e) == ExprKind::Constant)
    return e;
  auto numbered = [&](Expr x) -> int64_t {
    return arena.kind(x) == ExprKind::Variable &&
                   arena.var(x).kind == VarKind::Runtime
               ? sizeOf(arena.var(x).index)
               : 0;
  };
  if (arena.kind(e) == ExprKind::Variable)
    return numbered(e) ? arena.floorDiv(e, numbered(e)) : e;
  // q / k is p / (size * k).
  int64_t k = arena.kind(e) == ExprKind::Quotient ? arena.divisor(e) : 0, unit;
  if (k > 0 && numbered(arena.lhs(e)) &&
      !__builtin_mul_overflow(numbered(arena.lhs(e)), k, &unit))
    return arena.floorDiv(arena.lhs(e), unit);
  if (arena.kind(e) != ExprKind::Sum)
    return arena.rebuild(e, [&](Expr x) { return inOffsets(x); });
  LinearCopy linear = arena.linearCopy(e);
  llvm::SmallVector<Term, 8> terms;
  for (Term t : linear.terms) {
    int64_t size = numbered(t.expr), c = t.coefficient, period;
    bool isRest =
        arena.kind(t.expr) == ExprKind::Remainder && arena.divisor(t.expr) > 0;
    int64_t inner = isRest ? numbered(arena.lhs(t.expr)) : 0;
    if (size != 0 && c % size == 0)
      terms.push_back({t.expr, c / size});
    else if (size != 0 && c > 0 && size % c == 0) // 2 * (p / 8) is p / 4
      terms.push_back({arena.floorDiv(t.expr, size / c), 1});
    else if (inner != 0 && c > 0 && inner % c == 0 && // 2 * (p / 2 mod 2)
             !__builtin_mul_overflow(c, arena.divisor(t.expr), &period))
      terms.push_back(
          {arena.mod(arena.floorDiv(arena.lhs(t.expr), inner / c), period), 1});
    else
      terms.push_back({inOffsets(t.expr), t.coefficient});
  }
  return arena.sum(terms, linear.constant);
}

/// True if e uses variables only that have one value in the tile.
bool Tiling::isPosition(Expr e) const {
  bool uses = false;
  map.domain.forEachVar([&](Var v) {
    bool isOne =
        v.kind == VarKind::Runtime && (isAtOnePlace || !varying.test(v.index));
    uses |= !isOne && arena.uses(e, v);
  });
  return !uses;
}

/// True if e uses none of these.
bool Tiling::isInside(Expr e) const {
  bool uses = false;
  for (uint32_t i = 0; i < map.domain.runtimes.size(); ++i)
    uses |= (isAtOnePlace || !varying.test(i)) &&
            arena.uses(e, {VarKind::Runtime, i});
  return !uses;
}

/// (X + y) / d lies between X / d and that plus the reach, for a position X.
/// Nothing for another expression.
std::optional<Tiling::Around> Tiling::quotientAround(Expr e) {
  int64_t divisor = arena.kind(e) == ExprKind::Quotient ? arena.divisor(e) : 0;
  if (divisor <= 0)
    return std::nullopt;
  LinearCopy linear = arena.linearCopy(arena.lhs(e));
  llvm::SmallVector<Term, 4> position, inside;
  for (Term t : linear.terms) {
    if (!isPosition(t.expr) && !isInside(t.expr))
      return std::nullopt;
    (isPosition(t.expr) ? position : inside).push_back(t);
  }
  IntervalAnalysis bounds(arena, map.domain);
  Interval values = bounds.interval(arena.sum(inside, 0));
  std::optional<int64_t> count = values.size();
  if (!count || *count > Interval::kMax / 4 || divisor > Interval::kMax / 4)
    return std::nullopt;
  Expr first = arena.add(arena.sum(position, linear.constant), values.lower);
  // The largest remainder of X: its residue limits it.
  Residue residue = arena.residue(first);
  int64_t unit = std::gcd(residue.modulus, divisor);
  int64_t last = residue.modulus == 0
                     ? ((residue.remainder % divisor) + divisor) % divisor
                     : divisor - unit + residue.remainder % unit;
  return Around{arena.floorDiv(first, divisor),
                {0, (last + *count - 1) / divisor}};
}

/// A box dimension around an index that does not split.
BoxDim Tiling::around(int64_t constant, llvm::ArrayRef<Term> position,
                      llvm::ArrayRef<Term> inside, llvm::ArrayRef<Term> mixed) {
  IntervalAnalysis bounds(arena, map.domain);
  llvm::SmallVector<Term, 8> offset(position);
  Interval reach = bounds.interval(arena.sum(inside, 0));
  for (Term t : mixed) {
    std::optional<Around> found = quotientAround(t.expr);
    if (!found)
      found = Around{arena.constant(0), bounds.interval(t.expr)};
    offset.push_back({found->begin, t.coefficient});
    reach = reach + found->reach * t.coefficient;
  }
  BoxDim dim{.isExact = false};
  std::optional<int64_t> size = reach.size();
  dim.size = size.value_or(Interval::kMax);
  Expr begin = arena.sum(offset, constant);
  dim.offset = reach.hasLower() ? textOf(arena.add(begin, reach.lower)) : "0";
  return dim;
}

BoxDim Tiling::boxDim(Expr e, OperandTile &result) {
  LinearCopy linear = arena.linearCopy(e);
  llvm::SmallVector<Term, 4> position, inside, mixed;
  for (Term t : linear.terms)
    (isPosition(t.expr) ? position
     : isInside(t.expr) ? inside
                        : mixed)
        .push_back(t);
  IntervalAnalysis bounds(arena, map.domain);
  BoxDim dim;
  llvm::SmallBitVector differ(varying.size());
  for (int i : varying.set_bits())
    if (!isAtOnePlace && arena.uses(e, {VarKind::Runtime, uint32_t(i)}))
      differ.set(i);
  if (differ.any()) {
    dim.isExact = false;
    if (result.isBox.why.reason.empty())
      result.isBox.why.reason = names(differ) + " differs inside the tile";
  }
  if (!mixed.empty()) {
    dim.isExact = false;
    Grounds &why = result.isBox.why;
    if (why.reason.empty()) {
      why.term = textOf(arena.sum(mixed, 0));
      why.reason =
          why.term + " mixes the position of the tile with the position in it";
    }
    return around(linear.constant, position, inside, mixed);
  }
  Expr part = arena.sum(inside, 0);
  Interval values = bounds.interval(part);
  std::optional<int64_t> width = values.size();
  if (!width) {
    dim.size = Interval::kMax;
    dim.isExact = false;
    dim.offset = "0";
    return dim;
  }
  // The values are lower, lower + stride, ...
  int64_t stride = 0;
  for (Term t : inside)
    stride = std::gcd(stride, t.coefficient);
  dim.stride = *width == 1 ? 1 : std::max<int64_t>(1, std::abs(stride));
  dim.size = (values.upper - values.lower) / dim.stride + 1;
  dim.offset =
      textOf(arena.add(arena.sum(position, linear.constant), values.lower));
  return dim;
}

/// Adds the positions at which the map reads anything, where those are not all.
void Tiling::addPositions(Map &rest) const {
  for (auto [i, dim] : llvm::enumerate(tile)) {
    Interval bounds = given.domain.dims[i].bounds;
    if (dim.offset || !bounds.size())
      continue;
    int64_t last = std::max(bounds.upper, dim.extent - 1) / dim.size;
    Interval numbers{std::max<int64_t>(0, bounds.lower) / dim.size,
                     bounds.upper / dim.size};
    Expr number;
    bool isKnown = false;
    for (auto [k, v] : llvm::enumerate(map.domain.runtimes))
      if (v.isParameter && arena.name(v.name) == "p" + std::to_string(i)) {
        numbers = numbers.intersect(v.bounds);
        number = arena.runtime(k);
        isKnown = true;
      }
    if (numbers.isEmpty() || (numbers.lower == 0 && numbers.upper == last))
      continue;
    if (!isKnown) // it has one value, or is not used
      number = rest.domain.addParameter(arena, "p" + std::to_string(i), {});
    // In offsets: the variable itself.
    rest.domain.addConstraint(
        number, {numbers.lower * dim.size, numbers.upper * dim.size});
  }
}

/// The positions at which the map reads anything: of the dimensions of the
/// result that number tiles.
void Tiling::setPositions(OperandTile &result) const {
  for (auto [i, dim] : llvm::enumerate(tile)) {
    Interval bounds = given.domain.dims[i].bounds;
    if (dim.offset || !bounds.size())
      continue;
    Interval numbers{std::max<int64_t>(0, bounds.lower) / dim.size,
                     bounds.upper / dim.size};
    for (const RuntimeVariable &v : map.domain.runtimes)
      if (v.isParameter && arena.name(v.name) == "p" + std::to_string(i))
        numbers = numbers.intersect(v.bounds);
    result.positions = saturatingMul(result.positions,
                                     numbers.size().value_or(Interval::kMax));
  }
}

/// The conditions that depend on the position in the tile: the border of the
/// result, padding, and the like.
void Tiling::setMask(OperandTile &result) const {
  IntervalAnalysis bounds(arena, [&] {
    Domain box = map.domain;
    box.constraints.clear();
    return box;
  }());
  Map rest = map;
  rest.domain.constraints.clear();
  for (const Constraint &c : map.domain.constraints) {
    if (c.bounds.contains(bounds.interval(c.expr)))
      continue;
    int64_t size = arena.kind(c.expr) == ExprKind::Variable &&
                           arena.var(c.expr).kind == VarKind::Runtime
                       ? sizeOf(arena.var(c.expr).index)
                       : 0;
    if (size > 0 && c.bounds.isBounded()) // the numbers of tiles
      rest.domain.addConstraint(c.expr,
                                {c.bounds.lower * size, c.bounds.upper * size});
    else
      rest.domain.constraints.push_back({inOffsets(c.expr), c.bounds});
  }
  addPositions(rest);
  for (auto [v, dim] : llvm::zip(rest.domain.dims, tile))
    if (v.bounds == Interval::ofSize(dim.size))
      v.bounds = Interval::everything();
  for (Variable &v : rest.domain.ranges)
    v.bounds = Interval::everything();
  for (RuntimeVariable &v : rest.domain.runtimes)
    if (v.isParameter)
      v.bounds = Interval::everything();
  result.mask = shortEntries(rest);
  result.mask.erase(std::unique(result.mask.begin(), result.mask.end()),
                    result.mask.end());
}

std::string Tiling::names(const llvm::SmallBitVector &runtimes) const {
  std::vector<std::string> all = variableNames(arena, map.domain);
  std::string text;
  for (int i : runtimes.set_bits())
    text += (text.empty() ? "" : ", ") +
            all[map.domain.dims.size() + map.domain.ranges.size() + i];
  return text;
}

/// The divisors that dimensions of the tile should divide, or be multiples of.
void Tiling::addHelp(OperandTile &result) const {
  std::set<std::string> advice;
  for (Expr e : given.results)
    arena.forEachPostOrder(e, [&](Expr part) {
      ExprKind kind = arena.kind(part);
      if (kind != ExprKind::Quotient && kind != ExprKind::Remainder &&
          kind != ExprKind::CeilDiv)
        return;
      int64_t divisor = arena.divisor(part);
      if (divisor <= 1)
        return;
      for (Term t : arena.linearCopy(arena.lhs(part)).terms) {
        if (arena.kind(t.expr) != ExprKind::Variable ||
            arena.var(t.expr).kind != VarKind::Dim)
          continue;
        uint32_t i = arena.var(t.expr).index;
        int64_t unit = divisor / std::gcd(divisor, t.coefficient);
        if (unit > 1 && tile[i].size % unit != 0 && unit % tile[i].size != 0)
          advice.insert("a tile of d" + std::to_string(i) + " that divides " +
                        std::to_string(unit) + " or is a multiple of it");
      }
    });
  for (const std::string &text : advice)
    result.isBox.why.help +=
        (result.isBox.why.help.empty() ? "" : ", and ") + text;
}

void Tiling::setBox(OperandTile &result) {
  for (Expr e : map.results) {
    result.dims.push_back(boxDim(e, result));
    result.boxElements =
        saturatingMul(result.boxElements, result.dims.back().size);
  }
}

/// The values of the varying runtime variables of the results: as many as the
/// indices that they are read at.
void Tiling::setPlaces(OperandTile &result) {
  Map index = map;
  index.results.clear();
  index.domain.constraints.clear();
  int64_t values = 1; // of all of them, whatever they are read at
  for (int i : varying.set_bits()) {
    const RuntimeVariable &v = map.domain.runtimes[i];
    if (llvm::none_of(map.results, [&](Expr e) {
          return arena.uses(e, {VarKind::Runtime, uint32_t(i)});
        }))
      continue;
    llvm::append_range(index.results, v.index);
    values = saturatingMul(values, v.bounds.size().value_or(Interval::kMax));
  }
  if (index.results.empty())
    return;
  Count places = countElements(MapSet(std::move(index)), kCount).most;
  result.places = std::min(values, places.exact().value_or(Interval::kMax));
  if (result.places <= 1) // one place, and not known which
    return;
  isAtOnePlace = true;
  OperandTile one;
  for (Expr e : map.results)
    result.placeDims.push_back(boxDim(e, one));
  isAtOnePlace = false;
}

int64_t OperandTile::heldElements() const {
  if (places <= 1)
    return boxElements;
  int64_t held = places;
  for (const BoxDim &dim : placeDims)
    held = saturatingMul(held, dim.size);
  return std::min(held, boxElements);
}

/// The map at one position of the tile.
Map Tiling::at(llvm::function_ref<int64_t(Interval)> choose) const {
  Map there = map;
  for (RuntimeVariable &v : there.domain.runtimes)
    if (v.isParameter && v.bounds.isBounded() && !v.bounds.isEmpty())
      v.bounds = Interval::point(choose(v.bounds));
  return there;
}

/// The larger of counts at several positions.
static void raise(std::optional<CountRange> &most, const CountRange &there) {
  if (!most) {
    most = there;
    return;
  }
  most->least = std::max(most->least, there.least);
  if (!there.most.exact() || !most->most.exact())
    most->most = {};
  else
    most->most.value = std::max(most->most.value, there.most.value);
  if (most->reason.empty())
    most->reason = there.reason;
}

/// A count as a verdict. `limit` is an upper bound too.
static Verdict<int64_t> verdictOf(const CountRange &range, int64_t limit) {
  int64_t most = std::min(limit, range.most.exact().value_or(limit));
  if (range.least == most)
    return {most, {.exactness = Exactness::Exact}};
  return {
      most,
      {.exactness = Exactness::UpperBound,
       .reason = range.reason.empty() ? "the size of the box" : range.reason}};
}

/// Counts at the position where they are largest. That is a whole tile, if some
/// tile is whole; else all positions are counted, if they are few.
void Tiling::count(OperandTile &result) {
  constexpr int64_t kMostPositions = 64;
  Map whole = map;
  whole.domain.constraints.clear();
  CountRange elements = countElements(MapSet(whole), kCount),
             reads = countReads(MapSet(whole), kCount);
  if (elements.isExact())
    wholeElements = elements.least;
  int64_t held = result.heldElements(),
          mostElements = std::min(held, elements.most.exact().value_or(held)),
          mostReads = reads.most.exact().value_or(Interval::kMax);
  if (!map.domain.constraints.empty() || !elements.isExact() ||
      !reads.isExact()) {
    int64_t positions = 1;
    for (const RuntimeVariable &v : map.domain.runtimes)
      if (v.isParameter)
        positions =
            saturatingMul(positions, v.bounds.size().value_or(Interval::kMax));
    std::optional<CountRange> mostThere, readsThere;
    auto isWhole = [&] {
      return mostThere && mostThere->least >= mostElements &&
             readsThere->least >= mostReads;
    };
    Budget budget{.steps = std::max<int64_t>(
                      kCount.steps / 16,
                      kCount.steps * 4 / std::min<int64_t>(positions, 64))};
    budget.steps = std::min(budget.steps, kCount.steps);
    auto tryAt = [&](llvm::function_ref<int64_t(Interval)> choose) {
      if (isWhole())
        return;
      MapSet there(at(choose));
      raise(mostThere, countElements(there, budget));
      raise(readsThere, countReads(there, budget));
    };
    // A position in the middle first: most likely a whole tile.
    tryAt([](Interval i) { return i.lower + (i.upper - i.lower) / 2; });
    if (positions > kMostPositions) {
      tryAt([](Interval i) { return i.lower; });
      tryAt([](Interval i) { return i.lower + (i.lower < i.upper); });
      tryAt([](Interval i) { return i.upper; });
    }
    for (int64_t n = 0; n < positions && positions <= kMostPositions; ++n) {
      int64_t rest = n;
      tryAt([&](Interval i) {
        int64_t size = *i.size(), value = i.lower + rest % size;
        rest /= size;
        return value;
      });
    }
    bool isAll = positions <= kMostPositions;
    auto limit = [&](CountRange &range, const CountRange &there, int64_t most) {
      range.least = there.least;
      range.reason = there.reason;
      int64_t own = isAll ? there.most.exact().value_or(most) : most;
      range.most = {Count::Kind::Exact, std::min(own, most)};
      if (range.reason.empty() && !range.isExact())
        range.reason = isAll ? "the elements are too many to be counted"
                             : "of a whole tile; all positions that were "
                               "counted read fewer";
    };
    limit(elements, *mostThere, mostElements);
    limit(reads, *readsThere, mostReads);
  }
  result.elements = verdictOf(elements, held);
  result.reads = verdictOf(reads, Interval::kMax);
  if (result.reads.value == Interval::kMax && !reads.most.exact())
    result.reads = {0, {.reason = result.reads.why.reason}};
}

void Tiling::decide(OperandTile &result) const {
  bool isAtPlace =
      llvm::all_of(tile, [](const TileDim &dim) { return dim.offset; });
  bool isExact =
      llvm::all_of(result.dims, [](const BoxDim &dim) { return dim.isExact; });
  // At a place, the mask has cut the box, and counts.
  std::optional<int64_t> elements = wholeElements;
  if (isAtPlace)
    elements = result.elements.value;
  result.isBox.value =
      isExact && elements == result.boxElements &&
      (!isAtPlace || result.elements.isExact() || wholeElements.has_value());
  if (result.isBox.value && isAtPlace && result.elements.isExact())
    result.mask.clear();
  Grounds &why = result.isBox.why;
  why.exactness = Exactness::Exact;
  if (result.isBox.value)
    return;
  bool isSmaller = result.elements.value < result.boxElements;
  why.exactness = isSmaller ? Exactness::Exact : Exactness::LowerBound;
  if (why.reason.empty())
    why.reason = isSmaller ? "not all elements of the box are read"
                           : "its elements could not be counted";
  why.map = toString(given);
  addHelp(result);
}

OperandTile Tiling::run(bool withCounts) {
  OperandTile result;
  map = simplify(placed());
  if (map.isKnownEmpty()) {
    result.boxElements = result.positions = 0;
    result.isBox.value = true;
    result.isBox.why = {.exactness = Exactness::Exact,
                        .reason = "no element is read"};
    result.elements.why.exactness = Exactness::Exact;
    result.reads.why.exactness = Exactness::Exact;
    return result;
  }
  varying.resize(map.domain.runtimes.size());
  for (uint32_t i = 0; i < map.domain.runtimes.size(); ++i)
    if (!isUniform(arena, map.domain, i))
      varying.set(i);
  setBox(result);
  setPlaces(result);
  setPositions(result);
  if (!withCounts)
    return result;
  setMask(result);
  count(result);
  decide(result);
  return result;
}

OperandTile tiles::tileOf(const Map &map, llvm::ArrayRef<TileDim> tile) {
  assert(map.numDims() == tile.size() && "a tile of another rank");
  return Tiling(map, tile).run(/*withCounts=*/true);
}

OperandTile tiles::boxOf(const Map &map, llvm::ArrayRef<TileDim> tile) {
  assert(map.numDims() == tile.size() && "a tile of another rank");
  return Tiling(map, tile).run(/*withCounts=*/false);
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

/// The map to (tile, element): dimension i of the result is size * q<i> + t<i>.
static Map withTiles(const Map &given, llvm::ArrayRef<TileDim> tile) {
  Arena &arena = *given.arena;
  Map map = given;
  map.domain.dims.clear();
  llvm::SmallVector<Expr, 6> by, tiles;
  for (auto [i, dim] : llvm::enumerate(tile)) {
    Interval bounds = given.domain.dims[i].bounds;
    Expr number = map.domain.addDim(arena, {0, bounds.upper / dim.size});
    Expr inside = map.domain.addDim(arena, Interval::ofSize(dim.size));
    by.push_back(arena.add(arena.scale(number, dim.size), inside));
    tiles.push_back(number);
  }
  substitute(map, {.dims = by, .ranges = {}, .runtimes = {}});
  for (auto [i, dim] : llvm::enumerate(tile))
    if (Interval bounds = given.domain.dims[i].bounds;
        bounds.lower > 0 || (bounds.upper + 1) % dim.size != 0)
      map.domain.addConstraint(by[i], bounds);
  map.results.append(tiles.begin(), tiles.end());
  return map;
}

/// Elements that tiles compute for each distinct element; none if they cannot be
/// counted. Requires: maps without runtime variables.
static std::optional<double> ratioOf(llvm::ArrayRef<Map> given,
                                     llvm::ArrayRef<TileDim> tile,
                                     Budget budget) {
  MapSet maps, parts;
  for (const Map &map : given)
    if (!map.isKnownEmpty()) {
      maps.insert({map});
      parts.insert({withTiles(map, tile)});
    }
  std::optional<int64_t> distinct = countUnion(maps, budget).exact(),
                         computed = countUnion(parts, budget).exact();
  if (!distinct || !computed)
    return std::nullopt;
  return *distinct == 0 ? 1 : double(*computed) / double(*distinct);
}

/// The most tiles that one element may be needed by, over all values of the
/// runtime variables: by enumeration, or by the dimensions that an element
/// determines.
static std::optional<double> mostTilesOf(llvm::ArrayRef<Map> maps,
                                         llvm::ArrayRef<TileDim> tile,
                                         Budget budget) {
  std::vector<llvm::SmallVector<int64_t, 8>> pairs; // element, then tile
  bool isComplete = true;
  double sum = 0;
  for (const Map &map : maps) {
    Map numbered = withTiles(map, tile);
    PointWalk walk(*map.arena, System::of(numbered.domain), numbered.results);
    isComplete = isComplete && walk.run(budget, [&](auto, auto results) {
      pairs.emplace_back(results.begin(), results.end());
      return true;
    }) == PointWalk::End::Complete;
    double tiles = 1;
    for (auto [i, dim] : llvm::enumerate(tile)) {
      std::optional<int64_t> size = map.domain.dims[i].bounds.size();
      if (!size)
        return std::nullopt;
      bool isKnown = llvm::any_of(map.results, [&](Expr e) {
        LinearCopy linear = map.arena->linearCopy(e);
        return linear.terms.size() == 1 &&
               linear.terms[0].expr == map.arena->dim(i);
      });
      if (!isKnown)
        tiles *= double(map.domain.dims[i].bounds.upper / dim.size + 1);
    }
    sum += tiles;
  }
  if (!isComplete)
    return sum;
  llvm::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  int64_t most = 0, own = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    size_t rank = pairs[i].size() - tile.size();
    auto element = [&](size_t k) {
      return llvm::ArrayRef<int64_t>(pairs[k]).take_front(rank);
    };
    own = i > 0 && element(i) == element(i - 1) ? own + 1 : 1;
    most = std::max(most, own);
  }
  return double(most);
}

Verdict<double> tiles::recomputed(const MapSet &given,
                                  llvm::ArrayRef<TileDim> tile) {
  constexpr Budget budget{.steps = 1 << 12};
  constexpr int64_t kMostAssignments = 32;
  std::vector<Map> maps;
  bool isExact = true;
  std::string reason;
  for (const OperandMap &m : withoutContained(given)) {
    Map map = simplify(m.map);
    if (map.isKnownEmpty() || map.numDims() != tile.size())
      continue;
    if (!m.exact && isExact)
      reason = m.reason;
    isExact &= m.exact;
    maps.push_back(std::move(map));
  }
  Verdict<double> verdict;
  if (maps.empty())
    return verdict;
  RuntimeValues values(maps);
  if (std::optional<int64_t> count = values.count(kMostAssignments);
      count && isExact) {
    double least = std::numeric_limits<double>::infinity(), most = 1;
    bool isKnown = true;
    for (int64_t i = 0; i < *count && isKnown; ++i) {
      std::optional<double> own = ratioOf(values.at(i), tile, budget);
      isKnown = own.has_value();
      least = std::min(least, own.value_or(0));
      most = std::max(most, own.value_or(0));
    }
    if (isKnown) {
      verdict.value = most;
      verdict.why.exactness = most - std::max(1.0, least) < 1e-9
                                  ? Exactness::Exact
                                  : Exactness::UpperBound;
      if (!verdict.isExact())
        verdict.why.reason = "the values of runtime variables decide";
      return verdict;
    }
  }
  if (std::optional<double> most = mostTilesOf(maps, tile, budget))
    verdict = {
        *most,
        {.exactness = Exactness::UpperBound,
         .reason = isExact ? "the most tiles that need one element" : reason}};
  return verdict;
}
