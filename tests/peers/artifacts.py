# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Portable artifacts that jaxlib writes, for versions of StableHLO drawn at random: the
text that Mercator reads from one is the text that jaxlib reads from it."""

import pathlib
import random
import subprocess

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSIONS = [f"0.{minor}.0" for minor in range(9, 21)]
# Of each folder, how many programs.
SAMPLE = 40


def versions():
    current = [int(part) for part in stablehlo.get_current_version().split(".")]
    return VERSIONS + [f"1.{minor}.0" for minor in range(current[1] + 1)]


def run(opt, work, seed, shared):
    """Rows: a name, a line to print, and whether the case passes."""
    work, generator = pathlib.Path(work), random.Random(seed)
    work.mkdir(parents=True, exist_ok=True)

    def text_of(path):
        result = subprocess.run([opt, str(path)], capture_output=True, text=True, check=False)
        return result.stdout if result.returncode == 0 else None

    for folder in ("stablehlo-interpret", "stablehlo-testdata", "blocks", "jax12"):
        programs = sorted((shared / "data" / folder).glob("*.mlir"))
        equal, refused, different = 0, 0, []
        for program in generator.sample(programs, min(SAMPLE, len(programs))):
            version = generator.choice(versions())
            context = mlir.make_ir_context()
            try:
                with context:
                    source = str(ir.Module.parse(program.read_text()))
                    artifact = stablehlo.serialize_portable_artifact_str(source, version)
                    theirs = str(stablehlo.deserialize_portable_artifact(context, artifact))
            except (ValueError, ir.MLIRError):
                # A version that cannot hold the program, or a program that jaxlib does not know.
                refused += 1
                continue
            (work / "a.mlirbc").write_bytes(artifact)
            (work / "a.mlir").write_text(theirs)
            expected = text_of(work / "a.mlir")
            if expected is None:
                refused += 1
            elif text_of(work / "a.mlirbc") == expected:
                equal += 1
            else:
                different.append(f"{program.name} at {version}")
        if programs:
            yield folder, f"{equal} equal, {refused} not written, different: {different[:3]}", not different and equal > 0
