// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relations between the elements of two tensors, one bit per pair. The relation
// of a map is found by enumerating its points.

#ifndef MERCATOR_TESTS_PROVENANCE_RELATION_H
#define MERCATOR_TESTS_PROVENANCE_RELATION_H

#include "tests/random/programs/Sample.h"

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

/// The first few pairs that are in only one of the relations.
std::string difference(const Relation &expected, const Relation &got);

/// The element of the value that a runtime variable is read from; nothing if
/// the value or the element does not exist.
using ReadValue = llvm::function_ref<std::optional<int64_t>(
    const indexing::RuntimeVariable &v, llvm::ArrayRef<int64_t> index)>;

/// Adds the pairs of a map. Returns an error if a point lies outside the two
/// tensors, else the empty string.
std::string addMap(Relation &relation, const indexing::Map &map,
                   ReadValue read);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_PROVENANCE_RELATION_H
