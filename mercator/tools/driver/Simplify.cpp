// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator simplify MAP`: the simple form of a map, the rules used, and a
/// proof that both are equal.

#include "mercator/compiler/maps/Prove.h"
#include "mercator/support/Color.h"
#include "mercator/tools/driver/Command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mercator;
using llvm::StringRef;

static void printText(const Simplified &simplified, llvm::raw_ostream &os,
                      bool color) {
  auto title = [&](StringRef text) { return paint(text, Style::Bold, color); };
  os << title("before") << "  " << simplified.before << '\n'
     << title("rules") << '\n';
  if (simplified.steps.empty())
    os << "  none: there is nothing to simplify\n";
  size_t width = 0;
  for (const Simplified::Rewrite &step : simplified.steps)
    width = std::max(width, step.rule.size());
  for (const Simplified::Rewrite &step : simplified.steps) {
    os << "  " << paint(step.rule, Style::Cyan, color);
    os.indent(width - step.rule.size() + 2);
    os << paint(step.rewrite, Style::Dim, color);
    if (!step.condition.empty())
      os << paint("  (", Style::Dim, color)
         << paint(step.condition, Style::Dim, color)
         << paint(")", Style::Dim, color);
    os << '\n';
    if (step.before.empty())
      continue;
    os.indent(width + 4) << step.before;
    if (step.after != step.before)
      os << "  =>  " << (step.after.empty() ? "nothing" : step.after);
    os << '\n';
  }
  os << title("proof") << "   " << nameOf(simplified.proof.verdict) << ": "
     << simplified.proof.reason << "\n\n"
     << simplified.after << '\n';
}

static ExitCode runSimplify(Invocation &invocation) {
  const SourceBuffer *map = invocation.readText(0);
  if (!map)
    return ExitCode::InputRejected;
  Answer<Simplified> simplified = simplify(*map, invocation.getDiagnostics());
  if (!simplified)
    return simplified.getFailure();
  if (invocation.has("json"))
    writeJson(*simplified, invocation.getOut());
  else
    printText(*simplified, invocation.getOut(), invocation.useColor());
  if (simplified->proof.verdict == Proof::Verdict::Different) {
    invocation.getOut().flush();
    llvm::report_fatal_error("the simplified map differs from the given map",
                             /*gen_crash_diag=*/false);
  }
  return exitCodeOf(simplified->proof);
}

const Command mercator::simplifyCommand = {
    .name = "simplify",
    .operands = "MAP",
    .summary = "print the simple form of a map, the rules used, and the proof",
    .details =
        "MAP is a map in the notation, `-` is standard input. The last line is the\n"
        "simplified map alone.\n",
    .examples =
        "mercator simplify '(d0, d1) -> ((d0 * 50 + d1) floordiv 50), domain: d0 in [0, 9], d1 in [0, 49]'\n"
        "mercator simplify '(d0) -> (d0), domain: d0 in [0, 9], d0 mod 6 in [3, 3], d0 mod 4 in [1, 1]'\n"
        "echo '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' | mercator simplify - | tail -n 1\n",
    .run = runSimplify};
