// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source of a runtime variable, as a number: it stands for a value, or for a
// source of a computation that an operation enters. Its name is for printing.

#ifndef MERCATOR_ANALYSIS_SOURCES_H
#define MERCATOR_ANALYSIS_SOURCES_H

#include "mercator/analysis/Names.h"
#include "mercator/indexing/expr/Expr.h"

namespace mercator {

/// A value as the source of a runtime variable, in one arena.
/// Ensures: different values have different sources, even if they have the same
/// name; the second is then printed as `name#1` (Arena::internSource).
struct Source {
  uint32_t id;          ///< RuntimeVariable::source
  int32_t element = -1; ///< RuntimeVariable::element
};
[[nodiscard]] Source internSource(indexing::Arena &arena, mlir::Value value);

/// RuntimeVariable::element of a source without elements whose type does not say
/// how its bits are read: as an unsigned number. -1 is a signed one.
inline constexpr int32_t kReadUnsigned = -2;

/// How the bits of an integer are read as a number.
enum class Reading : uint8_t { Signed, Unsigned };

/// How the operand of a cast of arith is read, if it is then the number that the
/// result is, read in that way:
///
///   index_castui %i8 : i8 to index, signed    %i8, unsigned
///   extsi %i8 : i8 to i32, signed             %i8, signed
///   extsi %i8 : i8 to i32, unsigned           nothing: -1 is 2^32 - 1
///   trunci                                    nothing
[[nodiscard]] std::optional<Reading> readingOfOperand(mlir::Operation *cast,
                                                      Reading reading);

namespace maps {

/// A source of the computation that an operation enters, as the source that it
/// is from outside: "f/call/%y" for `g/%y`.
[[nodiscard]] uint32_t internSourceInside(indexing::Arena &arena,
                                          mlir::Operation *op, uint32_t inner);

/// The source of a runtime variable, as seen from some block: a value of the
/// block, or a source of the computation that an operation of the block enters.
struct SourcePlace {
  mlir::Value value;               ///< or null
  mlir::Operation *call = nullptr; ///< or null
  uint32_t inside = 0;             ///< the source inside that computation
  /// The block; null if the source is not known.
  [[nodiscard]] mlir::Block *block() const {
    if (call)
      return call->getBlock();
    return value ? mlir::Value(value).getParentBlock() : nullptr;
  }
};
[[nodiscard]] SourcePlace sourcePlace(const indexing::Arena &arena,
                                      uint32_t source, int32_t element);

} // namespace maps
} // namespace mercator

#endif // MERCATOR_ANALYSIS_SOURCES_H
