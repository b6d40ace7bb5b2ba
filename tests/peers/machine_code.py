# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""JAX functions as machine code, compared with JAX.

Both use functions such as exp within a few ULP and add in orders of their own, so
floats are compared relative to the largest element, as `mercator run --check` does.
"""

import pathlib

import flow
import numpy as np
import programs

# They communicate between devices: such programs have no machine code.
WITHOUT_CODE = {"shard_map", "shard_map_of_one_axis"}

# Relative to the largest element, by the bytes of a real number.
RELATIVE = {1: 0.25, 2: 2e-2, 4: 1e-4, 8: 1e-9}


def relative_of(wanted, relative):
    """The limit for the coarsest result."""
    widths = [
        np.asarray(value).dtype.itemsize // (2 if programs.name_of(np.asarray(value)) in programs.COMPLEX else 1)
        for value in wanted
        if not programs.is_exact(np.asarray(value))
    ]
    return max([relative or 0.0, *(RELATIVE[width] for width in widths)])


def run_one(name, mercator, folder, seed):
    """A line for the table, and whether the function agrees with JAX."""
    make, _, relative, shapes = flow.table()[name]
    function, inputs = make(np.random.default_rng([seed, len(name)]))
    text, wanted = programs.export(function, inputs, shapes)
    folder = pathlib.Path(folder) / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "program.mlir"
    path.write_text(text)
    words = programs.save_inputs(folder, inputs)
    results, said = programs.evaluate(mercator, path, [*words, "--cache=off"], wanted, reference=False)
    if results is None:
        return said, False
    return programs.judge(results, wanted, 0, relative_of(wanted, relative))


def run(mercator, folder, seed, only=""):
    """One (name, line, good) for each function whose name has `only` in it."""
    for name in flow.table():
        if only not in name or name in WITHOUT_CODE:
            continue
        try:
            line, good = run_one(name, mercator, folder, seed)
        except Exception as error:  # continue with the other functions
            line, good = f"{type(error).__name__}: {error}"[:400], False
        yield name, line, good
