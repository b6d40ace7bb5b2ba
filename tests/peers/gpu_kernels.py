# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""gpu_kernels.py BUILD CARD FOLDER SEED COUNT: the PTX that XLA writes for random programs, run by the evaluator of PTX; JAX on the CPU; the prediction.

Runs in an environment of its own, since XLA's compiler for a GPU is 3 GB: Python 3.12 with `pip install "jax[cuda13]==0.11.2"`. No GPU is needed. CARD is a
description of the card (GpuTargetConfigProto). FOLDER keeps each program: SEED/*.ptx, the HLO, the launches, and counts.json with the counts of each kernel.
Prints a line for each program that differs or does not run, with its seed, and for each kernel whose counts `mercator access` predicts wrongly and calls exact. The
last two lines are the numbers of verdicts and of predictions. The exit code is 1 if a value differs, 2 if too many predictions are wrong, 3 if both.
"""

import collections
import glob
import json
import os
import pathlib
import re
import subprocess
import sys

build, card, folder, seed, count = sys.argv[1:6]
ptx, mercator = f"{build}/bin/mercator-ptx", f"{build}/bin/mercator"
folder, seed, count = pathlib.Path(folder), int(seed), int(count)
dump = folder / "dump"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = f"--xla_dump_to={dump} --xla_dump_hlo_as_text --xla_dump_hlo_module_re=jit_program --xla_dump_emitter_re=ptx --xla_cpu_enable_fast_math=false"

import gpu_programs  # noqa: E402
import jax  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax.experimental import topologies  # noqa: E402
from jax.sharding import SingleDeviceSharding  # noqa: E402

DEVICE = topologies.get_topology_desc("h100", "cuda", target_config=open(card).read(), topology="1x1x1").devices[0]
ON = SingleDeviceSharding(DEVICE)


def compile_program(function, arguments, here):
    """Writes the files that mercator-ptx reads."""
    for old in glob.glob(f"{dump}/*"):
        os.remove(old)

    def program(*arguments):
        return function(*arguments)

    shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=ON) for a in arguments]
    lowered = jax.jit(program, keep_unused=True).lower(*shapes)
    (here / "program.mlir").write_text(lowered.as_text())
    text = lowered.compile().as_text()
    (here / "program.hlo").write_text(text)
    for file in glob.glob(f"{dump}/*.ptx") + glob.glob(f"{dump}/*thunk_*.txt") + glob.glob(f"{dump}/*buffer-assignment.txt"):
        os.replace(file, here / os.path.basename(file).split(".", 2)[-1])
    return text


def tolerance(dtypes):
    """Of a result, relative to its largest element: sums have another order, functions another error, and XLA leaves roundings to narrow types out."""
    return max({"float32": 2e-5, "float16": 4e-3, "bfloat16": 6e-2, "complex64": 5e-5}.get(str(dtype), 0) for dtype in dtypes)


def loose(text, arguments):
    """Products of f32 are rounded to TF32, those of bf16 in another order."""
    return "gemm_fusion" in text and any(str(a.dtype) == "float32" for a in arguments)


def compare(result, expected, text, arguments):
    """What is different, or nothing."""
    expected = np.asarray(expected)
    if result.dtype.kind == "V":
        result = result.view(expected.dtype)
    if result.shape != expected.shape or result.dtype.itemsize != expected.dtype.itemsize:
        return f"{result.dtype}{result.shape} instead of {expected.dtype}{expected.shape}"
    kinds = "fc" if str(expected.dtype) not in ("float8_e4m3fn", "float8_e5m2") else ""
    if expected.dtype.kind not in kinds and str(expected.dtype) not in ("bfloat16",):
        wrong = result.view(np.uint8) != np.ascontiguousarray(expected).view(np.uint8) if expected.ndim else result.tobytes() != expected.tobytes()
        return f"{int(np.sum(wrong))} bytes differ" if np.any(wrong) else ""
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    a, b = result.astype(wide), expected.astype(wide)
    if np.any(np.isnan(a) != np.isnan(b)) or np.any(np.isinf(a) != np.isinf(b)):
        return "NaN or infinity differ"
    finite = np.isfinite(b)
    a, b = a[finite], b[finite]
    scale = np.max(np.abs(b), initial=1e-2)
    error = np.max(np.abs(a - b), initial=0) / scale
    limit = 3e-3 if loose(text, arguments) else tolerance([expected.dtype] + [a.dtype for a in arguments])
    if "reduce_prod" in text:  # of a product, the errors of the factors add up
        limit *= max(1, np.sqrt(max((a.size for a in arguments), default=1)) / 8)
    return f"error {error:.2g} of {scale:.2g}" if error > limit else ""


def check(number):
    kind, function, arguments = gpu_programs.program(number)
    here = folder / str(number)
    here.mkdir(parents=True, exist_ok=True)
    for old in here.glob("*"):
        old.unlink()
    try:
        text = compile_program(function, arguments, here)
    except Exception as error:  # noqa: BLE001
        return kind, "xla", f"{type(error).__name__}: {str(error).splitlines()[0][:100]}"
    for index, argument in enumerate(arguments):
        np.save(here / f"input{index}.npy", argument)
    inputs = ",".join(str(here / f"input{index}.npy") for index in range(len(arguments)))
    run = subprocess.run([ptx, str(here), f"--inputs={inputs}", f"--output={here}", "--races", "--json"], capture_output=True, text=True, timeout=300)
    if run.returncode == 4:
        return kind, "stops", run.stderr.strip().splitlines()[0]
    if run.returncode:
        return kind, "FAILS", run.stderr.strip()[:300]
    (here / "counts.json").write_text(run.stdout)
    if "warning: " in run.stderr:
        return kind, "RACES", run.stderr.strip().splitlines()[0]
    expected = jax.tree.leaves(jax.jit(function)(*arguments))
    for index, value in enumerate(expected):
        wrong = compare(np.load(here / f"result{index}.npy"), value, text, arguments)
        if wrong:
            return kind, "DIFFERS", f"result {index}: {wrong}"
    return kind, "equal", ""


KEYS = ["loads", "load_sectors", "stores", "store_sectors"]
SHARED = ["shared_loads", "shared_load_passes", "shared_stores", "shared_store_passes"]
# The part of the kernels whose prediction may be called exact and be wrong: a handful, where a compiler changes its mind.
WRONG = 0.005


def predictions(number, tally):
    """Compares the prediction of each kernel with what it did."""
    here = folder / str(number)
    if not (here / "counts.json").exists():
        return
    run = subprocess.run([mercator, "access", here / "program.hlo", "--json"], capture_output=True, text=True, check=False)
    plain = lambda name: re.sub(r"[.\-]", "_", name)
    said = {plain(kernel["instruction"]): kernel for kernel in json.loads(run.stdout).get("kernels", [])} if run.returncode == 0 else {}
    for kernel in json.loads((here / "counts.json").read_text()):
        tally["kernels"] += 1
        predicted = said.get(plain(kernel["instruction"]))
        if not predicted:
            tally["not predicted"] += 1
            continue
        value = {key: predicted.get(key) for key in KEYS + SHARED}
        value = {key: x if isinstance(x, dict) else {"value": x, "exactness": "exact" if x is not None else "unknown"} for key, x in value.items()}
        wrong = [key for key in value if value[key]["exactness"] == "exact" and value[key]["value"] != kernel[key]]
        low = [key for key in value if value[key]["exactness"] == "upper-bound" and value[key]["value"] < kernel[key]]
        tally["equal"] += all(value[key].get("value") == kernel[key] for key in KEYS)
        tally["shared"] += all(value[key]["exactness"] != "unknown" for key in SHARED)
        tally["wrong"] += bool(wrong or low)
        for key in wrong + low:
            print(f"seed {number} {kernel['kernel']}: predicted {key} {value[key]['value']} ({value[key]['exactness']}), did {kernel[key]}", flush=True)


verdicts, tally = collections.Counter(), collections.Counter()
for number in range(seed, seed + count):
    kind, verdict, why = check(number)
    verdicts[verdict] += 1
    if verdict != "equal":
        print(f"seed {number} {kind}: {verdict}: {why}", flush=True)
    predictions(number, tally)
print(f"{count} programs from seed {seed}, {tally['kernels']} kernels: " + ", ".join(f"{value} {key}" for key, value in sorted(verdicts.items())))
print(f"{tally['kernels']} kernels: counts of {tally['equal']} are predicted, those of shared memory of {tally['shared']}, of {tally['wrong']} wrongly and as exact or bounds, {tally['not predicted']} have no prediction")
sys.exit(any(key.isupper() for key in verdicts) + 2 * (tally["wrong"] > WRONG * max(1, tally["kernels"])))
