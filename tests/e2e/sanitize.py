#!/usr/bin/env python3
# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""sanitize.py MERCATOR [--random=N] [--first=SEED] [--jobs=N] [--modes=MODE,..] [FILE...]

Runs programs with `mercator run --sanitize`, once with the rules of each mode of `--fusion`: each function of
the files, by default all of examples/ and of tests/, and N random programs (benchmarks/estimate_programs.py).
Lists how many functions ran, and how many `run` does not accept: no code for them, or inputs that are not known.
Endless loops, which the evaluator does not leave either, are counted with these.

A failure is a program with an access out of its buffers, a crash, one that takes too long, and one that runs in
some modes only.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))
from estimate_programs import program  # noqa: E402

MODES = ("maps", "aggressive", "seed")
SECONDS = 120
# The exit codes of what is rejected, of wrong usage (a file without such a function), and of what has no code.
REFUSED = (1, 2, 4)
# An unknown extent is this one: the same for all, since many are to be equal.
EXTENT = 5
SPLIT = re.compile(r"^// ?-----.*$", re.MULTILINE)
FUNCTION = re.compile(r"^ *func\.func (?:public |private )?@([\w$.]+)\(", re.MULTILINE)


def parameters(text, start):
    """The types of the parameters that follow the parenthesis at `start`, or None if there are others."""
    depth, end = 1, start
    while depth and end < len(text):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    inside = re.sub(r"loc\([^()]*\)|\{[^{}]*\}", "", text[start:end - 1])
    types = re.findall(r"%[\w$.]+ *: *([^%]*?)(?:, *(?=%)|\s*$)", inside, re.DOTALL)
    return [kind.strip() for kind in types] if inside.strip() else []


def inputs(types):
    """The options for parameters of these types."""
    if not any("?" in kind for kind in types):
        return ["--input=random:1"] if types else []
    options = []
    for kind in types:
        known = kind.replace("?", str(EXTENT))
        element = re.sub(r"^tensor<(?:[0-9]+x)*|>$", "", known)
        one = "true" if element == "i1" else "1" if re.fullmatch(r"u?i[0-9]+|index", element) else "1.0"
        options.append(f"--input=dense<{one}> : {known}" if "?" in kind else "--input=random:1")
    return options


def pieces(path, folder):
    """(name, file, options) of each function that `run` may accept; for a file of checks, no options."""
    if path.suffix == ".hlo":
        return [(str(path), path, ["--input=random:1"])]
    text, found = path.read_text("latin-1"), []
    if "check.expect" in text:
        return [(str(path), path, None)]
    parts = SPLIT.split(text)
    for number, part in enumerate(parts):
        functions = [(match[1], inputs(parameters(part, match.end()))) for match in FUNCTION.finditer(part)]
        if not functions:
            continue
        file = path
        if len(parts) > 1:
            file = folder / f"{'-'.join(path.with_suffix('').parts[-4:])}-{number}.mlir"
            file.write_text(part, "latin-1")
        found += [(f"{path} {number}" if len(parts) > 1 else str(path), file, [f"--function={name}"] + options)
                  for name, options in functions]
    return found


def run(command):
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "timeout", f"more than {SECONDS} s"
    return done.returncode, done.stderr.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mercator", type=pathlib.Path)
    parser.add_argument("--random", type=int, default=300)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    modes = options.modes.split(",")
    files = options.files or sorted(path for folder in ("examples", "tests") for kind in ("mlir", "hlo")
                                    for path in (ROOT / folder).rglob(f"*.{kind}"))
    outcomes = collections.Counter()
    failures = []

    def codes(case):
        """The code of each mode, and what was said with the code that matters most."""
        _, file, arguments = case
        if arguments is None:
            code, said = run([options.mercator, "conformance", "--target=cpu", "--sanitize", file])
            # What a check compares is no matter of accesses.
            return {"conformance": 0 if code == 3 else code}, said
        found, said = {}, ""
        for mode in modes:
            found[mode], text = run([options.mercator, "run", file, "--sanitize", "--cache=off", f"--fusion={mode}",
                                     *arguments])
            if not said or found[mode] not in REFUSED:
                said = text
            if len(found) == 1 and (found[mode] in REFUSED or (found[mode] == "timeout" and is_endless(case))):
                return {mode: REFUSED[0]}, said
        return found, said

    def is_endless(case):
        _, file, arguments = case
        return run([options.mercator, "run", file, "--reference", *arguments])[0] == "timeout"

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        cases = [case for path in files for case in pieces(path, folder)]
        for seed in range(options.first, options.first + options.random):
            name, text = program(seed)
            file = folder / f"{name}.mlir"
            file.write_text(text)
            cases.append((f"random program {seed} ({name})", file, ["--input=random:1"]))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for case, (found, said) in zip(cases, pool.map(codes, cases)):
                kind = "tests" if case[2] is None else "functions"
                if all(code in REFUSED for code in found.values()):
                    outcomes[f"{kind} refused"] += 1
                    continue
                outcomes[kind] += 1
                if any(found.values()):
                    failures.append(case)
                    print(f"{case[0]} {' '.join(case[2] or [])}: {found}\n{said}", flush=True)
    print(f"{outcomes['functions']} functions in {len(modes)} modes and {outcomes['tests']} files of conformance tests, "
          f"{len(failures)} with failures; refused: {outcomes['functions refused']} functions, "
          f"{outcomes['tests refused']} files")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
