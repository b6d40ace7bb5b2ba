// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The idea: count each variable from the bound where its term is least, so that
// all weights are positive, and sort the terms by weight. If each weight exceeds
// the greatest sum of the smaller terms, the terms are digits of a mixed radix
// number, and the number of values up to a bound is read off its digits, from
// the highest one down.

#include "mercator/indexing/decide/SumValues.h"

#include "llvm/ADT/STLExtras.h"

namespace mercator::indexing {

std::optional<SumDigits> SumDigits::of(const Arena &arena, Linear sum,
                                       const System &system) {
  SumDigits d;
  d.offset = sum.constant;
  for (const Term &t : sum.terms) {
    if (arena.kind(t.expr) != ExprKind::Variable)
      return std::nullopt;
    auto it = llvm::find(system.vars, arena.var(t.expr));
    if (it == system.vars.end())
      return std::nullopt;
    Interval i = system.bounds[it - system.vars.begin()];
    if (!i.isBounded() || i.isEmpty())
      return std::nullopt;
    Int128 c = t.coefficient;
    d.offset += c * (c > 0 ? i.lower : i.upper);
    d.list.push_back(
        {c > 0 ? c : -c, static_cast<Int128>(i.upper) - i.lower + 1});
  }
  llvm::sort(d.list, [](const SumDigit &a, const SumDigit &b) {
    return a.weight != b.weight ? a.weight < b.weight : a.size < b.size;
  });
  // With this limit no number below overflows 128 bits.
  constexpr Int128 kLimit = static_cast<Int128>(1) << 100;
  Int128 span = 0;
  for (const SumDigit &x : d.list) {
    if (x.weight * x.size > kLimit)
      return std::nullopt;
    span += x.weight * x.size;
  }
  return span > kLimit ? std::nullopt : std::optional(d);
}

bool SumDigits::isRadix() const {
  Int128 below = 0;
  for (const SumDigit &d : list) {
    if (d.weight <= below)
      return false;
    below += d.weight * (d.size - 1);
  }
  return true;
}

Int128 SumDigits::countUpTo(Int128 bound) const {
  bound -= offset;
  if (bound < 0)
    return 0;
  llvm::SmallVector<Int128, 4> choices{1};
  for (const SumDigit &d : list)
    choices.push_back(choices.back() * d.size);
  Int128 n = 0;
  for (size_t i = list.size(); i-- > 0;) {
    Int128 top = bound / list[i].weight;
    if (top >= list[i].size)
      return n + choices[i + 1];
    n += top * choices[i];
    bound -= top * list[i].weight;
  }
  return n + 1;
}

Int128 SumDigits::countIn(Interval i) const {
  if (i.isEmpty())
    return 0;
  Int128 all = 1;
  for (const SumDigit &d : list)
    all *= d.size;
  Int128 upTo = i.hasUpper() ? countUpTo(i.upper) : all;
  return upTo -
         (i.hasLower() ? countUpTo(static_cast<Int128>(i.lower) - 1) : 0);
}

std::optional<Progression> valuesOf(const SumDigits &digits) {
  Progression p;
  Int128 span = 0; // the greatest value of the terms added
  for (const SumDigit &d : digits.list) {
    if (d.size == 1)
      continue;
    if (p.size == 1) {
      p.step = d.weight;
      p.size = d.size;
    } else if (d.weight % p.step == 0 && d.weight <= p.step * p.size) {
      p.size += d.weight / p.step * (d.size - 1);
    } else if (d.weight > span) {
      p.copies *= p.size;
      p.step = d.weight;
      p.size = d.size;
    } else {
      return std::nullopt;
    }
    span += d.weight * (d.size - 1);
  }
  return p;
}

} // namespace mercator::indexing
