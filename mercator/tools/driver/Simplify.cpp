// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator simplify MAP`: the map with less in it, the rules that were used,
/// and a proof that it still says the same. The proof is made afresh for each
/// answer and does not trust the rules.

#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/support/Color.h"
#include "mercator/tools/driver/MapOperand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mercator;
using namespace mercator::indexing;
using llvm::StringRef;

namespace {
/// One use of a rule, as text.
struct Use {
  const RuleInfo *rule;
  std::string before, after; // empty: no expression
  bool operator==(const Use &) const = default;
};

struct Answer {
  Map before, after;
  std::vector<Use> uses;
  Verdict proof;
};
} // namespace

/// The uses in the order they happened, each once: a constraint is looked at in
/// every round, and would be told in every round.
static std::vector<Use> collectUses(const RuleTrace &trace, const Map &map) {
  std::vector<Use> uses;
  auto text = [&](Expr e) {
    return e ? toString(*map.arena, e, &map.domain) : std::string();
  };
  for (const RuleUse &use : trace) {
    Use next{&ruleInfo(use.rule), text(use.before), text(use.after)};
    if (!llvm::is_contained(uses, next))
      uses.push_back(std::move(next));
  }
  return uses;
}

static Answer answer(const Map &given) {
  RuleTrace trace;
  // The proof must recognize runtime variables after others have been dropped.
  Map map = withOwnSources(given);
  Map simplified = simplify(map, {.trace = &trace});
  // The rules see most empty domains; a solver sees the rest.
  if (!simplified.isKnownEmpty() &&
      isEmpty(*map.arena, simplified.domain).isYes()) {
    simplified =
        Map::makeEmpty(*map.arena, simplified.numDims(), map.numResults());
    trace.push_back({Rule::KnownEmpty, Expr(), Expr()});
  }
  std::vector<Use> uses = collectUses(trace, map);
  Verdict proof = prove(map, simplified, {.trustSimplifier = false});
  return {std::move(map), std::move(simplified), std::move(uses),
          std::move(proof)};
}

static void printText(const Answer &a, llvm::raw_ostream &os, bool color) {
  auto title = [&](StringRef text) { return paint(text, Style::bold, color); };
  os << title("before") << "  " << toString(a.before) << '\n'
     << title("rules") << '\n';
  if (a.uses.empty())
    os << "  none: there is nothing to simplify\n";
  size_t width = 0;
  for (const Use &use : a.uses)
    width = std::max(width, use.rule->name.size());
  for (const Use &use : a.uses) {
    os << "  " << paint(use.rule->name, Style::cyan, color);
    os.indent(width - use.rule->name.size() + 2);
    os << paint(use.rule->rewrite, Style::dim, color);
    if (!use.rule->condition.empty())
      os << paint("  (", Style::dim, color)
         << paint(use.rule->condition, Style::dim, color)
         << paint(")", Style::dim, color);
    os << '\n';
    if (use.before.empty())
      continue;
    os.indent(width + 4) << use.before;
    if (use.after != use.before)
      os << "  =>  " << (use.after.empty() ? "nothing" : use.after);
    os << '\n';
  }
  os << title("proof") << "   " << wordOf(a.proof.kind) << ": "
     << a.proof.reason << "\n\n"
     << shownText(a.after) << '\n';
}

static void printJson(const Answer &a, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("schema", "mercator.simplify/1");
    json.attribute("before", toString(a.before));
    json.attribute("after", shownText(a.after));
    json.attributeArray("rules", [&] {
      for (const Use &use : a.uses)
        json.object([&] {
          json.attribute("name", use.rule->name);
          json.attribute("rewrite", use.rule->rewrite);
          json.attribute("condition", use.rule->condition);
          json.attribute("before", use.before);
          json.attribute("after", use.after);
        });
    });
    json.attributeObject("proof", [&] { writeVerdict(a.proof, json); });
  });
  os << '\n';
}

static ExitCode run(Invocation &invocation) {
  // One arena for one answer: a fresh one remembers nothing, so the trace tells
  // the whole story.
  Arena arena;
  std::optional<Map> map = readMap(invocation, 0, arena);
  if (!map)
    return ExitCode::inputRejected;
  Answer a = answer(*map);
  if (invocation.has("json"))
    printJson(a, invocation.getOut());
  else
    printText(a, invocation.getOut(), invocation.useColor());
  if (a.proof.kind == Decision::Kind::No) {
    invocation.getOut().flush();
    llvm::report_fatal_error("the simplified map says something else",
                             /*gen_crash_diag=*/false);
  }
  return exitCodeOf(a.proof);
}

const Command mercator::simplifyCommand = {
    .name = "simplify",
    .operands = "MAP",
    .summary = "print a map with less in it, the rules used, and the proof",
    .details =
        "MAP is a map in the notation, `-` is standard input. The last line is "
        "the\nsimplified map alone.\n",
    .examples =
        "mercator simplify '(d0, d1) -> ((d0 * 50 + d1) floordiv 50), domain: "
        "d0 in [0, 9], d1 in [0, 49]'\n"
        "mercator simplify '(d0) -> (d0), domain: d0 in [0, 9], d0 mod 6 in "
        "[3, 3], d0 mod 4 in [1, 1]'\n"
        "echo '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' | mercator simplify - "
        "| tail -n 1\n",
    .run = run};
