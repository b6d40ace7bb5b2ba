// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on values that have no value where the result is not an int64. All
// evaluators of expressions use `applyOp`, so all agree on what is defined:
// the walk over a tree (Evaluate.h), the compiled program (CompiledExprs.h), the walk
// over points (PointWalk.h) and the folding of constants (Arena.cpp).
//
// Internal: included by the .cpp files of this library only.

#ifndef MERCATOR_INDEXING_EXPR_CHECKEDARITHMETIC_H
#define MERCATOR_INDEXING_EXPR_CHECKEDARITHMETIC_H

#include "mercator/indexing/expr/Expr.h"

#include <optional>

namespace mercator::indexing {

inline std::optional<int64_t> checkedNarrow(__int128 x) {
  if (x < Interval::kMin || x > Interval::kMax)
    return std::nullopt;
  return static_cast<int64_t>(x);
}

/// floor(a / b), exact even where b is negative.
inline std::optional<int64_t> checkedFloorDiv(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == Interval::kMin))
    return std::nullopt;
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

inline std::optional<int64_t> checkedCeilDiv(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == Interval::kMin))
    return std::nullopt;
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/// a - b * floor(a / b).
inline std::optional<int64_t> checkedMod(int64_t a, int64_t b) {
  if (b == 0)
    return std::nullopt;
  if (b == -1)
    return 0;
  int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/// A sum built term by term; intermediate values have 128 bits.
class CheckedSum {
public:
  explicit CheckedSum(int64_t constant) : total(constant) {}
  void add(int64_t x, int64_t coefficient) {
    overflow |=
        __builtin_add_overflow(total, (__int128)x * coefficient, &total);
  }
  std::optional<int64_t> value() const {
    return overflow ? std::nullopt : checkedNarrow(total);
  }

private:
  __int128 total;
  bool overflow = false;
};

/// A product built factor by factor. A zero factor makes it zero, at any
/// position; otherwise its magnitude never decreases, so a product that is too
/// large stays too large.
class CheckedProduct {
public:
  void multiply(int64_t x, int64_t exponent) {
    if (x == 0)
      zero = true;
    if (x == 1 || x == -1)
      exponent &= 1;
    for (; exponent > 0 && !zero && !tooLarge; --exponent) {
      total *= x; // at most 2^63 * 2^63
      tooLarge = total > kLimit || total < -kLimit;
    }
  }
  std::optional<int64_t> value() const {
    if (zero)
      return 0;
    return tooLarge ? std::nullopt : checkedNarrow(total);
  }

private:
  static constexpr __int128 kLimit = (__int128)1 << 63;
  __int128 total = 1;
  bool zero = false, tooLarge = false;
};

/// The value of an operation on two values; nothing where it has none. A Wide
/// is the sum or the product that `operation` says.
inline std::optional<int64_t> applyOp(ExprKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case ExprKind::Sum:
    return checkedNarrow((__int128)a + b);
  case ExprKind::Product:
    return checkedNarrow((__int128)a * b);
  case ExprKind::Quotient:
    return checkedFloorDiv(a, b);
  case ExprKind::Remainder:
    return checkedMod(a, b);
  case ExprKind::CeilDiv:
    return checkedCeilDiv(a, b);
  case ExprKind::Min:
    return std::min(a, b);
  case ExprKind::Max:
    return std::max(a, b);
  default:
    return std::nullopt;
  }
}

/// The same for a list of terms: constant + sum of coefficient * value, or
/// product of value ^ coefficient. Requires: a Sum or a Product. `valueOf` gives
/// the value of the expression of a term, where it has one.
template <typename Terms, typename ValueOf>
std::optional<int64_t> applyOp(ExprKind kind, int64_t constant,
                               const Terms &terms, ValueOf valueOf) {
  assert(kind == ExprKind::Sum || kind == ExprKind::Product);
  CheckedSum sum(constant);
  CheckedProduct product;
  for (const auto &term : terms) {
    std::optional<int64_t> x = valueOf(term);
    if (!x)
      return std::nullopt;
    if (kind == ExprKind::Sum)
      sum.add(*x, term.coefficient);
    else
      product.multiply(*x, term.coefficient);
  }
  return kind == ExprKind::Sum ? sum.value() : product.value();
}

/// The kind of an expression, but Sum or Product for a Wide.
inline ExprKind operation(const Arena &arena, Expr e) {
  ExprKind kind = arena.kind(e);
  if (kind != ExprKind::Wide)
    return kind;
  return arena.wideIsSum(e) ? ExprKind::Sum : ExprKind::Product;
}

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EXPR_CHECKEDARITHMETIC_H
