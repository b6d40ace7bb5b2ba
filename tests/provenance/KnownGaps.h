// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations whose maps are known to be wrong in some case, with the case. An
// entry that no random program needs is a failure, so the list only shrinks.

#ifndef MERCATOR_TESTS_PROVENANCE_KNOWNGAPS_H
#define MERCATOR_TESTS_PROVENANCE_KNOWNGAPS_H

#include "Check.h"

namespace mercator::testing {

struct KnownGap {
  const char *operation, *reason;
};

inline const std::vector<KnownGap> &knownGaps() {
  static const std::vector<KnownGap> gaps = {};
  return gaps;
}

/// Operations without an exact map in any random program. This list only
/// shrinks too.
inline bool isNeverExact(const std::string &operation) {
  static const std::vector<const char *> names = {};
  for (const char *name : names)
    if (operation == name)
      return true;
  return false;
}

/// True if a difference belongs to an operation of the list, or to a program
/// that contains one.
inline const KnownGap *isKnownGap(const Sample &sample,
                                  const Outcome &outcome) {
  for (const KnownGap &gap : knownGaps()) {
    if (outcome.operation == gap.operation)
      return &gap;
    if (outcome.operation == "(program)")
      for (const SampleOperation &op : sample.operations)
        if (op.name == gap.operation)
          return &gap;
  }
  return nullptr;
}

} // namespace mercator::testing

#endif // MERCATOR_TESTS_PROVENANCE_KNOWNGAPS_H
