// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A value, or the reason why there is none.
///
/// ```cpp
/// auto half = [](int number) -> Fallible<int> {
///   if (number % 2 != 0)
///     return Failure("expected an even number, got " + std::to_string(number));
///   return number / 2;
/// };
/// assert(*half(4) == 2);
/// assert(!half(3) && half(3).why() == "expected an even number, got 3");
/// ```
///
/// The runtime's form of llvm::Expected: it needs no LLVM, and an error that nobody
/// looks at is no mistake.

#ifndef MERCATOR_RUNTIME_FALLIBLE_H
#define MERCATOR_RUNTIME_FALLIBLE_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace mercator {

/// A sentence for a user.
struct Failure {
  explicit Failure(std::string why) : why(std::move(why)) {}
  std::string why;
};

template <typename T> class [[nodiscard]] Fallible {
public:
  Fallible(T value) : value(std::move(value)) {}                // NOLINT
  Fallible(Failure failure) : reason(std::move(failure.why)) {} // NOLINT

  explicit operator bool() const { return value.has_value(); }
  /// Requires: there is a value.
  T &operator*() { return assert(value), *value; }
  const T &operator*() const { return assert(value), *value; }
  T *operator->() { return assert(value), &*value; }
  const T *operator->() const { return assert(value), &*value; }
  /// Empty if there is a value.
  [[nodiscard]] const std::string &why() const { return reason; }
  [[nodiscard]] Failure takeFailure() { return Failure(std::move(reason)); }

private:
  std::optional<T> value;
  std::string reason;
};

} // namespace mercator

#endif // MERCATOR_RUNTIME_FALLIBLE_H
