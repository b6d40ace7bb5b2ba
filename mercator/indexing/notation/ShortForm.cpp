// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Domains as tables print them.
//
//   d0 in [0, 9]                                   d0 in 0..9
//   max(d0 - rt0 - 4, -d0 + rt0 - 1) in [0, 5]     not (d0 - rt0 in 0..3)
//
// The second form is what is left of a box when a slice is replaced: a maximum
// of excesses over the sides of the slice. It is recognized if the upper limit
// excludes nothing.

#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace mercator::indexing {

std::string toShortString(Interval i) {
  return (i.hasLower() ? std::to_string(i.lower) : "-inf") + ".." +
         (i.hasUpper() ? std::to_string(i.upper) : "inf");
}

namespace {
class ShortForm {
public:
  explicit ShortForm(const Map &map) : map(map), arena(*map.arena) {
    box = map.domain;
    box.constraints.clear();
  }

  std::string of(const Constraint &c) {
    std::string text = complement(c);
    return text.empty() ? textOf(c.expr) + " in " + toShortString(c.bounds)
                        : text;
  }

private:
  std::string textOf(Expr e) const { return toString(arena, e, &map.domain); }

  /// The operands of nested maxima.
  void collect(Expr e, llvm::SmallVectorImpl<Expr> &excesses) const {
    if (arena.kind(e) != ExprKind::Max)
      return excesses.push_back(e);
    collect(arena.lhs(e), excesses);
    collect(arena.rhs(e), excesses);
  }

  /// Empty if the constraint has another form.
  std::string complement(const Constraint &c) {
    if (arena.kind(c.expr) != ExprKind::Max || !c.bounds.hasLower() ||
        arena.height(c.expr) > kDeep)
      return {};
    Interval reached = IntervalAnalysis(arena, box).interval(c.expr);
    if (c.bounds.hasUpper() && c.bounds.upper < reached.upper)
      return {};
    llvm::SmallVector<Expr, 8> excesses;
    collect(c.expr, excesses);
    std::vector<std::string> sides;
    while (!excesses.empty()) {
      Expr e = excesses.pop_back_val();
      auto opposite = llvm::find_if(excesses, [&](Expr other) {
        return arena.isConstant(arena.add(e, other));
      });
      Expr other;
      if (opposite != excesses.end()) {
        other = *opposite;
        excesses.erase(opposite);
      }
      std::optional<std::string> text = side(e, other, c.bounds.lower);
      if (!text)
        return {};
      sides.push_back(std::move(*text));
    }
    llvm::sort(sides);
    return "not (" + llvm::join(sides, ", ") + ")";
  }

  /// Where both excesses are below `least`: x in 0..3 for x - 4 and -x - 1
  /// below 0. `other` may be absent.
  std::optional<std::string> side(Expr e, Expr other, int64_t least) {
    auto linearPart = [&](Expr x) {
      return arena.sub(x, arena.constant(arena.linear(x).constant));
    };
    Expr x = linearPart(e);
    std::string text = textOf(x);
    bool negated = text.front() == '-';
    if (other && negated != (textOf(linearPart(other)).front() == '-') &&
        negated) {
      std::swap(e, other);
      x = linearPart(e);
      text = textOf(x);
      negated = false;
    }
    if (negated && !other) {
      x = arena.neg(x);
      text = textOf(x);
    }
    Interval inside;
    int64_t ownConstant = arena.linear(e).constant;
    if (negated && !other) {
      if (!difference(ownConstant, least, 1, inside.lower))
        return std::nullopt;
    } else {
      if (!difference(least, ownConstant, -1, inside.upper))
        return std::nullopt;
      if (other &&
          !difference(arena.linear(other).constant, least, 1, inside.lower))
        return std::nullopt;
    }
    return text + " in " + toShortString(inside);
  }

  /// a - b + c, or false if that leaves int64.
  static bool difference(int64_t a, int64_t b, int64_t c, int64_t &result) {
    return !__builtin_sub_overflow(a, b, &result) &&
           !__builtin_add_overflow(result, c, &result);
  }

  const Map &map;
  Arena &arena;
  Domain box;
};
} // namespace

std::vector<std::string> shortEntries(const Map &map,
                                      llvm::ArrayRef<Interval> known) {
  if (map.isKnownEmpty())
    return {"KNOWN EMPTY"};
  const Domain &domain = map.domain;
  std::vector<std::string> names = variableNames(*map.arena, domain), entries;
  size_t slot = 0;
  domain.forEachVar([&](Var v) {
    const std::string &name = names[slot++];
    Interval bounds = domain.bounds(v);
    bool isKnown = v.kind == VarKind::Dim && v.index < known.size() &&
                   known[v.index] == bounds;
    bool isRead =
        v.kind == VarKind::Runtime && !domain.runtimes[v.index].isParameter;
    if (!isKnown && !isRead && bounds != Interval::everything())
      entries.push_back(name + " in " + toShortString(bounds));
  });
  ShortForm form(map);
  std::vector<std::string> constraints;
  for (const Constraint &c : domain.constraints)
    constraints.push_back(form.of(c));
  llvm::sort(constraints);
  llvm::append_range(entries, constraints);
  return entries;
}

} // namespace mercator::indexing
