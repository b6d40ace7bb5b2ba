# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""ascend_devices.py SOURCE PAGE

Compares the element types that SOURCE (devices/910b.json) gives the cores of the 910B
with the table in PAGE (docs/ascend-operators.md), between the lines `<!-- devices -->`
and `<!-- end -->`.
"""

import json
import pathlib
import sys

source, page = (pathlib.Path(name).read_text() for name in sys.argv[1:])
expected = {row["name"]: row["types"] for row in json.loads(source)["core_operators"]}

table = page.split("<!-- devices -->")[1].split("<!-- end -->")[0]
found = {}
for line in table.strip().split("\n")[2:]:
    operators, types = (cell.strip() for cell in line.split("|")[1:3])
    for operator in operators.split(", "):
        found[operator] = [] if types == "none" else types.split(", ")

errors = [
    f"{operator}: expected {', '.join(types) or 'none'}, got {', '.join(found.get(operator, ['no row']))}"
    for operator, types in expected.items()
    if found.get(operator) != types
]
errors += [f"{operator}: the cores have no list of types" for operator in found if operator not in expected]
print("\n".join(errors) or f"{len(expected)} operators")
sys.exit(1 if errors else 0)
