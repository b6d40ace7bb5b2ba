// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/notation/Bits.h"

#include "llvm/ADT/bit.h"

namespace mercator::indexing {

static int64_t powerOfTwo(unsigned bits) { return int64_t(1) << bits; }

Expr combineWithMask(Arena &arena, Token::Kind op, Expr x, int64_t mask) {
  llvm::SmallVector<Term, 4> terms;
  int64_t constant = 0;
  if (op != Token::Ampersand)
    terms.push_back({x, 1});
  uint64_t rest = mask;
  while (rest != 0) {
    unsigned low = llvm::countr_zero(rest),
             high = low + llvm::countr_one(rest >> low);
    // The digits of x at the run. A run up to the sign has no end: its ones are
    // the digits of -1.
    bool endless = high >= 64;
    Expr digits = endless ? x : arena.mod(x, powerOfTwo(high));
    digits = arena.floorDiv(digits, powerOfTwo(low));
    int64_t ones = endless ? -1 : powerOfTwo(high - low) - 1;
    int64_t unit = powerOfTwo(low);
    if (op == Token::Ampersand) {
      terms.push_back({digits, unit});
    } else {
      terms.push_back({digits, op == Token::Caret ? -2 * unit : -unit});
      constant += unit * ones;
    }
    rest = endless ? 0 : rest & ~uint64_t(0) << high;
  }
  return arena.sum(terms, constant);
}

Expr combineBits(Arena &arena, Token::Kind op, Expr x, unsigned xBits, Expr y,
                 unsigned yBits) {
  unsigned both = std::min(xBits, yBits);
  llvm::SmallVector<Term, 16> terms;
  // The sum of the digits counts x & y of x | y twice.
  int64_t sign = op == Token::Bar ? -1 : 1;
  for (unsigned bit = 0; bit < both; ++bit) {
    Expr xDigits = arena.floorDiv(x, powerOfTwo(bit)),
         yDigits = arena.floorDiv(y, powerOfTwo(bit));
    Expr digit =
        op == Token::Caret
            ? arena.mod(arena.add(xDigits, yDigits), 2)
            : arena.floorDiv(
                  arena.add(arena.mod(xDigits, 2), arena.mod(yDigits, 2)), 2);
    terms.push_back({digit, sign * powerOfTwo(bit)});
  }
  if (op == Token::Bar) {
    terms.push_back({x, 1});
    terms.push_back({y, 1});
  } else if (op == Token::Caret && xBits != yBits) {
    Expr longer = xBits > yBits ? x : y;
    terms.push_back(
        {arena.floorDiv(longer, powerOfTwo(both)), powerOfTwo(both)});
  }
  return arena.sum(terms, 0);
}

} // namespace mercator::indexing
