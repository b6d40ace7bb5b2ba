# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs the Python of README.md, and the commands of README.md on its output."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(mercator, work):
    """Rows: a name, a line to print, and whether the case passes."""
    mercator, folder = str(pathlib.Path(mercator).resolve()), pathlib.Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    section = (ROOT / "README.md").read_text().split("## From JAX")[1].split("\n## ")[0]
    # The other block is for the package.
    (program,) = (block for block in re.findall(r"```python\n(.*?)```", section, re.S) if "open(" in block)
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}

    def row(name, command):
        result = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        good = result.returncode == 0
        return name, "works" if good else result.stderr[-400:], good

    yield row("python", [sys.executable, "-c", program])
    for line in re.findall(r"^mercator ([^#\n]*)", section, re.M):
        # A dump is the output of another program.
        if "*" not in line:
            yield row(line.strip(), [mercator, *line.split()])
    example = (ROOT / "examples" / "layer.mlir").read_text().split("\n", 1)[1]
    # The README writes the lines of the program, too; the example has none.
    written = re.sub(r" loc\([^()]*\)|^#loc.*\n", "", (folder / "layer.mlir").read_text(), flags=re.M)
    good = written == example
    yield "examples/layer.mlir", "is what JAX writes" if good else "is not what JAX writes", good
