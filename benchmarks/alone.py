# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs of a program in a process of its own, with their time and their memory.

`compile_library` makes a shared library by `mercator compile`. A script that is started
again by `run_alone` calls `library_run` or `xla_run` and prints what `memory_of` or
`measured` returns.
"""

import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import time

import numpy


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("rank", ctypes.c_int64), ("sizes", ctypes.POINTER(ctypes.c_int64))]


def compile_library(mercator, source):
    """The shared library of a program, beside its text, and the bytes of its arena."""
    library = pathlib.Path(source).with_suffix(".so")
    subprocess.run([mercator, "compile", source, "--target=cpu", "-o", library], check=True)
    header = library.with_suffix(".h").read_text().splitlines()
    arena = next(line.split("INT64_C(")[1].split(")")[0] for line in header if "ARENA_BYTES" in line and "INT64_C(" in line)
    return library, int(arena)


def run_alone(script, *words):
    """What `script --alone WORDS` prints in its last line, as JSON."""
    done = subprocess.run([sys.executable, script, "--alone", *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def library_run(path, arena, inputs, outputs):
    """A function that runs the library in one thread. The first call makes its context."""
    library = ctypes.CDLL(path)
    library.mercator_new_context.restype = ctypes.c_void_p
    library.mercator_new_context.argtypes = [ctypes.c_int64]
    library.mercator_set_threads(ctypes.c_int64(1))

    def table(arrays):
        sizes = [(ctypes.c_int64 * array.ndim)(*array.shape) for array in arrays]
        return (Tensor * len(arrays))(*[Tensor(array.ctypes.data, array.ndim, size) for array, size in zip(arrays, sizes)])

    function = getattr(library, pathlib.Path(path).stem)
    arguments, made, context = table(inputs), table(outputs), []

    def run(alive=(inputs, outputs)):  # a table has only their addresses
        if not context:
            context.append(ctypes.c_void_p(library.mercator_new_context(arena)))
        if function(context[0], arguments, made) != 0:
            sys.exit("the program failed")

    return run


def xla_run(function, inputs, outputs):
    """A function that runs a function of JAX, and leaves its results in `outputs`."""
    import jax

    inputs = [jax.device_put(array) for array in inputs]
    program = jax.jit(function).lower(*inputs).compile().runtime_executable()

    def run():
        outputs[:] = [shards[0] for shards in program.execute_sharded(inputs).disassemble_into_single_device_arrays()]
        for output in outputs:
            output.block_until_ready()

    return run


def memory_of(run, result_bytes):
    """The bytes that a run takes besides arguments and results."""
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
    before = resident("VmRSS")
    run()
    return resident("VmHWM") - before - result_bytes


def measured(run, result_bytes):
    """Runs once for the memory, and for half a second for the time."""
    begin = time.perf_counter()
    taken = memory_of(run, result_bytes)
    once = time.perf_counter() - begin
    times = []
    for _ in range(max(2, min(50, int(0.5 / once)))):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return {"seconds": statistics.median(times), "bytes": taken}


def resident(name):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))
