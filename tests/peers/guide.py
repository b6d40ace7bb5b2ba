# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Follows docs/ascend.md, without a device: the export from JAX, and the comparison of
results by docs/ascend/compare.py. JAX's results stand for those of a device.
"""

import os
import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "ascend"

# Elements of each kind, and results without dimensions.
ELEMENTS = """
func.func @main(%a: tensor<3xi1>, %b: tensor<2x2xbf16>, %c: tensor<4xf16>, %d: tensor<2xui32>,
    %e: tensor<2xcomplex<f32>>, %f: tensor<f64>, %g: tensor<0x3xi8>)
    -> (tensor<3xi1>, tensor<2x2xbf16>, tensor<4xf16>, tensor<2xui32>, tensor<2xcomplex<f32>>, tensor<f64>, tensor<0x3xi8>) {
  %x = stablehlo.not %a : tensor<3xi1>
  %y = stablehlo.add %c, %c : tensor<4xf16>
  return %x, %b, %y, %d, %e, %f, %g
      : tensor<3xi1>, tensor<2x2xbf16>, tensor<4xf16>, tensor<2xui32>, tensor<2xcomplex<f32>>, tensor<f64>, tensor<0x3xi8>
}
"""


def run(mercator, work):
    """Rows: a name, a line to print, and whether the case passes."""
    folder = pathlib.Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    binaries = str(pathlib.Path(mercator).resolve().parent)
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PATH": binaries + os.pathsep + os.environ["PATH"]}

    def row(name, words, code=0, text=""):
        result = subprocess.run(
            [str(word) for word in words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        printed = (result.stdout + result.stderr).strip()
        good = result.returncode == code and text in printed
        return name, printed.split("\n")[-1][-200:] or "works", good

    def compare(name, air, inputs, results, code, text, *more):
        words = [sys.executable, PAGES / "compare.py", air, "--inputs", *inputs, "--results", *results, *more]
        return row(name, words, code, text)

    # Steps 1 and 3.
    yield row("export", [sys.executable, PAGES / "next_token.py"])
    good = (folder / "next_token.mlir").read_text() == (PAGES / "next_token.mlir").read_text()
    yield "next_token.mlir", "is what JAX writes" if good else "is not what JAX writes", good
    yield row("compile", ["mercator", "compile", "next_token.mlir", "--target=ascend", "-o", "next_token.air"])

    # Step 6.
    names = [f"input{i}" for i in range(3)]
    files = [name + ".npy" for name in names]
    yield row(
        "expect",
        ["mercator", "run", "--reference", "next_token.air", *[f"--input={name}" for name in files], "--expect=jax0.npy"],
        text="equal to the expected",
    )
    for name in [*names, "jax0"]:
        np.load(folder / f"{name}.npy").tofile(folder / f"{name}.bin")
    right = np.load(folder / "jax0.npy")
    wrong = {"moved": right + 1e-3 * np.eye(*right.shape, dtype="f4"), "half": right.astype("f2").astype("f4")}
    for name, value in {"nan": np.nan, "infinite": np.inf}.items():
        wrong[name] = right.copy()
        wrong[name][3, 17] = value
    wrong["f16"], wrong["shape"] = right.astype("f2"), right[:4]
    for name, array in wrong.items():
        np.save(folder / f"{name}.npy", array)

    air = "next_token.air"
    yield compare("npy", air, files, ["jax0.npy"], 0, "ok, largest difference")
    yield compare("bin", air, [name + ".bin" for name in names], ["jax0.bin"], 0, "ok, largest difference")
    yield compare("moved", air, files, ["moved.npy"], 1, "8 of 8000 differ, first at [0, 0]: got")
    yield compare("tolerance", air, files, ["moved.npy"], 0, "ok, largest difference 1.1e-03", "--rtol=2e-3")
    yield compare("half", air, files, ["half.npy"], 1, "of 8000 differ")
    yield compare("nan", air, files, ["nan.npy"], 1, "1 of 8000 differ, first at [3, 17]: got nan")
    yield compare("infinite", air, files, ["infinite.npy"], 1, "1 of 8000 differ, first at [3, 17]: got inf")
    yield compare("f16", air, files, ["f16.npy"], 1, "float32[8, 1000]: expected this type, got float16[8, 1000]")
    yield compare("shape", air, files, ["shape.npy"], 1, "expected this type, got float32[4, 1000]")
    yield compare("size", air, files, ["input0.bin"], 1, "expected 8000 elements of 4 bytes, got 64000")
    yield compare("inputs", air, files[:2], ["jax0.npy"], 1, "expected 3 inputs, got 2")
    yield compare("results", air, files, ["jax0.npy", "jax0.npy"], 1, "expected 1 results, got 2")
    yield compare("expected", air, [], ["jax0.bin"], 0, "ok, largest difference 0.0e+00", "--expected", "jax0.npy")

    # Weights as constants: one input is left.
    yield row("weights", [sys.executable, PAGES / "weights.py"])
    yield row("bind", ["mercator", "compile", "named.mlir", "--target=ascend", "--weights=weights.npz", "-o", "bound.air"])
    yield compare("bound", "bound.air", files[2:], ["jax0.npy"], 0, "ok, largest difference")

    # Each kind of element, as bytes.
    arrays = [
        np.array([True, False, True]),
        np.array([[1, -2], [np.inf, np.nan]], ml_dtypes.bfloat16),
        np.array([1, -np.inf, np.nan, 0], "f2"),
        np.array([1, 0xFFFFFFFF], "u4"),
        np.array([1 + 2j, complex(np.nan, 1)], "c8"),
        np.array(1.5),
        np.zeros((0, 3), "i1"),
    ]
    (folder / "elements.mlir").write_text(ELEMENTS)
    for i, array in enumerate(arrays):
        array.tofile(folder / f"in{i}.bin")
        result = ~array if i == 0 else array + array if i == 2 else array
        result.tofile(folder / f"out{i}.bin")
    (~arrays[3]).tofile(folder / "other.bin")
    yield row("elements", ["mercator", "compile", "elements.mlir", "--target=ascend", "-o", "elements.air"])
    inputs, results = ([f"{side}{i}.bin" for i in range(len(arrays))] for side in ("in", "out"))
    yield compare("all elements", "elements.air", inputs, results, 0, "result 6: int8[0, 3]: ok, equal")
    results[3] = "other.bin"
    yield compare("integers", "elements.air", inputs, results, 1, "result 3: uint32[2]: 2 of 2 differ, first at [0]: got 4294967294")
