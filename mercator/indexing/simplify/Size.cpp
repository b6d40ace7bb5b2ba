// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of expressions and maps: the number of operators, variables and
// constants in their text.

#include "mercator/indexing/map/Analyses.h"
#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::indexing {

static uint32_t limited(uint64_t size) {
  return static_cast<uint32_t>(std::min<uint64_t>(size, uint64_t(1) << 31));
}

/// Recurses into operands whose sizes are not remembered.
static uint64_t computeSize(Arena &arena, Expr e) {
  switch (arena.kind(e)) {
  case ExprKind::Constant:
  case ExprKind::Variable:
    return 1;
  case ExprKind::Sum: {
    Linear l = arena.linear(e);
    // The operators between the terms, and the constant with its operator.
    uint64_t size = l.terms.size() - 1 + (l.constant != 0 ? 2 : 0);
    for (const Term &t : l.terms)
      size += sizeOf(arena, t.expr) +
              (t.coefficient == 1 || t.coefficient == -1 ? 0 : 2);
    return size;
  }
  case ExprKind::Product: {
    uint64_t size = 0;
    for (const Term &t : arena.factors(e))
      size =
          limited(size + t.coefficient * (uint64_t(sizeOf(arena, t.expr)) + 1));
    return size - 1;
  }
  default:
    return uint64_t(sizeOf(arena, arena.lhs(e))) + sizeOf(arena, arena.rhs(e)) +
           1;
  }
}

uint32_t sizeOf(Arena &arena, Expr root) {
  if (arena.height(root) == 0)
    return 1; // a constant or a variable
  Analyses &state = analysesOf(arena);
  auto compute = [&](Expr e) {
    uint32_t size = limited(computeSize(arena, e));
    return state.memo(arena, e).size = size;
  };
  if (uint32_t known = state.memo(arena, root).size)
    return known;
  if (arena.height(root) > kDeep)
    arena.forEachPostOrder(root, [&](Expr e) {
      if (state.memo(arena, e).size == 0)
        compute(e);
    });
  return compute(root);
}

uint64_t sizeOf(const Map &map) {
  uint64_t size = map.domain.constraints.size();
  for (Expr e : map.results)
    size += sizeOf(*map.arena, e);
  for (const Constraint &c : map.domain.constraints)
    size += sizeOf(*map.arena, c.expr);
  return size;
}

} // namespace mercator::indexing
