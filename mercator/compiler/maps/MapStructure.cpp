// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map as a JSON value: variables, expression trees, constraints.

#include "mercator/compiler/maps/Maps.h"
#include "mercator/indexing/notation/Notation.h"

using namespace mercator;
using namespace mercator::indexing;

namespace {

class StructureWriter {
public:
  StructureWriter(const Map &map, llvm::json::OStream &json)
      : map(map), arena(*map.arena), json(json),
        names(variableNames(arena, map.domain)) {}

  void write() {
    json.object([&] {
      if (map.isKnownEmpty())
        json.attribute("empty", true);
      json.attributeArray("variables", [&] {
        const Domain &d = map.domain;
        size_t at = 0;
        for (const Variable &v : d.dims)
          variable(names[at++], "dimension", v.bounds);
        for (const Variable &v : d.ranges)
          variable(names[at++], "range", v.bounds);
        for (const RuntimeVariable &v : d.runtimes)
          variable(names[at++], v.isParameter ? "parameter" : "runtime",
                   v.bounds);
      });
      json.attributeArray("results", [&] {
        for (Expr e : map.results)
          tree(e);
      });
      json.attributeArray("constraints", [&] {
        for (const Constraint &c : map.domain.constraints)
          json.object([&] {
            json.attributeBegin("value");
            tree(c.expr);
            json.attributeEnd();
            interval(c.bounds);
          });
      });
    });
  }

private:
  /// Deeper trees are written as text.
  static constexpr unsigned kMostNested = 128;

  void variable(const std::string &name, llvm::StringRef kind, Interval i) {
    json.object([&] {
      json.attribute("name", name);
      json.attribute("kind", kind);
      interval(i);
    });
  }

  /// `null` for a missing bound.
  void interval(Interval i) {
    json.attributeArray("interval", [&] {
      i.hasLower() ? json.value(i.lower) : json.value(nullptr);
      i.hasUpper() ? json.value(i.upper) : json.value(nullptr);
    });
  }

  const std::string &nameOf(Var v) const {
    const Domain &d = map.domain;
    size_t first = v.kind == VarKind::Dim     ? 0
                   : v.kind == VarKind::Range ? d.dims.size()
                                              : d.dims.size() + d.ranges.size();
    return names[first + v.index];
  }

  void operands(llvm::StringRef operation, llvm::ArrayRef<Expr> list) {
    json.object([&] {
      json.attributeArray(operation, [&] {
        for (Expr e : list)
          tree(e);
      });
    });
  }

  void tree(Expr e) {
    if (arena.height(e) > kMostNested) {
      std::string text;
      llvm::raw_string_ostream(text) << Printed{arena, e};
      json.object([&] { json.attribute("text", text); });
      return;
    }
    switch (arena.kind(e)) {
    case ExprKind::Constant:
      return json.value(arena.constantValue(e));
    case ExprKind::Variable:
      return json.value(nameOf(arena.var(e)));
    case ExprKind::Sum:
      return sum(e);
    case ExprKind::Product:
      return product(e);
    case ExprKind::Quotient:
      return operands("floordiv", {arena.lhs(e), arena.rhs(e)});
    case ExprKind::Remainder:
      return operands("mod", {arena.lhs(e), arena.rhs(e)});
    case ExprKind::CeilDiv:
      return operands("ceildiv", {arena.lhs(e), arena.rhs(e)});
    case ExprKind::Min:
      return operands("min", {arena.lhs(e), arena.rhs(e)});
    case ExprKind::Max:
      return operands("max", {arena.lhs(e), arena.rhs(e)});
    case ExprKind::Wide:
      return operands(arena.wideIsSum(e) ? "add" : "mul",
                      {arena.lhs(e), arena.rhs(e)});
    }
  }

  void sum(Expr e) {
    LinearCopy linear = arena.linearCopy(e);
    json.object([&] {
      json.attributeArray("add", [&] {
        for (Term term : linear.terms) {
          if (term.coefficient == 1) {
            tree(term.expr);
            continue;
          }
          json.object([&] {
            json.attributeArray("mul", [&] {
              tree(term.expr);
              json.value(term.coefficient);
            });
          });
        }
        if (linear.constant != 0 || linear.terms.empty())
          json.value(linear.constant);
      });
    });
  }

  void product(Expr e) {
    llvm::SmallVector<Term> factors(arena.factors(e));
    json.object([&] {
      json.attributeArray("mul", [&] {
        for (Term factor : factors)
          for (int64_t i = 0; i < factor.coefficient; ++i)
            tree(factor.expr);
      });
    });
  }

  const Map &map;
  Arena &arena;
  llvm::json::OStream &json;
  std::vector<std::string> names;
};

} // namespace

void mercator::writeStructure(const Map &map, llvm::json::OStream &json) {
  StructureWriter(map, json).write();
}
