// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of custom calls, as the user states them.
//
//   result 0 -> operand 1: (d0, d1)[s0] -> (d0, s0), domain: s0 in [0, 7]
//   operand 0 -> result 0: (d0) -> (d0 floordiv 2)
//   result 0 -> operand 2: nothing
//   result 0 -> operand 0: (d0, d1){p} -> (p, d1), p in [0, 63],
//       p = operand 1 at (d0)                          (in one line)
//
// The attribute `hlo.maps` of the operation is an array of statements, one
// string each. The results of the first map index operand 1, those of the
// second map index result 0. Dimensions range over the tensor that the map
// starts from. Results outside the other tensor are not read. The domain may
// restrict both further. Several statements about one pair form a set of maps.
// A pair without a statement reads every element, with the reason that it has
// no statement. If a call returns a tuple, its results are the members of the
// tuple.
//
// A runtime variable is read when the program runs: from an operand, at the
// element after `at`, in dimensions and range variables of the map. Its value
// is clamped to its interval, as start indices are.

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
  std::optional<indexing::Map> map = {}; ///< no map: nothing is read
  /// The operand that each runtime variable of the map is read from.
  llvm::SmallVector<unsigned, 1> sources = {};
};

/// Parses one statement.
[[nodiscard]] std::optional<CustomMap>
parseCustomMap(indexing::Arena &arena, llvm::StringRef text,
               indexing::ParseError &error);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_MODELS_CUSTOMCALLS_H
