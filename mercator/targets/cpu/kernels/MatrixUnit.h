// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Products by the matrix unit of a CPU: AMX.
///
/// A *tile* is a register of 16 rows of 64 bytes. One instruction multiplies two and
/// adds the products to a third:
///
///   c[i, j] += sum over k of dot(a[i, k], b[k, j])     i, j, k < 16
///
/// Here a[i, k] and b[k, j] are *words* of 32 bits, of two bf16 or four integers of 8
/// bits that are neighbors along the sum, and c is f32 or i32. So the terms of a row of
/// a are neighbors in memory, as they often are anyhow, and b is copied to words
/// (NarrowProducts.h).
///
///   product of 1024 x 1024 x 1024, i8: 256 words
///
///   form=tiles unit=matrix lanes=16 rows=32 vectors=2 pack=b prefetch=1 parts=64
///
/// All tiles have 16 rows of 64 bytes: LLVM gives a register one shape in all of a
/// function. Terms are filled up with zeros. The last tile of rows begins in the one
/// before, and its first rows are not kept.
///
/// Integers are exact. For bf16 the unit takes subnormal numbers for zero. It adds up
/// the even and the odd terms of a step, 16 of each, with one rounding for each product,
/// adds the two sums, and adds the result to c.
///
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2,
/// TDPBF16PS and TDPBSSD.
///
/// Results are checked by emulation (llvm/Tiles.h). No time has been measured on a CPU
/// with AMX.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_MATRIXUNIT_H
#define MERCATOR_TARGETS_CPU_KERNELS_MATRIXUNIT_H

#include "mercator/targets/cpu/machine/Machine.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace mercator::cpu {

/// Of an operation in the form of the matrix unit: the types of the factors in rows and
/// in columns, bf16, si8 or ui8.
inline constexpr llvm::StringLiteral kMatrix = "mercator.matrix";
/// Of one that asks for the unit: why it cannot have it.
inline constexpr llvm::StringLiteral kNoMatrix = "mercator.no_matrix";

inline constexpr int64_t kTileRows = 16, kTileWords = 16, kTileRegisters = 8;

/// What is asked before operands get that form.
struct MatrixProblem {
  std::string type; ///< of the factors: `bf16`, `i8`, or another one
  /// Of the innermost loops of rows and columns, and of the loop of terms that are
  /// neighbors in words; 0 terms if no loop can be that one.
  int64_t rows = 0, columns = 0, terms = 0;
  bool isInTile = false; ///< of cells (CellLoops.h)
  bool keepsSubnormals = false;
  /// 10^9 operations per second of both units; 0 if there is no matrix unit.
  double matrixRate = 0, vectorRate = 0;

  /// For factors of a type on a machine, with no extents yet.
  [[nodiscard]] static MatrixProblem of(llvm::StringRef type,
                                        const Machine &machine);

  /// Why the unit cannot compute it; empty if it can.
  [[nodiscard]] std::string whyNot() const;
  /// Whether it is faster with it, with the zeros that fill tiles.
  [[nodiscard]] bool pays() const;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_MATRIXUNIT_H
