# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""XLA's compiler for the CPU as an oracle, and jaxlib as a reader of text."""

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault(
    "XLA_FLAGS",
    "--xla_force_host_platform_device_count=4 --xla_cpu_enable_fast_math=false"
    " --xla_backend_optimization_level=0 --xla_allow_excess_precision=false",
)

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax._src import xla_bridge  # noqa: E402
from jax._src.interpreters import mlir  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402

jax.config.update("jax_enable_x64", True)


def parse(text):
    """Parses a module; raises ir.MLIRError. Use inside context()."""
    return ir.Module.parse(text)


def context():
    return mlir.make_ir_context()


def accepts(text):
    """Whether jaxlib parses and verifies the text, and its message if not."""
    with context():
        try:
            ir.Module.parse(text)
        except ir.MLIRError as error:
            said = [diagnostic.message for diagnostic in error.error_diagnostics]
            return False, said[0] if said else str(error)
        return True, ""


def run(text, arguments):
    """The results of @main as numpy arrays; raises the exceptions of XLA."""
    backend = xla_bridge.get_backend("cpu")
    with context():
        module = ir.Module.parse(text)
        devices = xla_client.DeviceList(tuple(backend.devices()[:1]))
        program = backend.compile_and_load(module, devices, xla_client.CompileOptions())
    buffers = [jax.device_put(argument) for argument in arguments]
    return [np.asarray(result) for result in program.execute(buffers)]
