// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The limits that a text must keep before MLIR's parser may read it. That
/// parser, its printer and every walk over types recurse once for each level of
/// nesting without a limit. They also compute products of extents without
/// overflow checks.
///
///   levels       a bracket within a bracket is a level, and so is the
///                definition of a `#name` or `!name`: `!a = tuple<i32>` has one
///                level, `tuple<!a>` two
///   parts        a name counts as many parts as its definition and the names
///                in it; forty lines of `!b = tuple<!a, !a>` are a program of
///                2^40 types
///   operators    of one affine expression; its depth is the number of
///                operators
///   elements     of a tensor, counted without extents of 0; their number of
///                bits fits in int64, because MLIR relies on it to read data
///   results      `%a#7` is the eighth result of `%a`; the parser allocates a
///                slot for each result up to that number, whether or not the
///                operation has that many
///   bits         of an integer type: each constant of type i16777215 takes two
///                megabytes
///
/// Two more forms are refused that MLIR accepts: `array<index: ..>`, which
/// crashes its parser, and a symbol with the name "", which its printer cannot
/// write.
///
/// One pass over the text, linear. It recognizes strings and comments and
/// ignores other syntax: a text within the limits may still be invalid.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_LIMITS_H
#define MERCATOR_FRONTENDS_STABLEHLO_LIMITS_H

#include "mercator/support/Diagnostic.h"

#include <cstdint>

namespace mercator::stablehlo {

inline constexpr unsigned kMaxLevels = 256;
inline constexpr uint64_t kMaxParts = uint64_t(1) << 20;
inline constexpr uint64_t kMaxPartsTogether = uint64_t(1) << 26;
inline constexpr unsigned kMaxOperators = 4096;
inline constexpr uint64_t kMaxElements = uint64_t(1) << 56;
/// The limit on the results of all numbered values together. A longer text may
/// number as many results as it has bytes.
inline constexpr uint64_t kMaxResultNumbers = uint64_t(1) << 20;
inline constexpr uint64_t kMaxIntegerBits = 4096;

/// Reports one error at the first place beyond a limit and fails.
llvm::LogicalResult checkLimits(const SourceBuffer &source,
                                DiagnosticEngine &diagnostics);

/// The same without the limit on elements, for tools that show such a shape.
llvm::LogicalResult checkNesting(const SourceBuffer &source,
                                 DiagnosticEngine &diagnostics);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_LIMITS_H
