// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minimization of a map for which a test fails.

#ifndef MERCATOR_TESTS_INDEXING_MINIMIZE_H
#define MERCATOR_TESTS_INDEXING_MINIMIZE_H

#include "mercator/indexing/notation/Notation.h"

#include <functional>

namespace mercator::indexing {

/// Maps that are one step smaller than `map`, the most promising first.
inline std::vector<Map> smallerMaps(const Map &map) {
  Arena &arena = *map.arena;
  std::vector<Map> out;
  auto without = [](auto &list, size_t i) { list.erase(list.begin() + i); };
  for (size_t i = 0; i < map.results.size(); ++i)
    without(out.emplace_back(map).results, i);
  for (size_t i = 0; i < map.domain.constraints.size(); ++i)
    without(out.emplace_back(map).domain.constraints, i);

  auto simpler = [&](Expr e) {
    llvm::SmallVector<Expr, 8> some;
    arena.operands(e, some);
    if (arena.kind(e) == ExprKind::Sum) {
      LinearCopy l = arena.linearCopy(e);
      for (size_t i = 0; i < l.terms.size(); ++i) {
        LinearCopy fewer = l;
        fewer.terms.erase(fewer.terms.begin() + i);
        some.push_back(arena.sum(fewer.terms, fewer.constant));
        LinearCopy plain = l;
        plain.terms[i].coefficient = 1;
        some.push_back(arena.sum(plain.terms, plain.constant));
      }
      some.push_back(arena.sum(l.terms, 0));
    }
    return some;
  };
  // Replace an operand of e by a simpler expression, at any depth.
  auto variants = [&](Expr e) {
    llvm::SmallVector<Expr, 8> some = simpler(e);
    ExprKind kind = arena.kind(e);
    if (kind == ExprKind::Sum) {
      LinearCopy l = arena.linearCopy(e);
      for (size_t i = 0; i < l.terms.size(); ++i)
        for (Expr x : simpler(l.terms[i].expr)) {
          LinearCopy c = l;
          c.terms[i].expr = x;
          some.push_back(arena.sum(c.terms, c.constant));
        }
    } else if (kind != ExprKind::Constant && kind != ExprKind::Variable &&
               kind != ExprKind::Product && kind != ExprKind::Wide) {
      Expr y = arena.rhs(e);
      for (Expr x : simpler(arena.lhs(e)))
        some.push_back(kind == ExprKind::Quotient    ? arena.floorDiv(x, y)
                       : kind == ExprKind::Remainder ? arena.mod(x, y)
                       : kind == ExprKind::CeilDiv   ? arena.ceilDiv(x, y)
                       : kind == ExprKind::Min       ? arena.min(x, y)
                                                     : arena.max(x, y));
    }
    return some;
  };
  for (size_t i = 0; i < map.results.size(); ++i)
    for (Expr e : variants(map.results[i]))
      out.emplace_back(map).results[i] = e;
  for (size_t i = 0; i < map.domain.constraints.size(); ++i)
    for (Expr e : variants(map.domain.constraints[i].expr))
      out.emplace_back(map).domain.constraints[i].expr = e;
  map.domain.forEachVar([&](Var v) {
    Interval b = map.domain.bounds(v);
    if (!b.isBounded() || b.lower >= b.upper)
      return;
    for (Interval less :
         {Interval{b.lower, b.lower}, Interval{b.upper, b.upper},
          Interval{b.lower, b.upper - 1}, Interval{b.lower + 1, b.upper}})
      out.emplace_back(map).domain.bounds(v) = less;
  });
  return out;
}

/// The text of the smallest failing map found, and its failure. `failure` is
/// called with maps in new arenas, so that the text alone reproduces it.
inline std::string minimize(
    const Map &map,
    const std::function<std::optional<std::string>(const Map &)> &failure) {
  auto fails = [&](const std::string &text) -> std::optional<std::string> {
    Arena fresh;
    ParseError error;
    auto copy = parseMap(fresh, text, error);
    return copy ? failure(*copy) : std::nullopt;
  };
  std::string text = toString(map);
  std::optional<std::string> report = fails(text);
  if (!report)
    return text + "\n(only in the arena it was made in)\n" +
           failure(map).value_or("");
  for (int round = 0; round < 500; ++round) {
    Arena arena;
    ParseError error;
    bool smaller = false;
    for (const Map &candidate : smallerMaps(*parseMap(arena, text, error))) {
      std::string shorter = toString(candidate);
      if (shorter == text)
        continue;
      if (std::optional<std::string> again = fails(shorter)) {
        text = shorter, report = again, smaller = true;
        break;
      }
    }
    if (!smaller)
      break;
  }
  return text + "\n" + *report;
}

} // namespace mercator::indexing

#endif // MERCATOR_TESTS_INDEXING_MINIMIZE_H
