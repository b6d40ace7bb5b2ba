// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of CompiledExprs. Each is one pass over columns of int64.
//
// All arithmetic is modulo 2^64. A step is made only after a proof that its
// result fits int64, so wrapping of intermediate values is harmless.
//
// Internal: included by the .cpp files of this library only.

#ifndef MERCATOR_INDEXING_EVALUATE_COMPILEDSTEP_H
#define MERCATOR_INDEXING_EVALUATE_COMPILEDSTEP_H

#include <cstddef>
#include <cstdint>

namespace mercator::indexing {

struct CompiledStep {
  enum Op : uint8_t {
    Fill,        ///< dst = imm
    Copy,        ///< dst = a
    Sum1,        ///< dst = a * ca + imm
    Sum2,        ///< dst = a * ca + b * cb + imm
    AddTo1,      ///< dst += a * ca
    AddTo2,      ///< dst += a * ca + b * cb
    Mul,         ///< dst = a * b
    MulTo,       ///< dst *= a
    DivShift,    ///< floor((a + imm) / 2^shift) and the remainder
    DivMagic32,  ///< (a + imm) / ca + cb, for a + imm in [0, 2^31)
    DivMagic64,  ///< the same for a + imm in [0, 2^63)
    DivConstant, ///< floor((a + imm) / ca), for all others
    Div,         ///< dst = floor(a / b)
    Mod,         ///< dst = a - b * floor(a / b)
    CeilDiv,     ///< dst = ceil(a / b)
    Min,
    Max,
    MinConstant, ///< dst = min(a, imm)
    MaxConstant,
  };
  /// The kind of a multiplication, cheapest first.
  enum Factor : uint8_t {
    One,    ///< by 1
    Narrow, ///< both factors fit int32
    Full,
  };
  static constexpr uint32_t kNone = ~0u;

  Op op = Copy;
  Factor fa = Full, fb = Full;
  uint8_t shift = 0;
  bool nonNegative = false; ///< of DivShift: a + imm >= 0
  /// Columns. A division by a constant writes the quotient to dst and the
  /// remainder to dst2; either may be kNone.
  uint32_t dst = kNone, dst2 = kNone, a = kNone, b = kNone;
  int64_t ca = 1, cb = 1, imm = 0;
  uint64_t magic = 0;
};

/// Runs the steps over n values of each column.
void runSteps(const CompiledStep *steps, size_t numSteps,
              int64_t *const *columns, size_t n);

/// True if lower <= x[i] <= upper for all i < n.
bool areWithin(const int64_t *x, size_t n, int64_t lower, int64_t upper);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_COMPILEDSTEP_H
