# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""check_measured.py FILE

Prints "sane" if the rates in FILE, of `mercator device --measure`, are possible.
"""

import json
import pathlib
import sys

device = json.loads(pathlib.Path(sys.argv[1]).read_text())
rates = {each["type"]: each["core_gflop_per_s"] for each in device["multiply_adds"]}
first = device["caches"][0]
checks = {
    "f32 beside f64": 1 < rates["f32"] / rates["f64"] < 4,
    "f32": 1 < rates["f32"] < 10_000,
    "L1 beside memory": first["core_gb_per_s"] > device["memory_core_gb_per_s"],
    "memory": 0.1 < device["memory_core_gb_per_s"] < 1000,
    "a dispatch": device.get("start_us", 0) < 10_000,
}
print(", ".join(name for name, holds in checks.items() if not holds) or "sane")
