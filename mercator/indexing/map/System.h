// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A system is some variables with bounds, and constraints that speak of no
// others.
//
//   d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 + d2 in [0, 5]
//     falls apart into the systems { d0, d2; d0 + d2 in [0, 5] } and { d1; }
//
// The points of a domain are the product of the points of its independent
// parts, so what is asked of a domain (is it empty? how many points?) is asked
// of each part, where it is smaller by orders of magnitude.
//
// Internal to the room.

#ifndef MERCATOR_INDEXING_MAP_SYSTEM_H
#define MERCATOR_INDEXING_MAP_SYSTEM_H

#include "mercator/indexing/map/Domain.h"

namespace mercator::indexing {

struct System {
  llvm::SmallVector<Var, 8> vars;
  llvm::SmallVector<Interval, 8> bounds;
  llvm::SmallVector<Constraint, 8> constraints;

  /// The whole of a domain. Variables in the domain's order.
  static System of(const Domain &domain);
  /// The product of the sizes of the bounds, where it fits int64.
  [[nodiscard]] std::optional<int64_t> boxSize() const;
};

/// Each variable that e uses, once, in no particular order.
[[nodiscard]] llvm::SmallVector<Var, 8> usedVars(const Arena &arena, Expr e);

/// Position of a variable in the list dims, ranges, runtimes of a domain.
[[nodiscard]] uint32_t slotOf(const Domain &domain, Var v);

/// The finest split of a system such that no constraint and no expression of
/// `together` uses variables of two parts. Constraints without variables are in
/// no part.
[[nodiscard]] llvm::SmallVector<System, 4>
independentParts(const Arena &arena, const System &system,
                 llvm::ArrayRef<Expr> together = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_SYSTEM_H
