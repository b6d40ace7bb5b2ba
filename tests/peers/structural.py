# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random operations that move, combine and select elements, with results from XLA's
compiler for the CPU. Sums have small whole numbers, so that they are exact in any
order."""

import numpy as np
from cases import MAX_ELEMENTS, Case, signature
from elements import ALL, COMPLEX, FLOATS, INTEGERS, UNSIGNED, limits, type_of, type_text, width

# Element types that XLA's CPU compiler supports in all of these operations.
MOVED = ["i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "i4", "ui4"]
MOVED += ["f8E4M3FN", "f8E5M2", "bf16", "f16", "f32", "f64", "complex<f32>", "complex<f64>"]
SUMMED = ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16", "f32", "f64", "complex<f32>"]


def array(values):
    return "array<i64" + (": " + ", ".join(map(str, values)) if len(values) else "") + ">"


def shapely(operation, attributes, inputs, result_shape, element, **kwargs):
    """A case in the generic form, with one result."""
    names = ", ".join(f"%a{i}" for i in range(len(inputs)))
    types = signature([type_of(v) for v in inputs], [type_text(result_shape, element)])
    text = f" <{{{', '.join(attributes)}}}>" if attributes else ""
    body = f'%r0 = "stablehlo.{operation}"({names}){text} : {types}'
    return Case(operation, inputs, body, [(tuple(result_shape), element)], **kwargs)


# --- Movement ---


def broadcast_in_dim(r):
    element, result = r.choice(MOVED), r.shape(0, 4)
    rank = r.integer(0, len(result))
    dims = r.permutation(len(result))[:rank]
    shape = tuple(1 if r.chance(0.3) else result[d] for d in dims)
    attributes = [f"broadcast_dimensions = {array(dims)}"]
    return shapely("broadcast_in_dim", attributes, [r.values(shape, element)], result, element)


def transpose(r):
    element, shape = r.choice(MOVED), r.shape(0, 4)
    order = r.permutation(len(shape))
    result = [shape[d] for d in order]
    return shapely("transpose", [f"permutation = {array(order)}"], [r.values(shape, element)], result, element)


def reshape(r):
    element, shape = r.choice(MOVED), list(r.shape(0, 4))
    result = []
    for extent in shape:
        parts = [d for d in range(1, extent + 1) if extent % d == 0] or [0]
        part = r.choice(parts)
        result += [part, extent // part] if part else [0]
    for _ in range(r.integer(0, 2)):
        result.insert(r.integer(0, len(result)), 1)
    return shapely("reshape", [], [r.values(shape, element)], result, element)


def reverse(r):
    element, shape = r.choice(MOVED), r.shape(0, 4)
    dims = [d for d in range(len(shape)) if r.chance(0.5)]
    return shapely("reverse", [f"dimensions = {array(dims)}"], [r.values(shape, element)], shape, element)


def slice_(r):
    element, shape = r.choice(MOVED), r.shape(0, 4)
    starts, limits, strides, result = [], [], [], []
    for extent in shape:
        start = r.integer(0, extent)
        limit, stride = r.integer(start, extent), r.integer(1, 3)
        starts.append(start), limits.append(limit), strides.append(stride)
        result.append(-(-(limit - start) // stride))
    attributes = [f"start_indices = {array(starts)}", f"limit_indices = {array(limits)}", f"strides = {array(strides)}"]
    return shapely("slice", attributes, [r.values(shape, element)], result, element)


def pad(r):
    element, shape = r.choice(MOVED), r.shape(0, 4)
    while True:
        low = [r.integer(-2, 3) for _ in shape]
        high = [r.integer(-2, 3) for _ in shape]
        interior = [r.integer(0, 2) for _ in shape]
        result = [n + max(n - 1, 0) * i + a + b for n, i, a, b in zip(shape, interior, low, high)]
        if all(n >= 0 for n in result) and np.prod(result) <= 3 * MAX_ELEMENTS:
            break
    attributes = [
        f"edge_padding_low = {array(low)}",
        f"edge_padding_high = {array(high)}",
        f"interior_padding = {array(interior)}",
    ]
    return shapely("pad", attributes, [r.values(shape, element), r.values((), element)], result, element)


def concatenate(r):
    element, shape = r.choice(MOVED), list(r.shape(1, 3))
    dim = r.integer(0, len(shape) - 1)
    inputs, total = [], 0
    for _ in range(r.integer(1, 4)):
        shape[dim] = r.extent()
        total += shape[dim]
        inputs.append(r.values(tuple(shape), element))
    shape[dim] = total
    return shapely("concatenate", [f"dimension = {dim} : i64"], inputs, shape, element)


def iota(r):
    element = r.choice([e for e in MOVED if e != "i1"])
    shape = r.shape(1, 4)
    dim = r.integer(0, len(shape) - 1)
    return shapely("iota", [f"iota_dimension = {dim} : i64"], [], shape, element)


def starts(r, shape):
    """Scalars, some of them out of range."""
    element = r.choice(["i32", "i64", "i8", "ui32"])
    low = 0 if element in UNSIGNED else -2
    return [r.values((), element, low, extent + 2) for extent in shape]


def dynamic_slice(r):
    element, shape = r.choice(MOVED), r.shape(0, 4)
    sizes = [r.integer(0, extent) for extent in shape]
    inputs = [r.values(shape, element), *starts(r, shape)]
    return shapely("dynamic_slice", [f"slice_sizes = {array(sizes)}"], inputs, sizes, element)


def dynamic_update_slice(r):
    element, shape = r.choice(MOVED), r.shape(0, 4)
    sizes = tuple(r.integer(0, extent) for extent in shape)
    inputs = [r.values(shape, element), r.values(sizes, element), *starts(r, shape)]
    return shapely("dynamic_update_slice", [], inputs, shape, element)


def bitcast_convert(r):
    source = r.choice([e for e in MOVED if e not in ("i1", "i4", "ui4") and e not in COMPLEX])
    target = r.choice([e for e in MOVED if e not in ("i1", "i4", "ui4") and e not in COMPLEX])
    shape = list(r.shape(0, 3))
    ratio = width(source) / width(target)
    if ratio < 1:
        shape = shape[:2] + [int(1 / ratio)]
    result = shape + [int(ratio)] if ratio > 1 else shape[:-1] if ratio < 1 else shape
    values = r.values(tuple(shape), source)
    if target in FLOATS:  # no NaNs: their bits are not preserved
        values = r.values(tuple(shape), source, 0, 60) if source in INTEGERS else np.zeros(shape, ALL[source])
    return shapely("bitcast_convert", [], [values], result, target)


def reduce_precision(r):
    element = r.choice(["f16", "f32", "f64", "bf16"])
    attributes = [f"exponent_bits = {r.integer(2, 11)} : i32", f"mantissa_bits = {r.integer(1, 30)} : i32"]
    shape = r.shape()
    return shapely("reduce_precision", attributes, [r.values(shape, element)], shape, element)


# --- Gather and scatter ---


def window_dims(r, shape):
    """The slices of a gather: a dictionary for gather and scatter."""
    rank = len(shape)
    dims = r.permutation(rank)
    batching = sorted(dims[: r.integer(0, 1)]) if rank > 1 else []
    rest = [d for d in range(rank) if d not in batching]
    mapped = [d for d in r.permutation(rank) if d in rest][: r.integer(0, len(rest))]
    collapsed = sorted(d for d in rest if r.chance(0.4))
    sizes = [
        1 if d in batching or d in collapsed else r.integer(0 if shape[d] == 0 else 1, shape[d]) for d in range(rank)
    ]
    batch = [shape[d] for d in batching] + [r.integer(1, 3) for _ in range(r.integer(0, 2 - len(batching)))]
    order = r.permutation(len(batch))
    batch_shape = [batch[i] for i in order]
    index_batching = [order.index(i) for i in range(len(batching))]
    vector = r.integer(0, len(batch_shape))
    if len(mapped) == 1 and r.chance(0.3):
        indices_shape, vector = batch_shape, len(batch_shape)
    else:
        indices_shape = batch_shape[:vector] + [len(mapped)] + batch_shape[vector:]
        index_batching = [d + (d >= vector) for d in index_batching]
    window = [sizes[d] for d in range(rank) if d not in batching and d not in collapsed]
    result_rank = len(batch_shape) + len(window)
    offset = sorted(r.permutation(result_rank)[: len(window)])
    result, windows, batches = [], list(window), list(batch_shape)
    for d in range(result_rank):
        result.append(windows.pop(0) if d in offset else batches.pop(0))
    element = r.choice(["i32", "i64", "ui8"])
    low = 0 if element == "ui8" else -1
    indices = r.values(tuple(indices_shape), element, low, max([*shape, 1]))
    return {
        "batching": batching,
        "mapped": mapped,
        "collapsed": collapsed,
        "sizes": sizes,
        "index_batching": index_batching,
        "vector": vector,
        "offset": offset,
        "indices": indices,
        "result": tuple(result),
    }


def gather(r):
    element, shape = r.choice(MOVED), r.shape(1, 3, low=1)
    w = window_dims(r, shape)
    numbers = (
        f"#stablehlo.gather<offset_dims = {w['offset']}, collapsed_slice_dims = {w['collapsed']}, "
        f"operand_batching_dims = {w['batching']}, start_indices_batching_dims = {w['index_batching']}, "
        f"start_index_map = {w['mapped']}, index_vector_dim = {w['vector']}>"
    )
    attributes = [f"dimension_numbers = {numbers}", f"slice_sizes = {array(w['sizes'])}", "indices_are_sorted = false"]
    return shapely("gather", attributes, [r.values(shape, element), w["indices"]], w["result"], element)


def combiner(operation, element, results=1):
    type_ = type_text((), element)
    left = [f"%x{i}: {type_}" for i in range(results)] + [f"%y{i}: {type_}" for i in range(results)]
    lines = [f"%z{i} = stablehlo.{operation} %x{i}, %y{i} : {type_}" for i in range(results)]
    names = ", ".join(f"%z{i}" for i in range(results))
    types = ", ".join([type_] * results)
    return f"({{\n^bb0({', '.join(left)}):\n" + "\n".join(lines) + f'\n"stablehlo.return"({names}) : ({types}) -> ()\n}})'


def combining(r, element):
    if element in COMPLEX:
        return "add"
    if element == "i1":
        return r.choice(["and", "or", "xor"])
    if element in INTEGERS:
        return r.choice(["add", "multiply", "maximum", "minimum", "and", "or", "xor"])
    return r.choice(["add", "maximum", "minimum"])


def neutral(operation, element):
    """The identity element. Another initial value may be combined more than once."""
    if operation in ("add", "or", "xor"):
        value = 0
    elif operation in ("multiply",) or element == "i1":
        value = 1
    elif operation == "and":
        value = -1 if element not in UNSIGNED else limits(element)[1]
    elif element in FLOATS:
        value = -np.inf if operation == "maximum" else np.inf
    else:
        value = limits(element)[0 if operation == "maximum" else 1]
    if element in UNSIGNED:
        return np.array(value, np.uint64).astype(ALL[element])
    return np.asarray(value).astype(ALL[element])


def scatter(r):
    element, shape = r.choice(SUMMED + ["i1"]), r.shape(1, 3, low=1)
    w = window_dims(r, shape)
    while not w["mapped"]:  # XLA then drops updates
        w = window_dims(r, shape)
    # The specification drops elements outside, XLA drops the whole window. So
    # windows are inside, or have one element.
    for k, d in enumerate(w["mapped"]):
        size = w["sizes"][d]
        if size != 1:
            indices = w["indices"]
            place = (slice(None),) * w["vector"] + (k,) if indices.ndim > w["vector"] else ...
            indices[place] = np.clip(indices[place], 0, shape[d] - size)
    numbers = (
        f"#stablehlo.scatter<update_window_dims = {w['offset']}, inserted_window_dims = {w['collapsed']}, "
        f"input_batching_dims = {w['batching']}, scatter_indices_batching_dims = {w['index_batching']}, "
        f"scatter_dims_to_operand_dims = {w['mapped']}, index_vector_dim = {w['vector']}>"
    )
    low, high = (0, 1) if element == "i1" else (-6, 6)
    inputs = [r.values(shape, element, low, high), w["indices"], r.values(w["result"], element, low, high)]
    types = signature([type_of(v) for v in inputs], [type_text(shape, element)])
    body = (
        f'%r0 = "stablehlo.scatter"(%a0, %a1, %a2) <{{scatter_dimension_numbers = {numbers}, '
        f"indices_are_sorted = false, unique_indices = false}}> "
        f"{combiner(combining(r, element), element)} : {types}"
    )
    return Case("scatter", inputs, body, [(shape, element)], ulps=0)


# --- Reductions and windows ---


def reduce(r):
    element, shape = r.choice(SUMMED + ["i1"]), r.shape(0, 4)
    dims = [d for d in r.permutation(len(shape)) if r.chance(0.5)]
    count = r.integer(1, 2)
    low, high = (0, 1) if element == "i1" else (-4, 4)
    operation = combining(r, element)
    inputs = [r.values(shape, element, low, high) for _ in range(count)] + [neutral(operation, element)] * count
    result = tuple(n for d, n in enumerate(shape) if d not in dims)
    types = signature([type_of(v) for v in inputs], [type_text(result, element)] * count)
    names = ", ".join(f"%a{i}" for i in range(2 * count))
    body = (
        f'%r:{count} = "stablehlo.reduce"({names}) <{{dimensions = {array(dims)}}}> '
        f"{combiner(operation, element, count)} : {types}"
    )
    return renumbered("reduce", inputs, body, [(result, element)] * count)


def renumbered(operation, inputs, body, results, **kwargs):
    """`%r:n = ..` with %r0, %r1, .. for the results."""
    names = ", ".join(f"%r{i}" for i in range(len(results)))
    body = body.replace(f"%r:{len(results)} = ", f"{names} = ", 1)
    kwargs.setdefault("ulps", 0)
    return Case(operation, inputs, body, results, **kwargs)


def windows(r, shape, dilated=True):
    """Sizes, strides, dilations, padding, and the shape of the result."""
    while True:
        sizes, strides, base, window, padding, result = [], [], [], [], [], []
        for n in shape:
            size, stride = r.integer(1, 3), r.integer(1, 2)
            b, w = (r.integer(1, 2), r.integer(1, 2)) if dilated else (1, 1)
            low, high = r.integer(0, 2), r.integer(0, 2)
            extent = (0 if n == 0 else (n - 1) * b + 1) + low + high
            reach = (size - 1) * w + 1
            sizes.append(size), strides.append(stride), base.append(b), window.append(w), padding.append((low, high))
            result.append(0 if extent < reach else (extent - reach) // stride + 1)
        if np.prod(result) * np.prod(sizes) <= 20 * MAX_ELEMENTS:
            return sizes, strides, base, window, padding, tuple(result)


def padding_text(padding):
    if not padding:
        return "dense<> : tensor<0x2xi64>"
    return f"dense<{[list(p) for p in padding]}> : tensor<{len(padding)}x2xi64>"


def reduce_window(r):
    element, shape = r.choice(SUMMED), r.shape(1, 3)
    sizes, strides, base, window, padding, result = windows(r, shape)
    operation = combining(r, element)
    inputs = [r.values(shape, element, -4, 4), neutral(operation, element)]
    types = signature([type_of(v) for v in inputs], [type_text(result, element)])
    body = (
        f'%r0 = "stablehlo.reduce_window"(%a0, %a1) <{{window_dimensions = {array(sizes)}, '
        f"window_strides = {array(strides)}, base_dilations = {array(base)}, window_dilations = {array(window)}, "
        f"padding = {padding_text(padding)}}}> {combiner(operation, element)} : {types}"
    )
    return Case("reduce_window", inputs, body, [(result, element)], ulps=0)


def select_and_scatter(r):
    element, shape = r.choice(["i32", "f32", "f64"]), r.shape(1, 3, low=1)
    sizes, strides, _, _, padding, result = windows(r, shape, dilated=False)
    if 0 in result or any(p >= s for s, pair in zip(sizes, padding) for p in pair):
        padding = [(0, 0) for _ in shape]
        sizes = [min(s, n) for s, n in zip(sizes, shape)]
        result = tuple((n - s) // t + 1 for n, s, t in zip(shape, sizes, strides))
    # All different: the specification does not order equal elements.
    order = np.array(r.permutation(int(np.prod(shape))), dtype=np.int64).reshape(shape) - 9
    inputs = [order.astype(ALL[element]), r.values(result, element, -4, 4), neutral("add", element)]
    type_ = type_text((), element)
    pick = (
        f"({{\n^bb0(%x: {type_}, %y: {type_}):\n"
        f"%z = stablehlo.compare GE, %x, %y : ({type_}, {type_}) -> tensor<i1>\n"
        '"stablehlo.return"(%z) : (tensor<i1>) -> ()\n}, '
    )
    types = signature([type_of(v) for v in inputs], [type_text(shape, element)])
    body = (
        f'%r0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) <{{window_dimensions = {array(sizes)}, '
        f"window_strides = {array(strides)}, padding = {padding_text(padding)}}}> "
        f"{pick}{combiner('add', element)[1:]} : {types}"
    )
    return Case("select_and_scatter", inputs, body, [(shape, element)], ulps=0)


def sort(r):
    element, shape = r.choice([e for e in SUMMED if e not in COMPLEX]), r.shape(1, 3)
    dim = r.integer(0, len(shape) - 1)
    inputs = [r.values(shape, element, -9, 9), np.arange(np.prod(shape, dtype=np.int64), dtype=np.int32).reshape(shape)]
    types = [type_of(v) for v in inputs]
    scalars = [type_text((), element), "tensor<i32>"]
    direction = r.choice(["LT", "GT"])
    body = (
        f'%r:2 = "stablehlo.sort"(%a0, %a1) <{{dimension = {dim} : i64, is_stable = true}}> ({{\n'
        f"^bb0(%x0: {scalars[0]}, %y0: {scalars[0]}, %x1: {scalars[1]}, %y1: {scalars[1]}):\n"
        f"%z = stablehlo.compare {direction}, %x0, %y0 : ({scalars[0]}, {scalars[0]}) -> tensor<i1>\n"
        f'"stablehlo.return"(%z) : (tensor<i1>) -> ()\n}}) : {signature(types, types)}'
    )
    return renumbered("sort", inputs, body, [(shape, element), (shape, "i32")])


def map_(r):
    element, shape = r.choice(["i32", "f32"]), r.shape()
    inputs = [r.values(shape, element, -9, 9) for _ in range(2)]
    types = signature([type_of(v) for v in inputs], [type_text(shape, element)])
    body = (
        f'%r0 = "stablehlo.map"(%a0, %a1) <{{dimensions = {array(range(len(shape)))}}}> '
        f"{combiner(r.choice(['add', 'multiply', 'maximum']), element)} : {types}"
    )
    return Case("map", inputs, body, [(shape, element)], ulps=0)


# --- Products ---


def dot_general(r):
    element = r.choice(["i8", "i32", "ui8", "f16", "f32", "f64", "complex<f32>", "bf16"])
    batch, contracted = [r.extent() for _ in range(r.integer(0, 1))], [r.extent() for _ in range(r.integer(0, 2))]
    free = [[r.extent() for _ in range(r.integer(0, 1))] for _ in range(2)]
    inputs, dims = [], []
    for side in range(2):
        extents = batch + contracted + free[side]
        order = r.permutation(len(extents))
        inputs.append(r.values(tuple(extents[i] for i in order), element, -3, 3))
        where = [order.index(i) for i in range(len(extents))]
        dims.append((where[: len(batch)], where[len(batch) : len(batch) + len(contracted)], where))
    # The free dimensions keep their order; each side has at most one.
    result = tuple(batch + free[0] + free[1])
    out = element if element not in ("i8", "ui8") or r.chance(0.5) else "i32" if element == "i8" else "ui32"
    numbers = (
        f"#stablehlo.dot<lhs_batching_dimensions = {dims[0][0]}, rhs_batching_dimensions = {dims[1][0]}, "
        f"lhs_contracting_dimensions = {dims[0][1]}, rhs_contracting_dimensions = {dims[1][1]}>"
    )
    return shapely("dot_general", [f"dot_dimension_numbers = {numbers}"], inputs, result, out, ulps=0)


def convolution(r):
    element = r.choice(["f32", "f64", "i32"])
    spatial = r.integer(0, 2)
    groups, batch_groups = (r.integer(1, 2), 1) if r.chance(0.5) else (1, r.integer(1, 2))
    batch, features, out = r.integer(1, 2) * batch_groups, r.integer(1, 2) * groups, 0
    out = r.integer(1, 2) * groups * batch_groups
    shape = [r.integer(1, 5) for _ in range(spatial)]
    sizes, strides, base, window, padding, _ = windows(r, shape)
    extents = [(n - 1) * b + 1 + low + high for n, b, (low, high) in zip(shape, base, padding)]
    reaches = [(s - 1) * w + 1 for s, w in zip(sizes, window)]
    if any(e < reach for e, reach in zip(extents, reaches)):
        sizes = [1] * spatial
        reaches = [1] * spatial
    outs = [(e - reach) // t + 1 for e, reach, t in zip(extents, reaches, strides)]
    reverse = [r.chance(0.3) for _ in range(spatial)]
    orders = [r.permutation(spatial + 2) for _ in range(3)]
    logical = [
        [batch, features, *shape],
        [features // groups, out, *sizes],
        [batch // batch_groups, out, *outs],
    ]
    shapes = [tuple(l[i] for i in o) for l, o in zip(logical, orders)]
    words = [["b", "f"], ["i", "o"], ["b", "f"]]
    labels = []
    for order, (first, second) in zip(orders, words):
        labels.append("[" + ", ".join(first if i == 0 else second if i == 1 else str(i - 2) for i in order) + "]")
    inputs = [r.values(shapes[0], element, -3, 3), r.values(shapes[1], element, -3, 3)]
    attributes = [
        f"window_strides = {array(strides)}",
        f"padding = {padding_text(padding)}",
        f"lhs_dilation = {array(base)}",
        f"rhs_dilation = {array(window)}",
        "window_reversal = array<i1" + (": " + ", ".join(str(v).lower() for v in reverse) if reverse else "") + ">",
        f"dimension_numbers = #stablehlo.conv<{labels[0]}x{labels[1]}->{labels[2]}>",
        f"feature_group_count = {groups} : i64",
        f"batch_group_count = {batch_groups} : i64",
    ]
    return shapely("convolution", attributes, inputs, shapes[2], element, ulps=0)


# --- Linear algebra, transforms, randomness ---


def near(r, shape, element="f32"):
    return np.asarray(r.g.uniform(-2, 2, shape)).astype(ALL[element])


def fft(r):
    kind = r.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    lengths = [r.choice([1, 2, 4, 8]) for _ in range(r.integer(1, 2))]
    shape = [r.integer(1, 3) for _ in range(r.integer(0, 1))]
    half = lengths[:-1] + [lengths[-1] // 2 + 1]
    source = "f64" if kind == "RFFT" else "complex<f64>"
    target = "f64" if kind == "IRFFT" else "complex<f64>"
    inputs = shape + (half if kind == "IRFFT" else lengths)
    result = shape + (half if kind == "RFFT" else lengths)
    attributes = [f"fft_type = #stablehlo<fft_type {kind}>", f"fft_length = {array(lengths)}"]
    case = shapely("fft", attributes, [r.values(tuple(inputs), source, -4, 4)], result, target)
    case.near = 1e-9
    return case


def triangular(r, shape, element="f64"):
    """Well-conditioned: 1 or 2 on the diagonal, small whole numbers below."""
    n = shape[-1]
    values = r.values(shape, element, -1, 1)
    eye = np.broadcast_to(np.eye(n, dtype=bool), shape)
    return np.where(eye, r.values(shape, element, 1, 2), values).astype(ALL[element])


def cholesky(r):
    n, batch = r.integer(1, 4), [r.integer(1, 3) for _ in range(r.integer(0, 1))]
    lower = np.tril(triangular(r, (*batch, n, n)))
    matrix = lower @ np.swapaxes(lower, -1, -2)
    flag = r.chance(0.5)
    # The other triangle is implementation-defined.
    mask = np.tril(np.ones((n, n), bool)) if flag else np.triu(np.ones((n, n), bool))
    mask = np.broadcast_to(mask, matrix.shape).copy()
    type_ = type_of(matrix)
    body = f"""%c = "stablehlo.cholesky"(%a0) <{{lower = {str(flag).lower()}}}> : ({type_}) -> {type_}
%zero = stablehlo.constant dense<0.0> : {type_}
%r0 = stablehlo.select %a1, %c, %zero : {type_of(mask)}, {type_}"""
    return Case("cholesky", [matrix, mask], body, [(matrix.shape, "f64")], near=1e-9)


def triangular_solve(r):
    n, m = r.integer(1, 4), r.integer(1, 3)
    batch = [r.integer(1, 3) for _ in range(r.integer(0, 1))]
    left, lower, unit = r.chance(0.5), r.chance(0.5), r.chance(0.5)
    word = r.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
    a = triangular(r, (*batch, n, n))
    b = r.values((*batch, n, m) if left else (*batch, m, n), "f64", -4, 4)
    flags = [f"{k} = {str(v).lower()}" for k, v in [("left_side", left), ("lower", lower), ("unit_diagonal", unit)]]
    case = shapely("triangular_solve", [*flags, f"transpose_a = #stablehlo<transpose {word}>"], [a, b], b.shape, "f64")
    case.near = 1e-9
    return case


def batch_norm(r):
    kind = r.choice(["inference", "training", "grad"])
    shape = r.shape(1, 3, low=1)
    feature = r.integer(0, len(shape) - 1)
    vector = (shape[feature],)
    attributes = f"epsilon = 1.0e-1 : f32, feature_index = {feature} : i64"
    x = near(r, shape)
    positive = np.abs(near(r, vector)) + np.float32(0.5)
    if kind == "inference":
        inputs = [x, near(r, vector), near(r, vector), near(r, vector), positive]
        results = [(shape, "f32")]
    elif kind == "training":
        inputs, results = [x, near(r, vector), near(r, vector)], [(shape, "f32"), (vector, "f32"), (vector, "f32")]
    else:
        inputs = [x, near(r, vector), near(r, vector), positive, near(r, shape)]
        results = [(shape, "f32"), (vector, "f32"), (vector, "f32")]
    names = ", ".join(f"%a{i}" for i in range(len(inputs)))
    types = signature([type_of(v) for v in inputs], [type_text(*result) for result in results])
    outs = ", ".join(f"%r{i}" for i in range(len(results)))
    body = f'{outs} = "stablehlo.batch_norm_{kind}"({names}) <{{{attributes}}}> : {types}'
    # Implementations sum in different orders.
    return Case(f"batch_norm_{kind}", inputs, body, results, near=1e-3)


def rng_bit_generator(r):
    algorithm = r.choice(["THREE_FRY", "PHILOX"])
    element = r.choice(["ui32", "ui64"])
    state = r.values((2 if algorithm == "THREE_FRY" else r.integer(2, 3),), "ui64")
    shape = r.shape(0, 3)
    types = signature([type_of(state)], [type_of(state), type_text(shape, element)])
    body = (
        f'%r0, %r1 = "stablehlo.rng_bit_generator"(%a0) <{{rng_algorithm = #stablehlo<rng_algorithm {algorithm}>}}> '
        f": {types}"
    )
    return Case("rng_bit_generator", [state], body, [(state.shape, "ui64"), (shape, element)])


# --- Control ---


def while_(r):
    """Adds to a vector until a counter ends."""
    shape, element = r.shape(0, 2), r.choice(["i32", "f32", "i8"])
    inputs = [r.values((), "i32", -2, 6), r.values(shape, element, -4, 4), r.values(shape, element, -4, 4)]
    t = type_of(inputs[1])
    operation = r.choice(["add", "multiply", "maximum"] if element != "f32" else ["add", "maximum", "subtract"])
    body = f"""%zero = stablehlo.constant dense<0> : tensor<i32>
%r0, %r1 = "stablehlo.while"(%a0, %a1) ({{
^bb0(%n: tensor<i32>, %x: {t}):
  %more = stablehlo.compare GT, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.return"(%more) : (tensor<i1>) -> ()
}}, {{
^bb0(%n: tensor<i32>, %x: {t}):
  %one = stablehlo.constant dense<1> : tensor<i32>
  %next = stablehlo.subtract %n, %one : tensor<i32>
  %y = stablehlo.{operation} %x, %a2 : {t}
  "stablehlo.return"(%next, %y) : (tensor<i32>, {t}) -> ()
}}) : (tensor<i32>, {t}) -> (tensor<i32>, {t})"""
    return Case("while", inputs, body, [((), "i32"), (shape, element)], ulps=0)


def branch(r):
    shape, element = r.shape(0, 2), r.choice(["i32", "f32"])
    conditional = r.chance(0.4)
    count = 2 if conditional else r.integer(1, 4)
    selector = r.values((), "i1") if conditional else r.values((), "i32", -1, count)
    inputs = [selector, r.values(shape, element, -4, 4), r.values(shape, element, -4, 4)]
    t = type_of(inputs[1])
    regions = ", ".join(
        f'{{\n%z = stablehlo.{r.choice(["add", "multiply", "maximum", "subtract"])} %a1, %a2 : {t}\n'
        f'"stablehlo.return"(%z) : ({t}) -> ()\n}}'
        for _ in range(count)
    )
    name = "if" if conditional else "case"
    body = f'%r0 = "stablehlo.{name}"(%a0) ({regions}) : ({type_of(selector)}) -> {t}'
    return Case(name, inputs, body, [(shape, element)], ulps=0)


MAKERS = {
    broadcast_in_dim: 4,
    transpose: 4,
    reshape: 3,
    reverse: 3,
    slice_: 4,
    pad: 5,
    concatenate: 4,
    iota: 2,
    dynamic_slice: 4,
    dynamic_update_slice: 4,
    bitcast_convert: 3,
    reduce_precision: 3,
    gather: 6,
    scatter: 6,
    reduce: 5,
    reduce_window: 5,
    select_and_scatter: 3,
    sort: 4,
    map_: 2,
    dot_general: 6,
    convolution: 5,
    fft: 2,
    cholesky: 1,
    triangular_solve: 2,
    batch_norm: 3,
    rng_bit_generator: 2,
    while_: 2,
    branch: 2,
}
