# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""JAX on Mercator's plugin: functions give what they give on JAX's CPU, errors are
exceptions that say why, arrays are lent and donated, and training loops of flax and optax
reach the same losses.

The plugin runs in a process of its own, so that it and jaxlib's compiler are loaded as
users load them. If MERCATOR_PJRT_HEADER names a public header of the interface,
pjrt_c_api.h, sizes and offsets are compared with it.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = r"""
import jax, jax.numpy as jnp, numpy as np
from jax import lax

g = np.random.default_rng(1)
x = g.standard_normal((4, 5)).astype(np.float32)
square = x @ x.T + 4 * np.eye(4, dtype=np.float32)
FUNCTIONS = {
    "softmax": lambda: jax.nn.softmax(x @ x.T),
    "grad": lambda: jax.grad(lambda v: jnp.sum(jnp.tanh(v) ** 2))(x),
    "scan": lambda: lax.scan(lambda c, v: (c + v, c * v), jnp.zeros(5), x),
    "while": lambda: lax.while_loop(lambda v: v < 10, lambda v: v * 2, 1),
    "sort": lambda: jnp.sort(x, axis=0),
    "random": lambda: jax.random.normal(jax.random.key(0), (7,)),
    "fft": lambda: jnp.fft.rfft(x),
    "svd": lambda: jnp.linalg.svd(x, compute_uv=False),
    "eigh": lambda: jnp.linalg.eigvalsh(square),
    "solve": lambda: jnp.linalg.solve(square, x),
    "cholesky": lambda: jnp.linalg.cholesky(square),
    "conv": lambda: lax.conv(x[None, None], x[None, None, :2, :2], (1, 1), "SAME"),
    "scatter": lambda: jnp.zeros((4, 5)).at[jnp.array([1, 3])].add(x[:2]),
    "int4": lambda: (jnp.array([-3, 2], jnp.int4) + jnp.array([1, 1], jnp.int4)).astype(jnp.int32),
    "bf16": lambda: jnp.asarray(x, jnp.bfloat16) * 3,
    "complex": lambda: jnp.exp(x + 1j * x),
    "strided": lambda: jnp.asarray(np.asfortranarray(x)[::2]) + 1,
    "empty": lambda: jnp.zeros((0, 3)) + 1,
}
mercator, cpu = jax.devices("mercator")[0], jax.devices("cpu")[0]
assert jax.default_backend() == "mercator"
for name, function in FUNCTIONS.items():
    with jax.default_device(mercator):
        ours = jax.tree.leaves(jax.tree.map(np.asarray, function()))
    with jax.default_device(cpu):
        theirs = jax.tree.leaves(jax.tree.map(np.asarray, function()))
    good = all(a.dtype == b.dtype and np.allclose(a, b, rtol=2e-5, atol=2e-5) for a, b in zip(ours, theirs, strict=True))
    print(name, good, "agrees" if good else f"{ours} {theirs}".replace("\n", " "), sep="\t")

donated = jnp.ones(3)
jax.jit(lambda v: v + 1, donate_argnums=0)(donated)
print("donated", donated.is_deleted(), "is deleted", sep="\t")
table, row = jnp.zeros((1000, 64)), jnp.ones(64)
place = table.unsafe_buffer_pointer()
put = jax.jit(lambda t, i, r: t.at[i].set(r), donate_argnums=0)
next_table = put(jnp.zeros((1000, 64)), 3, row)
moves = 0
for i in range(4):
    before = next_table
    next_table = put(next_table, i, row)
    moves += not before.is_deleted()
aliases = put.lower(table, 3, row).compile().memory_analysis().alias_size_in_bytes
print("reused", moves == 0 and aliases == 256000 and float(next_table.sum()) == 256, f"{aliases} bytes", sep="\t")
shared = jnp.arange(1000.0)
view = np.asarray(shared)
put2 = jax.jit(lambda t: t.at[0].set(7), donate_argnums=0)
print("shared", float(put2(shared)[0]) == 7 and view[0] == 0 and view[999] == 999, "a view of numpy stays", sep="\t")

import time

calls = {}
for device in (mercator, cpu):
    argument = jax.device_put(np.ones(10, np.float32), device)
    calls[device] = jax.jit(lambda v: v + 1), argument, []
for _ in range(20):
    for function, argument, times in calls.values():
        begin = time.perf_counter()
        for _ in range(200):
            result = function(argument)
        result.block_until_ready()
        times.append((time.perf_counter() - begin) / 200)
ours, theirs = (1e6 * min(times) for _, _, times in calls.values())
print("calls", ours <= 1.1 * theirs, f"{ours:.1f} us, {theirs:.1f} of jaxlib's CPU", sep="\t")
slow = jax.jit(lambda n: lax.fori_loop(0, n, lambda i, s: jnp.sin(s) + 1, 0.0))
(slow(3) + 1).block_until_ready()
begin = time.perf_counter()
value = slow(10_000_000)  # the first long call may be taken for a short one
value.block_until_ready()
whole = time.perf_counter() - begin
begin = time.perf_counter()
chain = slow(10_000_000) + 1
called = time.perf_counter() - begin
chain.block_until_ready()
print("asynchronous", called < whole / 2 and float(chain) == float(value) + 1, f"the call returns after {1000 * called:.1f} of {1000 * whole:.0f} ms", sep="\t")
cost = jax.jit(lambda a, b: a @ b).lower(jnp.ones((64, 32)), jnp.ones((32, 16))).compile().cost_analysis()
print("costs", cost["flops"] == 65536 and cost["bytes accessed"] == 14336 and cost["optimal_seconds"] > 0, str(cost), sep="\t")
compiled = jax.jit(lambda v: jnp.exp(v) @ v).lower(square).compile()
print("as_text", "dot" in compiled.as_text(), "is HLO", sep="\t")
memory = compiled.memory_analysis()
print("memory", memory.argument_size_in_bytes == 64 and memory.output_size_in_bytes == 64, "counts arguments and results", sep="\t")
try:
    jax.jit(lambda v: jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), np.float32), v))(1.0)
    print("callback", False, "is accepted", sep="\t")
except Exception as error:
    print("callback", "mercator" in str(error), str(error).split("\n")[0], sep="\t")
"""


def training(environment):
    """A row for each network: its losses on Mercator and on JAX's CPU."""

    def losses(platforms):
        result = subprocess.run(
            [sys.executable, str(ROOT / "tests/peers/networks.py")],
            env={**environment, "JAX_PLATFORMS": platforms},
            capture_output=True,
            text=True,
            check=False,
        )
        return json.loads(result.stdout) if result.returncode == 0 else result.stderr[-400:]

    ours, theirs = losses("mercator,cpu"), losses("cpu")
    if isinstance(ours, str) or isinstance(theirs, str):
        yield "training", f"{ours} {theirs}", False
        return
    for name, expected in theirs.items():
        distance = max(abs(a - b) / abs(b) for a, b in zip(ours[name], expected, strict=True))
        learns = expected[-1] < expected[0]
        yield name, f"{len(expected)} losses within {distance:.1e}, the last is {expected[-1]:.4f}", distance < 1e-4 and learns


def run(build, work):
    """Rows: a name, a line to print, and whether the case passes."""
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "mercator,cpu",
        "MERCATOR_LIBRARY": str(pathlib.Path(build).resolve() / "lib" / "libmercator.so"),
        "PYTHONPATH": str(ROOT / "python"),
        "XDG_CACHE_HOME": str(work / "cache"),
    }
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    for line in result.stdout.splitlines():
        name, good, said = line.split("\t")
        yield name, said, good == "True"
    yield from training(environment)
    if header := os.environ.get("MERCATOR_PJRT_HEADER"):
        compiler = next(name for name in ("clang++", "/usr/lib/llvm-22/bin/clang++") if shutil.which(name))
        check = [compiler, "-std=c++20", "-fsyntax-only", "-I", ROOT, "-include", header, ROOT / "tests/peers/layout.cpp"]
        compared = subprocess.run(check, capture_output=True, text=True, check=False)
        yield "layout", compared.stderr[:400] or "is that of the header", compared.returncode == 0
    yield "all", result.stderr[-400:] if result.returncode else "ran", result.returncode == 0
