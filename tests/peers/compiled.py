# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Functions that XLA compiled, with fusions, bitcasts and copies to other layouts,
as graphs for Ascend: both must give the same results as JAX."""

import pathlib
import subprocess

import xla  # noqa: F401  (sets XLA up before jax is used)
import jax
import jax.numpy as jnp
import numpy as np


def transposed(x):
    return (x + x.T) * 2


def layer(x, w, scale, shift):
    h = x @ w
    mean = h.mean(-1, keepdims=True)
    variance = ((h - mean) ** 2).mean(-1, keepdims=True)
    return jax.nn.gelu((h - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift).T


def cache(old, new, at):
    zero = jnp.zeros_like(at)
    return jax.lax.dynamic_update_slice(old, new, (zero, at, zero, zero))


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 8
    scores = jnp.where(jnp.tril(jnp.ones((8, 8), bool)), scores, -1e9)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)


def rows(table, ids):
    return jnp.take(table, ids, axis=0)


def greatest(x):
    return jnp.argmax(x, -1), x.max(-1)


def reshaped(x):
    return jnp.transpose(x, (2, 0, 1)).reshape(12, 2) @ x.reshape(2, 12)


FLOATS = np.random.default_rng(1)
CASES = [
    (transposed, [(16, 16)]),
    (layer, [(8, 16), (16, 32), (32,), (32,)]),
    (cache, [(1, 8, 2, 4), (1, 1, 2, 4), np.int32(3)]),
    (jax.nn.softmax, [(8, 16)]),
    (attention, [(2, 8, 2, 4)] * 3),
    (rows, [(16, 4), np.array([3, 15, 0, 7], np.int32)]),
    (greatest, [(5, 7)]),
    (reshaped, [(2, 3, 4)]),
]


def check(mercator, folder, function, inputs):
    """The distance of the results, or an error as text."""
    lowered = jax.jit(function).lower(*inputs)
    program, graph = folder / "program.hlo", folder / "graph.mlir"
    program.write_text(lowered.compile().as_text())
    options = []
    for i, value in enumerate(inputs):
        np.save(folder / f"{i}.npy", value)
        options.append(f"--input={folder / f'{i}.npy'}")
    wanted = jax.tree.leaves(function(*inputs))
    worst = 0.0
    for command in (
        ["run", "--reference", program],
        ["compile", program, "--target=ascend", "-o", graph],
        ["run", "--reference", graph],
    ):
        is_run = command[0] == "run"
        results = folder / "results"
        full = [mercator, *map(str, command), *((options + ["-o", f"{results}/"]) if is_run else [])]
        done = subprocess.run(full, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            return done.stderr[-300:]
        if not is_run:
            continue
        for line, want in zip(done.stdout.splitlines(), wanted, strict=True):
            got = np.load(line.split(": ")[0]).astype(np.float64)
            worst = max(worst, float(np.max(np.abs(got - np.asarray(want, np.float64)), initial=0)))
    return worst


def run(mercator, work):
    """Rows: a name, a line to print, and whether the case passes."""
    folder = pathlib.Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    for function, shapes in CASES:
        inputs = [FLOATS.standard_normal(s).astype(np.float32) if isinstance(s, tuple) else s for s in shapes]
        found = check(mercator, folder, function, inputs)
        good = isinstance(found, float) and found < 1e-4
        yield function.__name__, f"{found:.1e} apart" if isinstance(found, float) else found, good
