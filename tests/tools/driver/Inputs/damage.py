# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""damage.py cut|flip|empty|text FOLDER: damages every file in a folder."""

import pathlib
import sys

for path in pathlib.Path(sys.argv[2]).iterdir():
    content = bytearray(path.read_bytes())
    if sys.argv[1] == "cut":
        content = content[: len(content) // 2]
    elif sys.argv[1] == "flip":
        content[len(content) // 2] ^= 1
    elif sys.argv[1] == "empty":
        content = b""
    else:
        content = b"HloModule m\n" * 50
    path.write_bytes(content)
