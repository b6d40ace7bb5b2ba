# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""JAX's own tests on Mercator's plugin: of those that pass on JAX's CPU, how many pass.

MERCATOR_JAX_TESTS is the folder `tests` of a checkout of JAX at the tag of the installed
version; without it the part says so. Of each file some tests are drawn by the seed. Each
runs on the CPU first; those that pass there run on Mercator, as tests of a CPU: none is
skipped because the platform has another name. Those that need several devices do not
count; the plugin has one.
"""

import os
import pathlib
import random
import re
import selectors
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKER = ROOT / "tests/peers/jax_worker.py"

FILES = [
    "lax_test", "lax_numpy_test", "lax_numpy_operators_test", "lax_numpy_reducers_test", "lax_numpy_indexing_test",
    "lax_numpy_einsum_test", "lax_numpy_setops_test", "lax_numpy_ufuncs_test", "lax_numpy_vectorize_test",
    "lax_scipy_test", "lax_scipy_special_functions_test", "lax_scipy_sparse_test", "nn_test", "random_test",
    "random_lax_test", "linalg_test", "fft_test", "lax_control_flow_test", "lax_vmap_test", "lax_vmap_op_test",
    "lax_autodiff_test", "export_test", "array_api_test", "api_test", "image_test",
    "scipy_stats_test", "scipy_signal_test", "scipy_fft_test", "sparse_test", "svd_test", "eigh_test", "qdwh_test",
    "jet_test", "ode_test", "dtypes_test", "batching_test", "stax_test", "mutable_array_test", "ann_test",
]  # fmt: skip
GOAL = 0.97
SECONDS = 120  # of one test


def outcomes(path, names, environment):
    """Runs tests of a file: name to (outcome, seconds, reason). A process that ends in a
    test, or takes too long, fails it; another one goes on with the next."""
    found = {}
    while rest := [name for name in names if name not in found]:
        process = subprocess.Popen(
            [sys.executable, str(WORKER), str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=environment,
        )  # fmt: skip
        process.stdin.write("\n".join(rest))
        process.stdin.close()
        current, begin = rest[0], time.time()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                if not selector.select(timeout=SECONDS):
                    process.kill()
                    found[current] = ("fail", SECONDS, "takes too long")
                    break
                line = process.stdout.readline()
                if not line:
                    break
                word, name, *more = line.rstrip("\n").split(" ", 3)
                if word == "begin":
                    current, begin = name, time.time()
                else:
                    found[name] = (word, float(more[0]), more[1] if len(more) > 1 else "")
        process.stdout.close()
        code = process.wait()
        if current not in found:
            found[current] = ("fail", time.time() - begin, f"the process ended with {code}")
    return found


def run(build, work, seed, count, only=""):
    """Rows: a name, a line to print, and whether the case passes."""
    folder = os.environ.get("MERCATOR_JAX_TESTS")
    if not folder:
        yield "jax", "MERCATOR_JAX_TESTS is not set: nothing ran", True
        return
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    common = {
        **os.environ,
        "JAX_NUM_GENERATED_CASES": "4",
        "MERCATOR_LIBRARY": str(pathlib.Path(build).resolve() / "lib" / "libmercator.so"),
        "PYTHONPATH": str(ROOT / "python"),
        "XDG_CACHE_HOME": str(work / "cache"),
    }
    cpu, own = {**common, "JAX_PLATFORMS": "cpu"}, {**common, "JAX_PLATFORMS": "mercator,cpu"}
    passed = expected = devices = 0
    with open(work / "failures.txt", "w") as failures:
        for file in FILES:
            path = pathlib.Path(folder) / f"{file}.py"
            if not path.exists() or only not in ("", file):
                continue
            listed = subprocess.run(
                [sys.executable, str(WORKER), str(path), "--list"], env=cpu, capture_output=True, text=True, check=False
            )
            names = listed.stdout.split()
            if not names:
                yield file, f"cannot be read: {listed.stderr.strip().splitlines()[-1:]}", False
                continue
            drawn = random.Random(f"{seed} {file}").sample(names, min(count, len(names)))
            theirs = outcomes(path, drawn, cpu)
            good = [name for name in drawn if theirs[name][0] == "pass"]
            ours = outcomes(path, good, own)
            several = [name for name in good if ours[name][0] == "skip" and re.search(r"\bdevices\b", ours[name][2])]
            devices += len(several)
            good = [name for name in good if name not in several]
            bad = [name for name in good if ours[name][0] != "pass"]
            for name in bad:
                print(file, name, *ours[name], file=failures, flush=True)
            passed, expected = passed + len(good) - len(bad), expected + len(good)
            times = [sum(table[name][1] for name in good) for table in (ours, theirs)]
            yield file, f"{len(good) - len(bad)} of {len(good)} of {len(names)}, {times[0]:.0f} s (CPU {times[1]:.0f} s)", True
            for name in bad:
                print(f"       {name}: {ours[name][2]}", flush=True)
    rate = passed / max(expected, 1)
    told = f"{passed} of {expected} that pass on the CPU: {100 * rate:.1f} % (goal {100 * GOAL:.0f} %)"
    yield "rate", f"{told}; {devices} more need several devices", rate >= GOAL
