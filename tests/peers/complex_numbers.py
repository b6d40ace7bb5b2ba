# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Functions of complex numbers against mpmath: the evaluator, and machine code.

The parts of the operands are zero, at the ends of the range of floats, near 1 and near
multiples of pi / 2, with both signs. The distance from the exact result is relative to its
modulus: a part that is much smaller than the other one may have fewer digits. A part that
is too large for the type is infinite.
"""

import math
import pathlib

import elements
import mpmath
import numpy as np
import programs

mpmath.mp.prec = 400

TYPES = {"complex<f32>": (np.complex64, np.float32), "complex<f64>": (np.complex128, np.float64)}


def logistic(z):
    return 1 / (1 + mpmath.exp(-z))


def cbrt(z):
    return mpmath.root(abs(z), 3) * mpmath.expj(mpmath.arg(z) / 3) if z else mpmath.mpc(0)


def log_plus_one(z):
    with mpmath.workprec(2600):
        return mpmath.log(1 + z)


def power(x, y):
    """None: there is no limit at 0."""
    if y == 0:
        return mpmath.mpc(1)
    if x == 0:
        return mpmath.mpc(0) if y.real > 0 else None
    return mpmath.exp(y * mpmath.log(x))


def atan2(y, x):
    """None: at a pole, or so near to a cut that rounding decides the side."""
    parts = [abs(part) for part in (x.real, x.imag, y.real, y.imag) if part]
    if not parts or max(parts) / min(parts) > 1e200:
        return None
    with mpmath.workprec(4600):
        square = x * x + y * y
        root = mpmath.sqrt(square)
        if abs(root.real) <= abs(root) * 2.0**-50:
            return None
        return -1j * mpmath.log((x + 1j * y) / root)


def inverse(function):
    """Near its poles and near 0."""

    def of_all(z):
        with mpmath.workprec(2600):
            return function(z)

    return of_all


def off_cut(function, is_cut):
    """None on the cut, where the sign of a zero, which mpmath does not have, decides."""
    return lambda z: None if is_cut(z) else function(z)


def is_beside(z):
    return z.imag == 0 and abs(z.real) >= 1


def is_above(z):
    return z.real == 0 and abs(z.imag) >= 1


# The function, and the distance that is allowed, in units of the last place.
UNARY = {
    "abs": (lambda z: mpmath.mpc(abs(z)), 2),
    "cbrt": (cbrt, 8),
    "cosine": (mpmath.cos, 8),
    "exponential": (mpmath.exp, 8),
    "exponential_minus_one": (mpmath.expm1, 8),
    "log": (lambda z: mpmath.log(z) if z else None, 8),
    "log_plus_one": (lambda z: log_plus_one(z) if z != -1 else None, 8),
    "logistic": (logistic, 8),
    "rsqrt": (lambda z: 1 / mpmath.sqrt(z) if z else None, 8),
    "sign": (mpmath.sign, 4),
    "sine": (mpmath.sin, 8),
    "sqrt": (mpmath.sqrt, 8),
    "tan": (mpmath.tan, 8),
    "tanh": (mpmath.tanh, 8),
    "chlo.acos": (off_cut(mpmath.acos, is_beside), 8),
    "chlo.acosh": (mpmath.acosh, 8),
    "chlo.asin": (off_cut(mpmath.asin, is_beside), 8),
    "chlo.asinh": (off_cut(mpmath.asinh, is_above), 8),
    "chlo.atan": (off_cut(inverse(mpmath.atan), is_above), 8),
    "chlo.atanh": (off_cut(inverse(mpmath.atanh), is_beside), 8),
    "chlo.cosh": (mpmath.cosh, 8),
    "chlo.sinh": (mpmath.sinh, 8),
}
BINARY = {
    "atan2": (atan2, 16),
    "divide": (lambda a, b: a / b if b else None, 8),
    "power": (power, 16),
}


def parts_of(real):
    info = np.finfo(real)
    tiny, large = float(info.tiny), float(info.max)
    sizes = [0.0, tiny, 3 * tiny, tiny**0.5, 1e-10, 1e-4, 0.3, 0.5, math.sqrt(0.5), 1 - 1e-6, 1.0]
    sizes += [1 + float(info.eps), math.pi / 2, 2.0, 3 * math.pi / 4, math.pi, 10.0, 40.0, 88.0]
    sizes += [float(np.log(large)) * 1.0005, large**0.5, large / 8, large]
    return np.array(sizes, real)


def operands_of(number, real, g):
    """Complex numbers for functions of one, and two that stand for pairs."""
    parts = parts_of(real)
    signed = np.concatenate([parts, -parts[1:]])
    square = (signed[:, None] + 1j * signed[None, :]).ravel().astype(number)
    ordinary = (g.standard_normal(1500) * 3 + 1j * g.standard_normal(1500) * 3).astype(number)
    one = np.concatenate([square, ordinary])
    first, second = g.choice(one, 2500), g.choice(one, 2500)
    # Powers of 0, and of what a small exponent makes ordinary.
    few = np.array([0, 1, -1, 2, -2, 0.5, 3, 1 + 1j, -1 + 1j, 1j, -1j, 1 - 2j], number)
    bases = np.concatenate([few, g.choice(ordinary, 100)])
    first = np.concatenate([first, np.repeat(bases, few.size), g.choice(ordinary, 2000)])
    second = np.concatenate([second, np.tile(few, bases.size), g.choice(ordinary, 2000)])
    return one, first, second


def text_of(number, sizes):
    """One program for all functions."""
    lines, names, types = [], [], []
    one, two = (elements.type_text((n,), number) for n in sizes)
    real = elements.type_text(sizes[:1], number[len("complex<") : -1])
    for operation in [*UNARY, *BINARY]:
        type_ = one if operation in UNARY else two
        result = real if operation == "abs" else type_
        operands = f"%z : ({one})" if operation in UNARY else f"%a, %b : ({two}, {two})"
        names.append(f"%r{len(names)}")
        types.append(result)
        if operation.startswith("chlo."):
            lines.append(f"  {names[-1]} = {operation} %z : {one} -> {result}")
        else:
            lines.append(f"  {names[-1]} = stablehlo.{operation} {operands} -> {result}")
    body = "\n".join(lines)
    return (
        f"func.func @main(%z: {one}, %a: {two}, %b: {two}) -> ({', '.join(types)}) {{\n"
        f"{body}\n  return {', '.join(names)} : {', '.join(types)}\n}}\n"
    )


def distance(got, wanted, info, conditions):
    """In units of the last place of the result."""
    largest, least = mpmath.mpf(float(info.max)), mpmath.mpf(float(info.tiny))
    size = min(abs(wanted), largest)
    worst = mpmath.mpf(0)
    for own, exact in ((got.real, wanted.real), (got.imag, wanted.imag)):
        if abs(exact) < abs(wanted) * conditions * float(info.eps) and abs(wanted) > largest:
            continue  # its sign is lost
        if abs(exact) > largest * (1 - 64 * float(info.eps) * conditions):
            if abs(exact) < largest * (1 + 64 * float(info.eps) * conditions):
                continue  # on either side
            if not (np.isinf(own) and (own > 0) == (exact > 0)):
                return mpmath.inf
            continue
        if not np.isfinite(own):
            return mpmath.inf
        error = abs(mpmath.mpf(float(own)) - exact)
        worst = max(worst, max(error - 8 * least, 0) / (size + least) / float(info.eps))
    return worst


def exact_results(operation, operands):
    """The exact operands and the result at each place."""
    function, _ = (UNARY | BINARY)[operation]
    rows = ([mpmath.mpc(complex(x)) for x in row] for row in zip(*operands))
    return [(row, function(*row)) for row in rows]


def judge(operation, got, rows, info):
    """A line about the largest distance, and whether it is allowed."""
    _, allowed = (UNARY | BINARY)[operation]
    worst, at, wanted_there, bad = -1.0, None, None, 0
    for i, (exact, wanted) in enumerate(rows):
        if wanted is None:
            continue
        # An error of half a unit in y log(x) is one of the power.
        conditions = 1.0
        if operation == "logistic":
            conditions += float(abs(wanted))  # at poles
        if operation == "power" and exact[0] != 0:
            conditions += float(abs(exact[1] * mpmath.log(exact[0])))
            if conditions > 1e4:
                continue
        units = float(distance(complex(got[i]), wanted, info, conditions)) / conditions
        bad += units > allowed
        if units > worst:
            worst, at, wanted_there = units, i, wanted
    place = ", ".join(mpmath.nstr(x, 17) for x in rows[at][0])
    line = f"{len(rows)} numbers, at most {worst:.1f} units"
    if bad:
        line += f"; {bad} differ by more: of {place} expected {mpmath.nstr(wanted_there, 17)}, got {got[at]}"
    return line, bad == 0


def run(mercator, folder, seed):
    """One (name, line, good) for each type, function and way to compute it."""
    g = np.random.default_rng(seed)
    for number, (complex_, real) in TYPES.items():
        place = pathlib.Path(folder) / complex_.__name__
        place.mkdir(parents=True, exist_ok=True)
        with np.errstate(all="ignore"):
            operands = operands_of(complex_, real, g)
        exact = {}
        path = place / "program.mlir"
        path.write_text(text_of(number, (operands[0].size, operands[1].size)))
        words = programs.save_inputs(place, operands)
        wanted = [np.zeros(operands[0 if operation in UNARY else 1].size, real if operation == "abs" else complex_) for operation in [*UNARY, *BINARY]]
        for by, more in (("evaluator", []), ("code", ["--cache=off"]), ("precise code", ["--cache=off", "--math=precise"])):
            results, said = programs.evaluate(mercator, path, [*words, *more], wanted, by == "evaluator")
            if results is None:
                yield f"{number}, {by}", said, False
                continue
            for operation, got in zip([*UNARY, *BINARY], results):
                step = 5 if operation == "atan2" else 1  # it has thousands of digits
                if operation not in exact:
                    own = operands[:1] if operation in UNARY else operands[1:]
                    exact[operation] = exact_results(operation, [x[::step] for x in own])
                line, good = judge(operation, got[::step], exact[operation], np.finfo(real))
                yield f"{operation} of {number}, {by}", line, good
