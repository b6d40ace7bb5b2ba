# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""All values of the narrow floats, against ml_dtypes: the evaluator, and machine code.

Each type has one program. Its operands are all values of the type, and all pairs of them;
results are converted to f32, which has each value of each type. NaNs count as equal, and
-0 is not 0. The operands are constants that an input selects: operations on constants
would be evaluated when the program is compiled.
"""

import pathlib

import elements
import ml_dtypes
import numpy as np
import programs
from elementwise import greatest, least

TYPES = {
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    **elements.F8,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}
# They have no NaN. The specification does not say what stands for one; Mercator has -0.
WITHOUT_NAN = {"f4E2M1FN", "f6E2M3FN", "f6E3M2FN"}
NARROW = [name for name in TYPES if elements.width(name) <= 8]


def sign(x):
    """The sign, and a zero or NaN as it is."""
    wide = x.astype(np.float32)
    return np.where(wide == 0, wide, np.sign(wide)).astype(x.dtype)


def widened(*arrays):
    return [x.astype(np.float64) for x in arrays]


UNARY = {
    "abs": np.abs,
    "ceil": np.ceil,
    "floor": np.floor,
    "negate": np.negative,
    "round_nearest_even": np.rint,
    "sign": sign,
    "sqrt": np.sqrt,
}
BINARY = {
    "add": np.add,
    "divide": np.divide,
    "maximum": lambda a, b: greatest(*widened(a, b)).astype(a.dtype),
    "minimum": lambda a, b: least(*widened(a, b)).astype(a.dtype),
    "multiply": np.multiply,
    "subtract": np.subtract,
}
COMPARE = {"EQ": np.equal, "GE": np.greater_equal, "GT": np.greater, "LE": np.less_equal, "LT": np.less, "NE": np.not_equal}


def values_of(name):
    """Each value of the type."""
    return np.arange(2 ** elements.width(name), dtype=np.uint8).view(TYPES[name])


def rounded(x, name):
    """In the type, by ml_dtypes."""
    wide = x.astype(np.float32)
    if name in WITHOUT_NAN:
        wide = np.where(np.isnan(wide), np.float32(-0.0), wide)
    return wide.astype(TYPES.get(name, np.float32))


def wide_values():
    """f32 at, between and next to the values of all narrow types."""
    known = np.concatenate([values_of(name).astype(np.float32) for name in NARROW])
    known = np.unique(known[np.isfinite(known)])
    known = np.concatenate([known, (known[1:] + known[:-1]) / 2])
    near = [np.nextafter(known, np.float32(to)) for to in (-np.inf, np.inf)]
    # ml_dtypes does not round subnormal numbers to the nearest power.
    known = known[(np.abs(known) <= 2.0**-127) | (np.abs(known) >= 2.0**-126)]
    near = [x[(np.abs(x) <= 2.0**-127) | (np.abs(x) >= 2.0**-126)] for x in near]
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 3e38, -3e38], np.float32)
    return np.concatenate([known, *near, special])


class Program:
    """@main with the argument %keep, which is true, and the results that are expected."""

    def __init__(self):
        self.lines, self.names, self.wanted, self.texts = [], [], [], []

    def add(self, operation, result, wanted):
        """`result`: the element type."""
        name = f"%r{len(self.names)}"
        shape, is_bit = wanted.shape, result == "i1"
        self.lines.append(f"{name} = {operation} -> {elements.type_text(shape, result)}")
        if result not in ("f32", "i1"):
            wide = elements.type_text(shape, "f32")
            self.lines.append(f"{name}w = stablehlo.convert {name} : ({elements.type_text(shape, result)}) -> {wide}")
            name += "w"
        self.names.append((name, elements.type_text(shape, "i1" if is_bit else "f32")))
        self.wanted.append(wanted if is_bit else wanted.astype(np.float32))
        self.texts.append(operation)

    def text(self):
        types = ", ".join(type_ for _, type_ in self.names)
        names = ", ".join(name for name, _ in self.names)
        body = "\n".join("  " + line for line in self.lines)
        return f"func.func @main(%keep: tensor<i1>) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"


def operand(name, element, array):
    """Lines for an array that is known only when the program runs."""
    type_ = elements.type_text(array.shape, element)

    def constant(name, array):
        words = np.ascontiguousarray(array).tobytes().hex().upper()
        return f'{name} = stablehlo.constant dense<"0x{words}"> : {type_}'

    select = f"{name} = stablehlo.select %keep, {name}_kept, {name}_other : tensor<i1>, {type_}"
    return [constant(f"{name}_kept", array), constant(f"{name}_other", array[::-1]), select]


def conversions(source, x):
    program = Program()
    program.lines += operand("%x", source, x)
    type_ = elements.type_text(x.shape, source)
    for target in [*TYPES, "f32"]:
        program.add(f"stablehlo.convert %x : ({type_})", target, rounded(x, target))
    return program


def of_numbers(function, name, *operands):
    """A function of the type, rounded once."""
    if name == "f8E8M0FNU":
        # ml_dtypes computes in f32, where numbers below 2^-149 are zero.
        wide = function(*widened(*operands))
        return rounded(np.where((wide > 0) & (wide < 2.0**-127), 2.0**-127, wide), name)
    result = function(*operands)
    if name not in WITHOUT_NAN:
        return result
    wide = function(*(x.astype(np.float32) for x in operands))
    return np.where(np.isnan(wide), np.float32(-0.0), result.astype(np.float32)).astype(result.dtype)


def arithmetic(source):
    x = values_of(source)
    program = Program()
    program.lines += operand("%x", source, x)
    type_, square = elements.type_text(x.shape, source), elements.type_text((x.size, x.size), source)
    for operation, function in UNARY.items():
        program.add(f"stablehlo.{operation} %x : ({type_})", source, of_numbers(function, source, x))
    for name, dim in (("%a", 0), ("%b", 1)):
        program.lines.append(f"{name} = stablehlo.broadcast_in_dim %x, dims = [{dim}] : ({type_}) -> {square}")
    a, b = x[:, None], x[None, :]
    for operation, function in BINARY.items():
        program.add(f"stablehlo.{operation} %a, %b : ({square}, {square})", source, of_numbers(function, source, a, b))
    for direction, function in COMPARE.items():
        program.add(f"stablehlo.compare {direction}, %a, %b : ({square}, {square})", "i1", function(a, b))
    return program


def difference(got, wanted):
    """The places of other values."""
    if wanted.dtype == np.bool_:
        return np.argwhere(got != wanted)
    same = (elements.bits_of(got) == elements.bits_of(wanted)) | (np.isnan(got) & np.isnan(wanted))
    return np.argwhere(~same)


def check(program, mercator, folder, reference):
    path = folder / "program.mlir"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(program.text())
    words = ["--input=dense<true> : tensor<i1>", *([] if reference else ["--cache=off"])]
    results, said = programs.evaluate(mercator, path, words, program.wanted, reference)
    if results is None:
        return said, False
    count = 0
    for operation, got, wanted in zip(program.texts, results, program.wanted):
        places = difference(got, wanted)
        if places.size:
            at = tuple(places[0])
            return f"{operation}: {len(places)} differ; at {[int(i) for i in at]} expected {wanted[at]}, got {got[at]}", False
        count += wanted.size
    return f"{count} values", True


def run(mercator, folder):
    """One (name, line, good) for each type and program."""
    folder = pathlib.Path(folder)
    with np.errstate(all="ignore"):
        made = {f"convert {source}": conversions(source, values_of(source)) for source in NARROW}
        made["convert f32"] = conversions("f32", wide_values())
        made.update({f"arithmetic {source}": arithmetic(source) for source in NARROW})
    for name, program in made.items():
        for reference in (True, False):
            by = "evaluator" if reference else "code"
            line, good = check(program, mercator, folder / f"{name} {by}".replace(" ", "_"), reference)
            yield f"{name}, {by}", line, good
