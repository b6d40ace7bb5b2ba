# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random gathers as programs: all dimension numbers and index types, starts that
are negative or past the end, dimensions of extent 0 and 1."""

import dataclasses

import numpy as np
from elements import INTEGERS, limits, type_text

INDEX_TYPES = ["i32"] * 4 + ["i64"] * 2 + ["i8", "i16", "ui8", "ui16"]
# Index types that onnxruntime does not support: ONNX's own evaluator runs these
# models.
WIDE_INDEX_TYPES = ["ui32", "ui64"]


@dataclasses.dataclass
class Gather:
    """`body` defines %r from %operand and %starts."""

    element: str
    index: str
    operand: tuple[int, ...]
    starts: tuple[int, ...]
    result: tuple[int, ...]
    body: str


def extent(g, most):
    return 0 if g.random() < 0.02 else 1 if g.random() < 0.2 else int(g.integers(1, most + 1))


def draw(g, element, index_types):
    rank, batch_rank = int(g.integers(0, 5)), int(g.integers(0, 4))
    batch = [extent(g, 4) for _ in range(batch_rank)]
    operand = [extent(g, 5) for _ in range(rank)]
    sizes, mapped, collapsed, pairs = list(operand), [], [], []
    axes = list(g.permutation(batch_rank))
    for d in g.permutation(rank):
        d = int(d)
        if axes and g.random() < 0.25:
            axis = int(axes.pop())
            operand[d] = batch[axis]
            sizes[d] = min(1, operand[d])
            pairs.append((d, axis))
            continue
        if g.random() < 0.65:
            mapped.append(d)
            sizes[d] = min(1, operand[d]) if g.random() < 0.5 else int(g.integers(0 if operand[d] == 0 else 1, operand[d] + 1))
        elif g.random() < 0.3:
            sizes[d] = int(g.integers(0, operand[d] + 1))
        if sizes[d] == 1 and g.random() < 0.7:
            collapsed.append(d)
    pairs.sort()
    collapsed.sort()
    has_vector = len(mapped) != 1 or g.random() < 0.7
    vector = int(g.integers(0, batch_rank + 1)) if has_vector else batch_rank
    starts = [*batch[:vector], len(mapped), *batch[vector:]] if has_vector else batch
    window = [sizes[d] for d in range(rank) if d not in collapsed and d not in [d for d, _ in pairs]]
    out_rank = len(window) + batch_rank
    offsets = sorted(int(i) for i in g.permutation(out_rank)[: len(window)])
    parts, rest = iter(window), iter(batch)
    result = tuple(next(parts) if i in offsets else next(rest) for i in range(out_rank))
    axes_of_pairs = [axis + 1 if has_vector and axis >= vector else axis for _, axis in pairs]
    index = str(g.choice(index_types))
    slice_sizes = "array<i64" + (": " + ", ".join(map(str, sizes)) if sizes else "") + ">"
    body = (
        f'%r = "stablehlo.gather"(%operand, %starts) <{{dimension_numbers = #stablehlo.gather<offset_dims = {offsets}, '
        f"collapsed_slice_dims = {collapsed}, operand_batching_dims = {[d for d, _ in pairs]}, "
        f"start_indices_batching_dims = {axes_of_pairs}, start_index_map = {mapped}, index_vector_dim = {vector}>, "
        f"slice_sizes = {slice_sizes}}}> : ({type_text(operand, element)}, {type_text(starts, index)}) -> "
        f"{type_text(result, element)}"
    )
    return Gather(element, index, tuple(operand), tuple(starts), result, body)


def start_values(g, gather):
    low, high = limits(gather.index)
    near = g.integers(max(low, -3), 8, gather.starts)
    far = g.choice(np.array([low, high, low + 1, high - 1, high // 2], dtype=object), gather.starts)
    chosen = np.where(g.random(gather.starts) < 0.2, far, near.astype(object))
    return np.array(chosen, dtype=INTEGERS[gather.index]).reshape(gather.starts)


def program(gathers):
    """One @main with all gathers. Its parameters are operand, starts, operand, starts, .."""
    parameters, lines, names, types = [], [], [], []
    for n, gather in enumerate(gathers):
        parameters.append(f"%operand{n}: {type_text(gather.operand, gather.element)}")
        parameters.append(f"%starts{n}: {type_text(gather.starts, gather.index)}")
        lines.append("  " + gather.body.replace("%r ", f"%r{n} ").replace("%operand", f"%operand{n}").replace("%starts", f"%starts{n}"))
        names.append(f"%r{n}")
        types.append(type_text(gather.result, gather.element))
    return (
        f"func.func @main({', '.join(parameters)}) -> ({', '.join(types)}) {{\n"
        + "\n".join(lines)
        + f"\n  return {', '.join(names)} : {', '.join(types)}\n}}\n"
    )
