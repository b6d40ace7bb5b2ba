# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random programs with collectives, run by MPI and compared with the evaluator.

    collectives.py --programs 300 --seed 1 --ranks 2,3,4,8
    collectives.py --write f.mlir --seed 7 --replicas 2 --partitions 2

Each program has chains of collectives of all kinds: replica groups of every meaning,
regular and not, in any order of the members; reductions with any body; asynchronous
pairs; loops; several element types. Every process begins with other values. Half of
the files hold several programs, as results of one function, since most of the time goes
into the start. A run that takes longer than its watchdog is a deadlock. Prints the
seed and the command of what fails; exits with 1.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile


class Program:
    """The text of one function, built operation by operation."""

    def __init__(self, rng, replicas, partitions):
        self.rng = rng
        self.replicas = replicas
        self.partitions = partitions
        self.size = replicas * partitions
        self.lines = []
        self.count = 0
        self.channel = 0
        self.indent = "  "

    def emit(self, text, name=True):
        if not name:
            self.lines.append(self.indent + text)
            return None
        self.count += 1
        value = f"%v{self.count}"
        self.lines.append(f"{self.indent}{value} = {text}")
        return value

    # Groups.

    def split(self, ids, equal=True):
        """The ids in random order, in rows of one length or of any lengths."""
        ids = list(ids)
        self.rng.shuffle(ids)
        if equal:
            length = self.rng.choice([n for n in range(1, len(ids) + 1) if len(ids) % n == 0])
            return [ids[i : i + length] for i in range(0, len(ids), length)]
        rows = []
        while ids:
            length = self.rng.randint(1, len(ids))
            rows.append(ids[:length])
            ids = ids[length:]
        return rows

    @staticmethod
    def table(rows):
        width = max(len(row) for row in rows)
        padded = [row + [-1] * (width - len(row)) for row in rows]
        return f"dense<{padded}> : tensor<{len(rows)}x{width}xi64>"

    def handle(self):
        self.channel += 1
        return f"channel_handle = #stablehlo.channel_handle<handle = {self.channel}, type = 1>"

    def groups_with_global_ids(self, equal=True):
        """For all_gather, all_reduce, reduce_scatter: (attributes, size of a group)."""
        kind = self.rng.choice(["replicas", "all partitions", "processes"])
        if kind == "replicas":
            rows = self.split(range(self.replicas), equal)
            return [f"replica_groups = {self.table(rows)}"], len(rows[0])
        if kind == "all partitions":
            rows = self.split(range(self.replicas), equal)
            return [f"replica_groups = {self.table(rows)}", self.handle()], len(rows[0]) * self.partitions
        rows = self.split(range(self.size), equal)
        return [f"replica_groups = {self.table(rows)}", self.handle(), "use_global_device_ids"], len(rows[0])

    def groups(self):
        """For the others."""
        if self.rng.random() < 0.5:
            rows = self.split(range(self.replicas))
            return [f"replica_groups = {self.table(rows)}"], len(rows[0])
        rows = self.split(range(self.partitions))
        return [f"replica_groups = {self.table(rows)}", self.handle()], len(rows[0])

    def pairs(self):
        of_partitions = self.rng.random() < 0.5
        count = self.partitions if of_partitions else self.replicas
        sources, targets = list(range(count)), list(range(count))
        self.rng.shuffle(sources)
        self.rng.shuffle(targets)
        keep = self.rng.randint(1, count)
        rows = [[s, t] for s, t in zip(sources[:keep], targets)]
        attributes = [f"source_target_pairs = dense<{rows}> : tensor<{keep}x2xi64>"]
        if of_partitions:
            attributes.append(self.handle())
        return attributes

    # Values.

    def type_of(self, shape, element):
        return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"

    def own_number(self):
        r = self.emit("stablehlo.replica_id : tensor<ui32>")
        p = self.emit("stablehlo.partition_id : tensor<ui32>")
        ten = self.emit("stablehlo.constant dense<10> : tensor<ui32>")
        row = self.emit(f"stablehlo.multiply {r}, {ten} : tensor<ui32>")
        return self.emit(f"stablehlo.add {row}, {p} : tensor<ui32>")

    def start(self, shape, element):
        number = self.own_number()
        whole = self.type_of(shape, element)
        own = self.emit(f"stablehlo.convert {number} : (tensor<ui32>) -> tensor<{element}>")
        own = self.emit(f"stablehlo.broadcast_in_dim {own}, dims = [] : (tensor<{element}>) -> {whole}")
        place = self.emit(f"stablehlo.iota dim = {self.rng.randrange(len(shape))} : {whole}")
        scale = self.emit(f"stablehlo.constant dense<{'3' if element[0] in 'iu' else '0.37'}> : {whole}")
        own = self.emit(f"stablehlo.add {own}, {scale} : {whole}")
        return self.emit(f"stablehlo.multiply {own}, {place} : {whole}") if self.rng.random() < 0.5 else \
            self.emit(f"stablehlo.add {own}, {place} : {whole}")

    def body(self, element):
        """Operations are not always commutative: the order of the group counts."""
        scalar = f"tensor<{element}>"
        kind = self.rng.choice(["add", "maximum", "minimum", "subtract", "second", "affine"])
        lines = [f"^bb0(%a: {scalar}, %b: {scalar}):"]
        if kind == "second":
            lines.append(f"  %t = stablehlo.subtract %b, %b : {scalar}")
            lines.append(f"  %s = stablehlo.add %t, %b : {scalar}")
        elif kind == "affine":
            lines.append(f"  %c = stablehlo.constant dense<2{'' if element[0] in 'iu' else '.0'}> : {scalar}")
            lines.append(f"  %t = stablehlo.multiply %a, %c : {scalar}")
            lines.append(f"  %s = stablehlo.subtract %t, %b : {scalar}")
        else:
            lines.append(f"  %s = stablehlo.{kind} %a, %b : {scalar}")
        lines.append(f"  stablehlo.return %s : {scalar}")
        return ["({"] + ["  " + line for line in lines] + ["})"]

    def collective(self, name, operands, types, results, attributes, body=None):
        """One collective, or an asynchronous pair around it."""
        def text(values, inner):
            pad = "\n" + inner
            region = "" if body is None else " " + pad.join(body)
            kept = ", ".join(attributes)
            return f'"stablehlo.{name}"({", ".join(values)}) <{{{kept}}}>{region} : ({", ".join(types)}) -> {results}'

        can = name in ("all_gather", "all_reduce", "all_to_all", "collective_broadcast",
                       "collective_permute", "reduce_scatter")
        if not can or len(operands) != 1 or self.rng.random() < 0.75:
            return self.emit(text(operands, self.indent))
        future = f"!stablehlo.future<{results}>"
        inner = self.indent + "  "
        start = self.emit(
            f'"stablehlo.async_start"({operands[0]}) ({{\n{self.indent}^bb0(%w: {types[0]}):\n'
            f'{inner}%u = {text(["%w"], inner)}\n{inner}stablehlo.return %u : {results}\n'
            f"{self.indent}}}) : ({types[0]}) -> {future}")
        return self.emit(f'"stablehlo.async_done"({start}) : ({future}) -> {results}')

    def step(self, value, shape, element):
        """One more operation on a value: (value, shape)."""
        shape = list(shape)
        own = self.type_of(shape, element)
        dim = self.rng.randrange(len(shape))
        elements = 1
        for n in shape:
            elements *= n
        kind = self.rng.choice(["all_reduce", "all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                "collective_permute", "collective_broadcast", "collective_reduce", "send",
                                "elementwise", "transpose", "cross-replica-sum", "while"])
        if kind == "elementwise":
            return self.emit(f"stablehlo.subtract {value}, {value} : {own}" if self.rng.random() < 0.1
                             else f"stablehlo.maximum {value}, {value} : {own}"), shape
        if kind == "transpose" and len(shape) == 2:
            return self.emit(f"stablehlo.transpose {value}, dims = [1, 0] : ({own}) -> "
                             f"{self.type_of(shape[::-1], element)}"), shape[::-1]
        if kind == "all_reduce":
            attributes, _ = self.groups_with_global_ids(equal=self.rng.random() < 0.7)
            return self.collective(kind, [value], [own], own, attributes, self.body(element)), shape
        if kind == "cross-replica-sum":
            rows = self.split(range(self.replicas), equal=False)
            return self.emit(f'"stablehlo.cross-replica-sum"({value}) <{{replica_groups = {self.table(rows)}}}> '
                             f": ({own}) -> {own}"), shape
        if kind == "all_gather":
            attributes, count = self.groups_with_global_ids()
            if elements * count <= 5000:
                shape[dim] *= count
                return self.collective(kind, [value], [own], self.type_of(shape, element),
                                       [f"all_gather_dim = {dim} : i64"] + attributes), shape
        if kind == "reduce_scatter":
            attributes, count = self.groups_with_global_ids()
            if shape[dim] % count == 0:
                shape[dim] //= count
                return self.collective(kind, [value], [own], self.type_of(shape, element),
                                       [f"scatter_dimension = {dim} : i64"] + attributes, self.body(element)), shape
        if kind == "all_to_all":
            attributes, count = self.groups()
            other = self.rng.randrange(len(shape))
            if shape[dim] % count == 0:
                shape[dim] //= count
                shape[other] *= count
                return self.collective(kind, [value], [own], self.type_of(shape, element),
                                       [f"split_dimension = {dim} : i64", f"concat_dimension = {other} : i64",
                                        f"split_count = {count} : i64"] + attributes), shape
        if kind == "collective_permute":
            return self.collective(kind, [value], [own], own, self.pairs()), shape
        if kind in ("collective_broadcast", "collective_reduce"):
            attributes, count = self.groups()
            body = self.body(element) if kind == "collective_reduce" else None
            if self.rng.random() < 0.4:
                # The same root in all processes.
                root = self.emit(f"stablehlo.constant dense<{self.rng.randrange(count)}> : tensor<1xi32>")
                return self.collective(kind, [value, root], [own, "tensor<1xi32>"], own,
                                       attributes + ["has_dynamic_root"], body), shape
            return self.collective(kind, [value], [own], own, attributes, body), shape
        if kind == "send":
            attributes = self.pairs()
            if not any("channel_handle" in a for a in attributes):
                attributes.append("channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>")
            kept = ", ".join(attributes)
            token = self.emit("stablehlo.create_token : !stablehlo.token")
            sent = self.emit(f'"stablehlo.send"({value}, {token}) <{{{kept}}}> : ({own}, !stablehlo.token) '
                             "-> !stablehlo.token")
            self.count += 1
            got = f"%v{self.count}"
            self.lines.append(f'{self.indent}{got}:2 = "stablehlo.recv"({sent}) <{{{kept}}}> : (!stablehlo.token) '
                              f"-> ({own}, !stablehlo.token)")
            return got + "#0", shape
        if kind == "while" and self.indent == "  ":
            limit = self.emit(f"stablehlo.constant dense<{self.rng.randint(1, 3)}> : tensor<i32>")
            zero = self.emit("stablehlo.constant dense<0> : tensor<i32>")
            one = self.emit("stablehlo.constant dense<1> : tensor<i32>")
            self.count += 1
            loop = f"%v{self.count}"
            self.lines.append(f"  {loop}:2 = stablehlo.while(%i{self.count} = {zero}, %x{self.count} = {value}) : "
                              f"tensor<i32>, {own} cond {{")
            i, x = f"%i{self.count}", f"%x{self.count}"
            self.indent = "    "
            holds = self.emit(f"stablehlo.compare LT, {i}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>")
            self.emit(f"stablehlo.return {holds} : tensor<i1>", name=False)
            self.lines.append("  } do {")
            attributes, _ = self.groups_with_global_ids(equal=False)
            inner = self.collective("all_reduce", [x], [own], own, attributes, self.body(element))
            inner = self.collective("collective_permute", [inner], [own], own, self.pairs())
            following = self.emit(f"stablehlo.add {i}, {one} : tensor<i32>")
            self.emit(f"stablehlo.return {following}, {inner} : tensor<i32>, {own}", name=False)
            self.indent = "  "
            self.lines.append("  }")
            return loop + "#1", shape
        return value, shape


def make(seed, replicas, partitions, chains):
    rng = random.Random(seed)
    program = Program(rng, replicas, partitions)
    values, types = [], []
    for _ in range(chains):
        element = rng.choice(["f32", "f32", "i32", "f64", "i8", "ui16", "bf16"])
        sizes = [1, 2, 3, replicas, partitions, replicas * partitions, 2 * replicas * partitions]
        shape = [rng.choice(sizes) for _ in range(rng.randint(1, 2))]
        value = program.start(shape, element)
        for _ in range(rng.randint(1, 5)):
            value, shape = program.step(value, shape, element)
        values.append(value)
        types.append(program.type_of(shape, element))
    attributes = f"attributes {{mhlo.num_replicas = {replicas} : i32, mhlo.num_partitions = {partitions} : i32}}"
    return "\n".join(
        [f"module @random_{seed} {attributes} {{", f"func.func public @main() -> ({', '.join(types)}) {{"]
        + program.lines + [f"  func.return {', '.join(values)} : {', '.join(types)}", "}", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", default="2,3,4,8")
    parser.add_argument("--chains", type=int, default=10, help="programs in a file")
    parser.add_argument("--watchdog", type=int, default=120, help="seconds for a file")
    parser.add_argument("--again", type=int, default=1, help="runs that must have the same bits")
    parser.add_argument("--mercator", default="mercator")
    parser.add_argument("--write")
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--partitions", type=int, default=1)
    options = parser.parse_args()
    if options.write:
        with open(options.write, "w") as file:
            file.write(make(options.seed, options.replicas, options.partitions, options.chains))
        return 0
    ranks = [int(n) for n in options.ranks.split(",")]
    done, seed, bad = 0, options.seed, 0
    with tempfile.TemporaryDirectory() as folder:
        while done < options.programs:
            chains = min(options.chains, options.programs - done)
            size = ranks[seed % len(ranks)]
            replicas = random.Random(seed).choice([n for n in range(1, size + 1) if size % n == 0])
            path = os.path.join(folder, f"random_{seed}.mlir")
            with open(path, "w") as file:
                file.write(make(seed, replicas, size // replicas, chains))
            command = [options.mercator, "run", path, f"--processes={size}", "--check", "--threads=1", "--timeout=60"]
            why, outputs = "", []
            try:
                result = subprocess.run(command, capture_output=True, text=True, timeout=options.watchdog)
                if result.returncode != 0:
                    why = result.stdout + result.stderr
                for i in range(options.again if not why else 0):
                    out = os.path.join(folder, f"{seed}_{i}.npz")
                    again = subprocess.run(command[:4] + ["--threads=1", "-o", out], capture_output=True, text=True,
                                           timeout=options.watchdog)
                    if again.returncode != 0:
                        why = again.stdout + again.stderr
                        break
                    with open(out, "rb") as file:
                        outputs.append(file.read())
                if len(set(outputs)) > 1:
                    why = "other bits in another run"
            except subprocess.TimeoutExpired:
                why = f"a deadlock: no result after {options.watchdog} s"
            if why:
                bad += 1
                lines = [line for line in why.splitlines() if "equal to" not in line or "not" in line]
                print(f"seed {seed}, {replicas} x {size // replicas}: " + "\n".join(lines[:20]))
                print(f"  {sys.argv[0]} --write f.mlir --seed {seed} --replicas {replicas} "
                      f"--partitions {size // replicas} --chains {chains}")
                sys.stdout.flush()
            done += chains
            seed += 1
    print(f"{done} programs with seeds from {options.seed}: {bad} files differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
