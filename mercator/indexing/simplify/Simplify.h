// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification: the same function on the same domain, in a smaller form.
//
//   (d0, d1) -> (d0 + d1 / 16, d1 mod 16), d0 in [0, 6], d1 in [0, 14]
//     => (d0, d1) -> (d0, d1)
//   (d0) -> ((d0 / 35) * 35 + d0 mod 35)      => (d0) -> (d0)
//   d0 in [0, 9], d0 mod 6 in [3, 3], d0 mod 4 in [1, 1]
//     => d0 in [9, 9]: the residues imply d0 = 9 (mod 12)
//
// ```cpp
// Arena arena;
// Domain domain;
// Expr d0 = domain.addDim(arena, {0, 99});
// Expr q = arena.scale(arena.floorDiv(d0, 35), 35);
// assert(simplify(arena, arena.add(q, arena.mod(d0, 35)), domain) == d0);
// ```
//
// Laws
//   simplify(m) and m have the same domain (as a set of points, up to dropped
//   range variables) and the same value at each point of it.
//   simplify(simplify(m)) == simplify(m).
//   Same input, same output: nothing depends on addresses or on hash order.
//
// Rules.def lists the rules. They are applied bottom-up, operands first, until
// none applies. Results are memoized by (domain, expression), so the cost is
// linear in the distinct nodes, not in the length of the text.
//
// Size. simplify(map) is never larger than the map, by sizeOf below. The rules
// lead to a normal form, in which maps are compared. The normal form of an
// expression may be larger than another form of it:
//   (d0 + 21) / 5          QuotientConstant  => (d0 + 1) / 5 + 4
//   d0 ceildiv 4           CeilDivToQuotient => (d0 + 3) / 4
//   (6*d0 + d1) mod 9      RemainderSplit    => ((d0 * 2) mod 3) * 3 + d1
// A result keeps its given form if its normal form is larger. So do the
// constraints, as a whole. `SimplifyOptions::normalForm` asks for the normal
// form; simplifying a single expression always gives it.
//
// Termination. Give each division node its height (nesting depth), and order
// expressions by the multiset of the heights of their divisions, quotients
// above remainders of one height; ties by the divisors, then by the number of
// terms. Each rule decreases in this well-founded order: rules on sums remove a
// division and add only its operands; QuotientNested replaces two quotients by
// one; *DropPart and *Split reduce a divisor; *Multiples, *Window and *Residue
// remove terms or the node; *Constant picks the one constant that moves the
// least value of the numerator into [0, c). Constraints lose a node or tighten,
// and tightening is limited (Propagation.h). As a safeguard, an expression is
// rewritten at most 32 times in a row, and a domain at most 16 times.

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

/// One application of a rule. For rules on constraints and bounds, `before` and
/// `after` are the constrained expressions; `after` may be the default handle.
struct RuleUse {
  Rule rule;
  Expr before, after;
};
using RuleTrace = llvm::SmallVector<RuleUse, 16>;

struct SimplifyOptions {
  /// Replace a variable whose bounds are one value by that value.
  bool foldPoints = true;
  /// Drop unused range and runtime variables, and replace range variables by
  /// fewer (RangeSolved, RangesMerged, RangeRescaled). Keeps the relation, but
  /// not the points.
  bool dropUnused = true;
  /// Keep the normal form even if it is larger than the given form.
  bool normalForm = false;
  /// Receives the rules used. Memoized results leave no trace: for a complete
  /// trace, use a fresh arena.
  RuleTrace *trace = nullptr;
};

/// The map in a smaller form, see above. Requires: every variable used is in
/// the domain.
[[nodiscard]] Map simplify(const Map &map, const SimplifyOptions &options = {});

/// True if the map has no constraints and no runtime variables, its results are
/// constants and variables with several values, and they use all range
/// variables. With `foldPoints` false, a dimension may have one value. Most maps
/// of operations are like this.
/// Ensures: simplify(map) == map, unless the domain has empty bounds.
[[nodiscard]] bool isSimple(const Map &map, bool foldPoints = true);

/// The normal form of one expression on a domain. Ensures: the same value at
/// each point of the domain.
[[nodiscard]] Expr simplify(Arena &arena, Expr e, const Domain &domain);

/// The number of operators, variables and constants in the text of an
/// expression: 5 for `(d0 + 1) / 2`. A sign belongs to its term. At most 2^31.
[[nodiscard]] uint32_t sizeOf(Arena &arena, Expr e);
/// The sum of the sizes of the results and the constraints, plus 1 for each
/// constraint.
[[nodiscard]] uint64_t sizeOf(const Map &map);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_SIMPLIFY_H
