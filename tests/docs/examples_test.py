# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""examples/README.md must list every example, and its commands must work.

examples_test.py ROOT BIN-FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from mpi_works import mpi_works

ROOT, BIN = pathlib.Path(sys.argv[1]), sys.argv[2]
page = (ROOT / "examples" / "README.md").read_text()
errors = []
for path in sorted((ROOT / "examples").iterdir()):
    if path.name != "README.md" and f"]({path.name})" not in page:
        errors.append(f"{path.name}: not on the page")
commands = re.findall(r"`(mercator [^`]*)`", page)
if len(commands) < 10:
    errors.append(f"expected commands on the page, got {len(commands)}")
environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
has_mpi = mpi_works()
for command in commands:
    if "--processes=" in command and not has_mpi:
        continue
    result = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    if result.returncode != 0 or not result.stdout:
        errors.append(f"{command}: code {result.returncode}\n{result.stderr}")
print("\n".join(errors) or f"{len(commands)} commands work")
sys.exit(1 if errors else 0)
