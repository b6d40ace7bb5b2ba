# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""xla_cpu.py FILE.mlir [--compile]: the seconds that XLA:CPU takes to compile a StableHLO program, and the median of its runs.

With --compile it does not run the program, and prints the first number alone.

Needs jaxlib, as tests/peers does. Weights that the text leaves out are those of weights.py.
"""

import pathlib
import statistics
import sys
import time

import jax
import ml_dtypes
import numpy
import weights
from jax._src import xla_bridge
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir

TYPES = {
    "bf16": ml_dtypes.bfloat16,
    "f32": numpy.float32,
    "f64": numpy.float64,
    "i1": numpy.bool_,
    "i8": numpy.int8,
    "i32": numpy.int32,
    "i64": numpy.int64,
}


def main():
    jax.config.update("jax_enable_x64", True)
    text = weights.fill(pathlib.Path(sys.argv[1]).read_text())
    with jax_mlir.make_ir_context():
        module = ir.Module.parse(text)
        functions = [op for op in module.body.operations if op.operation.name == "func.func"]
        named = [f for f in functions if ir.StringAttr(f.attributes["sym_name"]).value == "main"]
        entry = (named or functions)[0]
        entry.attributes["sym_name"] = ir.StringAttr.get("main")
        inputs = [ir.RankedTensorType(t) for t in ir.FunctionType(ir.TypeAttr(entry.attributes["function_type"]).value).inputs]
        shapes = [(list(t.shape), str(t.element_type)) for t in inputs]
        backend = xla_bridge.get_backend("cpu")
        begin = time.perf_counter()
        devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
        program = backend.compile_and_load(module, devices, xla_client.CompileOptions())
        compiled = time.perf_counter() - begin
    if "--compile" in sys.argv:
        print(f"{compiled:.6f}")
        return
    random = numpy.random.default_rng(0)
    arguments = []
    for shape, element in shapes:
        values = random.standard_normal(shape) * 0.02 if "f" in element else random.integers(0, 2, shape)
        arguments.append(jax.device_put(values.astype(TYPES[element])))

    def run():
        for shards in program.execute_sharded(arguments).disassemble_into_single_device_arrays():
            shards[0].block_until_ready()

    for _ in range(2):
        run()
    times = []
    end = time.perf_counter() + 4
    while time.perf_counter() < end and len(times) < 60:
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    print(f"{compiled:.6f} {statistics.median(times):.9f}")


if __name__ == "__main__":
    main()
