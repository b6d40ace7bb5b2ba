// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification: the same function on the same domain, with less in it.
//
//   (d0, d1) -> (d0 + d1 / 16, d1 mod 16), d0 in [0, 6], d1 in [0, 14]
//     => (d0, d1) -> (d0, d1)
//   (d0) -> ((d0 / 35) * 35 + d0 mod 35)      => (d0) -> (d0)
//   d0 in [0, 9], d0 mod 6 in [3, 3], d0 mod 4 in [1, 1]
//     => d0 in [9, 9]: the residues say d0 = 9 (mod 12)
//
// Laws
//   simplify(m) and m have the same domain (as a set of points, up to dropped
//   range variables) and the same value at each point of it.
//   simplify(simplify(m)) == simplify(m).
//   Same input, same output: nothing depends on addresses or on hash order.
//
// The rules are listed in Rules.def. They are applied bottom-up, each node's
// operands first, to a fixed point, and remembered by (domain, expression), so
// the cost is linear in the distinct nodes, whatever the size of the expression
// written out.
//
// Size. simplify(map) is never larger than the map: sizeOf below counts what is
// written. The rules lead to a normal form, in which maps are compared, and the
// normal form of an expression may be larger than another form of it:
//   (d0 + 21) / 5          QuotientConstant  => (d0 + 1) / 5 + 4
//   d0 ceildiv 4           CeilDivToQuotient => (d0 + 3) / 4
//   (6*d0 + d1) mod 9      RemainderSplit    => ((d0 * 2) mod 3) * 3 + d1
// A result whose normal form is larger than the result given stays as it was
// given, and so do the constraints as a whole. Ask for the normal form with
// `SimplifyOptions::normalForm`; simplifying one expression always gives it.
//
// Why it terminates. Give each division node its height (nesting depth), and
// order expressions by the multiset of the heights of their divisions,
// quotients above remainders of one height; ties by the divisors, then by the
// number of terms. Each rule goes down in that well-founded order: rules on
// sums remove a division and bring in only what stood inside it; QuotientNested
// trades two quotients for one; *DropPart and *Split make a divisor smaller;
// *Multiples, *Window and *Residue drop terms or the node; *Constant picks the
// one constant that puts the numerator's least value into [0, c). Constraints
// lose a node or tighten, and tightening is limited (Propagation.h). As a belt,
// an expression is rewritten at most 32 times in a row, and a domain at most 16
// times.

#ifndef MERCATOR_INDEXING_SIMPLIFY_SIMPLIFY_H
#define MERCATOR_INDEXING_SIMPLIFY_SIMPLIFY_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

enum class Rule : uint8_t {
#define RULE(name, rewrite, condition) name,
#include "mercator/indexing/simplify/Rules.def"
};

struct RuleInfo {
  llvm::StringRef name, rewrite, condition;
};
[[nodiscard]] const RuleInfo &ruleInfo(Rule rule);
[[nodiscard]] llvm::ArrayRef<RuleInfo> allRules();

/// One application of a rule. For rules on constraints and bounds `before` and
/// `after` are the constrained expressions; `after` may be no expression.
struct RuleUse {
  Rule rule;
  Expr before, after;
};
using RuleTrace = llvm::SmallVector<RuleUse, 16>;

struct SimplifyOptions {
  /// Replace a variable whose bounds are one value by that value.
  bool foldPoints = true;
  /// Drop range and runtime variables that nothing uses, and replace range
  /// variables by fewer (RangeSolved, RangesMerged, RangeRescaled). The same
  /// relation, no longer the same points.
  bool dropUnused = true;
  /// Keep the normal form also where it is larger than what was given.
  bool normalForm = false;
  /// Where to write the rules used. Results remembered from before leave no
  /// trace: for the whole story use a fresh arena.
  RuleTrace *trace = nullptr;
};

/// Requires: every variable used is in the domain.
[[nodiscard]] Map simplify(const Map &map, const SimplifyOptions &options = {});

/// The normal form of one expression on a domain. Ensures: the same value at
/// each point of it.
[[nodiscard]] Expr simplify(Arena &arena, Expr e, const Domain &domain);

/// The number of operators, variables and constants of an expression as it is
/// written: 5 for `(d0 + 1) / 2`. A sign is part of its term. Stops at 2^31.
[[nodiscard]] uint32_t sizeOf(Arena &arena, Expr e);
/// The sizes of the results and the constraints, and 1 for each constraint.
[[nodiscard]] uint64_t sizeOf(const Map &map);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_SIMPLIFY_H
