# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Element types: their names in MLIR, their numpy types, tensors as text."""

import ml_dtypes
import numpy as np

SIGNED = {"i2": ml_dtypes.int2, "i4": ml_dtypes.int4, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
UNSIGNED = {
    "ui2": ml_dtypes.uint2,
    "ui4": ml_dtypes.uint4,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
}
F8 = {
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
}
FLOATS = {**F8, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64}
COMPLEX = {"complex<f32>": np.complex64, "complex<f64>": np.complex128}
PRED = {"i1": np.bool_}
INTEGERS = {**SIGNED, **UNSIGNED}
ALL = {**PRED, **INTEGERS, **FLOATS, **COMPLEX}

_NAMES = {np.dtype(dtype): name for name, dtype in ALL.items()}


def name_of(array):
    """The MLIR name of the element type of an array."""
    return _NAMES[np.dtype(array.dtype)]


def width(element):
    """The number of bits, as bitcast_convert counts them."""
    if element == "i1":
        return 1
    if element in COMPLEX:
        return {"complex<f32>": 64, "complex<f64>": 128}[element]
    digits = element.removeprefix("ui").removeprefix("i").removeprefix("bf").removeprefix("f")
    return int(digits.split("E")[0])


def is_float(element):
    return element in FLOATS


def limits(element):
    """The least and the greatest integer of the type."""
    bits = width(element)
    if element in UNSIGNED:
        return 0, 2**bits - 1
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def type_text(shape, element):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


def type_of(array):
    return type_text(array.shape, name_of(array))


def literal(array):
    """`dense<..>` without the type; floats as bits."""
    if array.size == 0:
        return "dense<>"
    element = name_of(array)
    if element in FLOATS or element in COMPLEX:
        return 'dense<"0x' + np.ascontiguousarray(array).tobytes().hex().upper() + '">'
    words = (lambda v: "true" if v else "false") if element == "i1" else (lambda v: str(int(v)))

    def nested(part):
        if part.ndim == 0:
            return words(part[()])
        return "[" + ", ".join(nested(inner) for inner in part) + "]"

    return f"dense<{nested(array)}>"


def bits_of(array):
    """The array as unsigned integers of the same width, which distinguishes -0 and 0."""
    unsigned = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[array.dtype.itemsize]
    return np.ascontiguousarray(array).view(unsigned)


def ulps(a, b):
    """The largest distance between elements of two arrays, in floats of the type;
    inf if one is not finite and the other is not equal."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return float("inf")
    if a.size == 0:
        return 0
    if a.dtype.kind == "c":
        return max(ulps(a.real.copy(), b.real.copy()), ulps(a.imag.copy(), b.imag.copy()))
    if name_of(a) not in FLOATS:
        return 0 if np.array_equal(a, b) else float("inf")
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    bad = ~same & ~(np.isfinite(a) & np.isfinite(b))
    if bad.any():
        return float("inf")
    sign = 1 << (8 * a.dtype.itemsize - 1)

    def steps(x):
        raw = [int(v) for v in bits_of(x).ravel()]
        return [-(v & (sign - 1)) if v & sign else v for v in raw]

    worst = 0
    for x, y, equal in zip(steps(a), steps(b), same.ravel()):
        if not equal:
            worst = max(worst, abs(x - y))
    return worst
