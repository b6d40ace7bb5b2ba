// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing of verdicts: the point of a counterexample, the intermediate values
// of both maps, and the bound or constraint that excludes it.

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/decide/Sampled.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {

namespace {
void printTuple(llvm::raw_ostream &os, llvm::ArrayRef<int64_t> values) {
  os << '(';
  llvm::interleaveComma(values, os);
  os << ')';
}

/// The values of one map at one point.
class Trace {
public:
  Trace(llvm::raw_ostream &os, const Map &map, llvm::ArrayRef<int64_t> dims,
        llvm::ArrayRef<int64_t> ranges, llvm::ArrayRef<int64_t> runtimes)
      : os(os), map(map) {
    for (auto list : {dims, ranges, runtimes})
      point.append(list.begin(), list.end());
  }

  /// Prints each subexpression of e, innermost first, once per trace.
  void intermediates(Expr e) {
    map.arena->forEachPostOrder(e, [&](Expr x) {
      ExprKind kind = map.arena->kind(x);
      if (kind == ExprKind::Constant || kind == ExprKind::Variable ||
          !shown.insert(x.getId()).second)
        return;
      constexpr unsigned kMaxLines = 100;
      if (shown.size() == kMaxLines)
        os << "    ...\n";
      if (shown.size() < kMaxLines)
        line(x, "");
    });
  }

  /// Prints "    e = value" and a note.
  void line(Expr e, llvm::StringRef note) {
    os << "    ";
    indexing::print(os, *map.arena, e, &map.domain);
    if (auto value = evaluate(*map.arena, e, map.domain, point))
      os << " = " << *value;
    else
      os << " has no value";
    os << note << "\n";
  }

  /// The first variable whose value is outside its bounds.
  std::optional<Var> outside() const {
    unsigned slot = 0;
    std::optional<Var> found;
    map.domain.forEachVar([&](Var v) {
      if (!map.domain.bounds(v).contains(point[slot++]) && !found)
        found = v;
    });
    return found;
  }

  /// Prints the first bound or constraint that excludes the point. False if
  /// none does.
  bool exclusion() {
    bool excluded = false;
    if (std::optional<Var> v = outside()) {
      excluded = true;
      os << "    ";
      indexing::print(os, *map.arena, map.arena->variable(*v), &map.domain);
      os << " = " << point[slotOf(map.domain, *v)] << " is not in "
         << map.domain.bounds(*v) << "\n";
    }
    for (const Constraint &c : map.domain.constraints) {
      if (excluded)
        break;
      auto value = evaluate(*map.arena, c.expr, map.domain, point);
      if (value && c.bounds.contains(*value))
        continue;
      excluded = true;
      llvm::SmallVector<Expr, 4> operands;
      map.arena->operands(c.expr, operands);
      for (Expr e : operands)
        intermediates(e);
      std::string note;
      llvm::raw_string_ostream(note) << ", not in " << c.bounds;
      line(c.expr, note);
    }
    return excluded;
  }

private:
  llvm::raw_ostream &os;
  const Map &map;
  llvm::SmallVector<int64_t, 12> point;
  llvm::DenseSet<uint32_t> shown;
};

void printAssignment(llvm::raw_ostream &os, llvm::ArrayRef<std::string> names,
                     llvm::ArrayRef<int64_t> values) {
  for (size_t i = 0; i < values.size(); ++i)
    os << (i ? ", " : "") << names[i] << " = " << values[i];
}

/// The name of a runtime variable, with its map if the two maps have different
/// names for it.
std::string nameOf(const Verdict &verdict,
                   const Counterexample::RuntimeValue &x) {
  const Map *maps[] = {&verdict.first, &verdict.second};
  std::string names[2];
  for (int side : {0, 1})
    if (x.place[side]) {
      const Map &m = *maps[side];
      std::vector<std::string> all = variableNames(*m.arena, m.domain);
      names[side] = all[m.numDims() + m.domain.ranges.size() + *x.place[side]];
    }
  if (names[0] == names[1] || !x.place[1])
    return names[0];
  if (!x.place[0] || !x.used[0])
    return names[1] + " of the second map";
  return names[0] + (x.used[1] ? " (" + names[1] + " of the second map)" : "");
}

void explainReader(llvm::raw_ostream &os, const Map &map, const char *side,
                   const Counterexample &c) {
  os << "  the " << side << " map reads ";
  printTuple(os, c.element);
  if (!c.ranges.empty()) {
    std::vector<std::string> names = variableNames(*map.arena, map.domain);
    os << " with ";
    printAssignment(os, llvm::ArrayRef(names).drop_front(map.numDims()),
                    c.ranges);
  }
  bool isBare = llvm::all_of(map.results,
                             [&](Expr e) { return map.arena->height(e) == 0; });
  os << (isBare ? "\n" : ":\n");
  Trace trace(os, map, c.dims, c.ranges, c.runtimesOf(map, true));
  for (Expr e : map.results)
    trace.intermediates(e);
}

void explainOther(llvm::raw_ostream &os, const Map &map, const char *side,
                  const Counterexample &c) {
  os << "  the " << side << " map does not";
  if (map.isKnownEmpty()) {
    os << ": its domain is empty\n";
    return;
  }
  llvm::SmallVector<int64_t, 2> runtimes = c.runtimesOf(map, false);
  llvm::SmallVector<int64_t, 4> ranges;
  for (const Variable &v : map.domain.ranges)
    ranges.push_back(v.bounds.lower);
  Trace trace(os, map, c.dims, ranges, runtimes);
  std::optional<Var> outside = trace.outside();
  if (map.domain.ranges.empty() ||
      (outside && outside->kind != VarKind::Range)) {
    os << ":\n";
    if (trace.exclusion())
      return;
    llvm::SmallVector<int64_t, 8> point(c.dims.begin(), c.dims.end()), element;
    llvm::append_range(point, runtimes);
    for (Expr e : map.results) {
      trace.intermediates(e);
      element.push_back(evaluate(*map.arena, e, map.domain, point).value_or(0));
    }
    os << "    it reads ";
    printTuple(os, element);
    os << "\n";
    return;
  }
  // Print a few of the elements that it reads.
  SampledMap reads(map);
  llvm::SmallVector<int64_t, 8> outer(c.dims.begin(), c.dims.end());
  llvm::append_range(outer, runtimes);
  std::vector<llvm::SmallVector<int64_t, 6>> elements;
  Budget budget{.steps = 100000};
  auto end = reads.forEachRead(
      outer, budget, [&](auto, llvm::ArrayRef<int64_t> element) {
        elements.emplace_back(element.begin(), element.end());
        return true;
      });
  if (end != PointWalk::End::Complete) {
    os << ", for any values of its range variables\n";
    return;
  }
  llvm::sort(elements);
  elements.erase(llvm::unique(elements), elements.end());
  constexpr size_t kShown = 4;
  os << ": it reads ";
  if (elements.empty())
    os << "nothing";
  else if (elements.size() > kShown)
    os << elements.size() << " others, ";
  for (size_t i = 0; i < std::min(elements.size(), kShown); ++i) {
    os << (i ? ", " : "");
    printTuple(os, elements[i]);
  }
  os << (elements.size() > kShown ? ", ...\n" : "\n");
}
} // namespace

void explain(llvm::raw_ostream &os, const Verdict &verdict) {
  switch (verdict.kind) {
  case Decision::Kind::Yes:
    os << "equal\n  " << verdict.reason << "\n";
    return;
  case Decision::Kind::Unknown:
    os << "undecided\n  " << verdict.reason << "\n";
    return;
  case Decision::Kind::No:
    break;
  }
  os << "different\n  ";
  if (!verdict.counterexample) {
    os << verdict.reason << "\n";
    return;
  }
  const Counterexample &c = *verdict.counterexample;
  const Map &reader = c.firstReads ? verdict.first : verdict.second,
            &other = c.firstReads ? verdict.second : verdict.first;
  const char *names[] = {"first", "second"};
  os << "at ";
  if (c.dims.empty() && c.runtimes.empty())
    os << "the only point";
  printAssignment(os, variableNames(*reader.arena, reader.domain), c.dims);
  bool comma = !c.dims.empty();
  for (const Counterexample::RuntimeValue &x : c.runtimes) {
    os << (comma ? ", " : "") << nameOf(verdict, x) << " = " << x.value;
    comma = true;
  }
  os << " (" << verdict.reason << ")\n";
  explainReader(os, reader, names[!c.firstReads], c);
  explainOther(os, other, names[c.firstReads], c);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Verdict &verdict) {
  explain(os, verdict);
  return os;
}

} // namespace mercator::indexing
