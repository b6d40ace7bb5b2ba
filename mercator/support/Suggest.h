// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// "did you mean": the known name nearest to one that was not found.

#ifndef MERCATOR_SUPPORT_SUGGEST_H
#define MERCATOR_SUPPORT_SUGGEST_H

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <optional>

namespace mercator {

/// The candidate with the fewest single-character edits from `word`, the first
/// of equals; none if that takes more edits than a slip of the fingers does (a
/// third of the word, at least one).
///
///   suggest("simplfy", {"map", "simplify", "prove"}) == "simplify"
///   suggest("frobnicate", {"map", "simplify", "prove"}) == std::nullopt
template <typename Candidates>
[[nodiscard]] std::optional<llvm::StringRef>
suggest(llvm::StringRef word, const Candidates &candidates) {
  // No one mistypes a word of this length; it is some other text.
  if (word.empty() || word.size() > 200)
    return std::nullopt;
  // edit_distance takes a limit of 0 for none at all.
  unsigned limit = std::max<size_t>(1, word.size() / 3);
  std::optional<llvm::StringRef> best;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance =
        word.edit_distance(candidate, /*AllowReplacements=*/true, limit);
    if (distance > limit)
      continue;
    best = candidate;
    if (distance <= 1)
      break;
    limit = distance - 1;
  }
  return best;
}

} // namespace mercator

#endif // MERCATOR_SUPPORT_SUGGEST_H
