// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interval analysis: an interval and a residue for each expression on a domain.
//
//   d0 in [0, 9], s0 in [0, 255], d0 + s0 in [0, 100], d0 mod 2 in [0, 0]
//
//   IntervalAnalysis bounds(arena, domain);
//   bounds.interval(arena.add(d0, s0))       [0, 100]: the constraint is used
//   bounds.residue(d0)                       {modulus 2, remainder 0}
//
// Laws. For every point p of the domain: the value of e at p lies in
// interval(e) and in residue(e). interval(e) is an over-approximation. It uses
// the box, the residues, every constraint on e itself, on a multiple of e or on
// a part of the sum e, and the correlation of x with the quotients of x in one
// sum. Propagation.h says what the constraints imply for single variables.
//
// Answers are memoised in the arena by (domain, expression): domains with equal
// bounds and constraints share them. Complexity: linear in the distinct nodes
// of e, times the constraints.

#ifndef MERCATOR_INDEXING_MAP_INTERVALANALYSIS_H
#define MERCATOR_INDEXING_MAP_INTERVALANALYSIS_H

#include "mercator/indexing/map/Domain.h"

namespace mercator::indexing {

/// Intervals and residues of expressions on one domain. Cheap to construct if
/// the arena has seen an equal domain before.
class IntervalAnalysis {
public:
  /// Copies what it needs of `domain` into the arena.
  IntervalAnalysis(Arena &arena, const Domain &domain);

  [[nodiscard]] Interval interval(Expr e);
  [[nodiscard]] Residue residue(Expr e);
  /// The interval of constant + sum of terms, without making the sum.
  [[nodiscard]] Interval interval(llvm::ArrayRef<Term> terms, int64_t constant);
  [[nodiscard]] Residue residue(llvm::ArrayRef<Term> terms, int64_t constant);

  [[nodiscard]] Arena &arena() const { return *theArena; }
  /// Equal for equal domains of one arena, never 0.
  [[nodiscard]] uint32_t epoch() const { return theEpoch; }
  [[nodiscard]] bool isKnownEmpty() const;

  struct Data; ///< the arena's copy of the domain
  [[nodiscard]] Data &data() const { return *theData; }

private:
  Interval memoisedInterval(Expr e);
  Interval computeInterval(Expr e);
  Interval naiveInterval(llvm::ArrayRef<Term> terms, int64_t constant);
  Arena *theArena;
  Data *theData;
  uint32_t theEpoch;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_INTERVALANALYSIS_H
