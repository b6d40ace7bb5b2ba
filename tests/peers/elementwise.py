# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random elementwise operations, with results from numpy and ml_dtypes."""

import math

import numpy as np
from cases import Case, joined
from elements import (
    bits_of,
    ALL,
    COMPLEX,
    F8,
    FLOATS,
    INTEGERS,
    SIGNED,
    UNSIGNED,
    limits,
    name_of,
    type_of,
    type_text,
    width,
)

NUMBERS = [*INTEGERS, *FLOATS]
PLAIN_FLOATS = ["bf16", "f16", "f32", "f64"]


def simple(operation, inputs, result_element, oracle, ulps=None):
    shape = inputs[-1].shape
    operands = ", ".join(f"%a{i}" for i in range(len(inputs)))
    types = ", ".join(type_of(value) for value in inputs)
    result = type_text(shape, result_element)
    return Case(
        operation,
        inputs,
        f"%r0 = stablehlo.{operation} {operands} : ({types}) -> {result}",
        [(shape, result_element)],
        lambda *values: [np.asarray(oracle(*values)).reshape(shape).astype(ALL[result_element])],
        ulps,
    )


# --- Exact on integers ---


def as_python(function):
    """A function of Python integers, element by element, wrapped to the type."""

    def oracle(*arrays):
        dtype = arrays[0].dtype
        bits = width(name_of(arrays[0]))
        signed = name_of(arrays[0]) in SIGNED
        out = []
        for values in zip(*(a.ravel() for a in arrays)):
            value = function(bits, *(int(v) for v in values)) & ((1 << bits) - 1)
            out.append(value - (1 << bits) if signed and value >> (bits - 1) else value)
        wide = np.int64 if signed else np.uint64
        return np.array(out, dtype=wide).astype(dtype).reshape(arrays[0].shape)

    return oracle


def quotient(_bits, a, b):
    if b == 0:
        return -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(_bits, a, b):
    return a if b == 0 else a - quotient(_bits, a, b) * b


def masked(bits, a):
    return a & ((1 << bits) - 1)


def shift_left(bits, a, b):
    return a << b if 0 <= masked(bits, b) < bits else 0


def shift_right_arithmetic(bits, a, b):
    a = masked(bits, a)
    a = a - (1 << bits) if a >> (bits - 1) else a
    return a >> (masked(bits, b) if masked(bits, b) < bits else bits)


def shift_right_logical(bits, a, b):
    return masked(bits, a) >> b if 0 <= masked(bits, b) < bits else 0


INTEGER_BINARY = {
    "add": lambda bits, a, b: a + b,
    "subtract": lambda bits, a, b: a - b,
    "multiply": lambda bits, a, b: a * b,
    "divide": quotient,
    "remainder": remainder,
    "maximum": lambda bits, a, b: max(a, b),
    "minimum": lambda bits, a, b: min(a, b),
    "and": lambda bits, a, b: a & b,
    "or": lambda bits, a, b: a | b,
    "xor": lambda bits, a, b: a ^ b,
    "shift_left": shift_left,
    "shift_right_arithmetic": shift_right_arithmetic,
    "shift_right_logical": shift_right_logical,
}
INTEGER_UNARY = {
    "negate": lambda bits, a: -a,
    "not": lambda bits, a: ~a,
    "popcnt": lambda bits, a: masked(bits, a).bit_count(),
    "count_leading_zeros": lambda bits, a: bits - masked(bits, a).bit_length(),
}
SIGNED_UNARY = {"abs": lambda bits, a: abs(a), "sign": lambda bits, a: (a > 0) - (a < 0)}
PRED_BINARY = {
    "add": np.logical_or,
    "multiply": np.logical_and,
    "maximum": np.logical_or,
    "minimum": np.logical_and,
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
}


def integer_binary(r):
    operation = r.choice([*INTEGER_BINARY])
    element = r.choice([*INTEGERS])
    shape = r.shape()
    a, b = r.values(shape, element), r.values(shape, element)
    if operation.startswith("shift") and r.chance(0.7):
        b = r.values(shape, element, 0, width(element))
    return simple(operation, [a, b], element, as_python(INTEGER_BINARY[operation]))


def integer_unary(r):
    signed = r.chance(0.4)
    table = SIGNED_UNARY if signed else INTEGER_UNARY
    operation = r.choice([*table])
    element = r.choice([*(SIGNED if signed else INTEGERS)])
    return simple(operation, [r.values(r.shape(), element)], element, as_python(table[operation]))


def pred_binary(r):
    operation = r.choice([*PRED_BINARY])
    shape = r.shape()
    a, b = r.values(shape, "i1"), r.values(shape, "i1")
    return simple(operation, [a, b], "i1", PRED_BINARY[operation])


# --- Exact on floats, as in IEEE 754 ---


def rounded(function):
    """Computed in double precision, or by numpy for doubles, and rounded once. For
    one operation on narrower types this is the correct result."""

    def oracle(*arrays):
        dtype = arrays[0].dtype
        with np.errstate(all="ignore"):
            return np.asarray(function(*(a.astype(np.float64) for a in arrays))).astype(dtype)

    return oracle


def greatest(a, b):
    """IEEE 754's maximum: NaN if an operand is NaN, and -0 is less than 0."""
    return np.where((a == 0) & (b == 0), np.where(np.signbit(a), b, a), np.maximum(a, b))


def least(a, b):
    return np.where((a == 0) & (b == 0), np.where(np.signbit(a), a, b), np.minimum(a, b))


def round_away(a):
    whole = np.trunc(a)
    return np.copysign(np.where(np.abs(a - whole) >= 0.5, whole + np.sign(a), whole), a)


FLOAT_BINARY = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "remainder": np.fmod,
    "maximum": greatest,
    "minimum": least,
}
FLOAT_UNARY = {
    "negate": np.negative,
    "abs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "round_nearest_even": np.rint,
    "round_nearest_afz": round_away,
    "sign": lambda a: np.where(a == 0, a, np.sign(a)),
    "sqrt": np.sqrt,
}


def float_binary(r):
    operation = r.choice([*FLOAT_BINARY])
    element = r.choice([*FLOATS])
    shape = r.shape()
    inputs = [r.values(shape, element), r.values(shape, element)]
    return simple(operation, inputs, element, rounded(FLOAT_BINARY[operation]))


def float_unary(r):
    operation = r.choice([*FLOAT_UNARY])
    element = r.choice([*FLOATS])
    return simple(operation, [r.values(r.shape(), element)], element, rounded(FLOAT_UNARY[operation]))


def is_finite(r):
    element = r.choice([*FLOATS])
    values = r.values(r.shape(), element)
    return simple("is_finite", [values], "i1", lambda a: np.isfinite(a.astype(np.float64)))


# --- Functions, within a few floats ---


def logistic(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


FUNCTIONS = {
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": logistic,
    "tanh": np.tanh,
    "sine": np.sin,
    "cosine": np.cos,
    "tan": np.tan,
    "rsqrt": lambda a: 1 / np.sqrt(a),
    "cbrt": np.cbrt,
}


def function_unary(r):
    operation = r.choice([*FUNCTIONS])
    element = r.choice(PLAIN_FLOATS + [r.choice([*F8])])
    values = r.values(r.shape(), element)
    ulps = 3 if element == "f64" else 1
    return simple(operation, [values], element, rounded(FUNCTIONS[operation]), ulps)


def function_binary(r):
    operation = r.choice(["power", "atan2"])
    element = r.choice(PLAIN_FLOATS)
    shape = r.shape()
    inputs = [r.values(shape, element), r.values(shape, element)]
    function = np.power if operation == "power" else np.arctan2
    return simple(operation, inputs, element, rounded(function), 3 if element == "f64" else 1)


def integer_power(r):
    element = r.choice([*INTEGERS])
    shape = r.shape()
    base, exponent = r.values(shape, element), r.values(shape, element, 0, 7)
    return simple("power", [base, exponent], element, as_python(lambda bits, a, b: a**b))


# --- Complex numbers: whole ones, so that products are exact ---

COMPLEX_BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply}
COMPLEX_FUNCTIONS = {
    "exponential": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "sine": np.sin,
    "cosine": np.cos,
    "tanh": np.tanh,
}


def complex_binary(r):
    operation = r.choice([*COMPLEX_BINARY])
    element = r.choice([*COMPLEX])
    shape = r.shape()
    inputs = [r.values(shape, element, -9, 9), r.values(shape, element, -9, 9)]
    return simple(operation, inputs, element, COMPLEX_BINARY[operation], 0)


def complex_function(r):
    """Computed in double precision and rounded. Cases have single precision only."""
    operation = r.choice([*COMPLEX_FUNCTIONS])
    shape = r.shape()
    values = (r.g.uniform(-3, 3, shape) + 1j * r.g.uniform(-3, 3, shape)).astype(np.complex64)

    def oracle(a):
        return COMPLEX_FUNCTIONS[operation](a.astype(np.complex128)).astype(np.complex64)

    return simple(operation, [values], "complex<f32>", oracle, 4)


def complex_parts(r):
    element = r.choice([*COMPLEX])
    part = "f32" if element == "complex<f32>" else "f64"
    shape = r.shape()
    if r.chance(0.4):
        a, b = r.values(shape, part), r.values(shape, part)
        return simple("complex", [a, b], element, lambda x, y: joined(x, y, element))
    values = r.values(shape, element)
    operation = r.choice(["real", "imag"])
    return simple(operation, [values], part, np.real if operation == "real" else np.imag)


# --- Others ---


def compare(r):
    direction = r.choice(["EQ", "NE", "LT", "LE", "GT", "GE"])
    element = r.choice(["i1", *NUMBERS] if direction not in ("EQ", "NE") else ["i1", *NUMBERS, *COMPLEX])
    shape = r.shape()
    a, b = r.values(shape, element), r.values(shape, element)
    if r.chance(0.4):
        b = np.where(r.g.integers(0, 2, shape).astype(bool), a, b).astype(a.dtype)
    # Types without -0 have one NaN, without a sign. It has no place in the order.
    total = element in FLOATS and not element.endswith("FNUZ") and r.chance(0.3)
    kind = ", TOTALORDER" if total else ""
    functions = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal}
    functions.update({"GT": np.greater, "GE": np.greater_equal})

    def oracle(x, y):
        if total:
            x, y = order_key(x), order_key(y)
        elif element in INTEGERS:
            wide = np.uint64 if element in UNSIGNED else np.int64
            x, y = x.astype(wide), y.astype(wide)
        elif element in FLOATS:
            x, y = x.astype(np.float64), y.astype(np.float64)
        return [np.asarray(functions[direction](x, y)).astype(bool).reshape(shape)]

    types = f"({type_of(a)}, {type_of(b)}) -> {type_text(shape, 'i1')}"
    body = f"%r0 = stablehlo.compare {direction}, %a0, %a1{kind} : {types}"
    return Case("compare", [a, b], body, [(shape, "i1")], oracle)


def order_key(array):
    """Integers in the total order of IEEE 754."""
    sign = 1 << (8 * array.dtype.itemsize - 1)
    keys = [sign - 1 - int(v) if int(v) & sign else int(v) for v in bits_of(array).ravel()]
    return np.array(keys, dtype=object).reshape(array.shape)


def select(r):
    element = r.choice([*ALL])
    shape = r.shape()
    pred = r.values(() if r.chance(0.4) else shape, "i1")
    a, b = r.values(shape, element), r.values(shape, element)
    types = f"{type_of(pred)}, {type_of(a)}"
    body = f"%r0 = stablehlo.select %a0, %a1, %a2 : {types}"
    return Case("select", [pred, a, b], body, [(shape, element)], lambda p, x, y: [np.where(p, x, y)])


def clamp(r):
    element = r.choice(NUMBERS)
    shape = r.shape()
    operand = r.values(shape, element)
    bounds = [r.values(() if r.chance(0.5) else shape, element) for _ in range(2)]
    if element in FLOATS:  # the kind of NaN or zero is not checked here
        bounds = [r.values(b.shape, element, -4 + 4 * i, 4 * i) for i, b in enumerate(bounds)]
        operand = np.where(np.asarray(operand) == 0, 1, operand).astype(operand.dtype)
    inputs = [bounds[0], operand, bounds[1]]

    def oracle(low, x, high):
        wide = np.float64 if element in FLOATS else object
        low, x, high = (v.astype(wide) for v in (low, x, high))
        return [np.asarray(np.minimum(np.maximum(x, low), high)).astype(operand.dtype).reshape(shape)]

    types = ", ".join(type_of(value) for value in inputs)
    body = f"%r0 = stablehlo.clamp %a0, %a1, %a2 : ({types}) -> {type_of(operand)}"
    return Case("clamp", inputs, body, [(shape, element)], oracle)


def convert(r):
    source, target = r.choice([*ALL]), r.choice([*ALL])
    shape = r.shape()
    if target in INTEGERS and (source in FLOATS or source in COMPLEX):
        # Inside the type: other results are implementation-defined.
        low, high = limits(target)
        reach = 15 if source in F8 else 100
        values = r.g.uniform(max(low, -reach), min(high, reach), shape)
        values = np.asarray(values).astype(ALL[source])
    elif source in COMPLEX and target != "i1" and target not in COMPLEX:
        values = r.values(shape, source, -9, 9)
    else:
        values = r.values(shape, source)

    def oracle(x):
        with np.errstate(all="ignore"):
            if source in COMPLEX and target not in COMPLEX:
                x = x.real  # also for i1: the imaginary part is ignored
            if target == "i1":
                return [np.asarray(x.astype(np.float64) != 0) if source in FLOATS else np.asarray(x.astype(object) != 0)]
            if source in INTEGERS and target in INTEGERS:
                return [as_python(lambda bits, a: a)(*[wrap(x, target)])]
            if source in INTEGERS and target in FLOATS:
                return [from_integers(x, target)]
            if target in COMPLEX:
                part = np.float32 if target == "complex<f32>" else np.float64
                if source in COMPLEX:
                    return [x.astype(ALL[target])]
                real = from_integers(x, "f32" if part is np.float32 else "f64") if source in INTEGERS else x.astype(part)
                return [real.astype(ALL[target])]
            if target in INTEGERS:
                return [np.trunc(x.astype(np.float64)).astype(np.int64).astype(ALL[target])]
            return [x.astype(ALL[target])]

    body = f"%r0 = stablehlo.convert %a0 : ({type_of(values)}) -> {type_text(shape, target)}"
    return Case("convert", [values], body, [(shape, target)], lambda x: [np.asarray(oracle(x)[0]).reshape(shape)])


def wrap(array, target):
    """Integers of the type, modulo its width."""
    bits = width(target)
    values = [int(v) & ((1 << bits) - 1) for v in array.ravel()]
    if target in SIGNED:
        values = [v - (1 << bits) if v >> (bits - 1) else v for v in values]
    wide = np.int64 if target in SIGNED else np.uint64
    return np.array(values, dtype=wide).astype(ALL[target]).reshape(array.shape)


def from_integers(array, target):
    """Rounded once, to nearest, by way of double if it holds all values."""
    if target == "f64":
        return np.array([float(int(v)) for v in array.ravel()]).reshape(array.shape)
    if target == "f32":
        wide = np.int64 if name_of(array) in SIGNED else np.uint64
        return array.astype(wide).astype(np.float32)
    out = []
    for v in array.ravel():
        v = int(v)
        # Sticky bit: the bits beyond 50 only decide ties.
        shift = max(abs(v).bit_length() - 50, 0)
        kept = abs(v) >> shift
        kept |= 1 if abs(v) & ((1 << shift) - 1) else 0
        out.append(math.copysign(math.ldexp(kept, shift), v))
    return narrow(np.array(out, dtype=np.float64), target).reshape(array.shape)


def narrow(doubles, target):
    with np.errstate(all="ignore"):
        return doubles.astype(FLOATS[target])


MAKERS = {
    integer_binary: 14,
    integer_unary: 6,
    pred_binary: 2,
    float_binary: 14,
    float_unary: 10,
    is_finite: 1,
    function_unary: 10,
    function_binary: 3,
    integer_power: 1,
    complex_binary: 2,
    complex_function: 2,
    complex_parts: 2,
    compare: 6,
    select: 3,
    clamp: 3,
    convert: 10,
}
