// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The programs of tests/provenance in other types: their generators know f32
/// and i32, and static shapes.
///
///   tensor<3x4xf32>    f16 for f32: tensor<3x4xf16>
///                      3 is unknown: tensor<?x4xf32>
///                      and bounded: tensor<?x4xf32, #stablehlo.bounds<4, ?>>
///
/// Types are replaced in the text. The result may be no program, if an
/// operation does not have these types; then the text stays as it was.

#ifndef MERCATOR_TESTS_RANDOM_PROGRAMS_VARIATION_H
#define MERCATOR_TESTS_RANDOM_PROGRAMS_VARIATION_H

#include "Sample.h"
#include "mercator/reference/core/Tensor.h"

#include <optional>
#include <random>

namespace mercator::testing {

struct Variation {
  std::string real = "f32", whole = "i32"; ///< in place of f32 and i32
  std::optional<int64_t> unknown = {};     ///< the extent that becomes `?`
  bool isBounded = false;
  /// Some operations are moved into functions (Outline.h).
  bool outlines = false;
  /// The elements of arguments. Sums of small integers are exact, in any order.
  enum class Draw {
    WholeNumbers,
    Fractions,
    Anything
  } draw = Draw::WholeNumbers;

  [[nodiscard]] std::string text() const;
};

/// The variation of a seed; about half of them change no type.
[[nodiscard]] Variation variationOf(uint64_t seed);

/// The text of a program in other types.
[[nodiscard]] std::string varied(llvm::StringRef text, const Variation &by);

/// The elements of an argument: `value` has its bounds.
void fill(reference::Tensor &tensor, const SampleValue &value,
          Variation::Draw draw, std::mt19937_64 &engine);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_PROGRAMS_VARIATION_H
