// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The answer of an analysis, together with how certain it is and why.
///
///   Verdict<int64_t> sectors = {
///       32,
///       {.exactness = Exactness::Exact,
///        .reason = "lanes are 4096 B apart",
///        .map = "(d0, d1) -> (d1, d0)",
///        .term = "d1 * 4096",
///        .help = "stage a tile of 32x32 elements in shared memory"}};
///
/// Text, JSON and other views of an analysis print this type. None of them
/// computes a reason of its own.

#ifndef MERCATOR_SUPPORT_VERDICT_H
#define MERCATOR_SUPPORT_VERDICT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdint>
#include <string>

namespace mercator {

/// How a value relates to the true one.
enum class Exactness : uint8_t {
  Exact,      ///< equal
  UpperBound, ///< at least the true value
  LowerBound, ///< at most the true value
  Sampled,    ///< estimated from some of the cases; no bound
  Unknown,    ///< the value says nothing
};

/// `exact`, `upper-bound`, `lower-bound`, `sampled` or `unknown`, as in JSON.
[[nodiscard]] inline llvm::StringRef nameOf(Exactness exactness) {
  switch (exactness) {
  case Exactness::Exact:
    return "exact";
  case Exactness::UpperBound:
    return "upper-bound";
  case Exactness::LowerBound:
    return "lower-bound";
  case Exactness::Sampled:
    return "sampled";
  case Exactness::Unknown:
    return "unknown";
  }
  llvm_unreachable("an exactness");
}

/// Why a value is what it is. Each text is one line without a full stop, and
/// empty if there is nothing to say.
struct Grounds {
  Exactness exactness = Exactness::Unknown;
  /// The cause: "lanes are 4096 B apart".
  std::string reason = {};
  /// The map that decides, in the notation, and the part of it that decides.
  std::string map = {}, term = {};
  /// The smallest change that would give another value.
  std::string help = {};
};

template <typename T> struct Verdict {
  T value = {};
  Grounds why = {};

  [[nodiscard]] bool isExact() const {
    return why.exactness == Exactness::Exact;
  }
};

} // namespace mercator

#endif // MERCATOR_SUPPORT_VERDICT_H
