# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Functions exported from JAX, as graphs for Ascend. Each graph must give the
results of JAX, in the evaluator and as a model in ONNX. A function that is not
converted is listed with the reason; the number of those may only fall.
"""

import collections
import pathlib

import xla  # noqa: F401  (sets XLA up before jax is used)
import jax
import jax.numpy as jnp
import numpy as np
import programs
import twins
from jax import lax

# Functions that are not converted yet, and the operation that is missing.
MISSING = {
    "while_unknown": "while",
    "fft": "fft",
}

FUNCTIONS = {}


def function(*inputs):
    def register(f):
        FUNCTIONS[f.__name__] = f, inputs
        return f

    return register


G = np.random.default_rng(5)


def floats(*shape):
    return G.standard_normal(shape).astype(np.float32)


def ints(most, *shape, dtype=np.int32):
    return G.integers(0, most, shape).astype(dtype)


# onnxruntime's Min and Max of int64 are wrong for these.
@function(np.array([2**31 - 1, 2**31 + 5, -(2**40)]), np.array([1]))
def wide_integers(x, y):
    return jnp.minimum(x, y), jnp.maximum(x, y), jnp.clip(x, y, 2**33)


# Scatters and caches.
@function(floats(9, 4), ints(12, 5) - 2, floats(5, 4))
def at_set(x, i, u):
    return x.at[i[:1]].set(u[:1]), x.at[jnp.arange(4) * 2 + i[0]].set(u[:4], mode="drop")


@function(floats(9, 4), ints(12, 5) - 2, floats(5, 4))
def at_add(x, i, u):
    return x.at[i].add(u)


@function(floats(9, 4), ints(9, 5), floats(5, 4))
def at_max(x, i, u):
    return x.at[i].max(u)


@function(floats(9, 4), ints(9, 5), floats(5, 4))
def at_min(x, i, u):
    return x.at[i].min(u)


@function(floats(6, 7), ints(6, 3), ints(7, 3), floats(3))
def at_pairs(x, i, j, u):
    return x.at[i, j].add(u)


@function(ints(9, 8), ints(8, 5))
def counts(x, i):
    return jnp.bincount(i, length=8) + x.at[i].add(1)


@function(floats(16, 4), ints(16, 5))
def embed_grad(table, ids):
    return jax.grad(lambda t: (t[ids] ** 2).sum())(table)


@function(floats(5, 9), ints(9, 5))
def xent_grad(logits, labels):
    def loss(x):
        return -jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], 1).mean()

    return jax.grad(loss)(logits)


@function(floats(1, 16, 2, 4), floats(1, 1, 2, 4), np.int32(3))
def kv_step(cache, row, at):
    return lax.dynamic_update_slice(cache, row, (0 * at, at, 0 * at, 0 * at))


@function(floats(3, 16, 4), floats(3, 1, 4), ints(16, 3))
def kv_batched(cache, row, at):
    return jax.vmap(lambda c, r, i: lax.dynamic_update_slice(c, r, (i, 0 * i)))(cache, row, at)


@function(floats(6, 3), ints(4, 6))
def segment_sum(x, i):
    return jax.ops.segment_sum(x, i, num_segments=4)


# Loops and branches.
@function(floats(5, 4), floats(4, 4))
def scan_rnn(xs, w):
    def step(h, x):
        h = jnp.tanh(h @ w + x)
        return h, h

    return lax.scan(step, jnp.zeros(4), xs)


@function(floats(4))
def fori(x):
    return lax.fori_loop(0, 6, lambda i, y: y * 0.5 + x * i, x)


@function(floats(4), np.int32(7))
def while_known(x, n):
    return lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, jnp.sin(c[1])), (0, x))[1] + n


@function(floats(4), np.int32(7))
def while_unknown(x, n):
    return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, jnp.sin(c[1])), (0, x))[1]


@function(floats(4), np.bool_(True))
def cond(x, p):
    return lax.cond(p, lambda y: y * 2, lambda y: -y, x)


@function(floats(4), np.int32(1))
def switch(x, i):
    return lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x)


@function(np.array([3, 9], np.uint32), floats(4, 4))
def dropout(key, x):
    keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.8, x.shape)
    return jnp.where(keep, x / 0.8, 0)


@function(np.array([3, 9], np.uint32), floats(9))
def sample(key, logits):
    return jax.random.categorical(jax.random.wrap_key_data(key), logits)


@function(floats(9), floats(9))
def cumulative(x, y):
    return jnp.cumsum(x), jnp.cumprod(1 + y * 0.1)


@function(floats(7))
def interp(x):
    return jnp.interp(x, jnp.linspace(-2.0, 2.0, 9), jnp.arange(9.0))


@function(floats(4, 4))
def power_iteration(a):
    def step(v, _):
        v = a @ v
        return v / jnp.linalg.norm(v), None

    return lax.scan(step, jnp.ones(4), None, length=5)[0]


# Sorts.
@function(floats(4, 9))
def sort(x):
    return jnp.sort(x)


@function(floats(4, 9))
def argsort(x):
    return jnp.argsort(x)


@function(floats(4, 9))
def top_k(x):
    return lax.top_k(x, 3)


@function(floats(9))
def nucleus(x):
    p = jnp.sort(jax.nn.softmax(x))[::-1]
    return jnp.where(jnp.cumsum(p) < 0.9, p, 0)


@function(floats(4, 9))
def argmax(x):
    return jnp.argmax(x, -1), jnp.argmin(x, 0)


# Convolutions and pooling.
@function(floats(2, 16, 3), floats(3, 3, 4))
def conv1d(x, k):
    return lax.conv_general_dilated(x, k, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))


@function(floats(2, 8, 8, 3), floats(3, 3, 3, 4))
def conv2d(x, k):
    return lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@function(floats(2, 8, 8, 4), floats(3, 3, 1, 4))
def conv_grouped(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=4)


@function(floats(2, 8, 8, 3))
def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


@function(floats(2, 8, 8, 3))
def avg_pool(x):
    return lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4


@function(floats(2, 4, 5, 3), floats(3, 3, 3, 4))
def conv_transposed(x, k):
    return lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@function(floats(2, 6, 5, 4), floats(3, 3, 2, 6))
def conv_gradients(x, k):
    def f(x, k):
        return lax.conv_general_dilated(x, k, (1, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=2)

    out, pull = jax.vjp(f, x, k)
    return out, *pull(out * 0.1)


@function(floats(1, 2, 4, 5, 3), floats(3, 3, 2, 2, 2))
def conv3d(x, k):
    return lax.conv_general_dilated(jnp.moveaxis(x, -1, 1), k, (1, 2, 1), "SAME")


@function(floats(2, 7, 8, 3))
def avg_pool_same(x):
    shape, strides = (1, 3, 3, 1), (1, 2, 1, 1)
    counts = lax.reduce_window(jnp.ones((1, 7, 8, 1), x.dtype), 0.0, lax.add, shape, strides, "SAME")
    return lax.reduce_window(x, 0.0, lax.add, shape, strides, "SAME") / counts


@function(floats(3, 9), ints(100, 2, 7))
def cumulative_sums(x, n):
    return lax.cumsum(x, axis=1, reverse=True), jnp.cumsum(n.astype(jnp.int8), axis=1, dtype=jnp.int8), jnp.cumsum(x.astype(jnp.float16), 0)


@function(floats(2, 8, 8, 3))
def mean_pool(x):
    return x.mean((1, 2))


# Layers.
@function(floats(4, 16))
def softmax(x):
    return jax.nn.softmax(x), jax.nn.log_softmax(x)


@function(floats(4, 16), floats(16), floats(16))
def layer_norm(x, scale, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale + bias


@function(floats(4, 16), floats(16))
def rms_norm(x, scale):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale


@function(floats(4, 16))
def activations(x):
    return jax.nn.gelu(x), jax.nn.gelu(x, approximate=False), jax.nn.silu(x), jax.nn.softplus(x), jax.nn.elu(x)


@function(floats(2, 6, 2, 4), floats(2, 6, 2, 4), floats(2, 6, 2, 4))
def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
    scores = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), scores, -1e9)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)


@function(floats(6, 2, 8), ints(6, 6))
def rope(x, positions):
    angles = positions[:, None] * 100.0 ** (-jnp.arange(4) / 4)
    a, b = x[..., :4], x[..., 4:]
    c, s = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


@function(floats(5, 8), floats(8, 3), floats(3, 8, 8))
def experts(x, gate, w):
    p = jax.nn.softmax(x @ gate)
    return jnp.einsum("te,enf,tn->tf", p, w, x)


@function(floats(6, 4), floats(4, 8), floats(8, 2), ints(2, 6))
def train_step(x, w1, w2, labels):
    def loss(w1, w2):
        logits = jax.nn.relu(x @ w1) @ w2
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean()

    g1, g2 = jax.grad(loss, (0, 1))(w1, w2)
    return w1 - 0.1 * g1, w2 - 0.1 * g2


@function(floats(4, 6), floats(4, 6))
def adam(p, g):
    m, v = 0.1 * g, 0.001 * g * g
    return p - 0.01 * m / (jnp.sqrt(v) + 1e-8)


# Gathers and shapes.
@function(floats(20, 8), ints(20, 3, 5))
def embedding(table, ids):
    return jnp.take(table, ids, axis=0), table[ids[0], :4]


@function(floats(9, 6, 5), ints(9, 4), ints(5, 4))
def column(t, i, j):
    return t[i, :, j]


@function(floats(6, 5), ints(5, 6))
def along(x, i):
    return jnp.take_along_axis(x, i[:, None], 1), x[jnp.arange(6), i]


@function(floats(9, 4), np.int32(2))
def window(x, i):
    return lax.dynamic_slice(x, (i, 0 * i), (3, 4)), jnp.roll(x, i, 0)


@function(floats(4, 6))
def shapes(x):
    return jnp.pad(x, ((1, 2), (0, 1))), x[::-1, ::2], jnp.tile(x, (2, 1)), jnp.repeat(x, 2, 1), jnp.stack([x, x], 1)


@function(floats(4, 6) > 0, floats(4, 6) > 0.5)
def booleans(a, b):
    return jnp.where(a, b, ~b), (a & b).any(0), (a | b).all(1)


@function(ints(99, 8), ints(9, 8) + 1)
def integers(x, y):
    return x // y, x % y, x << 2, x ^ y, jnp.minimum(x, y)


@function(floats(16))
def fft(x):
    return jnp.abs(jnp.fft.fft(x))


def check(tools, name):
    """The program that ran the model."""
    f, inputs = FUNCTIONS[name]
    inputs = [np.asarray(value) for value in inputs]
    text, wanted = programs.export(f, inputs)
    program = tools.folder / f"{name}.mlir"
    program.write_text(text)
    graph = twins.compile_to_onnx(tools, program, soc="910b")
    air = program.with_suffix(".air")
    twins.subprocess.run([tools.mercator, "compile", str(program), "--target=ascend", "-o", str(air)], check=True, capture_output=True)
    results, who = tools.runner.run(graph, inputs)
    for source, values in (("the evaluator", twins.evaluate(tools, air, inputs)), (who, results)):
        if len(values) != len(wanted):
            raise RuntimeError(f"expected {len(wanted)} results, got {len(values)} by {source}")
        for i, (got, value) in enumerate(zip(values, wanted)):
            said = twins.difference(np.asarray(got), np.asarray(value), False, twins.WHOLE | {"f32": 1e-5})
            if said:
                raise RuntimeError(f"result {i} by {source}: {said}")
    return who


def run(mercator, folder):
    """Rows of a name, a line, and whether it is right."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tools = twins.Tools(mercator, folder, twins.Runner())
    tally = collections.Counter()
    for name in FUNCTIONS:
        try:
            line = "the same by " + check(tools, name)
            good = name not in MISSING
            line += "" if good else "; remove it from MISSING"
            tally["converted"] += 1
        except twins.NotExpressed as error:
            line, good = f"not converted: {error}", MISSING.get(name, "no operation") in str(error)
            tally["not converted"] += 1
        except RuntimeError as error:
            line, good = str(error), False
        yield name, line, good
    yield "all", f"{tally['converted']} of {len(FUNCTIONS)} converted", True
