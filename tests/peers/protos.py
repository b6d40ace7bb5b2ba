# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""HLO protos that jaxlib writes: the module that Mercator reads from one is the module of
jaxlib's text. The programs are those of the test data, as XLA reads them."""

import os
import pathlib
import random
import shutil
import subprocess

import jaxlib._hlo as hlo
from jax._src.interpreters import mlir  # noqa: F401  (registers dialects)
from jax._src.lib import xla_client

# Of each folder, how many programs.
SAMPLE = 60


def write(module, path):
    """The module as a proto and as text, beside each other."""
    options = hlo.HloPrintOptions()
    options.print_large_constants = True
    path.with_suffix(".pb").write_bytes(module.as_serialized_hlo_module_proto())
    path.with_suffix(".hlo").write_text(module.to_string(options))


def unoptimized(path):
    return xla_client._xla.mlir.mlir_module_to_xla_computation(path.read_text(), use_tuple_args=False, return_tuple=False).get_hlo_module()


def parsed(path):
    return hlo.hlo_module_from_text(path.read_text())


def run(build, work, seed, shared):
    """Rows: a name, a line to print, and whether the case passes."""
    generator = random.Random(seed)
    folders = [
        ("stablehlo-interpret", "*.mlir", unoptimized),
        ("stablehlo-testdata", "*.mlir", unoptimized),
        ("blocks", "*.mlir", unoptimized),
        ("jax12", "*.mlir", unoptimized),
        ("models", "*.hlo", parsed),
        ("gpu/xla", "*.hlo*", parsed),
    ]
    for folder, pattern, read in folders:
        programs = sorted((shared / "data" / folder).glob(pattern))
        if not programs:
            continue
        target = pathlib.Path(work) / folder.replace("/", "-")
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        written = 0
        for program in generator.sample(programs, min(SAMPLE, len(programs))):
            try:
                module = read(program)
            except (ValueError, RuntimeError, UnicodeDecodeError):
                # A program that jaxlib does not know.
                continue
            write(module, target / program.name.replace(".", "_"))
            written += 1
        result = subprocess.run(
            [str(build / "bin/frontends-tests"), "--gtest_filter=Proto.EqualsTheTextOfJaxlib"],
            env={**os.environ, "MERCATOR_PROTOS": str(target)},
            capture_output=True,
            text=True,
            check=False,
        )
        said = [line for line in result.stdout.splitlines() if line.startswith(str(target))]
        yield folder, f"{written} written, different: {said[:3]}", result.returncode == 0 and written > 0
