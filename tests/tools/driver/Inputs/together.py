# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""together.py N COMMAND...: runs a command N times at once, and prints each exit code with the output."""

import subprocess
import sys

processes = [
    subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for _ in range(int(sys.argv[1]))
]
for process in processes:
    output, _ = process.communicate()
    print(f"exit code {process.returncode}: {output}", end="")
