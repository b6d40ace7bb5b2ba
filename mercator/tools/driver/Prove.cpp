// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator prove MAP MAP`: whether two maps read the same elements.

#include "mercator/compiler/maps/Prove.h"
#include "mercator/tools/driver/Command.h"

using namespace mercator;

ExitCode mercator::exitCodeOf(const Proof &proof) {
  switch (proof.verdict) {
  case Proof::Verdict::Equal:
    return ExitCode::Done;
  case Proof::Verdict::Different:
    return ExitCode::PropertyFalse;
  case Proof::Verdict::Undecided:
    break;
  }
  return ExitCode::Undecided;
}

static ExitCode runProve(Invocation &invocation) {
  if (invocation.getOperand(0) == "-" && invocation.getOperand(1) == "-") {
    (void)invocation.getDiagnostics().error(
        {}, "expected `-` for one of the maps, got it for both");
    return ExitCode::WrongUsage;
  }
  const SourceBuffer *first = invocation.readText(0);
  const SourceBuffer *second = invocation.readText(1);
  if (!first || !second)
    return ExitCode::InputRejected;
  Answer<Proof> proof = prove(*first, *second, invocation.getDiagnostics());
  if (!proof)
    return proof.getFailure();
  if (invocation.has("json"))
    writeJson(*proof, invocation.getOut());
  else
    invocation.getOut() << proof->explanation;
  return exitCodeOf(*proof);
}

const Command mercator::proveCommand = {
    .name = "prove",
    .operands = "MAP MAP",
    .summary = "decide whether two maps read the same elements",
    .details =
        "Prints `equal`, `different` with a counterexample (exit code 3), or `undecided`\n"
        "with the reason (4), and how it was decided. One of the maps may be `-`, standard\n"
        "input.\n",
    .examples =
        "mercator prove '(d0) -> (d0 floordiv 4 * 4 + d0 mod 4), domain: d0 in [0, 31]' '(d0) -> (d0), domain: d0 in [0, 31]'\n"
        "mercator prove '(d0) -> (d0 mod 4), domain: d0 in [0, 4]' '(d0) -> (d0), domain: d0 in [0, 4]'\n"
        "mercator prove '()[s0, s1] -> (s0 * 8 + s1), domain: s0 in [0, 3], s1 in [0, 7]' '()[s0] -> (s0), domain: s0 in [0, 31]'\n",
    .run = runProve};
