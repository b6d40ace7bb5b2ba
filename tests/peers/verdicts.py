# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Mutated programs: Mercator and jaxlib accept the same ones.

Random operations in the generic form, one number, word or element type of each
changed. Where the two differ, the difference is counted by operation and
printed; those below are meant.
"""

import collections
import concurrent.futures
import pathlib
import re
import subprocess

import elementwise
import numpy as np
import structural
import xla
from cases import Random
from elements import type_of

# By operation: a piece of what either says, and why the verdicts differ.
MEANT = []


def original(r):
    """A function of one random operation."""
    draw = [maker for module in (elementwise, structural) for maker in module.MAKERS]
    case = r.choice(draw)(r)
    parameters = ", ".join(f"%a{i}: {type_of(value)}" for i, value in enumerate(case.inputs))
    names = ", ".join(f"%r{i}" for i in range(len(case.results)))
    types = ", ".join(case.result_types())
    head = f"func.func @main({parameters}) -> ({types}) {{\n"
    return case.operation, head, case.body, f"\nfunc.return {names} : {types}\n}}\n"


def mutate(r, body):
    """The body with one thing changed."""
    numbers = [m for m in re.finditer(r"(?<![%\w.])-?\d+(?![\w.]*\")(?=[,\]> x:}])", body)]
    words = [m for m in re.finditer(r"\b(f32|f64|i32|i64|i8|ui32|i1|true|false|f16)\b", body)]
    # Rather in an attribute: another extent is nearly always refused.
    inside = [m for m in numbers if "<{" in body[: m.start()] and "}>" in body[m.end() :]]
    numbers = inside if inside and r.chance(0.8) else numbers
    if words and (not numbers or r.chance(0.25)):
        at = r.choice(words)
        other = {"true": ["false"], "false": ["true"]}.get(at[0], ["f32", "f64", "i32", "i8", "ui32", "i1", "f16"])
        new = r.choice(other)
    elif numbers:
        at = r.choice(numbers)
        new = str(r.choice([int(at[0]) + 1, int(at[0]) - 1, 0, -1, 7]))
    else:
        return body
    return body[: at.start()] + new + body[at.end() :]


def accepts(opt, text, path):
    path.write_text(text)
    result = subprocess.run([opt, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = re.search(r"error: (.*)", result.stderr)
    return result.returncode == 0, found[1] if found else result.stderr[:200]


def run(opt, folder, seed, count, show=40):
    """Whether the verdicts agree but for what is meant; prints where not."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = []
    for n in range(count):
        r = Random(np.random.default_rng([seed, 77, n]))
        operation, head, body, tail = original(r)
        texts.append((operation, head + mutate(r, body) + tail))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ours = list(pool.map(lambda n: accepts(opt, texts[n][1], folder / f"{n}.mlir"), range(count)))
    tally, differences = collections.Counter(), []
    for n, (operation, text) in enumerate(texts):
        theirs, said = xla.accepts(text)
        mine, says = ours[n]
        tally["both accept" if mine and theirs else "both refuse" if not mine and not theirs else "differ"] += 1
        if mine != theirs:
            differences.append((operation, mine, says if not mine else said, n))
    meant = 0
    left = []
    for operation, mine, said, n in differences:
        why = [w for o, m, piece, w in MEANT if o in (operation, "*") and m == mine and piece in said]
        meant += bool(why)
        if not why:
            left.append((operation, mine, said, n))
    for operation, mine, said, n in left[:show]:
        who = "only Mercator accepts" if mine else "only jaxlib accepts"
        print(f"{who}: {operation}: {said[:200]} ({folder}/{n}.mlir)")
    print(
        f"{count} mutated programs, seed {seed}: {tally['both accept']} accepted and {tally['both refuse']} refused by both, "
        f"{meant} differ and are meant to, {len(left)} differ"
    )
    return not left

