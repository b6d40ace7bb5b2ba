// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of custom calls, as their user states them.
//
//   result 0 -> operand 1: (d0, d1)[s0] -> (d0, s0), domain: s0 in [0, 7]
//   operand 0 -> result 0: (d0) -> (d0 floordiv 2)
//   result 0 -> operand 2: nothing
//   result 0 -> operand 0: (d0, d1){p} -> (p, d1), p in [0, 63],
//       p = operand 1 at (d0)                          (in one line)
//
// A statement is a text in the attribute `hlo.maps` of the operation, an array
// of them. The first has the results of the map index the operand, the second
// the result. Dimensions range over the tensor, and what leaves the other one
// is not read; the domain may say more. Several statements of one pair add up.
// Of a pair without a statement every element is read, and says that it has
// none. Where a call yields a tuple, its results are the members of that.
//
// A runtime variable is read when the program runs, from the element of an
// operand that stands behind `at`, in dimensions and range variables of the
// map. Its value is clamped to its interval, as start indices are.

#ifndef MERCATOR_ANALYSIS_MAPS_MODELS_CUSTOMCALLS_H
#define MERCATOR_ANALYSIS_MAPS_MODELS_CUSTOMCALLS_H

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/indexing/notation/Notation.h"

#include <optional>

namespace mercator {

/// The name of the attribute.
inline constexpr llvm::StringLiteral kCustomMapsName = "hlo.maps";

struct CustomMap {
  indexing::Direction direction;
  unsigned result, operand;
  std::optional<indexing::Map> map = {}; ///< none: nothing is read
  /// The operand that each runtime variable of the map is read from.
  llvm::SmallVector<unsigned, 1> sources = {};
};

/// Reads one statement.
[[nodiscard]] std::optional<CustomMap>
parseCustomMap(indexing::Arena &arena, llvm::StringRef text,
               indexing::ParseError &error);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_MODELS_CUSTOMCALLS_H
