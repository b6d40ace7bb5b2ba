# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""exports_test NM LIBRARY HEADER: the library exports what the header declares, and GetPjrtApi."""

import re
import subprocess
import sys


def main():
    nm, library, header = sys.argv[1:]
    listed = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    exported = {line.split()[-1] for line in listed.splitlines()}
    text = open(header, encoding="utf-8").read()
    declared = set(re.findall(r"MERCATOR_API[^;]*?\b(mercator_\w+)\(", text))
    assert len(declared) == text.count("\nMERCATOR_API "), "a declaration was not found"
    declared.add("GetPjrtApi")
    print("missing:", sorted(declared - exported))
    print("not declared:", sorted(exported - declared)[:20])
    sys.exit(exported != declared)


main()
