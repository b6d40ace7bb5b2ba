// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of one tensor read which of another, one bit a pair; of maps,
// by trying every point.

#ifndef MERCATOR_TESTS_PROVENANCE_RELATION_H
#define MERCATOR_TESTS_PROVENANCE_RELATION_H

#include "Sample.h"

#include "mercator/indexing/decide/MapSet.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace mercator::testing {

struct Relation {
  Numbers from, to; ///< sizes
  int64_t rows = 1, columns = 1;
  std::vector<uint8_t> bits;

  Relation() = default;
  Relation(Numbers fromSizes, Numbers toSizes);
  [[nodiscard]] bool at(int64_t row, int64_t column) const {
    return bits[row * columns + column];
  }
  void set(int64_t row, int64_t column) { bits[row * columns + column] = 1; }
  [[nodiscard]] Relation transposed() const;
  [[nodiscard]] bool contains(const Relation &other) const;
  [[nodiscard]] int64_t count() const;
  bool operator==(const Relation &) const = default;
};

/// The first few pairs that are in only one of the two.
std::string difference(const Relation &expected, const Relation &got);

/// The element of the value that a runtime variable is read from; none where
/// there is no such value or element.
using ReadValue = llvm::function_ref<std::optional<int64_t>(
    const indexing::RuntimeVariable &v, llvm::ArrayRef<int64_t> index)>;

/// Adds what a map gives. Returns an error: the point and why it is none of the
/// two tensors'.
std::string addMap(Relation &relation, const indexing::Map &map,
                   ReadValue read);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_PROVENANCE_RELATION_H
