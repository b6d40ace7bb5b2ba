// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A system is a list of variables with bounds, and constraints on these
// variables.
//
//   d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 + d2 in [0, 5]
//     splits into the systems { d0, d2; d0 + d2 in [0, 5] } and { d1; }
//
// The points of a domain are the product of the points of its independent
// parts. So a question about a domain (is it empty? how many points has it?) is
// answered for each part, which is smaller by orders of magnitude.
//
// Internal to this library.

#ifndef MERCATOR_INDEXING_MAP_SYSTEM_H
#define MERCATOR_INDEXING_MAP_SYSTEM_H

#include "mercator/indexing/map/Domain.h"

namespace mercator::indexing {

struct System {
  llvm::SmallVector<Var, 8> vars;
  llvm::SmallVector<Interval, 8> bounds;
  llvm::SmallVector<Constraint, 8> constraints;

  /// The system of all variables of a domain, in the order of the domain.
  static System of(const Domain &domain);
  /// The product of the sizes of the bounds, if it fits int64.
  [[nodiscard]] std::optional<int64_t> boxSize() const;
};

/// Each variable that e uses, once, in no particular order.
[[nodiscard]] llvm::SmallVector<Var, 8> usedVars(const Arena &arena, Expr e);

/// Position of a variable in the list dims, ranges, runtimes of a domain.
[[nodiscard]] uint32_t slotOf(const Domain &domain, Var v);

/// The finest split of a system such that each constraint and each expression
/// of `together` uses variables of one part only. Constraints without variables
/// belong to no part.
[[nodiscard]] llvm::SmallVector<System, 4>
independentParts(const Arena &arena, const System &system,
                 llvm::ArrayRef<Expr> together = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_SYSTEM_H
