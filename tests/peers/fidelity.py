# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""mercator-opt prints modules of JAX; jaxlib must read the same modules.

So must it read the programs of a device that `compile --stop-after=spmd` writes."""

import pathlib
import subprocess

import programs
import xla
import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding, PartitionSpec


def symbolic():
    """Modules with symbolic extents."""
    functions = {
        "norm": (lambda x: (x - x.mean(-1, keepdims=True)) / x.std(), ["b, n"]),
        "product": (lambda x, y: jnp.einsum("bij,bjk->bik", x, y), ["b, i, j", "b, j, k"]),
        "slices": (lambda x: jnp.concatenate([x[1:], x[::2], x[:, ::-1][-1:]]), ["2*b, n"]),
        "padded": (lambda x: jnp.pad(x, 1).reshape(-1)[: x.size], ["b, n"]),
        "gathered": (lambda x: x[jnp.arange(x.shape[0]) // 2].cumsum(0), ["b, 3"]),
        "windows": (lambda x: jax.lax.reduce_window(x, 0.0, jax.lax.add, (2, 1), (1, 1), "SAME"), ["b, n"]),
    }
    for name, (function, specs) in functions.items():
        scope = export.SymbolicScope()
        shapes = [export.symbolic_shape(spec, scope=scope) for spec in specs]
        arguments = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
        yield f"symbolic_{name}", export.export(jax.jit(function))(*arguments).mlir_module()


def sharded():
    """Modules for several devices, with shardings in the dialect sdy."""
    devices = np.array(jax.devices()[:4]).reshape(2, 2)
    mesh = Mesh(devices, ("x", "y"))

    def on(*axes):
        return NamedSharding(mesh, PartitionSpec(*axes))

    def layers(x, w):
        h = jax.lax.with_sharding_constraint(jnp.tanh(x @ w), on("x", "y"))
        return h @ w.T

    x, w = jnp.ones((8, 16)), jnp.ones((16, 4))
    yield "sharded_layers", jax.jit(layers, in_shardings=(on("x"), on(None, "y")), out_shardings=on("x")).lower(x, w).as_text()
    mapped = jax.shard_map(
        lambda a: jax.lax.psum(a, "x") + jax.lax.all_gather(a, "y", axis=1, tiled=True).sum(),
        mesh=mesh,
        in_specs=PartitionSpec("x", "y"),
        out_specs=PartitionSpec(None, "y"),
        check_vma=False,
    )
    yield "sharded_map", jax.jit(mapped).lower(x).as_text()
    moved = jax.shard_map(
        lambda a: jax.lax.ppermute(jax.lax.all_to_all(a, "x", 1, 0, tiled=True), "y", [(0, 1), (1, 0)]),
        mesh=mesh,
        in_specs=PartitionSpec("x"),
        out_specs=PartitionSpec("x"),
        check_vma=False,
    )
    yield "sharded_moves", jax.jit(moved).lower(x).as_text()
    gradient = jax.jit(jax.grad(lambda v, u: layers(v, u).sum()), in_shardings=(on("x"), on(None, "y")))
    yield "sharded_gradient", gradient.lower(x, w).as_text()


def partitioned(mercator):
    """Programs of one device, with collectives."""
    folder = pathlib.Path(__file__).parent.parent / "transforms/spmd/Inputs"
    for path in sorted(folder.glob("*.mlir")):
        command = [mercator, "compile", str(path), "--stop-after=spmd"]
        yield f"partitioned_{path.stem}", subprocess.run(command, capture_output=True, text=True, check=True).stdout


def donated():
    """Attributes of arguments and results."""
    f = jax.jit(lambda a, b: {"sum": a + b, "product": a * b}, donate_argnums=0, keep_unused=True)
    yield "donated", f.lower(jnp.ones((4, 4)), jnp.ones((4, 4))).as_text()
    special = jax.jit(
        lambda x: (jax.lax.erf_inv(x), jax.lax.lgamma(x), jax.lax.digamma(x), jnp.linalg.cholesky(x @ x.T), jnp.sinh(x))
    )
    yield "special", special.lower(jnp.ones((4, 4))).as_text()
    kinds = [jnp.bfloat16, jnp.float8_e4m3fn, jnp.int4, jnp.uint8, jnp.complex64, jnp.float16, bool]
    converted = jax.jit(lambda *xs: [x.astype(jnp.float32).real for x in xs])
    yield "converted", converted.lower(*(jax.ShapeDtypeStruct((2, 3), kind) for kind in kinds)).as_text()
    tables = jax.jit(lambda x: x + np.arange(24, dtype=np.float32).reshape(4, 6) * np.float32(0.1) + np.float32("nan"))
    yield "constants", tables.lower(jnp.ones((4, 6))).as_text()


def modules(seed, mercator):
    """(name, text) of each module; modules with locations occur twice."""
    for name, (make, *_) in programs.PROGRAMS.items():
        function, inputs = make(np.random.default_rng(seed))
        lowered = jax.jit(function, keep_unused=True).lower(*inputs)
        yield name, lowered.as_text()
        yield f"{name}_places", lowered.as_text(debug_info=True)
    yield from symbolic()
    yield from sharded()
    yield from partitioned(mercator)
    yield from donated()


def canonical(text, places):
    """The module in jaxlib's generic form."""
    with xla.context():
        module = xla.parse(text)
        module.operation.verify()
        return module.operation.get_asm(
            enable_debug_info=places, print_generic_op_form=True, large_elements_limit=1 << 20
        )


def run_one(name, text, opt, folder):
    path = pathlib.Path(folder) / f"{name}.mlir"
    path.write_text(text)
    for form in ("pretty", "generic"):
        # Each reader sets its own locations for parts that a short form omits. The
        # generic form omits nothing.
        places = form == "pretty" and "loc(" in text
        flags = ["--mlir-print-op-generic"] if form == "generic" else []
        flags += ["--mlir-print-debuginfo"] if places else []
        result = subprocess.run([opt, str(path), *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if result.returncode != 0:
            return f"{form}: {result.stderr.strip()[:400]}", False
        printed = pathlib.Path(folder) / f"{name}.{form}.mlir"
        printed.write_text(result.stdout)
        expected = canonical(text, places)
        try:
            got = canonical(result.stdout, places)
        except Exception as error:
            return f"{form}: jaxlib does not read it: {str(error).strip()[:400]} ({printed})", False
        if got != expected:
            return f"{form}: another module: {first_difference(expected, got)} ({printed})", False
    return "same", True


def first_difference(a, b):
    for x, y in zip(a.split("\n"), b.split("\n")):
        if x != y:
            return f"expected {x.strip()[:200]!r}, got {y.strip()[:200]!r}"
    return "one is longer"


def run(opt, folder, seed):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    rows = []
    for name, text in modules(seed, str(pathlib.Path(opt).with_name("mercator"))):
        try:
            line, good = run_one(name, text, opt, folder)
        except Exception as error:  # continue with the other modules
            line, good = f"{type(error).__name__}: {error}", False
        rows.append((name, line, good))
    return rows

