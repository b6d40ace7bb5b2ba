// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimension i of the result is size * q<i> + stride * t<i>, where q numbers the
// tiles: that it is a multiple of the size then needs no constraint. The texts
// have p<i> = size * q<i>. After simplification, each index is split into terms of the position of the tile (parameters and runtime
// variables) and terms of the position in it (t and range variables). The second
// part takes `size` values with a common stride: the box.

#include "mercator/analysis/tiles/Tile.h"

#include "mercator/indexing/decide/Count.h"
#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"

#include <numeric>
#include <set>

using namespace mercator;
using namespace mercator::tiles;
using namespace mercator::indexing;

static constexpr Budget kCount{.steps = 1 << 14};

static int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? Interval::kMax : r;
}

namespace {
class Tiling {
public:
  Tiling(const Map &given, llvm::ArrayRef<TileDim> tile)
      : given(given), tile(tile), arena(*given.arena) {}

  OperandTile run();

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
  void addPositions(Map &rest) const;
  Map withoutMask(OperandTile &result) const;
  void addHelp(OperandTile &result) const;

  const Map &given;
  llvm::ArrayRef<TileDim> tile;
  Arena &arena;
  Map map; ///< (t0, t1, ...)[ranges]{runtimes}<p0, p1, ...> to the operand
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

/// True if e uses parameters and runtime variables only.
bool Tiling::isPosition(Expr e) const {
  bool uses = false;
  map.domain.forEachVar(
      [&](Var v) { uses |= v.kind != VarKind::Runtime && arena.uses(e, v); });
  return !uses;
}

bool Tiling::isInside(Expr e) const {
  bool uses = false;
  for (uint32_t i = 0; i < map.domain.runtimes.size(); ++i)
    uses |= arena.uses(e, {VarKind::Runtime, i});
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

/// Moves the constraints that depend on the position in the tile to the mask:
/// the border of the result, padding, and the like. The rest is a whole tile.
Map Tiling::withoutMask(OperandTile &result) const {
  IntervalAnalysis bounds(arena, [&] {
    Domain box = map.domain;
    box.constraints.clear();
    return box;
  }());
  // The whole tile is one that meets the mask.
  Map rest = map, whole = map;
  rest.domain.constraints.clear();
  whole.domain.constraints.clear();
  for (const Constraint &c : map.domain.constraints)
    if (!c.bounds.contains(bounds.interval(c.expr)))
      rest.domain.constraints.push_back({inOffsets(c.expr), c.bounds});
  addPositions(rest);
  for (Variable &v : rest.domain.dims)
    v.bounds = Interval::everything();
  for (Variable &v : rest.domain.ranges)
    v.bounds = Interval::everything();
  for (RuntimeVariable &v : rest.domain.runtimes)
    if (v.isParameter)
      v.bounds = Interval::everything();
  result.mask = shortEntries(rest);
  // Parameters do not change the number of elements: take the first position.
  for (RuntimeVariable &v : whole.domain.runtimes)
    if (!v.bounds.isEmpty())
      v.bounds = Interval::point(v.bounds.lower);
  return whole;
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

OperandTile Tiling::run() {
  OperandTile result;
  result.elements.why.exactness = Exactness::Exact;
  map = simplify(placed());
  if (map.isKnownEmpty()) {
    result.boxElements = 0;
    result.isBox.why.reason = "no element is read";
    result.elements.value = 0;
    return result;
  }
  bool isExact = true;
  for (Expr e : map.results) {
    result.dims.push_back(boxDim(e, result));
    isExact &= result.dims.back().isExact;
    result.boxElements =
        saturatingMul(result.boxElements, result.dims.back().size);
  }
  Map whole = withoutMask(result);
  // At a place, the mask has cut the box, and counts.
  bool isAtPlace =
      llvm::all_of(tile, [](const TileDim &dim) { return dim.offset; });
  if (isAtPlace)
    whole.domain.constraints = map.domain.constraints;
  Count elements = countImage(whole, kCount),
        reads = countPoints(arena, whole.domain, kCount);
  result.reads = reads.exact().value_or(0);
  if (elements.exact()) {
    result.elements.value = *elements.exact();
  } else {
    result.elements.value = result.boxElements;
    result.elements.why = {.exactness = Exactness::UpperBound,
                           .reason = "the size of the box"};
  }
  result.isBox.value = isExact && result.elements.value == result.boxElements;
  if (result.isBox.value && isAtPlace)
    result.mask.clear();
  if (!result.isBox.value) {
    Grounds &why = result.isBox.why;
    bool isSmaller =
        result.elements.isExact() && result.elements.value < result.boxElements;
    why.exactness = isSmaller ? Exactness::Exact : Exactness::LowerBound;
    if (why.reason.empty())
      why.reason = isSmaller ? "not all elements of the box are read"
                             : "its elements could not be counted";
    why.map = toString(given);
    addHelp(result);
  }
  return result;
}

OperandTile tiles::tileOf(const Map &map, llvm::ArrayRef<TileDim> tile) {
  assert(map.numDims() == tile.size() && "a tile of another rank");
  return Tiling(map, tile).run();
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

Verdict<double> tiles::recomputed(const MapSet &given,
                                  llvm::ArrayRef<TileDim> tile) {
  constexpr Budget budget{.steps = 1 << 12};
  MapSet maps = withoutContained(given), parts;
  bool isExact = true;
  for (const OperandMap &m : maps) {
    if (m.map.isKnownEmpty() || m.map.numDims() != tile.size())
      continue;
    isExact &= m.exact && m.map.domain.runtimes.empty();
    parts.insert({withTiles(m.map, tile), m.exact});
  }
  Verdict<double> verdict;
  std::optional<int64_t> distinct = countUnion(maps, budget).exact(),
                         computed = countUnion(parts, budget).exact();
  if (!distinct || *distinct == 0 || !computed)
    return verdict;
  verdict.value = std::max(1.0, double(*computed) / double(*distinct));
  verdict.why.exactness = isExact ? Exactness::Exact : Exactness::UpperBound;
  return verdict;
}
