# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""One random operation: its operands, its expected results, its text."""

import dataclasses
import re
from collections.abc import Callable

import numpy as np
from elements import ALL, COMPLEX, F8, FLOATS, INTEGERS, is_float, limits, literal, name_of, type_of, type_text

MAX_ELEMENTS = 160


@dataclasses.dataclass
class Case:
    """`body` defines %r0, %r1, .. from %a0, %a1, .."""

    operation: str
    inputs: list[np.ndarray]
    body: str
    results: list[tuple[tuple[int, ...], str]]
    # From inputs to results. If there is none, XLA runs the body.
    oracle: Callable | None = None
    # None: the bits are compared, and -0 is not 0. Else the distance that is
    # allowed, in floats of the type.
    ulps: int | None = None
    # Or the distance that is allowed.
    near: float | None = None

    def result_types(self):
        return [type_text(shape, element) for shape, element in self.results]

    def renamed(self, prefix):
        """The body, with unique names."""
        return re.sub(r"%(\w+)", rf"%{prefix}\1", self.body)

    def function(self, name, expected):
        """A function without arguments that checks the results."""
        lines = [f"func.func @{name}() {{"]
        for i, value in enumerate(self.inputs):
            lines.append(f"  %a{i} = stablehlo.constant {literal(value)} : {type_of(value)}")
        lines += ["  " + line for line in self.body.strip().split("\n")]
        for i, value in enumerate(expected):
            lines += self.checks(f"%r{i}", value)
        return "\n".join([*lines, "  func.return", "}"])

    def checks(self, name, value):
        element, type_ = name_of(value), type_of(value)
        inexact = is_float(element) or element in COMPLEX
        if not inexact:
            return [f"  check.expect_eq_const {name}, {literal(value)} : {type_}"]
        # A NaN equals nothing, but it is near to a NaN. With distance 0, only equal values are near.
        same = f"  check.expect_almost_eq_const {name}, {literal(value)} : {type_}, tolerance = 0.0"
        if self.ulps == 0:
            return [same]
        if self.near:
            return [f"  check.expect_almost_eq_const {name}, {literal(value)} : {type_}, tolerance = {self.near:.17e}"]
        if self.ulps:
            return [
                f'  "check.expect_close_const"({name}) <{{max_ulp_difference = {self.ulps} : ui64, '
                f"min_ulp_difference = 0 : ui64, value = {literal(value)} : {type_}}}> : ({type_}) -> ()"
            ]
        lines = [same]
        # All NaNs count as equal, so their bits are not compared.
        if element not in COMPLEX and not np.isnan(value.astype(np.float64)).any():
            bits = value.view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[value.dtype.itemsize])
            bits_type = type_of(bits)
            lines = [
                f"  {name}_bits = stablehlo.bitcast_convert {name} : ({type_}) -> {bits_type}",
                f"  check.expect_eq_const {name}_bits, {literal(bits)} : {bits_type}",
            ]
        return lines


def joined(real, imaginary, element):
    """Complex numbers from their parts. Arithmetic cannot make them: infinity times
    i has a NaN as its real part."""
    out = np.empty(real.shape, COMPLEX[element])
    out.real, out.imag = real, imaginary
    return out


def signature(operands, results):
    """`(T, ..) -> T` or `-> (T, ..)`, from types as text."""
    right = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"({', '.join(operands)}) -> {right}"


class Random:
    """The source of randomness for generators of cases."""

    def __init__(self, generator):
        self.g = generator

    def integer(self, low, high):
        """Both ends included."""
        return int(self.g.integers(low, high, endpoint=True))

    def choice(self, values):
        return values[self.integer(0, len(values) - 1)]

    def chance(self, probability):
        return self.g.random() < probability

    def permutation(self, n):
        return [int(i) for i in self.g.permutation(n)]

    def extent(self, low=0):
        value = self.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7])
        return max(value, low)

    def shape(self, min_rank=0, max_rank=4, low=0):
        while True:
            shape = tuple(self.extent(low) for _ in range(self.integer(min_rank, max_rank)))
            if np.prod(shape, dtype=np.int64) <= MAX_ELEMENTS:
                return shape

    def values(self, shape, element, low=None, high=None):
        """Any values of the type, including special ones; inside the given limits,
        if there are any."""
        if low is not None:
            return self.within(shape, element, low, high)
        if element == "i1":
            return self.g.integers(0, 2, shape).astype(bool)
        if element in INTEGERS:
            return self.whole(shape, element)
        if element in COMPLEX:
            part = "f32" if element == "complex<f32>" else "f64"
            return joined(self.values(shape, part), self.values(shape, part), element)
        return self.real(shape, element)

    def whole(self, shape, element):
        least, greatest = limits(element)
        dtype = INTEGERS[element]
        count = int(np.prod(shape, dtype=np.int64))
        values = []
        for _ in range(count):
            pick = self.g.random()
            if pick < 0.6:
                values.append(self.integer(max(least, -9), min(greatest, 9)))
            elif pick < 0.7:
                values.append(self.choice([least, greatest, 0, 1]))
            else:
                values.append(least + int.from_bytes(self.g.bytes(8), "little") % (greatest - least + 1))
        wide = np.uint64 if least == 0 else np.int64
        return np.array(values, dtype=wide).reshape(shape).astype(dtype)

    def real(self, shape, element):
        dtype = FLOATS[element]
        count = int(np.prod(shape, dtype=np.int64))
        exponent = 3 if element in F8 else 8
        values = self.g.standard_normal(count) * np.exp2(self.g.uniform(-exponent, exponent, count))
        odd = self.g.random(count)
        for i in range(count):
            if odd[i] < 0.08:
                values[i] = self.choice([0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1.5])
            elif odd[i] < 0.12:
                values[i] = self.choice([np.inf, -np.inf, np.nan, 1e30, -1e-30])
        with np.errstate(all="ignore"):
            return values.astype(dtype).reshape(shape)

    def within(self, shape, element, low, high):
        """Whole numbers in [low, high]. Their sums are exact in any order."""
        values = self.g.integers(low, high, shape, endpoint=True)
        if element in COMPLEX:
            return (values + 1j * self.g.integers(low, high, shape, endpoint=True)).astype(COMPLEX[element])
        if element in INTEGERS:
            least, greatest = limits(element)
            values = np.clip(values, least, greatest)
        return np.asarray(values).astype(ALL[element])

