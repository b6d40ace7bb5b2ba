// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encoding of systems as integer polyhedra.
//
// Divisions are encoded as in W. Pugh's Omega test: floor(x / c) is a new
// variable q with 0 <= x - c*q <= c - 1. The expressions of the system are
// listed in post-order once. Then each case, that is, each choice of operands
// of minima and maxima, builds its polyhedron in one pass over the list.

#include "mercator/indexing/decide/Presburger.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mercator::indexing {

using llvm::DynamicAPInt;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

namespace {
/// constant + sum of coefficients[i] * column i; missing coefficients are zero.
struct Affine {
  llvm::SmallVector<DynamicAPInt, 8> coefficients;
  DynamicAPInt constant;

  void add(const Affine &o, const DynamicAPInt &k) {
    if (coefficients.size() < o.coefficients.size())
      coefficients.resize(o.coefficients.size());
    for (size_t i = 0; i < o.coefficients.size(); ++i)
      coefficients[i] += o.coefficients[i] * k;
    constant += o.constant * k;
  }
  [[nodiscard]] bool isConstant() const {
    return llvm::all_of(coefficients,
                        [](const DynamicAPInt &c) { return c == 0; });
  }
};

bool isMinMax(ExprKind k) { return k == ExprKind::Min || k == ExprKind::Max; }

/// A min or max, with the operands of nested ones of the same kind.
struct Selection {
  Expr root;
  llvm::SmallVector<Expr, 4> operands;
};

/// The expressions of a system in post-order, and its selections.
struct Plan {
  llvm::SmallVector<Expr, 32> order;
  llvm::SmallVector<Selection, 2> selections;

  Plan(const Arena &arena, const System &system) {
    llvm::DenseSet<uint32_t> seen;
    for (const Constraint &c : system.constraints)
      arena.forEachPostOrder(c.expr, [&](Expr e) {
        if (seen.insert(e.getId()).second)
          order.push_back(e);
      });
    llvm::DenseSet<uint32_t> roots;
    auto root = [&](Expr e) {
      if (isMinMax(arena.kind(e)) && roots.insert(e.getId()).second)
        selections.push_back({e, flatten(arena, e)});
    };
    for (const Constraint &c : system.constraints)
      root(c.expr);
    llvm::SmallVector<Expr, 8> operands;
    for (Expr e : order) {
      operands.clear();
      arena.operands(e, operands);
      for (Expr op : operands)
        if (arena.kind(op) != arena.kind(e))
          root(op);
    }
  }

  static llvm::SmallVector<Expr, 4> flatten(const Arena &arena, Expr root) {
    llvm::SmallVector<Expr, 4> leaves, stack{root};
    llvm::DenseSet<uint32_t> seen;
    while (!stack.empty()) {
      Expr e = stack.pop_back_val();
      if (!seen.insert(e.getId()).second)
        continue;
      if (arena.kind(e) != arena.kind(root)) {
        leaves.push_back(e);
        continue;
      }
      stack.push_back(arena.lhs(e));
      stack.push_back(arena.rhs(e));
    }
    return leaves;
  }
};

/// Encodes one case: selection i takes operand `choice[i]`.
class CaseEncoder {
public:
  CaseEncoder(const Arena &arena, const System &system, EncodingLimits limits)
      : arena(arena), system(system), limits(limits),
        set(PresburgerSpace::getSetSpace(system.vars.size())) {}

  /// Null, or the reason of a refusal.
  const char *run(const Plan &plan, llvm::ArrayRef<unsigned> choice) {
    for (size_t i = 0; i < system.vars.size(); ++i)
      bound(columnForm(i), system.bounds[i]);
    for (Expr e : plan.order)
      if (const char *refusal = node(e, plan, choice))
        return refusal;
    for (size_t i = 0; i < plan.selections.size(); ++i)
      select(plan.selections[i], choice[i]);
    for (const Constraint &c : system.constraints)
      bound(forms[c.expr.getId()], c.bounds);
    return nullptr;
  }

  IntegerPolyhedron take() { return std::move(set); }

private:
  static Affine columnForm(unsigned column) {
    Affine a;
    a.coefficients.resize(column + 1);
    a.coefficients[column] = 1;
    return a;
  }

  /// The row k * form + constant of the constraint matrix.
  llvm::SmallVector<DynamicAPInt, 16> row(const Affine &form, int k,
                                          const DynamicAPInt &constant) const {
    llvm::SmallVector<DynamicAPInt, 16> r(set.getNumCols());
    for (size_t i = 0; i < form.coefficients.size(); ++i)
      r[i] = form.coefficients[i] * k;
    r.back() = form.constant * k + constant;
    return r;
  }

  /// Adds bounds.lower <= form <= bounds.upper.
  void bound(const Affine &form, Interval bounds) {
    if (bounds.isPoint()) {
      set.addEquality(row(form, 1, -DynamicAPInt(bounds.lower)));
      return;
    }
    if (bounds.hasLower())
      set.addInequality(row(form, 1, -DynamicAPInt(bounds.lower)));
    if (bounds.hasUpper())
      set.addInequality(row(form, -1, DynamicAPInt(bounds.upper)));
  }

  void select(const Selection &s, unsigned chosen) {
    const Affine &best = forms[s.operands[chosen].getId()];
    bool isMin = arena.kind(s.root) == ExprKind::Min;
    for (unsigned i = 0; i < s.operands.size(); ++i) {
      if (i == chosen)
        continue;
      Affine gap = forms[s.operands[i].getId()];
      gap.add(best, DynamicAPInt(-1));
      // Ties select the first operand, so that the cases are disjoint.
      set.addInequality(
          row(gap, isMin ? 1 : -1, DynamicAPInt(i < chosen ? -1 : 0)));
    }
  }

  /// Adds the local for floor(form / divisor).
  const char *quotient(Expr face, const Affine &form, int64_t divisor,
                       Affine &out) {
    // The quotient and the remainder share their local.
    uint32_t key = face.getId() & ~1u;
    if (auto it = locals.find(key); it != locals.end()) {
      out = columnForm(it->second);
      return nullptr;
    }
    if (set.getNumVars() >= limits.maxColumns)
      return "its many quotients and remainders";
    unsigned column = set.addLocalFloorDiv(row(form, 1, DynamicAPInt(0)),
                                           DynamicAPInt(divisor));
    locals[key] = column;
    out = columnForm(column);
    return nullptr;
  }

  const char *node(Expr e, const Plan &plan, llvm::ArrayRef<unsigned> choice) {
    Affine form;
    const char *refusal = nullptr;
    switch (arena.kind(e)) {
    case ExprKind::Constant:
      form.constant = arena.constantValue(e);
      break;
    case ExprKind::Variable: {
      auto it = llvm::find(system.vars, arena.var(e));
      if (it == system.vars.end())
        return "a variable that the domain does not declare";
      form = columnForm(it - system.vars.begin());
      break;
    }
    case ExprKind::Sum: {
      Linear l = arena.linear(e);
      form.constant = l.constant;
      for (const Term &t : l.terms)
        form.add(forms[t.expr.getId()], DynamicAPInt(t.coefficient));
      break;
    }
    case ExprKind::Product:
      return "a product of variables";
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::CeilDiv: {
      int64_t d = arena.divisor(e);
      if (d == 0)
        return "a divisor that is not a positive constant";
      Affine x = forms[arena.lhs(e).getId()];
      if (arena.kind(e) == ExprKind::CeilDiv)
        x.constant += d - 1;
      refusal = quotient(e, x, d, form);
      if (arena.kind(e) == ExprKind::Remainder) {
        x.add(form, DynamicAPInt(-d));
        form = std::move(x);
      }
      break;
    }
    case ExprKind::Min:
    case ExprKind::Max:
      for (size_t i = 0; i < plan.selections.size(); ++i)
        if (plan.selections[i].root == e)
          form = forms[plan.selections[i].operands[choice[i]].getId()];
      break;
    case ExprKind::Wide: {
      const Affine &a = forms[arena.lhs(e).getId()],
                   &b = forms[arena.rhs(e).getId()];
      form = a;
      if (arena.wideIsSum(e)) {
        form.add(b, DynamicAPInt(1));
      } else {
        if (!a.isConstant() && !b.isConstant())
          return "a product of variables";
        const Affine &factor = a.isConstant() ? a : b;
        form = Affine();
        form.add(a.isConstant() ? b : a, factor.constant);
      }
      break;
    }
    }
    if (!refusal)
      forms[e.getId()] = std::move(form);
    return refusal;
  }

  const Arena &arena;
  const System &system;
  EncodingLimits limits;
  IntegerPolyhedron set;
  llvm::DenseMap<uint32_t, Affine> forms;
  llvm::DenseMap<uint32_t, unsigned> locals;
};
} // namespace

std::optional<int64_t> toInt64(const DynamicAPInt &x) {
  if (x < DynamicAPInt(Interval::kMin) || x > DynamicAPInt(Interval::kMax))
    return std::nullopt;
  return static_cast<int64_t>(x);
}

Encoding encode(const Arena &arena, const System &system,
                EncodingLimits limits) {
  Encoding result;
  if (system.vars.size() > limits.maxColumns) {
    result.refusal = "its many variables";
    return result;
  }
  Plan plan(arena, system);
  size_t cases = 1;
  for (const Selection &s : plan.selections) {
    cases *= s.operands.size();
    if (cases > limits.maxCases) {
      result.refusal = "its many minima and maxima";
      return result;
    }
  }
  llvm::SmallVector<unsigned, 2> choice(plan.selections.size(), 0);
  for (size_t n = 0; n < cases; ++n) {
    CaseEncoder encoder(arena, system, limits);
    if ((result.refusal = encoder.run(plan, choice))) {
      result.cases.clear();
      return result;
    }
    result.cases.push_back(encoder.take());
    for (size_t i = 0; i < choice.size(); ++i) {
      if (++choice[i] < plan.selections[i].operands.size())
        break;
      choice[i] = 0;
    }
  }
  return result;
}

} // namespace mercator::indexing
