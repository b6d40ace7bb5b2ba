# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Functions exported from JAX with symbolic dimensions, as graphs for Ascend. Each
graph must give the results of JAX at several sizes, in the evaluator and as a model
in ONNX, and so must the static graph that --shape makes. A function that is not
converted without --shape is listed with the reason.
"""

import pathlib
import subprocess

import xla  # noqa: F401  (sets XLA up before jax is used)
import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

SIZES = [(1, 1), (2, 3), (5, 7)]

# Functions that need --shape, and what is missing.
STATIC_ONLY = {
    "cumulative": "dynamic_reduce_window",
    "windows": "reduce_window",
}

FUNCTIONS = {}
B, S = export.symbolic_shape("b, s")
F, I = jnp.float32, jnp.int32


def function(*inputs):
    def register(f):
        FUNCTIONS[f.__name__] = f, inputs
        return f

    return register


def norm(x):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


@function(((B, 8), I), ((100, 16), F), ((16, 4), F))
def embed(ids, table, w):
    return jnp.take(table, ids, axis=0) @ w


@function(((B, S), I), ((100, 16), F))
def lookup(ids, table):
    return table[ids]


@function(((B, 16), F), ((16, 32), F), ((32, 10), F))
def mlp(x, u, v):
    return jax.nn.softmax(norm(jax.nn.gelu(x @ u)) @ v)


@function(((B, S, 16), F), ((3, 16, 16), F))
def attention(x, w):
    q, k, v = (x @ w[i] for i in range(3))
    scores = jnp.einsum("bsd,btd->bst", q, k) / 4.0
    mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
    return jnp.einsum("bst,btd->bsd", jax.nn.softmax(jnp.where(mask, scores, -1e9), -1), v)


@function(((B, 16), F))
def mean(x):
    return x.mean(0)


@function(((B, 16), F))
def deviation(x):
    return jnp.std(x, axis=0)


@function(((B, 16), F), ((S, 16), F))
def rows(x, y):
    return jnp.concatenate([x, y], 0)


@function(((B, S, 16), F), ((16, 4), F))
def merged(x, w):
    return (x.reshape(x.shape[0] * x.shape[1], 16) @ w).reshape(x.shape[0], x.shape[1], 4)


@function(((B, S, 16), F))
def heads(x):
    return x.reshape(x.shape[0], x.shape[1], 4, 4).transpose(0, 2, 1, 3)


@function(((B, 16), F))
def places(x):
    return jnp.argmax(x, 0)


@function(((B, 16), F))
def place(x):
    return jnp.argmin(x, -1)


@function(((B, 16), F), ((), I))
def part(x, i):
    return lax.dynamic_slice(x, (i * 0, i), (x.shape[0], 4))


@function(((B, S, 16), F))
def last(x):
    return x[:, -1]


@function(((S + 1, 16), F))
def tail(x):
    return x[1:]


@function(((B, S, 16), F), ((64, 16), F))
def positions(x, table):
    return x + table[jnp.arange(x.shape[1])]


@function(((B, 16), F))
def clipped(x):
    return jnp.where(x > 0, x, 0.0)


@function(((B, 16), F), ((B,), I))
def picked(x, i):
    return x[jnp.arange(x.shape[0]), i]


@function(((B, 16), F), ((B,), I))
def entropy(x, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], 1))


@function(((B, 16), F))
def padded(x):
    return jnp.pad(x, ((0, 1), (2, 2)))


@function(((B,), I))
def hot(i):
    return jax.nn.one_hot(i, 10)


@function(((B, 16), F))
def tiled(x):
    return jnp.tile(x, (2, 1))


@function(((B, 64, 16), F), ((B, 1, 16), F), ((), I))
def cache(c, row, at):
    return lax.dynamic_update_slice(c, row, (at * 0, at, at * 0))


@function(((B, 16), F))
def cumulative(x):
    return jnp.cumsum(x, 0)


@function(((B, 16), F))
def windows(x):
    return jnp.cumsum(x, 1)


def shape_of(dims, b, s):
    numbers = {"b": b, "s": s}
    return tuple(d if isinstance(d, int) else int(d._evaluate(numbers)) for d in dims)


def close(got, want):
    got, want = np.asarray(got), np.asarray(want)
    return got.shape == want.shape and np.allclose(got, want, rtol=2e-5, atol=2e-5, equal_nan=True)


def run(mercator, work, seed):
    """Rows (function, what happened, whether it is as it should be)."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)

    def command(*words):
        return subprocess.run([mercator, *map(str, words)], capture_output=True, text=True)

    def evaluated(air, inputs):
        files = []
        for i, value in enumerate(inputs):
            files.append(work / f"input{i}.npy")
            np.save(files[-1], value)
        out = work / "out.npy"
        done = command("run", "--reference", air, *(f"--input={f}" for f in files), "-o", out)
        return np.load(out) if done.returncode == 0 else done.stderr

    for name, (f, inputs) in FUNCTIONS.items():
        source = work / f"{name}.mlir"
        symbolic = [jax.ShapeDtypeStruct(dims, dtype) for dims, dtype in inputs]
        source.write_text(export.export(jax.jit(f))(*symbolic).mlir_module())
        graph, model, static = (work / f"{name}{end}" for end in (".air", ".onnx", ".static.air"))
        converts = command("compile", source, "--target=ascend", "--function=main", "-o", graph).returncode == 0
        problems = []
        if converts != (name not in STATIC_ONLY):
            problems.append("converted now" if converts else "not converted")
        if converts and command("compile", source, "--target=ascend", "-o", model).returncode:
            problems.append("no ONNX")
        session = onnxruntime.InferenceSession(str(model)) if converts and not problems else None
        for b, s in SIZES:
            shapes = [shape_of(dims, b, s) for dims, _ in inputs]
            values = [
                random.integers(-3, 20, shape).astype(np.int32)
                if dtype is I
                else random.standard_normal(shape).astype(np.float32)
                for shape, (_, dtype) in zip(shapes, inputs)
            ]
            want = jax.jit(f)(*values)
            if session:
                if not close(evaluated(graph, values), want):
                    problems.append(f"the graph differs at b = {b}, s = {s}")
                feeds = {i.name: value for i, value in zip(session.get_inputs(), values)}
                if not close(session.run(None, feeds)[0], want):
                    problems.append(f"the model differs at b = {b}, s = {s}")
            choices = [
                f"--shape=arg{i}:{'x'.join(map(str, shape))}"
                for i, (shape, (dims, _)) in enumerate(zip(shapes, inputs))
                if any(not isinstance(d, int) for d in dims)
            ]
            done = command("compile", source, "--target=ascend", "--function=main", *choices, "-o", static)
            if done.returncode:
                problems.append(f"{' '.join(choices)}: {done.stderr.splitlines()[0]}")
            elif not close(evaluated(static, values), want):
                problems.append(f"the static graph differs at b = {b}, s = {s}")
        line = "; ".join(problems) or (
            f"as JAX at {len(SIZES)} sizes" + ("" if converts else f", with --shape ({STATIC_ONLY[name]})")
        )
        yield name, line, not problems
