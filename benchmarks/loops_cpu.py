# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""loops_cpu.py [mercator]: loops that update what they carry, for n, 2n and 4n elements.

Prints the least time of each, the time of a step, and the ratio to the time of half the elements. A loop that
copies what it carries has the ratio 4, one that does not has 2.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

SIZES = (50_000, 100_000, 200_000)

LOOP = """
func.func @main(%x: tensor<{n}xf32>, %z: tensor<{n}xf32>, %s: tensor<1xf32>) -> ({types}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:{count} = stablehlo.while(%i = %zero, {carried}) : tensor<i32>, {types}
    cond {{
      %n = stablehlo.constant dense<{last}> : tensor<i32>
      %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %half = stablehlo.constant dense<5.0e-01> : tensor<1xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      {body}
      stablehlo.return %j, {next} : tensor<i32>, {types}
    }}
  return {results} : {types}
}}
"""

READ = "%{0} = stablehlo.dynamic_slice %{1}, %{2}, sizes = [1] : (tensor<NxT>, tensor<i32>) -> tensor<1xT>"
WRITE = "%{0} = stablehlo.dynamic_update_slice %{1}, %{2}, %{3} : (tensor<NxT>, tensor<1xT>, tensor<i32>) -> tensor<NxT>"
STEP = "%m = stablehlo.multiply %{0}, %half : tensor<1xT> %v = stablehlo.add %m, %half : tensor<1xT>"

# The name, then what is carried: (name, initial, next); then the body.
LOOPS = [
    ("an update in place", [("a", "x", "u")], [READ.format("e", "a", "i"), STEP.format("e"), WRITE.format("u", "a", "v", "j")]),
    ("a scan", [("c", "s", "v"), ("a", "z", "u")], [STEP.format("c"), WRITE.format("u", "a", "v", "i")]),
    ("two that exchange places", [("a", "x", "b"), ("b", "z", "u")],
     [READ.format("e", "a", "i"), STEP.format("e"), WRITE.format("u", "a", "v", "j")]),
    ("a read after the update", [("a", "x", "u"), ("b", "z", "w")],
     [STEP.format("half"), WRITE.format("u", "a", "v", "j"), READ.format("e", "a", "i"), WRITE.format("w", "b", "e", "i")]),
]


def text(carried, body, n):
    """The program of a loop."""
    vector, scalar = f"tensor<{n}xf32>", "tensor<1xf32>"
    kinds = [scalar if init == "s" else vector for _, init, _ in carried]
    return LOOP.format(
        n=n, last=n - 1, count=len(carried) + 1, types=", ".join(kinds),
        carried=", ".join(f"%{name} = %{init}" for name, init, _ in carried),
        body="\n      ".join(body).replace("NxT", f"{n}xf32").replace("xT>", "xf32>"),
        next=", ".join(f"%{given}" for _, _, given in carried),
        results=", ".join(f"%r#{i + 1}" for i in range(len(carried))))


def least(mercator, program):
    """The least seconds of 10 runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "loop.mlir"
        path.write_text(program)
        told = subprocess.run([mercator, "run", path, "--time", "--json", "--cache=off"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True).stdout
    return json.loads(told)["times"]["least_ms"] / 1e3


def main():
    """Prints a table."""
    mercator = sys.argv[1] if len(sys.argv) > 1 else "build/bin/mercator"
    print("| loop | n | run | a step | ratio |\n|---|---|---|---|---|")
    for name, carried, body in LOOPS:
        before = None
        for n in SIZES:
            seconds = least(mercator, text(carried, body, n))
            ratio = f"{seconds / before:.2f}" if before else "-"
            print(f"| {name} | {n:,} | {seconds * 1e3:.3f} ms | {seconds / n * 1e9:.1f} ns | {ratio} |")
            before = seconds


main()
