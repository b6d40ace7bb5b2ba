# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""write_npz FILE [NAME DESCR SHAPE ELEMENTS]...: an .npz file with an array for
each four arguments: its name, its element type as in an .npy header, its shape and
its elements, "w '<f4' 2,3 1,2,3,4,5,6". A type V2 takes bfloat16 elements. The
shape of a scalar is "-". A NAME may occur again."""

import io
import struct
import sys
import warnings
import zipfile

CODES = {"f2": "e", "f4": "f", "f8": "d", "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
         "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}  # fmt: skip


def pack(descr, words):
    kind = descr[1:]
    if kind == "V2":  # the upper half of a float32
        return b"".join(struct.pack("<f", float(word))[2:] for word in words)
    if kind == "c8":
        return b"".join(struct.pack("<ff", complex(word).real, complex(word).imag) for word in words)
    read = float if kind[0] == "f" else int
    return b"".join(struct.pack("<" + CODES[kind], read(word)) for word in words)


path, *rest = sys.argv[1:]
warnings.simplefilter("ignore")  # zipfile warns of a name that occurs again
with zipfile.ZipFile(path, "w") as archive:
    while rest:
        name, descr, shape, elements, *rest = rest
        extents = "()" if shape == "-" else f"({shape},)"
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {extents}, }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        file = io.BytesIO()
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(pack(descr, elements.split(",") if elements else []))
        archive.writestr(name + ".npy", file.getvalue())
