# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""count_dispatches FILE...: checks that `explain` counts the dispatches that
`compile` calls, with each kind of fusion. A file may contain several programs,
separated by `// -----`. Programs that `compile` rejects are skipped."""

import json
import re
import subprocess
import sys
import tempfile


def run(*arguments):
    return subprocess.run(["mercator", *arguments], capture_output=True, text=True)


def check(path, where):
    wrong = 0
    for fusion in ("seed", "aggressive", "maps"):
        compiled = run("compile", path, "--stop-after=flow", "--fusion=" + fusion)
        if compiled.returncode == 1:
            return None
        explained = run("explain", path, "--json", "--fusion=" + fusion)
        if compiled.returncode or explained.returncode:
            print(f"{where}: {fusion}: {compiled.stderr}{explained.stderr}")
            wrong += 1
            continue
        called = len(re.findall(r"flow\.dispatch @", compiled.stdout))
        told = len(json.loads(explained.stdout)["dispatches"])
        if called != told:
            print(f"{where}: {fusion}: compile calls {called}, explain counts {told}")
            wrong += 1
    return wrong


programs = wrong = 0
for name in sys.argv[1:]:
    text = open(name, encoding="utf-8").read()
    for number, program in enumerate(re.split(r"^// -----$", text, flags=re.M)):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(program)
            file.flush()
            result = check(file.name, f"{name}, program {number}")
        if result is not None:
            programs += 1
            wrong += result
print(f"{programs} programs, {wrong} wrong")
sys.exit(wrong != 0)
