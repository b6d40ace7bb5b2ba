// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent parts of a domain, and the depth-first walk over its points.
//
// The split is a union-find over the variables, joined by constraints. The walk
// is backtracking search without learning: subexpressions and constraints are
// sorted by the last variable that they use, and are evaluated when that
// variable gets its value.

#include "mercator/indexing/map/System.h"

#include "mercator/indexing/expr/CheckedArithmetic.h"

#include "llvm/ADT/DenseMap.h"

namespace mercator::indexing {

System System::of(const Domain &domain) {
  System s;
  domain.forEachVar([&](Var v) {
    s.vars.push_back(v);
    s.bounds.push_back(domain.bounds(v));
  });
  s.constraints.assign(domain.constraints.begin(), domain.constraints.end());
  return s;
}

std::optional<int64_t> System::boxSize() const {
  int64_t product = 1;
  bool fits = true;
  for (Interval i : bounds) {
    if (i.isEmpty())
      return 0;
    std::optional<int64_t> n = i.size();
    fits = fits && n && !__builtin_mul_overflow(product, *n, &product);
  }
  return fits ? std::optional(product) : std::nullopt;
}

llvm::SmallVector<Var, 8> usedVars(const Arena &arena, Expr e) {
  llvm::SmallVector<Var, 8> result;
  VarSet set = arena.vars(e);
  if (!set.isExact()) {
    arena.forEachPostOrder(e, [&](Expr x) {
      if (arena.kind(x) == ExprKind::Variable)
        result.push_back(arena.var(x));
    });
    return result;
  }
  for (uint64_t bits = set.bits; bits; bits &= bits - 1) {
    uint32_t i = __builtin_ctzll(bits);
    if (i < VarSet::kDims)
      result.push_back({VarKind::Dim, i});
    else if (i < VarSet::kDims + VarSet::kRanges)
      result.push_back({VarKind::Range, i - VarSet::kDims});
    else
      result.push_back({VarKind::Runtime, i - VarSet::kDims - VarSet::kRanges});
  }
  return result;
}

uint32_t slotOf(const Domain &domain, Var v) {
  switch (v.kind) {
  case VarKind::Dim:
    return v.index;
  case VarKind::Range:
    return domain.dims.size() + v.index;
  case VarKind::Runtime:
    break;
  }
  return domain.dims.size() + domain.ranges.size() + v.index;
}

llvm::SmallVector<System, 4> independentParts(const Arena &arena,
                                              const System &system,
                                              llvm::ArrayRef<Expr> together) {
  llvm::SmallVector<uint32_t, 12> parent(system.vars.size());
  for (uint32_t i = 0; i < parent.size(); ++i)
    parent[i] = i;
  auto find = [&](uint32_t i) {
    while (parent[i] != i)
      i = parent[i] = parent[parent[i]];
    return i;
  };
  auto indexOf = [&](Var v) -> uint32_t {
    return llvm::find(system.vars, v) - system.vars.begin();
  };
  /// Merges the variables of e and returns their representative; past the end
  /// if e has no variables.
  auto merge = [&](Expr e) {
    uint32_t first = parent.size();
    for (Var v : usedVars(arena, e)) {
      uint32_t i = indexOf(v);
      if (i == parent.size())
        continue;
      i = find(i);
      if (first == parent.size())
        first = i;
      else
        parent[i] = first = find(first);
    }
    return first;
  };
  for (const Constraint &c : system.constraints)
    merge(c.expr);
  for (Expr e : together)
    merge(e);

  llvm::SmallVector<System, 4> parts;
  llvm::SmallVector<uint32_t, 12> partOf(parent.size(), ~0u);
  for (uint32_t i = 0; i < parent.size(); ++i) {
    uint32_t &part = partOf[find(i)];
    if (part == ~0u) {
      part = parts.size();
      parts.emplace_back();
    }
    parts[part].vars.push_back(system.vars[i]);
    parts[part].bounds.push_back(system.bounds[i]);
  }
  for (const Constraint &c : system.constraints)
    if (uint32_t i = merge(c.expr); i < parent.size())
      parts[partOf[find(i)]].constraints.push_back(c);
  return parts;
}

//===----------------------------------------------------------------------===//
// PointWalk
//===----------------------------------------------------------------------===//

PointWalk::PointWalk(const Arena &arena, const System &system,
                     llvm::ArrayRef<Expr> outputExprs)
    : numVars(system.vars.size()), given(system.bounds) {
  struct Entry {
    Expr e;
    uint32_t level, order;
    bool operator<(const Entry &o) const {
      return level != o.level ? level < o.level : order < o.order;
    }
  };
  llvm::SmallVector<Entry, 32> entries;
  llvm::DenseMap<uint32_t, uint32_t> levels; // by expression
  llvm::SmallVector<Expr, 8> operands;
  auto schedule = [&](Expr root) {
    arena.forEachPostOrder(root, [&](Expr e) {
      if (levels.contains(e.getId()))
        return;
      uint32_t level = 0;
      if (arena.kind(e) == ExprKind::Variable) {
        size_t i = llvm::find(system.vars, arena.var(e)) - system.vars.begin();
        // A variable that the system lacks has no value, see below.
        level = i == numVars ? 0 : i + 1;
      } else {
        operands.clear();
        arena.operands(e, operands);
        for (Expr op : operands)
          level = std::max(level, levels[op.getId()]);
        entries.push_back({e, level, static_cast<uint32_t>(entries.size())});
      }
      levels[e.getId()] = level;
    });
  };
  for (const Constraint &c : system.constraints)
    schedule(c.expr);
  for (Expr e : outputExprs)
    schedule(e);
  llvm::sort(entries);

  llvm::DenseMap<uint32_t, uint32_t> place; // by expression, into `value`
  auto placeOf = [&](Expr e) -> uint32_t {
    if (arena.kind(e) != ExprKind::Variable)
      return place[e.getId()];
    size_t i = llvm::find(system.vars, arena.var(e)) - system.vars.begin();
    if (i < numVars)
      return i;
    auto [it, isNew] = place.try_emplace(e.getId(), numVars + ops.size());
    if (isNew)
      ops.push_back({.kind = ExprKind::Variable, .level = 0}); // never defined
    return it->second;
  };
  // Variables that the system lacks come first, at level 0: they are operands
  // of the other nodes.
  for (auto [id, level] : levels)
    if (arena.kind(Expr(id)) == ExprKind::Variable)
      (void)placeOf(Expr(id));
  for (const Entry &entry : entries) {
    Expr e = entry.e;
    Op op{.kind = arena.kind(e), .level = entry.level};
    switch (op.kind) {
    case ExprKind::Constant:
      op.constant = arena.constantValue(e);
      break;
    case ExprKind::Sum:
    case ExprKind::Product: {
      llvm::ArrayRef<Term> list =
          op.kind == ExprKind::Sum ? arena.linear(e).terms : arena.factors(e);
      op.constant = op.kind == ExprKind::Sum ? arena.linear(e).constant : 0;
      op.a = terms.size();
      op.b = list.size();
      for (const Term &t : list)
        terms.push_back({placeOf(t.expr), t.coefficient});
      break;
    }
    default:
      op.a = placeOf(arena.lhs(e));
      op.b = placeOf(arena.rhs(e));
      op.constant = op.kind == ExprKind::Wide ? !arena.wideIsSum(e) : 0;
      break;
    }
    place[e.getId()] = numVars + ops.size();
    ops.push_back(op);
  }
  for (uint32_t level = 0, i = 0; level <= numVars + 1; ++level) {
    while (i < ops.size() && ops[i].level < level)
      ++i;
    firstOp.push_back(i);
  }
  for (uint32_t level = 0; level <= numVars + 1; ++level) {
    firstCheck.push_back(checks.size());
    for (const Constraint &c : system.constraints)
      if (levels[c.expr.getId()] == level)
        checks.push_back({placeOf(c.expr), c.bounds});
  }
  for (Expr e : outputExprs)
    outputs.push_back(placeOf(e));
  value.resize(numVars + ops.size());
  defined.resize(numVars + ops.size(), true);
  outputValues.resize(outputs.size());
}

std::optional<int64_t> PointWalk::evaluate(const Op &op) const {
  switch (op.kind) {
  case ExprKind::Constant:
    return op.constant;
  case ExprKind::Variable: // one that the system lacks
    return std::nullopt;
  case ExprKind::Sum:
  case ExprKind::Product: {
    CheckedSum sum(op.constant);
    CheckedProduct product;
    for (uint32_t i = op.a; i < op.a + op.b; ++i) {
      auto [operand, coefficient] = terms[i];
      if (!defined[operand])
        return std::nullopt;
      if (op.kind == ExprKind::Sum)
        sum.add(value[operand], coefficient);
      else
        product.multiply(value[operand], coefficient);
    }
    return op.kind == ExprKind::Sum ? sum.value() : product.value();
  }
  default:
    if (!defined[op.a] || !defined[op.b])
      return std::nullopt;
    return checkedBinary(op.kind, /*wideIsSum=*/op.constant == 0, value[op.a],
                         value[op.b]);
  }
}

std::optional<bool> PointWalk::enter(uint32_t level) {
  for (uint32_t i = firstOp[level]; i < firstOp[level + 1]; ++i) {
    std::optional<int64_t> result = evaluate(ops[i]);
    defined[numVars + i] = result.has_value();
    value[numVars + i] = result.value_or(0);
  }
  bool isDefined = true;
  for (uint32_t i = firstCheck[level]; i < firstCheck[level + 1]; ++i) {
    if (!defined[checks[i].operand])
      isDefined = false;
    else if (!checks[i].bounds.contains(value[checks[i].operand]))
      return true;
  }
  return isDefined ? std::nullopt : std::optional(false);
}

PointWalk::End PointWalk::run(int64_t &fuel, Visitor visit) {
  return run(given, fuel, visit);
}

PointWalk::End PointWalk::run(llvm::ArrayRef<Interval> bounds, int64_t &fuel,
                              Visitor visit) {
  for (Interval i : bounds) {
    if (i.isEmpty())
      return End::Complete;
    if (!i.isBounded())
      return End::Unbounded;
  }
  // The first `level` variables have values that no constraint excludes.
  uint32_t level = 0;
  std::optional<bool> cut = enter(0);
  while (true) {
    if (cut && !*cut)
      return End::Undefined;
    if (!cut && level == numVars) {
      for (size_t i = 0; i < outputs.size(); ++i) {
        if (!defined[outputs[i]])
          return End::Undefined;
        outputValues[i] = value[outputs[i]];
      }
      if (!visit(values(), outputValues))
        return End::Stopped;
    }
    if (!cut && level < numVars) {
      value[level] = bounds[level].lower;
      ++level;
    } else {
      while (level > 0 && value[level - 1] == bounds[level - 1].upper)
        --level;
      if (level == 0)
        return End::Complete;
      ++value[level - 1];
    }
    // Long expressions cost more than one step.
    fuel -= 1 + (firstOp[level + 1] - firstOp[level]) / 64;
    if (fuel < 0)
      return End::OutOfFuel;
    cut = enter(level);
  }
}

} // namespace mercator::indexing
