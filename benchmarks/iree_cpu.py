# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""iree_cpu.py [--dispatches] FILE.mlir: the seconds that IREE takes to compile a StableHLO program, and the median of its runs.
With --dispatches the number of its dispatches, and the bytes of all that they read and write.

Compiles with the default settings and with the fast ones, and prints the times of the better run. Needs
benchmarks/requirements.txt. Inputs are one number each; weights that the text leaves out are those of weights.py.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import weights
from iree.compiler.tools.binaries import find_tool
from iree.runtime.benchmark import benchmark_exe

THREADS = 2
COMPILE = [
    "--iree-input-type=stablehlo",
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
]
FAST = ["--iree-opt-level=O3", "--iree-opt-data-tiling", "--iree-llvmcpu-enable-ukernels=all"]
ELIDE = "--mlir-elide-elementsattrs-if-larger=16"


def device(threads):
    """The flags of a device with so many threads."""
    return ["--device=local-sync"] if threads == 1 else ["--device=local-task", f"--task_topology_group_count={threads}"]


def entry(text):
    """The name of the first function, and its inputs as flags."""
    name, parameters = re.search(r"func\.func (?:public )?@(\w+)\((.*?)\) ->", text).groups()
    types = re.findall(r"%\w+: tensor<(\w+)>", parameters)
    return name, [f"--input={t}={0.01 if re.search('f[0-9]+$', t) else 1}" for t in types]


def build(text, settings, module):
    """Seconds to compile the program to a module."""
    source = module.with_suffix(".mlir")
    source.write_text(text)
    begin = time.perf_counter()
    subprocess.run([find_tool("iree-compile"), source, "-o", module, *COMPILE, *settings], capture_output=True, check=True)
    return time.perf_counter() - begin


def time_module(text, module, threads, repetitions=7, seconds=0.3):
    """Median seconds of a run; a repetition takes so many seconds."""
    name, inputs = entry(text)
    options = ["--benchmark_format=json", f"--benchmark_min_time={seconds}s", f"--benchmark_repetitions={repetitions}"]
    command = [benchmark_exe(), f"--module={module}", f"--function={name}", *inputs, *device(threads), *options]
    rows = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["benchmarks"]
    median = next(row for row in rows if row.get("aggregate_name") == "median")
    return median["real_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[median["time_unit"]]


def measure(text, settings, folder):
    """Seconds to compile, median seconds of a run."""
    module = folder / "program.vmfb"
    return build(text, settings, module), time_module(text, module, THREADS)


WIDTHS = {"i1": 1, "bf16": 2, "index": 8}


def size(tensor):
    """The bytes of `4x8xf32`; 0 of a dynamic one."""
    *extents, element = tensor.split("x")
    width = WIDTHS.get(element) or int(re.sub(r"\D", "", element)) // 8
    return math.prod(int(extent) for extent in extents) * width if all(e.isdigit() for e in extents) else 0


def dispatches(text):
    """The dispatches of the program, and the bytes of their operands and results."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "program.mlir"
        source.write_text(text)
        command = [find_tool("iree-compile"), source, "-o", "-", "--compile-to=flow", ELIDE, *COMPILE]
        flow = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    calls = re.findall(r"= flow\.dispatch @.*? : (\(.*)", flow)
    return len(calls), sum(size(tensor) for call in calls for tensor in re.findall(r"tensor<([\w]+)>", call))


def main():
    text = weights.fill(pathlib.Path(sys.argv[-1]).read_text())
    if "--dispatches" in sys.argv:
        print(*dispatches(text))
        return
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for settings in ([], FAST):
            try:
                results.append(measure(text, settings, pathlib.Path(folder)))
            except subprocess.CalledProcessError as failure:
                errors = failure.stderr.decode().splitlines() or [f"ends with {failure.returncode}"]
                reason = next((line for line in errors if "error" in line.lower()), errors[0])
    if not results:
        sys.exit(f"IREE: {reason}")
    compiled, run = min(results, key=lambda result: result[1])
    print(f"{compiled:.6f} {run:.9f}")


if __name__ == "__main__":
    main()
