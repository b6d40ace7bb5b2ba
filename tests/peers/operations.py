# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random operations through `mercator conformance`, against numpy and XLA.

A batch is one program of some hundred functions. Each function has its
operands, one operation, and the expected results in check operations.
"""

import collections
import json
import pathlib
import subprocess
import time

import numpy as np
import xla
from cases import Random
from elements import type_of

BATCH = 250


def makers(modules):
    table = {}
    for module in modules:
        table.update(module.MAKERS)
    return [maker for maker, weight in table.items() for _ in range(weight)]


def ask_xla(cases):
    """The results of cases without their own oracle. If XLA cannot run a case, None
    and the reason."""
    try:
        return list(zip(run_together(cases), [""] * len(cases)))
    except Exception as error:  # any exception of XLA
        if len(cases) == 1:
            return [(None, str(error).strip().split("\n")[0])]
        half = len(cases) // 2
        return ask_xla(cases[:half]) + ask_xla(cases[half:])


def run_together(cases):
    parameters, lines, names, types = [], [], [], []
    for n, case in enumerate(cases):
        parameters += [f"%c{n}_a{i}: {type_of(value)}" for i, value in enumerate(case.inputs)]
        lines.append(case.renamed(f"c{n}_"))
        names += [f"%c{n}_r{i}" for i in range(len(case.results))]
        types += case.result_types()
    text = (
        f"module {{ func.func @main({', '.join(parameters)}) -> ({', '.join(types)}) {{\n"
        + "\n".join(lines)
        + f"\nfunc.return {', '.join(names)} : {', '.join(types)}\n}} }}"
    )
    results = xla.run(text, [value for case in cases for value in case.inputs])
    out = []
    for case in cases:
        out.append(results[: len(case.results)])
        results = results[len(case.results) :]
    return out


def expected_of(cases):
    """One (results, why not) for each case."""
    answers = [None] * len(cases)
    asked = [i for i, case in enumerate(cases) if case.oracle is None]
    for i, answer in zip(asked, ask_xla([cases[i] for i in asked]) if asked else []):
        answers[i] = answer
    for i, case in enumerate(cases):
        if case.oracle is not None:
            with np.errstate(all="ignore"):
                answers[i] = ([np.asarray(value) for value in case.oracle(*case.inputs)], "")
    return answers


class Batch:
    """Cases, their program, and the output of Mercator for it."""

    def __init__(self, cases, answers, path):
        self.path = path
        self.functions = {}
        for n, (case, (expected, _)) in enumerate(zip(cases, answers)):
            if expected is not None:
                self.functions[f"case_{n}"] = (case, case.function(f"case_{n}", expected))

    def run(self, mercator):
        self.path.write_text("\n".join(text for _, text in self.functions.values()) + "\n")
        result = subprocess.run(
            [mercator, "conformance", "--json", str(self.path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            report = json.loads(result.stdout)
        except json.JSONDecodeError:
            return None, (result.stderr.strip() or f"exit code {result.returncode}")
        return report["cases"], ""


def judge(batch, mercator, report):
    """Runs a batch. If the program as a whole is rejected, runs each function."""
    verdicts, why = batch.run(mercator)
    named = {v["function"]: v for v in verdicts or [] if v["function"]}
    if len(named) == len(batch.functions):
        for name, (case, text) in batch.functions.items():
            report.add(case, named[name]["outcome"], named[name].get("reason", ""), text)
        return
    if len(batch.functions) == 1:
        ((case, text),) = batch.functions.values()
        reason = why or (verdicts[0].get("reason", "") if verdicts else "no verdict")
        report.add(case, "refused", reason, text)
        return
    items = list(batch.functions.items())
    for part in (items[: len(items) // 2], items[len(items) // 2 :]):
        half = Batch([], [], batch.path)
        half.functions = dict(part)
        judge(half, mercator, report)


class Report:
    """The outcome of each operation. A failed case becomes a program in the
    folder."""

    def __init__(self, folder):
        self.folder = folder
        self.counts = collections.defaultdict(collections.Counter)
        self.failures = []

    def add(self, case, outcome, reason, text):
        self.counts[case.operation][outcome] += 1
        if outcome == "pass":
            return
        path = self.folder / f"{case.operation}_{self.counts[case.operation].total()}.mlir"
        path.write_text(f"// {outcome}: {reason}\n{text}\n")
        self.failures.append((case.operation, outcome, reason, path))

    def no_oracle(self, case, why):
        self.counts[case.operation]["no oracle"] += 1
        with (self.folder / "no_oracle.txt").open("a") as file:
            file.write(f"{case.operation}: {why}\n{case.body}\n\n")


def run(mercator, folder, seed, count, modules, show=20):
    """The number of outcomes of each operation, printed as a table."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*"):
        old.unlink()
    draw = makers(modules)
    report = Report(folder)
    made, begin, number = 0, time.time(), 0
    while made < count:
        r = Random(np.random.default_rng([seed, number]))
        cases = [r.choice(draw)(r) for _ in range(min(BATCH, count - made))]
        answers = expected_of(cases)
        for case, (expected, why) in zip(cases, answers):
            if expected is None:
                report.no_oracle(case, why)
        made += sum(expected is not None for expected, _ in answers)
        judge(Batch(cases, answers, folder / "batch.mlir"), mercator, report)
        number += 1
    columns = ["pass", "fail", "unsupported", "refused", "no oracle"]
    print(f"{'operation':30}" + "".join(f"{c:>12}" for c in columns))
    for operation, counts in sorted(report.counts.items()):
        print(f"{operation:30}" + "".join(f"{counts[c] or '.':>12}" for c in columns))
    for operation, outcome, reason, path in report.failures[:show]:
        print(f"{outcome}: {operation}: {reason}\n  {path}")
    total = collections.Counter()
    for counts in report.counts.values():
        total.update(counts)
    print(
        f"{made} operations, seed {seed}: "
        + ", ".join(f"{total[c]} {c}" for c in columns)
        + f"; {time.time() - begin:.0f} s"
    )
    return report.counts

