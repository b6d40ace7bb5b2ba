// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Prove.h"

#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace mercator;
using namespace mercator::indexing;

std::string mercator::shownText(const Map &map) {
  return map.isKnownEmpty() ? "KNOWN EMPTY" : toString(map);
}

static std::optional<Map> parse(const SourceBuffer &source, Arena &arena,
                                DiagnosticEngine &diagnostics) {
  ParseError error;
  std::optional<Map> map = parseMap(arena, source.getText(), error);
  if (!map)
    report(error, source, diagnostics);
  return map;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

llvm::StringRef mercator::nameOf(Proof::Verdict verdict) {
  switch (verdict) {
  case Proof::Verdict::Equal:
    return "equal";
  case Proof::Verdict::Different:
    return "different";
  case Proof::Verdict::Undecided:
    break;
  }
  return "undecided";
}

static Proof::Verdict verdictOf(Decision::Kind kind) {
  switch (kind) {
  case Decision::Kind::Yes:
    return Proof::Verdict::Equal;
  case Decision::Kind::No:
    return Proof::Verdict::Different;
  case Decision::Kind::Unknown:
    break;
  }
  return Proof::Verdict::Undecided;
}

static Proof::Counterexample describe(const Counterexample &c,
                                      const indexing::Verdict &verdict) {
  auto list = [](llvm::ArrayRef<int64_t> values) { return values.vec(); };
  const Map &reader = c.firstReads ? verdict.first : verdict.second;
  const Map &other = c.firstReads ? verdict.second : verdict.first;
  return {.dims = list(c.dims),
          .runtimes = list(c.runtimesOf(reader, true)),
          .otherRuntimes = list(c.runtimesOf(other, false)),
          .element = list(c.element),
          .ranges = list(c.ranges),
          .firstReads = c.firstReads};
}

static Proof proofOf(const indexing::Verdict &verdict) {
  Proof proof{.first = toString(verdict.first),
              .second = toString(verdict.second),
              .verdict = verdictOf(verdict.kind),
              .reason = verdict.reason};
  if (verdict.counterexample)
    proof.counterexample = describe(*verdict.counterexample, verdict);
  llvm::raw_string_ostream os(proof.explanation);
  explain(os, verdict);
  return proof;
}

Answer<Proof> mercator::prove(const SourceBuffer &first,
                              const SourceBuffer &second,
                              DiagnosticEngine &diagnostics) {
  Arena arena;
  std::optional<Map> a = parse(first, arena, diagnostics);
  std::optional<Map> b = parse(second, arena, diagnostics);
  if (!a || !b)
    return ExitCode::InputRejected;
  return proofOf(indexing::prove(*a, *b));
}

/// Writes the members `verdict`, `reason` and `counterexample` of an object.
static void writeProof(const Proof &proof, llvm::json::OStream &json) {
  json.attribute("verdict", nameOf(proof.verdict));
  json.attribute("reason", proof.reason);
  if (!proof.counterexample)
    return;
  const Proof::Counterexample &c = *proof.counterexample;
  auto list = [&](llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    json.attributeArray(name, [&] {
      for (int64_t value : values)
        json.value(value);
    });
  };
  json.attributeObject("counterexample", [&] {
    list("dims", c.dims);
    list("runtimes", c.runtimes);
    list("other_runtimes", c.otherRuntimes);
    list("element", c.element);
    json.attribute("read_by", c.firstReads ? "first" : "second");
    list("ranges", c.ranges);
  });
}

void mercator::writeJson(const Proof &proof, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("schema", "mercator.prove/1");
    json.attribute("first", proof.first);
    json.attribute("second", proof.second);
    writeProof(proof, json);
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// The uses in the order they happened, each once: a constraint is visited in
/// every round, and its rules would be listed in every round.
static std::vector<Simplified::Rewrite> stepsOf(const RuleTrace &trace,
                                                const Map &map) {
  std::vector<Simplified::Rewrite> steps;
  auto text = [&](Expr e) {
    return e ? toString(*map.arena, e, &map.domain) : std::string();
  };
  for (const RuleUse &use : trace) {
    const RuleInfo &rule = ruleInfo(use.rule);
    Simplified::Rewrite step{rule.name.str(), rule.rewrite.str(),
                             rule.condition.str(), text(use.before),
                             text(use.after)};
    if (!llvm::is_contained(steps, step))
      steps.push_back(std::move(step));
  }
  return steps;
}

Answer<Simplified> mercator::simplify(const SourceBuffer &source,
                                      DiagnosticEngine &diagnostics) {
  // A fresh arena has no memoized results, so the trace is complete.
  Arena arena;
  std::optional<Map> given = parse(source, arena, diagnostics);
  if (!given)
    return ExitCode::InputRejected;
  RuleTrace trace;
  // With sources, the proof recognizes runtime variables after others have been
  // dropped.
  Map map = withOwnSources(*given);
  Map simplified = indexing::simplify(map, {.trace = &trace});
  // The rules detect most empty domains, a solver detects the others.
  if (!simplified.isKnownEmpty() && isEmpty(arena, simplified.domain).isYes()) {
    simplified = Map::makeEmpty(arena, simplified.numDims(), map.numResults());
    trace.push_back({Rule::KnownEmpty, Expr(), Expr()});
  }
  return Simplified{.before = toString(map),
                    .after = shownText(simplified),
                    .steps = stepsOf(trace, map),
                    .proof = proofOf(indexing::prove(
                        map, simplified, {.trustSimplifier = false}))};
}

void mercator::writeJson(const Simplified &simplified, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("schema", "mercator.simplify/1");
    json.attribute("before", simplified.before);
    json.attribute("after", simplified.after);
    json.attributeArray("rules", [&] {
      for (const Simplified::Rewrite &step : simplified.steps)
        json.object([&] {
          json.attribute("name", step.rule);
          json.attribute("rewrite", step.rewrite);
          json.attribute("condition", step.condition);
          json.attribute("before", step.before);
          json.attribute("after", step.after);
        });
    });
    json.attributeObject("proof", [&] { writeProof(simplified.proof, json); });
  });
  os << '\n';
}
