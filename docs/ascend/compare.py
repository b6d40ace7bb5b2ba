# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""compare.py FILE.air --inputs X... --results Y... [--expected E...] [--rtol R]

Compares the results of a device with those of `mercator run --reference FILE.air`.

X are the inputs that the device got, and Y are its results, in the order of the graph.
A file is .npy, or .bin with the elements alone. With --expected, the results are
compared with the files E instead, such as results that JAX saved, and nothing is
evaluated.

Integers and booleans must be equal. A float may differ by R times the largest element
of its result. The exit code is 1 if a result differs by more.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

# The element types as `mercator compile FILE.air --target=ascend` prints them. numpy has
# no bf16: its elements are kept as bytes.
TYPES = {"i1": "?", "bf16": "V2", "f16": "<f2", "f32": "<f4", "f64": "<f8"}
TYPES |= {f"{sign}i{8 * n}": f"<{'u' if sign else 'i'}{n}" for sign in ("", "u") for n in (1, 2, 4, 8)}
TYPES |= {"c64": "<c8", "c128": "<c16"}
# The defaults of `mercator run --check`.
TOLERANCES = {"V2": 2e-2, "f2": 2e-3, "f4": 1e-4, "f8": 1e-10, "c8": 1e-4, "c16": 1e-10}


def mercator(*words):
    result = subprocess.run(["mercator", *map(str, words)], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result.stdout


def load(path, dtype, shape):
    """The array of a file. A .bin file has neither a type nor a shape."""
    if path.suffix == ".npy":
        return np.load(path)
    count, size = path.stat().st_size // dtype.itemsize, int(np.prod(shape))
    if path.stat().st_size != size * dtype.itemsize:
        sys.exit(f"error: {path}: expected {size} elements of {dtype.itemsize} bytes, got {count}")
    return np.fromfile(path, dtype).reshape(shape)


def evaluate(air, inputs, folder):
    """The arrays that the evaluator computes."""
    graph = mercator("compile", air, "--target=ascend")
    parameters = re.findall(r"^  %.* : ([^ \[]*)\[([^\]]*)\] = input (\d+)$", graph, re.M)
    parameters.sort(key=lambda parameter: int(parameter[2]))
    if len(parameters) != len(inputs):
        sys.exit(f"error: {air}: expected {len(parameters)} inputs, got {len(inputs)}")
    words = []
    for i, (path, (element, shape, _)) in enumerate(zip(inputs, parameters)):
        extents = [int(extent) for extent in shape.split(",") if extent]
        np.save(folder / f"input{i}.npy", load(path, np.dtype(TYPES[element]), extents))
        words.append(f"--input={folder}/input{i}.npy")
    mercator("run", "--reference", air, *words, "-o", f"{folder}/results/")
    files = sorted((folder / "results").iterdir(), key=lambda path: int(path.stem))
    return [np.load(path) for path in files]


def floats(array):
    """bf16 as f32: its bytes are the upper half."""
    if array.dtype == np.dtype("V2"):
        return (np.ascontiguousarray(array).view("<u2").astype("<u4") << 16).view("<f4")
    return array


def compare(index, got, want, rtol):
    """Prints a line, and says whether the arrays agree."""
    kind = f"{want.dtype.kind}{want.dtype.itemsize}"
    name = f"result {index}: {'bf16' if kind == 'V2' else want.dtype}{list(want.shape)}"
    if (got.shape, got.dtype) != (want.shape, want.dtype):
        print(f"{name}: expected this type, got {got.dtype}{list(got.shape)}")
        return False
    got, want = np.atleast_1d(floats(got)), np.atleast_1d(floats(want))
    if got.dtype.kind not in "fc":
        bad, figures = got != want, ""
    else:
        rtol = TOLERANCES[kind] if rtol is None else rtol
        finite = np.isfinite(want)
        largest = float(np.abs(want[finite]).max(initial=0))
        with np.errstate(invalid="ignore"):
            error = np.where(finite, np.abs(got.astype(np.complex128) - want), 0)
        # NaNs and infinities must be at the same places.
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        bad = np.where(finite, ~(error <= rtol * largest), ~same)
        worst = float(np.nanmax(error, initial=0)) / (largest or 1)
        figures = f", largest difference {worst:.1e} of the largest element, tolerance {rtol:.0e}"
    if not bad.any():
        print(f"{name}: ok{figures or ', equal'}")
        return True
    at = tuple(map(int, np.argwhere(bad)[0]))
    print(f"{name}: {int(bad.sum())} of {bad.size} differ, first at {list(at)}: got {got[at]}, expected {want[at]}{figures}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("air", type=pathlib.Path)
    parser.add_argument("--inputs", nargs="*", type=pathlib.Path, default=[])
    parser.add_argument("--results", nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--expected", nargs="+", type=pathlib.Path)
    parser.add_argument("--rtol", type=float)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.expected:
            wanted = [np.load(path) for path in arguments.expected]
        else:
            wanted = evaluate(arguments.air, arguments.inputs, pathlib.Path(folder))
    if len(wanted) != len(arguments.results):
        sys.exit(f"error: expected {len(wanted)} results, got {len(arguments.results)}")
    pairs = [
        compare(i, load(path, want.dtype, want.shape), want, arguments.rtol)
        for i, (path, want) in enumerate(zip(arguments.results, wanted))
    ]
    sys.exit(0 if all(pairs) else 1)


if __name__ == "__main__":
    main()
