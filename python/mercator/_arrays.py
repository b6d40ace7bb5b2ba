# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Arrays of numpy as arrays of the C interface, and back."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable

import numpy as np

from . import _library as c
from ._library import Error

# Types of elements as MLIR writes them, by the name of their dtype.
_ELEMENTS = {
    "bool": "i1",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"ui{bits}" for bits in (8, 16, 32, 64)},
}
# Those of the package ml_dtypes.
_NARROW = {
    "bfloat16": "bf16",
    "int2": "i2",
    "int4": "i4",
    "uint2": "ui2",
    "uint4": "ui4",
    "float4_e2m1fn": "f4E2M1FN",
    "float6_e2m3fn": "f6E2M3FN",
    "float6_e3m2fn": "f6E3M2FN",
    "float8_e3m4": "f8E3M4",
    "float8_e4m3": "f8E4M3",
    "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
}
_NAMES = {element: name for names in (_ELEMENTS, _NARROW) for name, element in names.items()}


def _dtype_of(element: str) -> Any:
    name = _NAMES.get(element)
    if name in _ELEMENTS:
        return np.dtype(name)
    if name is None:
        raise Error(f"expected a result with elements of a type that numpy has, got {element}")
    try:
        import ml_dtypes
    except ImportError:
        raise Error(f"numpy has no type for elements of {element}", help="pip install ml_dtypes") from None
    return np.dtype(getattr(ml_dtypes, name))


class Inputs:
    """Arrays as an argument of mercator_run. They live as long as this object."""

    def __init__(self, values: Iterable[Any]):
        self._kept: list[Any] = []
        arrays = [self._array(value, position) for position, value in enumerate(values)]
        self.arrays = (c.Array * len(arrays))(*arrays)

    def _array(self, value: Any, position: int) -> c.Array:
        array = np.ascontiguousarray(value)
        if np.ndim(value) == 0:
            array = array.reshape(())  # which ascontiguousarray makes an array of one dimension
        element = _ELEMENTS.get(array.dtype.name) or _NARROW.get(array.dtype.name)
        if element is None:
            raise Error(f"input #{position}: expected an array of numbers, got elements of type {array.dtype}")
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        self._kept += [array, shape]
        return c.Array(element.encode(), array.ndim, shape, array.ctypes.data)


def results_of(address: int) -> tuple[Any, ...]:
    """The arrays of a mercator_results, without a copy: each keeps the handle."""
    handle = c.Handle(address, "free_results")
    results = []
    for index in range(c.function("results_count")(address)):
        array = c.Array()
        c.function("results_get")(address, index, ctypes.byref(array))
        dtype = _dtype_of(array.element.decode())
        shape = tuple(array.shape[i] for i in range(array.rank))
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if size == 0:
            results.append(np.zeros(shape, dtype))
            continue
        buffer = (ctypes.c_char * size).from_address(array.data)
        buffer._handle = handle
        results.append(np.frombuffer(buffer, dtype).reshape(shape))
    return tuple(results)
