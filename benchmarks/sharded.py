# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Predicted times of collectives beside measured ones, on processes of this machine.

    sharded.py [--processes 2] [--sizes 16,256,4096]

The link between processes is measured by permutes of 4 KiB and of 4 MiB, and written as
a cluster (docs/devices.md). Then each collective runs in a loop, with a thread in each
process, and its time stands beside the one that `shard --cluster` predicts. Two ranks
with one thread each and one rank with two threads run a perceptron of three layers.
"""

import argparse
import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUM = """ ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    })"""
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"


def collective(kind, n, count):
    """The operation on %x, of n floats, among so many processes, and the type of its result."""
    groups = f"replica_groups = dense<{[list(range(count))]}> : tensor<1x{count}xi64>, {CHANNEL}"
    x = f"tensor<{n}xf32>"
    if kind == "collective_permute":
        pairs = [[i, (i + 1) % count] for i in range(count)]
        return f"<{{source_target_pairs = dense<{pairs}> : tensor<{count}x2xi64>, {CHANNEL}}}>", x
    if kind == "all_reduce":
        return f"<{{{groups}, use_global_device_ids}}>" + SUM, x
    if kind == "reduce_scatter":
        return (f"<{{scatter_dimension = 0 : i64, {groups}, use_global_device_ids}}>" + SUM,
                f"tensor<{n // count}xf32>")
    if kind == "all_gather":
        return f"<{{all_gather_dim = 0 : i64, {groups}, use_global_device_ids}}>", f"tensor<{n * count}xf32>"
    return (f"<{{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = {count} : i64, {groups}}}>", x)


def program(kind, n, count, calls):
    attributes, result = collective(kind, n, count)
    x = f"tensor<{n}xf32>"
    return f"""module attributes {{mhlo.num_partitions = {count} : i32, mhlo.num_replicas = 1 : i32}} {{
func.func @main(%x: {x}, %first: {result}) -> {result} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<{calls}> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %first) : tensor<i32>, {result} cond {{
    %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %z = "stablehlo.{kind}"(%x) {attributes} : ({x}) -> {result}
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %z : tensor<i32>, {result}
  }}
  return %r#1 : {result}
}}
}}
"""


PERCEPTRON = """module {{
  sdy.mesh @mesh = <["data"={ranks}]>
  func.func @main(%x: {t} {{sdy.sharding = #sdy.sharding<@mesh, [{{"data"}}, {{}}]>}}, %u: {t}, %v: {t}, %w: {t}) -> {t} {{
    %z = stablehlo.constant dense<0.0> : {t}
    %0 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
    %1 = stablehlo.maximum %0, %z : {t}
    %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
    %3 = stablehlo.maximum %2, %z : {t}
    %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
    return %4 : {t}
  }}
}}
"""


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def mercator(self, *arguments):
        return subprocess.run([self.options.mercator, *arguments], capture_output=True, text=True, check=True).stdout

    def milliseconds(self, path, *arguments):
        out = self.mercator("run", path, "--time", "--repeat=7", "--json", "--input=random:1", "--cache=off", *arguments)
        return json.loads(out)["times"]["least_ms"]

    def measured(self, kind, n):
        """Microseconds of one call, in a loop."""
        calls = max(10, min(400, 40_000_000 // n))
        path = self.write("loop.mlir", program(kind, n, self.options.processes, calls))
        return self.milliseconds(path, f"--processes={self.options.processes}", "--threads=1") * 1e3 / calls

    def predicted(self, kind, n, cluster):
        path = self.write("one.mlir", program(kind, n, self.options.processes, 1))
        rows = json.loads(self.mercator("shard", path, "--json", f"--cluster={cluster}"))["collectives"]
        return sum(row["microseconds"] * row["count"] for row in rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--sizes", default="16,256,4096", help="KiB on each process")
    parser.add_argument("--mercator", default=os.path.join(ROOT, "build/bin/mercator"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        small, large = bench.measured("collective_permute", 1 << 10), bench.measured("collective_permute", 1 << 20)
        rate = ((4 << 20) - (4 << 10)) / (large - small) / 1e3
        link = {"name": "memory", "gb_per_s": rate, "us": max(small - 4.096 / rate, 0)}
        cluster = bench.write("cluster.json", json.dumps({
            "schema": "mercator.cluster/1", "name": "processes", "title": "processes of this machine",
            "device": "x86-64-v3", "links": [link]}))
        print(f"link: {link['us']:.1f} us, {rate:.2f} GB/s")
        print(f"{'collective':<20} {'KiB':>6} {'measured us':>12} {'predicted us':>13} {'ratio':>6}")
        for kind in ("collective_permute", "all_gather", "all_to_all", "reduce_scatter", "all_reduce"):
            for size in options.sizes.split(","):
                n = int(size) * 256
                time, guess = bench.measured(kind, n), bench.predicted(kind, n, cluster)
                print(f"{kind:<20} {size:>6} {time:12.1f} {guess:13.1f} {guess / time:6.2f}")
        whole = bench.write("whole.mlir", PERCEPTRON.format(ranks=2, t="tensor<1024x1024xf32>"))
        part = os.path.join(folder, "part.mlir")
        bench.mercator("compile", whole, "--stop-after=spmd", "-o", part)
        one, two = bench.milliseconds(whole, "--threads=2"), bench.milliseconds(part, "--threads=1", "--processes=2")
        print(f"perceptron: one rank with two threads {one:.1f} ms, two ranks with one {two:.1f} ms, ratio {one / two:.2f}")


if __name__ == "__main__":
    main()
