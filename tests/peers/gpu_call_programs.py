# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""gpu_call_programs.py FOLDER CARD: small programs that XLA turns into calls of GPU libraries, compiled for a card without one.

Products of all transposes with what may follow, convolutions and their gradients, solvers, transforms, sorts. For each, FOLDER/NAME has
before.mlir, after.hlo, input0.npy .., and expect0.npy .., JAX's results on a CPU."""

import os

os.environ["JAX_PLATFORMS"] = "cpu"

import itertools
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import topologies
from jax.sharding import SingleDeviceSharding

GENERATOR = np.random.default_rng(1)
FLOATS = np.float32


def draw(shape, element=FLOATS):
    """An array of numbers in [-1, 1), or of small integers."""
    if np.issubdtype(element, np.integer):
        return GENERATOR.integers(0, 5, shape).astype(element)
    values = GENERATOR.uniform(-1, 1, shape)
    if np.issubdtype(element, np.complexfloating):
        values = values + 1j * GENERATOR.uniform(-1, 1, shape)
    return values.astype(element)


def products(add):
    for lhs, rhs in itertools.product(["mk", "km"], ["kn", "nk"]):
        shapes = {"mk": (24, 40), "km": (40, 24), "kn": (40, 16), "nk": (16, 40)}
        add(f"dot_{lhs}_{rhs}", lambda a, b, text=f"{lhs},{rhs}->mn": jnp.einsum(text, a, b), shapes[lhs], shapes[rhs])
    for text, lhs, rhs in [
        ("bmk,bnk->bmn", (3, 8, 12), (3, 16, 12)),
        ("mbk,bkn->bmn", (8, 3, 12), (3, 12, 16)),
        ("bqhd,bkhd->bhqk", (2, 8, 3, 16), (2, 12, 3, 16)),
        ("mkj,kjn->mn", (8, 4, 6), (4, 6, 16)),
        ("mk,kn->nm", (8, 12), (12, 24)),
    ]:
        add("dot_" + text.replace(",", "_").replace("->", "_"), lambda a, b, text=text: jnp.einsum(text, a, b), lhs, rhs)
    x, w, b, c = (32, 48), (48, 16), (16,), (32, 16)
    for name in ["relu", "gelu", "silu", "tanh"]:
        function = getattr(jax.nn, name)
        add(f"dot_{name}", lambda x, w, f=function: f(x @ w), x, w)
        add(f"dot_bias_{name}", lambda x, w, b, f=function: f(x @ w + b), x, w, b)
    add("dot_beta", lambda x, w, c: x @ w + c, x, w, c)
    add("dot_alpha_beta_bias", lambda x, w, c, b: 2 * (x @ w) + c + b, x, w, c, b)
    add("dot_bias_transposed", lambda x, w, b: (x @ w + b).T, x, w, b)
    add("dot_bias_rows", lambda x, w, b: x @ w + b[:, None], x, w, (32,))
    gelu = jax.grad(lambda x, w, b: jnp.sum(jax.nn.gelu(x @ w + b)), argnums=(0, 1, 2))
    add("dot_gelu_gradient", gelu, x, w, b)


def convolutions(add):
    channels_last = ("NHWC", "HWIO", "NHWC")
    cases = {
        "same": (channels_last, (2, 9, 9, 8), (3, 3, 8, 16), {"window_strides": (1, 1), "padding": "SAME"}),
        "first": (("NCHW", "OIHW", "NCHW"), (2, 8, 9, 9), (16, 8, 3, 3), {"window_strides": (1, 1), "padding": "VALID"}),
        "stride": (channels_last, (2, 10, 10, 8), (3, 3, 8, 16), {"window_strides": (2, 2), "padding": "SAME"}),
        "dilation": (channels_last, (2, 12, 12, 8), (3, 3, 8, 16), {"window_strides": (1, 1), "padding": "VALID", "rhs_dilation": (2, 2)}),
        "groups": (channels_last, (2, 9, 9, 8), (3, 3, 4, 16), {"window_strides": (1, 1), "padding": "SAME", "feature_group_count": 2}),
        "depthwise": (channels_last, (2, 9, 9, 8), (3, 3, 1, 8), {"window_strides": (1, 1), "padding": "SAME", "feature_group_count": 8}),
        "line": (("NWC", "WIO", "NWC"), (2, 19, 8), (3, 8, 16), {"window_strides": (1,), "padding": "SAME"}),
        "room": (("NDHWC", "DHWIO", "NDHWC"), (2, 5, 6, 7, 4), (3, 3, 3, 4, 8), {"window_strides": (1, 1, 1), "padding": "SAME"}),
    }
    for name, (labels, x, w, options) in cases.items():

        def forward(x, w, labels=labels, options=options):
            return lax.conv_general_dilated(x, w, dimension_numbers=labels, **options)

        add(f"conv_{name}", forward, x, w)
        for argument, what in enumerate(["input", "filter"]):
            gradient = jax.grad(lambda x, w, f=forward: jnp.sum(jnp.sin(f(x, w))), argnums=argument)
            add(f"conv_{name}_{what}", gradient, x, w)
    labels, x, w, options = cases["same"]

    def same(x, w):
        return lax.conv_general_dilated(x, w, dimension_numbers=labels, **options)

    for name in ["relu", "relu6", "elu", "tanh"]:
        function = getattr(jax.nn, name)
        add(f"conv_bias_{name}", lambda x, w, b, f=function: f(same(x, w) + b), x, w, (16,))
    add("conv_side_relu", lambda x, w, b, s: jax.nn.relu(same(x, w) + b + s), x, w, (16,), (2, 9, 9, 16))
    add("conv_scales", lambda x, w, s: same(x, w) * 0.5 + 2 * s, x, w, (2, 9, 9, 16))


def matrices(add):
    def positive(a):
        return a @ a.conj().T + 8 * jnp.eye(a.shape[0], dtype=a.dtype)

    for element in [np.float32, np.complex64]:
        square = ((6, 6), element)
        name = element.__name__
        add(f"cholesky_{name}", lambda a: jnp.linalg.cholesky(positive(a)), square)
        add(f"lu_{name}", lambda a: jax.scipy.linalg.lu(a)[2], square)
        add(f"solve_{name}", jnp.linalg.solve, square, ((6, 3), element))
        add(f"qr_{name}", lambda a: jnp.linalg.qr(a)[1], ((8, 5), element))
    for flags in itertools.product([False, True], repeat=4):
        options = dict(zip(["left_side", "lower", "transpose_a", "unit_diagonal"], flags, strict=True))
        name = "solve_" + "".join(str(int(flag)) for flag in flags)
        add(name, lambda a, b, options=options: lax.linalg.triangular_solve(positive(a), b, **options), (6, 6), (6, 6))
    add("singular_values", lambda a: jnp.linalg.svd(a, compute_uv=False), (6, 4))
    add("eigenvalues", lambda a: jnp.linalg.eigvalsh(a + a.T), (6, 6))
    add("least_squares", lambda a, b: jnp.linalg.lstsq(a, b)[0], (8, 5), (8,))
    add("tridiagonal", lambda l, d, u, b: lax.linalg.tridiagonal_solve(l, d + 4, u, b), (8,), (8,), (8,), (8, 2))


def others(add):
    add("fft", jnp.fft.fft, ((3, 12), np.complex64))
    add("rfft", jnp.fft.rfft, (3, 12))
    add("irfft", jnp.fft.irfft, ((3, 7), np.complex64))
    add("sort", jnp.sort, (4, 33))
    add("top_k", lambda a: lax.top_k(a, 5), (4, 40))
    add("rows", lambda table, i: table[i], (40, 8), ((12,), np.int32))
    add("add_rows", lambda table, i, u: table.at[i].add(u), (40, 8), ((12,), np.int32), (12, 8))
    add("softmax", jax.nn.softmax, (8, 64))


def programs():
    """A function and the shapes and element types of its arguments, by name."""
    all_programs = {}

    def add(name, function, *arguments):
        shapes = [it if len(it) == 2 and isinstance(it[0], tuple) else (it, FLOATS) for it in arguments]
        all_programs[name] = (function, shapes)

    for group in [products, convolutions, matrices, others]:
        group(add)
    return all_programs


def main():
    folder, description = map(pathlib.Path, sys.argv[1:])
    topology = topologies.get_topology_desc("h100", "cuda", target_config=description.read_text(), topology="1x1x1")
    card = SingleDeviceSharding(topology.devices[0])
    options = {"xla_gpu_enable_triton_gemm": False}  # products are calls of cuBLAS
    for name, (function, shapes) in programs().items():
        values = [draw(shape, element) for shape, element in shapes]
        lowered = jax.jit(function).lower(*[jax.ShapeDtypeStruct(value.shape, value.dtype, sharding=card) for value in values])
        own = folder / name
        own.mkdir(parents=True, exist_ok=True)
        (own / "before.mlir").write_text(lowered.as_text())
        (own / "after.hlo").write_text(lowered.compile(compiler_options=options).as_text())
        for kind, arrays in (("input", values), ("expect", jax.tree.leaves(jax.jit(function)(*values)))):
            for i, array in enumerate(arrays):
                np.save(own / f"{kind}{i}.npy", np.asarray(array))


if __name__ == "__main__":
    main()
