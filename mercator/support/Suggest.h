// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// "did you mean": the known name nearest to one that was not found.

#ifndef MERCATOR_SUPPORT_SUGGEST_H
#define MERCATOR_SUPPORT_SUGGEST_H

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <optional>

namespace mercator {

/// True if two neighboring characters of `word` are exchanged in `candidate`.
[[nodiscard]] inline bool isTransposed(llvm::StringRef word,
                                       llvm::StringRef candidate) {
  if (word.size() != candidate.size())
    return false;
  size_t at = 0;
  while (at < word.size() && word[at] == candidate[at])
    ++at;
  return at + 1 < word.size() && word[at] == candidate[at + 1] &&
         word[at + 1] == candidate[at] &&
         word.drop_front(at + 2) == candidate.drop_front(at + 2);
}

/// The candidate with the fewest edits of one character from `word`, the first
/// of several equal ones. Two neighbors that are exchanged are one edit. None if that takes more edits than a typing error
/// does (a third of the word, at least one).
///
/// ```cpp
/// #include <array>
/// std::array<llvm::StringRef, 3> commands = {"map", "simplify", "prove"};
/// assert(suggest("simplfy", commands) == "simplify");
/// assert(!suggest("frobnicate", commands));
/// ```
template <typename Candidates>
[[nodiscard]] std::optional<llvm::StringRef>
suggest(llvm::StringRef word, const Candidates &candidates) {
  // A word of this length is no typing error.
  if (word.empty() || word.size() > 200)
    return std::nullopt;
  // For edit_distance a limit of 0 means no limit.
  unsigned limit = std::max<size_t>(1, word.size() / 3);
  std::optional<llvm::StringRef> best;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance =
        isTransposed(word, candidate)
            ? 1
            : word.edit_distance(candidate, /*AllowReplacements=*/true, limit);
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
