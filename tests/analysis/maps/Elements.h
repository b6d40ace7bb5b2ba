// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maps of one operation in both directions, against a relation found by
// enumerating all elements.

#ifndef MERCATOR_TESTS_ANALYSIS_MAPS_ELEMENTS_H
#define MERCATOR_TESTS_ANALYSIS_MAPS_ELEMENTS_H

#include "Program.h"
#include "tests/indexing/BruteForce.h"

namespace mercator::testing {

using indexing::testing::Index;
using indexing::testing::Reader;
using indexing::testing::Relation;

/// The union of the relations of a set of maps.
inline Relation unionOf(const MapSet &maps, const Reader &read = nullptr) {
  Relation all;
  for (const OperandMap &m : maps)
    for (const auto &[from, to] :
         indexing::testing::relationOf(m.map, read).pairs)
      all.add(from, to);
  all.normalize();
  return all;
}

enum class Fidelity {
  Exact,       ///< the maps must be exact
  Approximate, ///< the maps must be marked as not exact
};

/// `reads` has the pairs (element of the result, element of the operand).
inline void expectReads(mlir::Operation *op, unsigned operand, unsigned result,
                        Relation reads, Fidelity fidelity = Fidelity::Exact,
                        const Reader &read = nullptr) {
  reads.normalize();
  Arena arena;
  for (Direction direction : {kOut, kIn}) {
    MapSet maps = mapsOf(op, arena, direction, operand, result);
    Relation got = unionOf(maps, read);
    Relation expected = direction == kOut ? reads : reads.inverse();
    EXPECT_EQ(maps.isExact(), fidelity == Fidelity::Exact)
        << "operand " << operand << toString(maps);
    bool right = maps.isExact() ? got == expected : got.contains(expected);
    EXPECT_TRUE(right) << op->getName().getStringRef().str() << " operand "
                       << operand << " result " << result
                       << (direction == kOut ? " out" : " in") << toString(maps)
                       << indexing::testing::difference(expected, got);
  }
}

} // namespace mercator::testing

#endif // MERCATOR_TESTS_ANALYSIS_MAPS_ELEMENTS_H
