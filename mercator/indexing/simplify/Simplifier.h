// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simplifier of expressions (Simplify.h): one object per domain.
//
// Split by root operator: SimplifySum.cpp, SimplifyDivision.cpp, and
// Simplify.cpp for the other operators and the walk. Internal to this library.

#ifndef MERCATOR_INDEXING_SIMPLIFY_SIMPLIFIER_H
#define MERCATOR_INDEXING_SIMPLIFY_SIMPLIFIER_H

#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::indexing {

class Simplifier {
public:
  Simplifier(Arena &arena, const Domain &domain, bool foldPoints = true,
             RuleTrace *trace = nullptr)
      : arena(arena), bounds(arena, domain), foldPoints(foldPoints),
        trace(trace) {}

  /// The normal form of e: rewrites until no rule applies.
  [[nodiscard]] Expr simplify(Expr e);

  IntervalAnalysis &getBounds() { return bounds; }

private:
  // One rewrite of a node whose operands are in normal form.
  Expr step(Expr e);
  Expr stepSum(Expr e);
  Expr stepProduct(Expr e);
  Expr stepQuotient(Expr e);
  Expr stepRemainder(Expr e);
  Expr stepMinMax(Expr e);

  // floor(n / c) and n mod c for a simplified n and a constant c > 0.
  Expr quotient(Expr n, int64_t c);
  Expr remainder(Expr n, int64_t c);
  Expr symbolicQuotient(Expr n, Expr y);
  Expr symbolicRemainder(Expr n, Expr y);

  /// A quotient or remainder by a constant while its rules are tried:
  ///   n / c = pulled + shift + (rest + constant) / c
  ///   n mod c = (rest + constant) mod c
  struct Division {
    Expr n;
    int64_t c;
    int64_t constant = 0;
    llvm::SmallVector<Term, 8> rest = {};   ///< no multiples of c
    llvm::SmallVector<Term, 8> pulled = {}; ///< multiples, divided by c
    int64_t shift = 0;
    Interval terms = {}; ///< the values of `rest`
    /// The first rule that changed this object.
    std::optional<Rule> changedBy = {};

    [[nodiscard]] Interval values() const {
      return terms + Interval::point(constant);
    }
  };
  bool moveConstant(Division &d);

  // One function for each rule on constant divisors. It returns the result, or
  // no expression if the rule does not apply. `d` may change even then: the
  // functions marked with * only change it.
  void tryQuotientMultiples(Division &d); // *
  Expr tryQuotientWindow(Division &d);
  Expr tryQuotientConstant(Division &d); // *
  Expr tryQuotientDropPart(Division &d);
  Expr tryQuotientNested(Division &d);
  Expr tryQuotientOfRemainder(Division &d);
  Expr tryRemainderNested(Expr n, int64_t c); ///< the new operand
  void tryRemainderMultiples(Division &d);    // *
  Expr tryRemainderResidue(Division &d);
  Expr tryRemainderWindow(Division &d);
  Expr tryRemainderConstant(Division &d); // *
  Expr tryRemainderWindowOfLeast(Division &d);
  Expr tryRemainderSplit(Division &d);
  /// The operand minus k*c, if all its values lie in [k*c, k*c + c).
  Expr windowOf(const Division &d, llvm::ArrayRef<Term> terms, Interval values);

  // The same for other divisors.
  Expr tryQuotientWindow(Expr n, Expr y);
  Expr tryQuotientSymbolic(Expr n, Expr y);
  Expr tryRemainderWindow(Expr n, Expr y);
  Expr tryRemainderSymbolic(Expr n, Expr y);

  /// A rule, and the function that tries it.
  struct DivisionRule {
    Rule rule;
    Expr (Simplifier::*apply)(Division &);
  };
  static const DivisionRule quotientRules[], remainderRules[];

  /// A numerator split into a multiple of g and a part that is too small to
  /// change the quotient: see QuotientDropPart in Rules.def.
  struct Drop {
    int64_t g = 1;                      ///< 1 if nothing can be dropped
    llvm::SmallVector<Term, 8> kept;    ///< divided by g
    llvm::SmallVector<Term, 8> dropped; ///< not divided
    int64_t carry = 0;                  ///< the dropped part adds this to kept
  };
  Drop findDrop(llvm::ArrayRef<Term> terms, int64_t constant, int64_t c);

  /// The terms of s that are multiples of y, divided by y, and the others.
  struct MultiplesOf {
    llvm::SmallVector<Term, 4> quotients, rest;
  };
  MultiplesOf splitBy(const LinearCopy &s, Expr y);

  // Rewrites on sums; true if `s` changed.
  bool mergePair(LinearCopy &s, size_t i);
  bool mergeDigits(LinearCopy &s, size_t i);
  bool mergeToRemainder(LinearCopy &s, size_t i);
  bool mergeProductPair(LinearCopy &s, size_t i);
  bool mergeCommonFactor(LinearCopy &s, size_t i);
  bool mergeSquares(LinearCopy &s, size_t i);
  bool mergeMinMax(LinearCopy &s, size_t i);
  bool mergeClasses(LinearCopy &s, size_t i);
  bool normalize(LinearCopy &s);

  Expr note(Rule rule, Expr before, Expr after) {
    if (trace && before != after)
      trace->push_back({rule, before, after});
    return after;
  }
  /// The same; makes `before` only if there is a trace.
  Expr noteDivision(Rule rule, bool isQuotient, Expr n, int64_t c, Expr after) {
    if (trace) {
      Expr before = isQuotient ? arena.floorDiv(n, c) : arena.mod(n, c);
      note(rule, before, after);
    }
    return after;
  }

  Arena &arena;
  IntervalAnalysis bounds;
  bool foldPoints;
  RuleTrace *trace;
  unsigned depth = 0;
  bool walking = false; ///< inside the non-recursive walk of a deep expression
};

/// The rules on constraints and expressions, until none applies.
void simplifyInPlace(Map &map, const SimplifyOptions &options);

/// Applies the rules on range variables until none applies. Returns whether
/// there was any map to try. Requires: simplifyInPlace does not change the map.
/// Ensures: the same relation, and a map that is not larger.
bool simplifyRanges(Map &map, const SimplifyOptions &options);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_SIMPLIFIER_H
