# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Functions exported from JAX, run by `mercator run --reference` on random inputs,
and compared with the results of JAX.

Each function has a limit on the distance of the results in ULPs, floats of the
type between them. In XLA, functions such as exp differ by a few floats, and sums
have another order. If results cancel, the difference is many floats. Then the
limit is on the difference relative to the largest element.
"""

import dataclasses
import pathlib
import re
import subprocess
from collections.abc import Callable

import xla  # noqa: F401  (sets XLA up before jax is used)
import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from elements import ALL, COMPLEX, FLOATS, name_of, ulps
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


@dataclasses.dataclass
class Program:
    function: Callable
    inputs: list[np.ndarray]
    ulps: int
    # Relative to the largest element of each result. Then ULPs do not count.
    relative: float = 0.0


PROGRAMS = {}


def program(ulps_allowed, relative=0.0, shapes=None):
    """`shapes` are the shapes of the inputs. Names are symbolic extents: the program
    is exported for all sizes."""

    def register(make):
        PROGRAMS[make.__name__] = (make, ulps_allowed, relative, shapes)
        return make

    return register


def floats(g, *shape):
    return g.standard_normal(shape).astype(np.float32)


def dense(x, w, b):
    return x @ w + b


@program(0, relative=2e-6)
def mlp(g):
    def f(x, w1, b1, w2, b2):
        return jax.nn.log_softmax(dense(jax.nn.gelu(dense(x, w1, b1)), w2, b2))

    return f, [floats(g, 4, 16), floats(g, 16, 32), floats(g, 32), floats(g, 32, 10), floats(g, 10)]


@program(0, relative=2e-6)
def convolution_net(g):
    def f(x, k1, k2, w):
        def layer(value, kernel):
            value = lax.conv_general_dilated(value, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            value = jax.nn.relu(value)
            return lax.reduce_window(value, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

        value = layer(layer(x, k1), k2)
        return value.reshape(value.shape[0], -1) @ w

    return f, [floats(g, 2, 8, 8, 3), floats(g, 3, 3, 3, 4), floats(g, 3, 3, 4, 8), floats(g, 32, 10)]


@program(0, relative=4e-6)
def attention(g):
    def f(x, wq, wk, wv, wo):
        heads = lambda w: (x @ w).reshape(2, 6, 2, 4)  # noqa: E731
        q, k, v = heads(wq), heads(wk), heads(wv)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
        scores = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), scores, -1e9)
        mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
        return mixed.reshape(2, 6, 8) @ wo

    return f, [floats(g, 2, 6, 8), *(floats(g, 8, 8) for _ in range(4))]


@program(0, relative=2e-6)
def layer_norm(g):
    def f(x, scale, bias):
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias

    return f, [floats(g, 4, 32), floats(g, 32), floats(g, 32)]


@program(8)
def softmax(g):
    return jax.nn.softmax, [floats(g, 4, 50)]


@program(0)
def embedding(g):
    return lambda table, ids: jnp.take(table, ids, axis=0), [floats(g, 20, 8), g.integers(-3, 25, (3, 5), dtype=np.int32)]


@program(0, relative=1e-6)
def rope(g):
    def f(x, positions):
        half = x.shape[-1] // 2
        angles = positions[:, None] * 10000.0 ** (-jnp.arange(half, dtype=jnp.float32) / half)
        sin, cos = jnp.sin(angles), jnp.cos(angles)
        a, b = x[..., :half], x[..., half:]
        return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)

    return f, [floats(g, 2, 12, 16), np.arange(12, dtype=np.float32)]


@program(0, relative=2e-6)
def beam_search(g):
    def f(step, start):
        beams, width = 3, step.shape[0]

        def body(state):
            n, scores, tokens = state
            logits = jax.nn.log_softmax(step)[tokens[:, n]] + scores[:, None]
            scores, flat = lax.top_k(logits.reshape(-1), beams)
            tokens = tokens[flat // width].at[:, n + 1].set((flat % width).astype(jnp.int32))
            return n + 1, scores, tokens

        tokens = jnp.zeros((beams, 8), jnp.int32).at[:, 0].set(start)
        scores = jnp.array([0.0, -jnp.inf, -jnp.inf], jnp.float32)
        return lax.while_loop(lambda s: (s[0] < 7) & (s[1][0] > -50), body, (0, scores, tokens))

    return f, [floats(g, 6, 6), np.int32(2)]


@program(0)
def sort_and_top_k(g):
    def f(x, keys):
        values, indices = lax.top_k(x, 5)
        return values, indices, jnp.sort(x), jnp.argsort(keys, stable=True), lax.sort((keys, x[0]), num_keys=1)

    return f, [floats(g, 3, 30), g.integers(0, 6, 30, dtype=np.int32)]


@program(0)
def scatter_update(g):
    def f(x, rows, updates):
        return x.at[rows].set(updates), x.at[rows].max(updates), x.at[rows, 1:3].mul(2.0), x.at[:, ::2].add(1.0)

    return f, [floats(g, 8, 5), np.array([3, 0, 7, 5], np.int32), floats(g, 4, 5)]


@program(0, relative=1e-6)
def cumulative(g):
    def f(x, n):
        return jnp.cumsum(x), jnp.cumsum(n, axis=1), jnp.cumprod(n, axis=0), lax.cummax(x), lax.associative_scan(jnp.add, n)

    return f, [floats(g, 40), g.integers(-4, 4, (5, 6), dtype=np.int32)]


@program(0, relative=5e-6)
def training_step(g):
    def loss(parameters, x, labels):
        w1, b1, w2, b2 = parameters
        logits = dense(jnp.tanh(dense(x, w1, b1)), w2, b2)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1))

    def f(w1, b1, w2, b2, m, x, labels):
        value, gradients = jax.value_and_grad(loss)((w1, b1, w2, b2), x, labels)
        moved = [0.9 * m + 0.1 * gradients[0]] + list(gradients[1:])
        return value, [p - 0.1 * v for p, v in zip((w1, b1, w2, b2), moved)]

    shapes = [(8, 16), (16,), (16, 5), (5,), (8, 16), (6, 8)]
    return f, [*(floats(g, *s) for s in shapes), g.integers(0, 5, 6, dtype=np.int32)]


@program(0)
def vmapped_gather(g):
    def one(row, index, size):
        return lax.dynamic_slice(row, (index,), (3,)), row[index], jnp.where(size > 2, row[::-1], row)

    return jax.vmap(one), [floats(g, 5, 9), g.integers(-2, 12, 5, dtype=np.int32), g.integers(0, 5, 5, dtype=np.int32)]


@program(0, relative=2e-6)
def fourier(g):
    def f(x):
        spectrum = jnp.fft.rfft(x)
        return jnp.abs(spectrum), jnp.fft.irfft(spectrum * 0.5, n=12), jnp.fft.fft2(x)

    return f, [floats(g, 4, 12)]


@program(0, relative=1e-5)
def linear_solve(g):
    """The operations of StableHLO: JAX lowers its functions to calls of LAPACK."""

    def f(a, b):
        matrix = a @ a.T + 4 * jnp.eye(5, dtype=a.dtype)
        x = jnp.zeros_like(b)
        for _ in range(30):  # Gauss-Seidel
            lower = jnp.tril(matrix)
            rest = b - jnp.triu(matrix, 1) @ x
            for i in range(5):
                x = x.at[i].set((rest[i] - lower[i, :i] @ x[:i]) / lower[i, i])
        return x

    return f, [floats(g, 5, 5), floats(g, 5)]


@program(2)
def random_numbers(g):
    def f(key):
        a, b = jax.random.split(key)
        return (
            jax.random.bits(a, (4, 3)),
            jax.random.uniform(b, (17,)),
            jax.random.randint(a, (9,), 0, 100),
            jax.random.permutation(b, 12),
        )

    return f, [np.array([7, 42], np.uint32)]


@program(0, relative=1e-6)
def recurrent(g):
    def f(x, w, u):
        def step(h, value):
            h = jnp.tanh(value @ w + h @ u)
            return h, h.sum()

        return lax.scan(step, jnp.zeros(6, jnp.float32), x)

    return f, [floats(g, 7, 4), floats(g, 4, 6) * np.float32(0.3), floats(g, 6, 6) * np.float32(0.3)]


@program(0, relative=1e-2)
def bfloat_mixture(g):
    def f(x, gate, experts):
        x, gate, experts = (v.astype(jnp.bfloat16) for v in (x, gate, experts))
        weights, chosen = lax.top_k(jax.nn.softmax((x @ gate).astype(jnp.float32)), 2)
        mixed = jnp.einsum("td,tkde->tke", x, experts[chosen])
        return (mixed.astype(jnp.float32) * weights[..., None]).sum(1)

    return f, [floats(g, 5, 8), floats(g, 8, 4), floats(g, 4, 8, 8)]


def mesh(**axes):
    devices = np.array(jax.devices()[: int(np.prod(list(axes.values())))])
    return jax.sharding.Mesh(devices.reshape(tuple(axes.values())), tuple(axes))


@program(0, relative=1e-6)
def shard_map(g):
    """One process evaluates, for all devices, a program that is written for one."""
    over = mesh(x=2, y=2)

    def body(a, b):
        product = a @ b
        gathered = lax.all_gather(a, "y", axis=1, tiled=True)
        turned = lax.ppermute(a, "y", [(0, 1), (1, 0)]) * (lax.axis_index("x") + 1).astype(a.dtype)
        moved = lax.all_to_all(a, "y", 1, 0, tiled=True)
        scattered = lax.psum_scatter(a, "x", scatter_dimension=0, tiled=True)
        index = lax.axis_index(("x", "y")).reshape(1)
        return product + lax.psum(product, "x"), gathered, turned, moved, scattered, index

    def f(a, b):
        into = (P("x", "y"), P(None, "x"))
        out = (P("y", "x"), P("x", None), P("x", "y"), P(("x", "y"), None), P(("y", "x"), None), P(("x", "y")))
        return jax.shard_map(body, mesh=over, in_specs=into, out_specs=out, check_vma=False)(a, b)

    return f, [floats(g, 4, 8), floats(g, 4, 6)]


@program(0, relative=1e-6)
def shard_map_of_one_axis(g):
    """The compiler shards the other axis. One computation is inside another."""
    over = mesh(x=2, y=2)

    def f(a):
        def body(a):
            index = lax.axis_index("x")
            return lax.psum(a, "x"), a * 2 + index.astype(a.dtype)

        total, scaled = jax.shard_map(body, mesh=over, in_specs=P("x"), out_specs=(P(), P("x")), axis_names={"x"})(a)
        return total, scaled.sum(0)

    return f, [floats(g, 4, 6)]


@program(0, relative=1e-6)
def sharding_constraint(g):
    over = mesh(x=4)

    def f(a, b):
        product = lax.with_sharding_constraint(a @ b, NamedSharding(over, P("x", None)))
        return product.sum(0), lax.with_sharding_constraint(product, NamedSharding(over, P(None, "x")))

    return f, [floats(g, 8, 4), floats(g, 4, 4)]


@program(0)
def approximate_top_k(g):
    def f(x, y):
        return (
            *lax.approx_max_k(x, 3),
            *lax.approx_min_k(x, 2, reduction_dimension=0),
            *lax.approx_max_k(y, 4, aggregate_to_topk=False),
        )

    return f, [floats(g, 6, 24), floats(g, 40)]


@program(0, relative=4e-6)
def cumulative_sums(g):
    def f(x, n):
        return (
            jnp.cumsum(x),
            lax.cummax(x),
            jnp.cumsum(n, axis=0),
            lax.cumsum(n, axis=1, reverse=True),
            lax.cummin(n, axis=1, reverse=True),
        )

    return f, [floats(g, 5000), g.integers(-4, 4, (6, 700), dtype=np.int32)]


@program(0, relative=1e-6, shapes=["(b, n)", "(n, 5)"])
def any_shape(g):
    """Exported for all sizes: the program computes and asserts shapes."""

    def f(x, w):
        batch, width = x.shape
        return (
            jax.nn.softmax(x @ w),
            jnp.cumsum(x, axis=0),
            lax.reduce_window(x, -jnp.inf, lax.max, (1, width), (1, 1), "SAME"),
            jnp.concatenate([x, x[:, ::-1]]),
            jnp.sort(x, axis=1),
            x.reshape(-1) / batch,
        )

    return f, [floats(g, 3, 4), floats(g, 4, 5)]


@program(0, shapes=["(b + 2, n)", "2"])
def any_shape_of_calls(g):
    def f(x, key):
        k = x.shape[0] - 2
        bits = lax.rng_bit_generator(jnp.concatenate([key, key]), (x.shape[0], 4), dtype=jnp.uint32)
        return (*lax.top_k(x.T, k), *lax.approx_max_k(x, k, reduction_dimension=0), *bits)

    return f, [floats(g, 6, 4), np.array([7, 42], np.uint32)]


def export(function, inputs, shapes=None):
    wanted = jax.tree.leaves(jax.jit(function)(*inputs))
    if shapes is None:
        return jax.jit(function, keep_unused=True).lower(*inputs).as_text(), wanted
    arguments = jax.export.symbolic_args_specs(inputs, shapes)
    return jax.export.export(jax.jit(function, keep_unused=True))(*arguments).mlir_module(), wanted


def load_results(folder, count):
    """The files of `-o FOLDER/`, in the order of the results."""
    files = sorted(folder.glob("*.npy"), key=lambda p: [int(n) for n in re.findall(r"\d+", p.stem)] or [0])
    return [np.load(path) for path in files] if len(files) == count else files


def is_exact(array):
    return name_of(array) not in FLOATS and name_of(array) not in COMPLEX


def compare(got, wanted, relative):
    """The distance in ULPs, and relative to the largest element."""
    distance = ulps(got, wanted)
    if not relative or is_exact(got) or got.size == 0:
        return distance, 0.0
    a, b = got.astype(np.complex128), wanted.astype(np.complex128)
    finite = np.isfinite(a) & np.isfinite(b)
    if not ((a == b) | finite | (np.isnan(a) & np.isnan(b))).all():
        return distance, float("inf")
    scale = max(float(np.abs(b[finite]).max(initial=0.0)), 1e-30)
    return distance, float(np.abs(a - b)[finite].max(initial=0.0)) / scale


def save_inputs(folder, inputs):
    """The options of `mercator run` for the inputs."""
    words = []
    for i, value in enumerate(inputs):
        np.save(folder / f"in{i}.npy", value)
        words.append(f"--input={folder}/in{i}.npy")
    return words


def evaluate(mercator, path, words, wanted, reference=True):
    """The results of `mercator run`, and what it said if there are none."""
    out = path.parent / "out"
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*"):
        old.unlink()
    command = [mercator, "run", *["--reference"] * reference, str(path), *words, "-o", f"{out}/"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        return None, f"exit code {result.returncode}: {result.stdout.strip()[:400]}"
    results = load_results(out, len(wanted))
    if len(results) != len(wanted) or not all(isinstance(r, np.ndarray) for r in results):
        return None, f"expected {len(wanted)} results, got {[p.name for p in out.glob('*')]}"
    return results, ""


def judge(results, wanted, allowed, relative):
    """The largest distance as text, and whether it is within its limit."""
    worst, share, good = 0, 0.0, True
    for got, value in zip(results, wanted):
        value = np.asarray(value)
        if got.dtype == np.dtype("V2"):
            got = got.view(ALL["bf16"])
        if got.shape != value.shape or got.dtype != value.dtype:
            return f"expected {value.dtype}{value.shape}, got {got.dtype}{got.shape}", False
        distance, part = compare(got, value, relative)
        worst, share = max(worst, distance), max(share, part)
        good &= distance == 0 if is_exact(value) else (part <= relative if relative else distance <= allowed)
    bound = f"{relative:g} of the largest element" if relative else f"{allowed} ULPs"
    said = f"{worst:g} ULPs" + (f", {share:.1g} of the largest element" if relative else "")
    return f"{said} (bound: {bound})", good


def run_one(name, mercator, opt, folder, seed):
    """A line for the table, and whether the distance is within its limit."""
    make, allowed, relative, shapes = PROGRAMS[name]
    function, inputs = make(np.random.default_rng([seed, len(name)]))
    text, wanted = export(function, inputs, shapes)
    folder = pathlib.Path(folder) / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "program.mlir"
    path.write_text(text)
    if "chlo." in text:  # replace the operations of chlo
        spelt = subprocess.run([opt, str(path), "--chlo-legalize-to-stablehlo"], stdout=subprocess.PIPE, text=True)
        path.write_text(spelt.stdout)
    results, said = evaluate(mercator, path, save_inputs(folder, inputs), wanted)
    return judge(results, wanted, allowed, relative) if results is not None else (said, False)


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
