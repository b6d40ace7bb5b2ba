# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""again.py N COMMAND...: runs a command N times, and counts the exit codes."""

import collections
import subprocess
import sys

codes = collections.Counter(
    subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    for _ in range(int(sys.argv[1]))
)
print(f"{sys.argv[1]} runs: " + ", ".join(f"{count} with exit code {code}" for code, count in sorted(codes.items())))
