# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""An all_reduce of Mercator beside MPI_Allreduce, on processes of this machine.

    allreduce.py [--processes 2] [--sizes 16,64,256,1024,4096] [--rounds 3]

Both do the same: a loop of calls on f32 tensors of so many KiB, a thread in each
process. They take turns, and the least time of a call counts. The bits of ours do
not depend on the run; those of MPI may.
"""

import argparse
import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

PROGRAM = """
func.func @main(%x: tensor<{n}xf32>) -> tensor<{n}xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<{calls}> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<{n}xf32> cond {{
    %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %z = "stablehlo.all_reduce"(%x) <{{replica_groups = dense<> : tensor<0x0xi64>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : (tensor<{n}xf32>) -> tensor<{n}xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %z : tensor<i32>, tensor<{n}xf32>
  }}
  return %r#1 : tensor<{n}xf32>
}}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--sizes", default="16,64,256,1024,4096,16384", help="KiB")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mercator", default=os.path.join(ROOT, "build/bin/mercator"))
    options = parser.parse_args()
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                      OMPI_MCA_rmaps_base_oversubscribe="1")
    with tempfile.TemporaryDirectory() as folder:
        bare = os.path.join(folder, "allreduce_mpi")
        subprocess.run(["mpicc", "-O3", os.path.join(ROOT, "benchmarks/allreduce_mpi.c"), "-o", bare], check=True)
        print(f"{'KiB':>8} {'MPI_Allreduce us':>17} {'all_reduce us':>14} {'ours / MPI':>10}")
        for size in options.sizes.split(","):
            n = int(size) * 256
            calls = max(10, min(200, 200_000 // int(size)))
            path = os.path.join(folder, f"{size}.mlir")
            with open(path, "w") as file:
                file.write(PROGRAM.format(n=n, calls=calls))
            least = {"bare": 1e9, "ours": 1e9}
            for _ in range(options.rounds):
                out = subprocess.run(["mpirun", "-n", str(options.processes), bare, str(n), str(calls), "5"],
                                     capture_output=True, text=True, check=True).stdout
                least["bare"] = min([least["bare"], *map(float, out.split())])
                out = subprocess.run([options.mercator, "run", path, f"--processes={options.processes}", "--threads=1",
                                      "--time", "--repeat=6", "--json", "--input=random:1"],
                                     capture_output=True, text=True, check=True).stdout
                least["ours"] = min(least["ours"], json.loads(out)["times"]["least_ms"] / 1e3 / calls)
            print(f"{size:>8} {least['bare'] * 1e6:17.1f} {least['ours'] * 1e6:14.1f} "
                  f"{least['ours'] / least['bare']:10.2f}")


if __name__ == "__main__":
    main()
