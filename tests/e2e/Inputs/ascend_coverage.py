# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""ascend_coverage.py PAGE [--update]

Compiles one small program for each operation that `--target=ascend` converts, and
compares the operators of its graph with the table in PAGE (docs/ascend-operators.md),
between the lines `<!-- coverage -->` and `<!-- end -->`. With --update the table is rewritten.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

F, I, B, U, C = "tensor<2x3xf32>", "tensor<2x3xi32>", "tensor<2x3xi1>", "tensor<2x3xui32>", "tensor<2x3xcomplex<f32>>"


def unary(name, x=F, y=None):
    return f"{name} %x : {x}" if y is None else f"{name} %x : ({x}) -> {y}", [x], y or x


def binary(name, x=F):
    return f"{name} %x, %y : {x}", [x, x], x


def reduce(name):
    body = f"stablehlo.reduce(%x init: %y) applies stablehlo.{name} across dimensions = [1]"
    return f"{body} : ({F}, tensor<f32>) -> tensor<2xf32>", [F, "tensor<f32>"], "tensor<2xf32>"


def convolution(spatial, element):
    x, k, y = ("x".join(map(str, [*shape, element])) for shape in ([2] + [8] * spatial + [3], [3] * spatial + [3, 4], [2] + [6] * spatial + [4]))
    dims = ", ".join(map(str, range(spatial)))
    text = f"stablehlo.convolution(%x, %y) dim_numbers = [b, {dims}, f]x[{dims}, i, o]->[b, {dims}, f], window = {{}}"
    attributes = "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    return f"{text} {attributes} : (tensor<{x}>, tensor<{k}>) -> tensor<{y}>", [f"tensor<{x}>", f"tensor<{k}>"], f"tensor<{y}>"


def window(name, init, sizes, padding, *after):
    """Of a tensor 2x6x7x3. Operations may follow."""
    shape = [extent + low + high - size + 1 for extent, size, (low, high) in zip([2, 6, 7, 3], sizes, padding)]
    x, y = "tensor<2x6x7x3xf32>", f"tensor<{'x'.join(map(str, shape))}xf32>"
    lines = [
        f"%i = stablehlo.constant dense<{init}> : tensor<f32>",
        f'%w = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: {str(sizes)[1:-1]}>,'
        f" padding = dense<{padding}> : tensor<4x2xi64>}}> ({{",
        f"^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%c = stablehlo.{name} %a, %b : tensor<f32>",
        f"stablehlo.return %c : tensor<f32>\n}}) : ({x}, tensor<f32>) -> {y}",
        *after[:-1],
    ]
    return after[-1] if after else f"stablehlo.reshape %w : ({y}) -> {y}", [x], y, *lines


# The operation, its operands, and its result. Other operations may precede it in the line.
PROGRAMS = {
    "convolution": convolution(2, "f32"),
    "convolution (3 dimensions)": convolution(3, "f16"),
    "convolution (i32)": convolution(2, "i32"),
    "reduce_window (maximum)": window("maximum", "0xFF800000", [1, 2, 2, 1], [[0, 0], [0, 0], [0, 0], [0, 0]]),
    "reduce_window (add), divide": window(
        "add",
        "0.0",
        [1, 2, 2, 1],
        [[0, 0], [0, 0], [0, 0], [0, 0]],
        "%s = stablehlo.constant dense<4.0> : tensor<2x5x6x3xf32>",
        "stablehlo.divide %w, %s : tensor<2x5x6x3xf32>",
    ),
    "reduce_window (cumulative)": window("add", "0.0", [1, 6, 1, 1], [[0, 0], [5, 0], [0, 0], [0, 0]]),
    "reduce_window (minimum)": window("minimum", "0x7F800000", [1, 2, 2, 1], [[0, 0], [0, 0], [0, 0], [0, 0]]),
    "scatter": (
        '"stablehlo.scatter"(%x, %y, %z) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],'
        " inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
        "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  stablehlo.return %b : tensor<f32>\n})"
        f" : ({F}, tensor<4xi32>, tensor<4x3xf32>) -> {F}",
        [F, "tensor<4xi32>", "tensor<4x3xf32>"],
        F,
    ),
    "sort": (
        '"stablehlo.sort"(%x) <{dimension = 1 : i64}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n'
        "  %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        f"  stablehlo.return %c : tensor<i1>\n}}) : ({F}) -> {F}",
        [F],
        F,
    ),
    "chlo.top_k": (
        "stablehlo.optimization_barrier %t#0 : tensor<2x2xf32>",
        [F],
        "tensor<2x2xf32>",
        f"%t:2 = chlo.top_k(%x, k = 2) : {F} -> (tensor<2x2xf32>, tensor<2x2xi32>)",
    ),
    "gather": (
        '"stablehlo.gather"(%x, %y) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],'
        f" start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}}> : ({F}, tensor<4xi32>) -> tensor<4x3xf32>",
        [F, "tensor<4xi32>"],
        "tensor<4x3xf32>",
    ),
    "dynamic_gather": (
        '"stablehlo.dynamic_gather"(%x, %y, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],'
        " collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>"
        f" : ({F}, tensor<4xi32>, tensor<2xi64>) -> tensor<4x3xf32>",
        [F, "tensor<4xi32>"],
        "tensor<4x3xf32>",
        "%c = stablehlo.constant dense<[1, 3]> : tensor<2xi64>",
    ),
    "dynamic_slice": (
        f"stablehlo.dynamic_slice %x, %y, %z, sizes = [1, 2] : ({F}, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>",
        [F, "tensor<i32>", "tensor<i32>"],
        "tensor<1x2xf32>",
    ),
    "dynamic_update_slice": (
        f"stablehlo.dynamic_update_slice %x, %y, %z, %w : ({F}, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> {F}",
        [F, "tensor<1x3xf32>", "tensor<i32>", "tensor<i32>"],
        F,
    ),
    "dot_general": (
        "stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]"
        " : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>",
        ["tensor<2x3x4xf32>", "tensor<2x4x5xf32>"],
        "tensor<2x3x5xf32>",
    ),
    "dot": (f"stablehlo.dot %x, %y : ({F}, tensor<3x4xf32>) -> tensor<2x4xf32>", [F, "tensor<3x4xf32>"], "tensor<2x4xf32>"),
    "reduce (add)": reduce("add"),
    "reduce (multiply)": reduce("multiply"),
    "reduce (maximum)": reduce("maximum"),
    "reduce (minimum)": reduce("minimum"),
    "reshape": (f"stablehlo.reshape %x : ({F}) -> tensor<6xf32>", [F], "tensor<6xf32>"),
    "transpose": (f"stablehlo.transpose %x, dims = [1, 0] : ({F}) -> tensor<3x2xf32>", [F], "tensor<3x2xf32>"),
    "broadcast_in_dim": (
        "stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>",
        ["tensor<3xf32>"],
        F,
    ),
    "concatenate": (f"stablehlo.concatenate %x, %y, dim = 0 : ({F}, {F}) -> tensor<4x3xf32>", [F, F], "tensor<4x3xf32>"),
    "slice": (f"stablehlo.slice %x [0:2, 1:3] : ({F}) -> tensor<2x2xf32>", [F], "tensor<2x2xf32>"),
    "slice (strides)": (f"stablehlo.slice %x [0:2, 0:3:2] : ({F}) -> tensor<2x2xf32>", [F], "tensor<2x2xf32>"),
    "pad": (
        f"stablehlo.pad %x, %y, low = [1, 0], high = [0, 2], interior = [0, 0] : ({F}, tensor<f32>) -> tensor<3x5xf32>",
        [F, "tensor<f32>"],
        "tensor<3x5xf32>",
    ),
    "reverse": (f"stablehlo.reverse %x, dims = [1] : {F}", [F], F),
    "iota": (f"stablehlo.iota dim = 1 : {I}", [], I),
    "constant": (f"stablehlo.constant dense<1.0> : {F}", [], F),
    "select": (f"stablehlo.select %x, %y, %z : {B}, {F}", [B, F, F], F),
    "clamp": (f"stablehlo.clamp %x, %y, %z : (tensor<f32>, {F}, tensor<f32>) -> {F}", ["tensor<f32>", F, "tensor<f32>"], F),
    "compare": (f"stablehlo.compare LT, %x, %y : ({F}, {F}) -> {B}", [F, F], B),
    "convert": unary("stablehlo.convert", F, I),
    "bitcast_convert": unary("stablehlo.bitcast_convert", I, U),
    "complex": (f"stablehlo.complex %x, %y : {C}", [F, F], C),
    "real": unary("stablehlo.real", C, F),
    "imag": unary("stablehlo.imag", C, F),
    "is_finite": unary("stablehlo.is_finite", F, B),
    "reduce_precision": (f"stablehlo.reduce_precision %x, format = e8m7 : {F}", [F], F),
    "chlo.erf": (f"chlo.erf %x : {F} -> {F}", [F], F),
}
for name in (
    "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate"
    " round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh"
).split():
    PROGRAMS[name] = unary(f"stablehlo.{name}")
for name in "add atan2 divide maximum minimum multiply power remainder subtract".split():
    PROGRAMS[name] = binary(f"stablehlo.{name}")
for name in "and or xor shift_left shift_right_arithmetic shift_right_logical".split():
    PROGRAMS[name] = binary(f"stablehlo.{name}", I)
for name in "not popcnt count_leading_zeros".split():
    PROGRAMS[name] = unary(f"stablehlo.{name}", I)


def table():
    """One row for each operation: its name, and the operators of its graph in order."""
    functions = []
    for i, (text, operands, result, *before) in enumerate(PROGRAMS.values()):
        arguments = ", ".join(f"%{name}: {type}" for name, type in zip("xyzw", operands))
        lines = [f"func.func @f{i}({arguments}) -> {result} {{", *before, f"%r = {text}", f"return %r : {result}", "}"]
        functions.append("\n".join(lines))
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.mlir"
        program.write_text("\n".join(functions) + "\n")
        command = ["mercator", "compile", str(program), "--target=ascend", "--format=mlir"]
        graphs = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    operators = {}
    for graph in graphs.split("ascend.graph @")[1:]:
        name = graph.split()[0]
        found = [word for word in re.findall(r"= ascend\.(\w+)", graph) if word != "Data"]
        # Constants are inputs of operators. They are listed only if there is no other operator.
        operators[name] = list(dict.fromkeys(word for word in found if word != "Const")) or found
    rows = ["| StableHLO | operators of GE |", "|---|---|"]
    for i, name in sorted(enumerate(PROGRAMS), key=lambda pair: pair[1]):
        operation, _, case = name.partition(" ")
        rows.append(f"| `{operation}`{' ' + case if case else ''} | {', '.join(operators[f'f{i}']) or 'none'} |")
    return rows


def main():
    page = pathlib.Path(sys.argv[1])
    text = page.read_text()
    before, rest = text.split("<!-- coverage -->\n", 1)
    shown, after = rest.split("<!-- end -->", 1)
    made = "\n".join(table()) + "\n"
    if "--update" in sys.argv:
        page.write_text(f"{before}<!-- coverage -->\n{made}<!-- end -->{after}")
    elif shown != made:
        print(f"{page}: error: the table of operators is not this:\n{made}python3 {sys.argv[0]} {page} --update")
        sys.exit(1)
    else:
        print(f"{len(PROGRAMS)} operations")


main()
