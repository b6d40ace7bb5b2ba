// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator prove MAP MAP`: whether two maps read the same elements.

#include "mercator/indexing/notation/Notation.h"
#include "mercator/tools/driver/MapOperand.h"

using namespace mercator;
using namespace mercator::indexing;

static void printJson(const Verdict &verdict, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("schema", "mercator.prove/1");
    json.attribute("first", toString(verdict.first));
    json.attribute("second", toString(verdict.second));
    writeVerdict(verdict, json);
  });
  os << '\n';
}

static ExitCode run(Invocation &invocation) {
  if (invocation.getOperand(0) == "-" && invocation.getOperand(1) == "-") {
    (void)invocation.getDiagnostics().error(
        {}, "expected `-` for one of the maps, got it for both");
    return ExitCode::wrongUsage;
  }
  Arena arena;
  std::optional<Map> first = readMap(invocation, 0, arena);
  std::optional<Map> second = readMap(invocation, 1, arena);
  if (!first || !second)
    return ExitCode::inputRejected;
  Verdict verdict = prove(*first, *second);
  if (invocation.has("json"))
    printJson(verdict, invocation.getOut());
  else
    explain(invocation.getOut(), verdict);
  return exitCodeOf(verdict);
}

const Command mercator::proveCommand = {
    .name = "prove",
    .operands = "MAP MAP",
    .summary = "decide whether two maps read the same elements",
    .details =
        "Prints `equal`, `different` with a counterexample (exit code 3), or "
        "`undecided`\nwith the reason (4), and how it was decided. One of the "
        "maps may be `-`, standard\ninput.\n",
    .examples =
        "mercator prove '(d0) -> (d0 floordiv 4 * 4 + d0 mod 4), domain: d0 in "
        "[0, 31]' '(d0) -> (d0), domain: d0 in [0, 31]'\n"
        "mercator prove '(d0) -> (d0 mod 4), domain: d0 in [0, 4]' '(d0) -> "
        "(d0), domain: d0 in [0, 4]'\n"
        "mercator prove '()[s0, s1] -> (s0 * 8 + s1), domain: s0 in [0, 3], s1 "
        "in [0, 7]' '()[s0] -> (s0), domain: s0 in [0, 31]'\n",
    .run = run};
