// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/evaluate/PointWalk.h"
#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/expr/CheckedArithmetic.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace mercator::indexing {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Points that are evaluated together, and handed over in their order.
class PointWalk::Blocks {
public:
  explicit Blocks(const PointWalk &walk);

  /// True if every expression has a value at every point of the box.
  [[nodiscard]] bool isProven() const { return program.isProven(); }
  /// Adds the points (prefix, first) to (prefix, first + n - 1). False if the
  /// visitor wants no more.
  bool add(llvm::ArrayRef<int64_t> prefix, int64_t first, uint64_t n,
           Visitor visit);
  /// Visits the points that were added. False if the visitor wants no more.
  bool flush(Visitor visit);
  /// Forgets the points that were added.
  void clear() { filled = 0; }

private:
  static constexpr size_t kCapacity = 256;

  size_t numVars;
  llvm::SmallVector<Interval, 8> checks; ///< of the first outputs
  CompiledExprs program;
  std::vector<int64_t> storage;
  llvm::SmallVector<int64_t *, 16> inputs, outputs; ///< columns
  llvm::SmallVector<int64_t, 16> point, values;     ///< what is visited
  size_t filled = 0;
};

/// The constraints that the last variable completes, then the outputs.
static llvm::SmallVector<Expr, 16> lastExprs(const Arena &arena,
                                             const System &system,
                                             llvm::ArrayRef<Expr> outputs) {
  llvm::SmallVector<Expr, 16> exprs;
  for (const Constraint &c : system.constraints)
    if (arena.uses(c.expr, system.vars.back()))
      exprs.push_back(c.expr);
  llvm::append_range(exprs, outputs);
  return exprs;
}

PointWalk::Blocks::Blocks(const PointWalk &walk)
    : numVars(walk.numVars),
      program(walk.arena, walk.system,
              lastExprs(walk.arena, walk.system, walk.outputExprs)),
      point(numVars), values(walk.outputExprs.size()) {
  for (const Constraint &c : walk.system.constraints)
    if (walk.arena.uses(c.expr, walk.system.vars.back()))
      checks.push_back(c.bounds);
  storage.resize((numVars + program.numOutputs()) * kCapacity);
  for (size_t i = 0; i < numVars + program.numOutputs(); ++i)
    (i < numVars ? inputs : outputs).push_back(storage.data() + i * kCapacity);
}

bool PointWalk::Blocks::add(llvm::ArrayRef<int64_t> prefix, int64_t first,
                            uint64_t n, Visitor visit) {
  while (n > 0) {
    size_t part = std::min<uint64_t>(n, kCapacity - filled);
    for (size_t v = 0; v + 1 < numVars; ++v)
      std::fill_n(inputs[v] + filled, part, prefix[v]);
    for (size_t i = 0; i < part; ++i)
      inputs.back()[filled + i] = first + static_cast<int64_t>(i);
    filled += part;
    first += static_cast<int64_t>(part);
    n -= part;
    if (filled == kCapacity && !flush(visit))
      return false;
  }
  return true;
}

bool PointWalk::Blocks::flush(Visitor visit) {
  size_t n = std::exchange(filled, 0);
  if (n == 0)
    return true;
  uint8_t inside[kCapacity], defined[kCapacity];
  (void)program.evaluate(n, inputs.data(), outputs.data(), defined);
  std::memset(inside, 1, n);
  for (auto [bounds, column] : llvm::zip(checks, outputs))
    for (size_t i = 0; i < n; ++i)
      inside[i] &= (column[i] >= bounds.lower) & (column[i] <= bounds.upper);
  for (size_t i = 0; i < n; ++i) {
    if (!inside[i])
      continue;
    for (size_t v = 0; v < numVars; ++v)
      point[v] = inputs[v][i];
    for (size_t r = 0; r < values.size(); ++r)
      values[r] = outputs[checks.size() + r][i];
    if (!visit(point, values))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

PointWalk::~PointWalk() = default;
PointWalk::PointWalk(PointWalk &&) noexcept = default;

PointWalk::PointWalk(const Arena &arena, const System &given,
                     llvm::ArrayRef<Expr> exprs)
    : arena(arena), system(given), outputExprs(exprs.begin(), exprs.end()),
      numVars(given.vars.size()) {
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
        // A variable that the system lacks has no value: see below.
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
    hasUnknown = true;
    if (isNew)
      ops.push_back({.kind = ExprKind::Variable, .level = 0}); // never defined
    return it->second;
  };
  // Unknown variables first, at level 0: the operations below use them.
  for (auto [id, level] : levels)
    if (arena.kind(Expr(id)) == ExprKind::Variable)
      (void)placeOf(Expr(id));
  for (const Entry &entry : entries) {
    Expr e = entry.e;
    Op op{.kind = operation(arena, e), .level = entry.level};
    switch (arena.kind(e)) {
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
    case ExprKind::Wide:
      op.a = terms.size();
      op.b = 2;
      terms.push_back({placeOf(arena.lhs(e)), 1});
      terms.push_back({placeOf(arena.rhs(e)), 1});
      break;
    default:
      op.a = placeOf(arena.lhs(e));
      op.b = placeOf(arena.rhs(e));
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

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

std::optional<int64_t> PointWalk::evaluate(const Op &op) const {
  auto valueOf = [&](const OpTerm &t) {
    return defined[t.operand] ? std::optional(value[t.operand]) : std::nullopt;
  };
  switch (op.kind) {
  case ExprKind::Constant:
    return op.constant;
  case ExprKind::Variable: // one that the system lacks
    return std::nullopt;
  case ExprKind::Sum:
  case ExprKind::Product:
    return applyOp(op.kind, op.constant,
                   llvm::ArrayRef(terms).slice(op.a, op.b), valueOf);
  default:
    if (!defined[op.a] || !defined[op.b])
      return std::nullopt;
    return applyOp(op.kind, value[op.a], value[op.b]);
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

bool PointWalk::canUseBlocks(llvm::ArrayRef<Interval> bounds) {
  if (hasUnknown)
    return false;
  if (!blocks)
    blocks = std::make_unique<Blocks>(*this);
  if (!blocks->isProven())
    return false;
  // What is proved holds in the box of the system.
  for (auto [inner, outer] : llvm::zip_equal(bounds, system.bounds))
    if (!outer.contains(inner))
      return false;
  return true;
}

std::optional<PointWalk::End> PointWalk::runBlocks(int64_t last, Budget &budget,
                                                   Visitor visit) {
  int64_t first = value[numVars - 1], each = cost(numVars);
  uint64_t wanted = static_cast<uint64_t>(last) - first + 1,
           affordable = std::max<int64_t>(budget.steps, 0) / each,
           n = std::min(wanted, affordable);
  budget.steps -= static_cast<int64_t>(n) * each;
  if (!blocks->add(value, first, n, visit))
    return End::Stopped;
  if (n == wanted)
    return std::nullopt;
  budget.steps -= each;
  return End::OverBudget;
}

PointWalk::End PointWalk::run(Budget &budget, Visitor visit) {
  return run(system.bounds, budget, visit);
}

PointWalk::End PointWalk::run(llvm::ArrayRef<Interval> bounds, Budget &budget,
                              Visitor visit) {
  for (Interval i : bounds) {
    if (i.isEmpty())
      return End::Complete;
    if (!i.isBounded())
      return End::Unbounded;
  }
  End end = runOneByOne(bounds, budget, visit);
  if (!blocks)
    return end;
  if (end == End::Stopped)
    blocks->clear();
  return blocks->flush(visit) ? end : End::Stopped;
}

PointWalk::End PointWalk::runOneByOne(llvm::ArrayRef<Interval> bounds,
                                      Budget &budget, Visitor visit) {
  // Steps at the last variable before the blocks begin. To make the program
  // costs as much as some hundred of them.
  int64_t alone = blocks ? 8 : 128;
  bool inBlocks = false;
  // `level` variables have values that no constraint so far excludes.
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
      if (!visit(llvm::ArrayRef<int64_t>(value).take_front(numVars),
                 outputValues))
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
    if (level == numVars && --alone == 0)
      inBlocks = canUseBlocks(bounds);
    if (level == numVars && inBlocks) {
      int64_t last = bounds[level - 1].upper;
      if (std::optional<End> end = runBlocks(last, budget, visit))
        return *end;
      value[level - 1] = last;
      cut = true;
      continue;
    }
    if (!budget.spend(cost(level)))
      return End::OverBudget;
    cut = enter(level);
  }
}

const char *reasonOf(PointWalk::End end) {
  switch (end) {
  case PointWalk::End::Undefined:
    return "a division by zero or a value outside int64";
  case PointWalk::End::Unbounded:
    return "a variable without bounds";
  default:
    return "its size";
  }
}

} // namespace mercator::indexing
