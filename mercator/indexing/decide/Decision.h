// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer to a question that may stay open: yes, no or unknown, and why.
//
//   isEmpty(arena, domain)     yes: the domain holds no point
//   prove(a, b)                no: the maps differ
//
// Yes and no are certain. Unknown is never taken for either.

#ifndef MERCATOR_INDEXING_DECIDE_DECISION_H
#define MERCATOR_INDEXING_DECIDE_DECISION_H

#include <cstdint>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace mercator::indexing {

struct Decision {
  enum class Kind : uint8_t { Yes, No, Unknown };
  Kind kind = Kind::Unknown;
  /// How it was decided, or why not: one line, no full stop. May be empty where
  /// it was decided.
  std::string reason = {};

  [[nodiscard]] bool isYes() const { return kind == Kind::Yes; }
  [[nodiscard]] bool isNo() const { return kind == Kind::No; }
  [[nodiscard]] bool isUnknown() const { return kind == Kind::Unknown; }
};

/// `yes`, `no` or `unknown`, and the reason in parentheses.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Decision &decision);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_DECISION_H
