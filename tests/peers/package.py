# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The Python package beside JAX in one process: every example of docs/python.md and
docs/questions.md, programs in each form that JAX has, and what they compute."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(build, work):
    """Rows: a name, a line to print, and whether the case passes."""
    folder = pathlib.Path(work).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, ROOT / "scripts" / "wheel", build, folder / "dist"], check=True, capture_output=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--upgrade"]
    subprocess.run([sys.executable, *install, "--target", folder / "installed", wheel], check=True)
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(folder / "installed")}

    def row(name, *words):
        result = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False
        )
        good = result.returncode == 0
        return name, "works" if good else (result.stdout + result.stderr)[-600:], good

    for page in ("docs/python.md", "docs/questions.md"):
        yield row(page, ROOT / "tests/python/page_test.py", ROOT / page, "--all")
    section = (ROOT / "README.md").read_text().split("## From JAX")[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.S)
    # The files that the section writes are for the commands.
    program = "\n".join(blocks).replace('open("', f'open("{folder}/')
    yield row("README.md", "-c", program)
    for case in ("lines", "forms", "values", "training", "beside"):
        yield row(case, pathlib.Path(__file__), case)


# The cases, each in a process of its own.


def layer(x, w):
    import jax

    h = jax.numpy.tanh(x @ w)
    return h / (1 + (h * h).sum(axis=-1, keepdims=True))


def arguments():
    import jax

    keys = jax.random.split(jax.random.key(1))
    return jax.random.normal(keys[0], (16, 32)), jax.random.normal(keys[1], (32, 8))


def lines():
    """Every operation has the line of Python that it was traced from."""
    import mercator

    p = mercator.trace(layer, *arguments())
    origins = {record.operation: record.origin for record in p.maps()}
    text = pathlib.Path(__file__).read_text().split("\n")
    product = next(number for number, line in enumerate(text, 1) if "h = jax.numpy.tanh(x @ w)" in line)
    assert origins["stablehlo.dot_general"].endswith(f"package.py:{product}"), origins
    assert origins["stablehlo.divide"].endswith(f"package.py:{product + 1}"), origins
    assert f"package.py:{product}" in repr(p.maps())


def forms():
    """Lowered, compiled and exported programs read the same elements."""
    import jax
    import jax.export
    import mercator

    lowered = jax.jit(layer).lower(*arguments())
    exported = jax.export.export(jax.jit(layer))(*arguments())
    for other in (lowered.compile(), exported, jax.jit(layer).trace(*arguments()).lower(), lowered.as_text(dialect="hlo")):
        diff = mercator.load(lowered).diff(other)
        assert diff.verdict == "equal", diff
    assert mercator.load(lowered.compile()).explain().kernels
    assert mercator.load(exported, name="layer.mlir").maps()[0].at.startswith("layer.mlir:")
    # A map of XLA's program as a function.
    maps = mercator.load(lowered.compile()).maps(fused=True)[0].to[0].maps
    assert {tuple(row) for m in maps for row in m.map.reads(3, 5)} == {(3, column) for column in range(32)}


def values():
    """JAX's arrays are inputs, also narrow ones."""
    import jax
    import jax.numpy as jnp
    import mercator
    import numpy as np

    x, w = arguments()
    np.testing.assert_allclose(mercator.trace(layer, x, w).run(x, w), layer(x, w), rtol=2e-5, atol=1e-6)
    for dtype in (jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, jnp.int8, jnp.uint16, jnp.bool_, jnp.complex64):
        y = jnp.arange(12).reshape(3, 4).astype(dtype)
        got = mercator.trace(lambda y: y.T, y).run(y)
        assert got.dtype == y.dtype
        np.testing.assert_array_equal(got.view(np.uint8), np.ascontiguousarray(np.asarray(y.T)).view(np.uint8))
    tree = mercator.trace(lambda d: {"a": d["x"] + 1, "b": (d["y"],)}, {"x": x, "y": w}).run(x, w)
    np.testing.assert_array_equal(tree[0], x + 1)
    np.testing.assert_array_equal(tree[1], w)
    assert jax.jit(layer)(x, w).shape == (16, 8)


def training():
    """A step of gradient descent, run ten times, ends where JAX ends."""
    import jax
    import jax.numpy as jnp
    import mercator
    import numpy as np

    def loss(w, x):
        return jnp.mean((jnp.tanh(x @ w) - 0.5) ** 2)

    @jax.jit
    def step(w, x):
        value, gradient = jax.value_and_grad(loss)(w, x)
        return w - 0.5 * gradient, value

    x, w = arguments()
    p = mercator.trace(step, w, x)
    ours, theirs = np.asarray(w), w
    for _ in range(10):
        ours, our_loss = p.run(ours, x)
        theirs, their_loss = step(theirs, x)
    np.testing.assert_allclose(our_loss, their_loss, rtol=1e-4)
    np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-5)


def beside():
    """XLA compiles and runs after Mercator did, and before."""
    import jax
    import mercator
    import numpy as np

    x, w = arguments()
    for scale in (1.0, 2.0, 3.0):
        f = jax.jit(lambda x, w, scale=scale: layer(scale * x, w))
        np.testing.assert_allclose(mercator.trace(f, x, w).run(x, w), f(x, w), rtol=2e-5, atol=1e-6)


if __name__ == "__main__":
    {"lines": lines, "forms": forms, "values": values, "training": training, "beside": beside}[sys.argv[1]]()
