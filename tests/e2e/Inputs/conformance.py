# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""conformance KNOWN DATA CASES REPORT...: checks the reports of
`mercator conformance --json` on folders of DATA. They must have at least CASES
counted cases, and every verdict must be "pass", unless KNOWN lists another."""

import json
import pathlib
import sys

known_path, data, least, *reports = sys.argv[1:]
known = {}
for line in pathlib.Path(known_path).read_text().splitlines():
    if line and not line.startswith("#"):
        path, verdict, why = line.split(": ", 2)
        assert why, f"{path} without a reason"
        known[path] = verdict

counted, errors, seen = 0, [], set()
for report in reports:
    for case in json.loads(pathlib.Path(report).read_text())["cases"]:
        path = str(pathlib.Path(case["file"]).relative_to(data))
        counted += case["outcome"] != "read_back" and not case["disabled"]
        if case["outcome"] in ("pass", "read_back") and not case["disabled"] and path not in known:
            continue
        seen.add(path)
        expected = known.get(path, "pass (it is not in the list)")
        if case["outcome"] != expected:
            errors.append(f"{path}: expected {expected}, got {case['outcome']}: {case.get('reason', '')}")
errors += [f"{path}: in the list, but no such case" for path in known if path not in seen]
if counted < int(least):
    errors.append(f"expected at least {least} cases, got {counted}")
print("\n".join(errors) or f"{counted} cases as expected")
sys.exit(1 if errors else 0)
