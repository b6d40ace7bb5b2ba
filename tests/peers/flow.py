# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""JAX functions that Mercator lowers through flow. The reference interpreter evaluates
the dispatches, and JAX computes the same function.

Each pass is validated by maps too (`--verify-maps`). A refutation is a failure. The
last row has the counts of all functions.
"""

import collections
import pathlib
import re
import subprocess

import gathers
import numpy as np
import programs
from functions import FUNCTIONS

# The pairs of a result and an argument, by the outcome of the validation.
COUNTED = ["proved", "not refuted", "refuted", "not compared"]


def table():
    """All functions: (make, ULPs, relative, shapes) by name."""
    gathered = {f"gather_{name}": (make, 0, gathers.RELATIVE, None) for name, make in gathers.PROGRAMS.items()}
    return programs.PROGRAMS | gathered | FUNCTIONS


def validate(mercator, path, tally):
    """Counts the pairs. Returns what was refuted, or the reason of a failure."""
    command = [mercator, "compile", str(path), "--stop-after=flow", "--verify-maps", "-o", str(path.with_suffix(".flow"))]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for count, outcome in re.findall(r"(\d+) (" + "|".join(COUNTED) + r")\b", result.stdout.split("maps: ")[-1]):
        tally[outcome] += int(count)
    return "" if result.returncode == 0 else f"exit code {result.returncode}: {result.stdout.strip()[:400]}"


def run_one(name, mercator, folder, seed, tally):
    """A line for the table, and whether the function agrees with JAX."""
    make, allowed, relative, shapes = table()[name]
    function, inputs = make(np.random.default_rng([seed, len(name)]))
    text, wanted = programs.export(function, inputs, shapes)
    folder = pathlib.Path(folder) / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "program.mlir"
    path.write_text(text)
    said = validate(mercator, path, tally)
    if said:
        return said, False
    words = programs.save_inputs(folder, inputs)
    results, said = programs.evaluate(mercator, path, [*words, "--through=flow"], wanted)
    return programs.judge(results, wanted, allowed, relative) if results is not None else (said, False)


def run(mercator, folder, seed, only=""):
    """One (name, line, good) for each function whose name has `only` in it, and a row
    of counts."""
    tally = collections.Counter()
    for name in table():
        if only not in name:
            continue
        try:
            line, good = run_one(name, mercator, folder, seed, tally)
        except Exception as error:  # continue with the other functions
            line, good = f"{type(error).__name__}: {error}"[:400], False
        yield name, line, good
    yield "maps", ", ".join(f"{tally[outcome]} {outcome}" for outcome in COUNTED), tally["refuted"] == 0
