// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `&`, `^` and `|` as sums of digits. The algebra has no bitwise operators: each
// becomes quotients and remainders by powers of two.
//
//   x ^ 1          x + 1 - 2 * (x mod 2)
//   x & 0xf0       16 * (x mod 256 / 16)
//   x | 6          x + 6 - 2 * (x mod 8 / 2)
//   x ^ y          sum over b of 2^b * ((x / 2^b + y / 2^b) mod 2)
//
// One operand is a constant, of which each run of ones gives one term, or both
// have bounds from 0 to 2^n - 1, of which each bit gives one term. Negative
// numbers are in two's complement, as in C and Python.
//
// Internal: included by the .cpp files of this library only.

#ifndef MERCATOR_INDEXING_NOTATION_BITS_H
#define MERCATOR_INDEXING_NOTATION_BITS_H

#include "mercator/indexing/expr/Expr.h"
#include "mercator/indexing/notation/Lexer.h"

#include <optional>

namespace mercator::indexing {

/// The largest magnitude of a constant operand.
inline constexpr int64_t kMaxMask = int64_t(1) << 61;

/// `x op mask`. Requires: `op` is Ampersand, Caret or Bar, |mask| <= kMaxMask.
[[nodiscard]] Expr combineWithMask(Arena &arena, Token::Kind op, Expr x,
                                   int64_t mask);

/// `x op y`. Requires: x in [0, 2^xBits - 1], y in [0, 2^yBits - 1], and at most
/// 61 bits each.
[[nodiscard]] Expr combineBits(Arena &arena, Token::Kind op, Expr x,
                               unsigned xBits, Expr y, unsigned yBits);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_NOTATION_BITS_H
