# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Mutated programs: Mercator and jaxlib accept the same ones.

Each program is a random operation with one number, word, element type or rank
changed. If the two verdicts differ, the difference is counted by operation and
printed. The differences below are intended.
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

# By operation: a part of a message of either, and why the verdicts differ.
MEANT = [("fft", False, "fft_length of at least 0", "jaxlib takes -1 for an unknown length")]


def original(r):
    """A random operation: its case, with the types of its parameters and results."""
    draw = [maker for module in (elementwise, structural) for maker in module.MAKERS]
    case = r.choice(draw)(r)
    return case, [type_of(value) for value in case.inputs], case.result_types()


def function(parameters, body, results):
    """A function with these types and this body."""
    arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(parameters))
    names = ", ".join(f"%r{i}" for i in range(len(results)))
    types = ", ".join(results)
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}\nfunc.return {names} : {types}\n}}\n"


def split_types(text):
    """Splits `T, tuple<U, V>` at its outer commas."""
    types, depth = [""], 0
    for c in text:
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            types.append("")
        else:
            types[-1] += c
    return [type_.strip() for type_ in types]


def other_rank(r, type_):
    """A tensor type with another rank than `type_`."""
    extents, element = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", type_, re.DOTALL).groups()
    dims = extents.split("x")[:-1]
    if not dims:
        dims = [str(r.integer(1, 3))]
    elif r.chance(0.5):
        dims = []
    elif r.chance(0.5):
        del dims[r.integer(0, len(dims) - 1)]
    else:
        dims.insert(r.integer(0, len(dims)), "1")
    return f"tensor<{''.join(dim + 'x' for dim in dims)}{element}>"


def change_rank(r, parameters, body, results):
    """The function, with another rank of one operand or result. None unless the body
    is one operation on the parameters, with a signature."""
    found = re.search(r": \(((?:(?!: \().)*)\) -> ([^\n]*)$", body.strip(), re.DOTALL)
    operands = re.findall(r"%a(\d+)\b", body)
    if not found or body.count("%r0") != 1:
        return None
    types = split_types(found[1])
    if len(types) != len(operands) or len(results) != 1 or found[2] != results[0]:
        return None
    parameters, at = list(parameters), r.integer(0, len(types))
    if at == len(types):
        results = [other_rank(r, results[0])]
    else:
        name = operands[at]
        parameters[int(name)] = other_rank(r, parameters[int(name)])
        types = [parameters[int(name)] if operand == name else type_ for operand, type_ in zip(operands, types)]
    body = body.strip()[: found.start()] + f": ({', '.join(types)}) -> {results[0]}"
    return function(parameters, body, results)


def change_text(r, body):
    """The body with one number or word changed."""
    numbers = [m for m in re.finditer(r"(?<![%\w.])-?\d+(?![\w.]*\")(?=[,\]> x:}])", body)]
    words = [m for m in re.finditer(r"\b(f32|f64|i32|i64|i8|ui32|i1|true|false|f16)\b", body)]
    # Prefer attributes: another extent is nearly always rejected.
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


def mutant(r):
    """The name of a random operation, and its function with one change."""
    case, parameters, results = original(r)
    text = change_rank(r, parameters, case.body, results) if r.chance(0.35) else None
    return case.operation, text or function(parameters, change_text(r, case.body), results)


def accepts(opt, text, path):
    path.write_text(text)
    result = subprocess.run([opt, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = re.search(r"error: (.*)", result.stderr)
    return result.returncode == 0, found[1] if found else result.stderr[:200]


def run(opt, folder, seed, count, show=40):
    """Whether the verdicts agree, except for intended differences; prints others."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = []
    for n in range(count):
        r = Random(np.random.default_rng([seed, 77, n]))
        texts.append(mutant(r))
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

