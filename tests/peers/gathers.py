# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Gathers as JAX writes them, in the operators of GE: each program is exported,
converted for every device, evaluated with gathers that reject an index outside,
and compared with JAX. The output has the strategy of each gather. No gather may
remain unconverted.

Indices are outside or negative where JAX defines the result. If JAX promises that
indices are in bounds (`mode="promise_in_bounds"`, plain x[i]), XLA clamps them,
and so does Mercator.
"""

import pathlib
import re
import subprocess

import xla  # noqa: F401  (sets XLA up before jax is used)
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from programs import compare, export, load_results

SOCS = ["any", "910b"]
# Relative to the largest element. Gathers themselves are exact.
RELATIVE = 4e-6

PROGRAMS = {}


def program(make):
    PROGRAMS[make.__name__] = make
    return make


def floats(g, *shape):
    return g.standard_normal(shape).astype(np.float32)


def outside(g, extent, *shape, dtype=np.int32):
    """Indices; a third of them are outside, on both sides."""
    return g.integers(-2 * extent, 2 * extent, shape).astype(dtype)


def inside(g, extent, *shape, dtype=np.int32):
    return g.integers(-extent, extent, shape).astype(dtype)


@program
def take_modes(g):
    def f(x, i):
        modes = ["clip", "fill", "wrap", None]
        return [jnp.take(x, i, axis=axis, mode=mode) for mode in modes for axis in (0, 1, -1, None)]

    return f, [floats(g, 5, 7, 3), outside(g, 5, 2, 4)]


@program
def take_types(g):
    def f(x, *indices):
        return [jnp.take(x, i, axis=1, mode="clip") for i in indices]

    types = [np.int8, np.int16, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
    return f, [floats(g, 4, 6), *(outside(g, 6, 5, dtype=np.int64).astype(t) for t in types)]


@program
def take_booleans(g):
    def f(x, n, i):
        return jnp.take(x, i, axis=0, mode="clip"), x[i, i], n[i, :2], lax.dynamic_slice(x, (i[0], i[1]), (2, 3))

    return f, [floats(g, 6, 4) > 0, g.integers(0, 9, (6, 4)).astype(np.uint16), inside(g, 4, 5)]


@program
def take_along(g):
    def f(x, i, j):
        return (
            jnp.take_along_axis(x, i, axis=1),
            jnp.take_along_axis(x, i, axis=1, mode="clip"),
            jnp.take_along_axis(x, j, axis=0),
            jnp.take_along_axis(x[0], i[0], axis=0),
        )

    return f, [floats(g, 3, 5, 4), outside(g, 5, 3, 2, 4), inside(g, 3, 6, 5, 4)]


@program
def fancy(g):
    def f(x, i, j, k):
        return (
            x[i],
            x[:, i],
            x[:, :, k],
            x[i, j],
            x[i, :, k],
            x[:, j, k],
            x[i, j, k],
            x[i[:, None], j[None, :]],
            x[None, i],
            x[1, i],
            x[-1, :, k],
            x[i, 1:3],
            x[::2, j],
        )

    return f, [floats(g, 6, 5, 4), inside(g, 5, 3), inside(g, 5, 3), inside(g, 4, 3)]


@program
def fancy_outside(g):
    def f(x, i, j):
        return x[i], x[i, j], x.at[i, j].get(mode="fill", fill_value=-1), x.at[i].get(mode="clip")

    return f, [floats(g, 6, 5), outside(g, 6, 4), outside(g, 5, 4)]


@program
def counted(g):
    """An iota that counts rows needs no indices."""

    def f(x, i):
        n = jnp.arange(4)
        return x[n, i], x[n + 2, i], x[n[:, None], i[None, :]], x[n, n], x[jnp.arange(6)[:, None], i[None, :]]

    return f, [floats(g, 6, 5), outside(g, 5, 4)]


@program
def constants(g):
    def f(x):
        rows = jnp.array([3, 0, -1, 2])
        return x[rows], x[rows, rows], x[:, jnp.array([1, 1, 0])], x[2], x[:, -2], x[1:4], lax.dynamic_slice(x, (2, 9), (3, 2))

    return f, [floats(g, 6, 5)]


@program
def wrapped(g):
    """Negative indices with a known interval inside need no clamp."""

    def f(x, i):
        i = i % x.shape[0] - x.shape[0] // 2
        return x[i], jnp.take(x, i & 3, axis=0, mode="clip"), x[jnp.clip(i, 0, 5)], x[jnp.abs(i)]

    return f, [floats(g, 8, 3), outside(g, 100, 7)]


@program
def vmapped(g):
    def f(x, i, j):
        one = lambda row, index: row[index]  # noqa: E731
        two = lambda table, a, b: table[a, b]  # noqa: E731
        return (
            jax.vmap(one)(x, i[:, 0]),
            jax.vmap(jax.vmap(one))(x, i),
            jax.vmap(one, in_axes=(1, 0))(x, j[0]),
            jax.vmap(one, in_axes=(None, 0))(x, i[0]),
            jax.vmap(two, in_axes=(0, 0, 0))(x, i[:, 0], j[:, 0]),
            jax.vmap(jax.vmap(one, in_axes=(0, None)), in_axes=(0, 0))(x, i[:, 1]),
            jax.vmap(lambda t, n: jnp.take(t, n, axis=0, mode="clip"))(x, j),
            jax.vmap(lambda t, n: jnp.take(t, n, axis=1))(x, j),
        )

    return f, [floats(g, 4, 5, 6), outside(g, 6, 4, 5), outside(g, 5, 4, 5)]


@program
def dynamic_slices(g):
    def f(x, i, j, n):
        return (
            lax.dynamic_slice(x, (i, j), (2, 3)),
            lax.dynamic_slice_in_dim(x, i, 4, axis=1),
            lax.dynamic_index_in_dim(x, j, axis=0, keepdims=False),
            lax.dynamic_index_in_dim(x, n[0], axis=1),
            jax.vmap(lambda a: lax.dynamic_slice(x, (a, a + 1), (3, 2)))(n),
            jax.vmap(lambda row, a: lax.dynamic_slice(row, (a,), (2,)))(x, n),
            jax.vmap(jax.vmap(lambda a: lax.dynamic_index_in_dim(x, a, keepdims=False)))(n[:, None] + n[None, :]),
            x[i],
        )

    return f, [floats(g, 5, 6), np.int32(7), np.int32(-3), outside(g, 6, 5)]


@program
def embeddings(g):
    def f(tokens, words, positions, kinds):
        x = words[tokens] + positions[jnp.arange(tokens.shape[1])] + kinds[jnp.zeros_like(tokens)]
        mean = x.mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-12)

    return f, [g.integers(0, 40, (2, 7), dtype=np.int32), floats(g, 40, 16), floats(g, 32, 16), floats(g, 2, 16)]


@program
def llama_block(g):
    """RMSNorm, RoPE from a table of angles, grouped attention, a gated MLP."""

    def norm(x, scale):
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale

    def f(tokens, positions, table, wq, wk, wv, wo, gate, up, down, scale):
        x = table[tokens]
        batch, length, width = x.shape
        heads, size, groups = 4, width // 4, 2
        angles = jnp.arange(32.0)[:, None] * 10000.0 ** (-jnp.arange(0, size, 2, dtype=jnp.float32) / size)
        sin, cos = jnp.sin(angles)[positions][:, :, None], jnp.cos(angles)[positions][:, :, None]

        def rotate(v):
            a, b = v[..., ::2], v[..., 1::2]
            return jnp.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(v.shape)

        h = norm(x, scale)
        q = rotate((h @ wq).reshape(batch, length, heads, size))
        k = rotate((h @ wk).reshape(batch, length, groups, size))
        v = (h @ wv).reshape(batch, length, groups, size)
        k, v = (jnp.repeat(t, heads // groups, axis=2) for t in (k, v))
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(size).astype(np.float32)
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, jnp.float32(-1e30))
        mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
        x = x + mixed.reshape(batch, length, width) @ wo
        h = norm(x, scale)
        return x + (jax.nn.silu(h @ gate) * (h @ up)) @ down

    width, half = 16, 8
    small = lambda *shape: floats(g, *shape) * np.float32(0.3)  # noqa: E731
    return f, [
        g.integers(0, 30, (2, 6), dtype=np.int32),
        np.tile(np.arange(3, 9, dtype=np.int32), (2, 1)),
        floats(g, 30, width),
        small(width, width),
        small(width, half),
        small(width, half),
        small(width, width),
        small(width, 24),
        small(width, 24),
        small(24, width),
        floats(g, width),
    ]


STAYS = re.compile(r"stablehlo\.(?:dynamic_)?gather|stablehlo\.dynamic_slice")


def ways_of(messages):
    ways = re.findall(r"\[Passed\] ([^|]+?) \|", messages)
    return {way: ways.count(way) for way in ways}


def evaluate(mercator, program, out, words, wanted):
    """Why the results differ from those of JAX; empty if they do not."""
    out.mkdir(exist_ok=True)
    for old in out.glob("*"):
        old.unlink()
    command = [mercator, "run", "--reference", str(program), *words, "-o", f"{out}/"]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode != 0:
        return f"exit code {ran.returncode}: {ran.stdout.strip()[:400]}"
    results = load_results(out, len(wanted))
    if len(results) != len(wanted):
        return f"expected {len(wanted)} results, got {len(results)}"
    for n, (got, value) in enumerate(zip(results, wanted)):
        value = np.asarray(value)
        if got.shape != value.shape or got.dtype != value.dtype:
            return f"expected {value.dtype}{value.shape}, got {got.dtype}{got.shape}"
        distance, part = compare(got, value, RELATIVE)
        if distance and not (value.dtype.kind == "f" and part <= RELATIVE):
            return f"result {n} is {distance:g} ULPs away, {part:.1g} of the largest element"
    return ""


def run_one(name, mercator, opt, folder, seed):
    """A line for the table, and whether all gathers are planned and right."""
    function, inputs = PROGRAMS[name](np.random.default_rng([seed, len(name)]))
    text, wanted = export(function, inputs)
    folder = pathlib.Path(folder) / name
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "program.mlir"
    source.write_text(text)
    if "chlo." in text:  # replace the operations of chlo
        spelt = subprocess.run([opt, str(source), "--chlo-legalize-to-stablehlo"], stdout=subprocess.PIPE, text=True)
        source.write_text(spelt.stdout)
    words = []
    for i, value in enumerate(inputs):
        np.save(folder / f"in{i}.npy", value)
        words.append(f"--input={folder}/in{i}.npy")
    lines = []
    for soc in SOCS:
        target = folder / f"{soc}.mlir"
        passes = [f"--convert-stablehlo-to-ascend=soc={soc}", "--remarks-filter=gather-planning"]
        done = subprocess.run([opt, str(source), *passes, "-o", str(target)], capture_output=True, text=True)
        if done.returncode != 0:
            return f"mercator-opt: {done.stderr.strip()[:300]}", False
        if stays := STAYS.findall(target.read_text()):
            return f"{soc}: {len(stays)} gathers stay", False
        if why := evaluate(mercator, target, folder / f"out-{soc}", words, wanted):
            return f"{soc}: {why}", False
        lines.append(", ".join(f"{way} {count}" for way, count in sorted(ways_of(done.stderr).items())))
    line = lines[0] if lines[0] == lines[1] else f"{lines[0]}; on the 910B {lines[1]}"
    # The whole program as one graph, if all other operations have operators too.
    graph = folder / "graph.mlir"
    whole = subprocess.run(
        [mercator, "compile", str(source), "--target=ascend", "--soc=any", "--format=mlir", "-o", str(graph)],
        capture_output=True,
        text=True,
    )
    if whole.returncode != 0:
        reason = next((text for text in whole.stderr.splitlines() if "error" in text), whole.stderr)
        return f"{line}; no whole graph: {reason.split('error: ')[-1][:100]}", True
    why = evaluate(mercator, graph, folder / "out-graph", words, wanted)
    return (f"the graph: {why}", False) if why else (f"{line}; a whole graph", True)


def run(mercator, opt, folder, seed):
    """One (name, line, good) for each program."""
    rows = []
    for name in PROGRAMS:
        try:
            line, good = run_one(name, mercator, opt, folder, seed)
        except Exception as error:  # continue with the other programs
            line, good = f"{type(error).__name__}: {error}", False
        rows.append((name, line, good))
    return rows
