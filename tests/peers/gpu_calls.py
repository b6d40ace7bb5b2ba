# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Programs before and after XLA compiled them for a GPU: both give the same values, which are those of JAX, and their maps are never called
different. They are the small programs of the shared data, and those of gpu_call_programs.py."""

import pathlib
import subprocess

import gpu

HERE = pathlib.Path(__file__).parent


def command(mercator, *words):
    return subprocess.run([mercator, *map(str, words)], capture_output=True, text=True, timeout=300, check=False)


def numbered(folder, name):
    return sorted(folder.glob(f"{name}*.npy"), key=lambda path: int(path.stem.removeprefix(name)))


def compare(mercator, folder, before, after):
    """A line, and whether the two programs agree."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.npy"):
        old.unlink()
    inputs = "--input=random:1:1"
    first = command(mercator, "run", before, inputs, "-o", f"{folder}/")
    if first.returncode != 0:
        return first.stderr[-300:], False
    second = command(mercator, "run", after, inputs, *[f"--expect={path}" for path in numbered(folder, "")])
    if second.returncode != 0:
        return (second.stdout + second.stderr)[-300:], False
    difference = command(mercator, "diff", before, after)
    return difference.stdout.strip().rsplit("\n", 1)[-1], difference.returncode in (0, 4)


def check_values(mercator, folder, after):
    """Compares with JAX; an error as text."""
    options = [f"--{kind}={path}" for kind in ("input", "expect") for path in numbered(folder, kind)]
    done = command(mercator, "run", after, *options)
    return (done.stdout + done.stderr)[-300:] if done.returncode else ""


def run(build, work, shared):
    """Rows: a name, a line to print, and whether the case passes."""
    mercator = str(build / "bin/mercator")
    folder = pathlib.Path(work)
    for before in sorted((shared / "data/gpu/xla").glob("t_*.mlir")):  # the others are of real size
        after = before.with_suffix(".hlo")
        if after.exists():
            yield before.stem, *compare(mercator, folder / "values", before, after)
    card, python = shared / "data/gpu/h100.txtpb", gpu.environment(build.resolve())
    if not card.exists() or not python:
        yield "compiled", "expected Python 3.12, and a description of the card", False
        return
    subprocess.run([python, HERE / "gpu_call_programs.py", folder, card], check=True)
    equal = 0
    programs = sorted(path.parent for path in folder.glob("*/after.hlo"))
    for program in programs:
        line, good = compare(mercator, folder / "values", program / "before.mlir", program / "after.hlo")
        error = check_values(mercator, program, program / "after.hlo")
        equal += line == "maps equal"
        yield program.name, error or line, good and not error
    yield "equal maps", f"{equal} of {len(programs)}", equal >= 0.7 * len(programs) > 0
