# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""write_npy FILE DESCR SHAPE BYTES: an .npy file with the element type DESCR and
the shape SHAPE in its header, followed by BYTES bytes."""

import struct
import sys

path, descr, shape, count = sys.argv[1:]
header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(bytes(int(count)))
