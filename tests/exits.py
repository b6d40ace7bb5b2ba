# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""%exits CODE COMMAND...: succeeds if COMMAND ends with exactly CODE."""

import subprocess
import sys

expected = int(sys.argv[1])
code = subprocess.call(sys.argv[2:])
if code != expected:
    sys.exit(f"expected exit code {expected}, got {code}: {sys.argv[2:]}")
