// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A result, or the reason why the result is missing.
///
///   Answer<Explanation> answer = compilation->explain({});
///   if (!answer)
///     return answer.getFailure();
///   writeJson(*answer, os);
///
/// The reason is one of:
///
///   inputRejected   the text is wrong
///   wrongUsage      the options are wrong: no function has that name
///   undecided       a limit, or an operation that is not supported
///   internalError   a bug of Mercator
///
/// It is one word. The DiagnosticEngine has received the sentences.

#ifndef MERCATOR_COMPILER_PROGRAM_ANSWER_H
#define MERCATOR_COMPILER_PROGRAM_ANSWER_H

#include "mercator/support/ExitCode.h"

#include <cassert>
#include <optional>
#include <utility>

namespace mercator {

template <typename T> class [[nodiscard]] Answer {
public:
  Answer(T value) : value(std::move(value)) {}
  /// Requires: a reason, not `done`.
  Answer(ExitCode reason) : reason(reason) {
    assert(reason != ExitCode::Done && "an answer without a value");
  }

  explicit operator bool() const { return value.has_value(); }
  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }

  /// Requires: there is no result.
  [[nodiscard]] ExitCode getFailure() const {
    assert(!value && "an answer has no failure");
    return reason;
  }

private:
  std::optional<T> value;
  ExitCode reason = ExitCode::Done;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_ANSWER_H
