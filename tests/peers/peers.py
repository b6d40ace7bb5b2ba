# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Compares Mercator with JAX, XLA and numpy. `scripts/peers` runs this.

  programs    functions exported from JAX: results of the evaluator and of JAX
  flow        functions exported from JAX, lowered through flow: results and maps
  code        functions exported from JAX, as machine code
  steps       random steps of training in JAX, as machine code with each fusion
  gathers     JAX's gathers in the operators of GE, and the strategy of each
  text        JAX's modules, printed by mercator-opt, read again by jaxlib
  verdicts    mutated programs: Mercator and jaxlib accept the same ones
  operations  random operations: results of the evaluator, and of numpy or XLA
  narrow      all values of floats of at most 8 bits, against ml_dtypes
  complex     functions of complex numbers, against mpmath
  twins       graphs for Ascend as ONNX models, run by onnxruntime
  ascend      functions of JAX in the operators of GE and in ONNX
  dynamic     functions of JAX with symbolic dimensions, at several sizes
  compiled    programs that XLA compiled, as graphs for Ascend
  readme      the Python and the commands of the README
  guide       docs/ascend.md without a device: the export from JAX, and compare.py
  plugin      JAX on the PJRT plugin, against JAX's CPU
  jax         JAX's own tests on the plugin, of those that pass on JAX's CPU
  artifacts   programs in binary form, against jaxlib's own reading of them
  protos      HLO protos, against the text that jaxlib writes of them
  package     the Python package beside JAX, and the examples of docs/python.md
  gpu         random functions of JAX compiled for a GPU, run by the evaluator of PTX
  calls       programs before and after XLA made calls of GPU libraries of them
"""

import argparse
import os
import pathlib
import random
import sys
import time
import xml.etree.ElementTree as ElementTree

import artifacts
import ascend
import ascend_dynamic
import compiled
import complex_numbers
import elementwise
import fidelity
import flow
import gathers
import gpu
import gpu_calls
import guide
import jax_tests
import machine_code
import narrow
import operations
import package
import plugin
import programs
import protos
import readme
import steps
import structural
import twins
import verdicts

PARTS = ["programs", "flow", "code", "steps", "gathers", "text", "verdicts", "operations", "narrow", "complex", "twins", "ascend", "dynamic", "compiled", "readme", "guide", "plugin", "jax", "artifacts", "protos", "package", "gpu", "calls"]
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Suite:
    """Cases with their verdicts, which scripts/test counts."""

    def __init__(self):
        self.root = ElementTree.Element("testsuite", name="peers")
        self.good = True

    def add(self, part, name, line, good):
        case = ElementTree.SubElement(self.root, "testcase", classname=part, name=name)
        if not good:
            ElementTree.SubElement(case, "failure", message=line)
            self.good = False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the build folder, with bin/mercator")
    parser.add_argument("--only", choices=PARTS, action="append", help="only this part; may be repeated")
    parser.add_argument("--seed", default=os.environ.get("MERCATOR_SEED", "1"), help="the seed: a number, or random")
    parser.add_argument("--count", type=int, default=20000, help="the number of random operations")
    parser.add_argument("--function", default="", help="of flow and code: only functions with this text in their names; of jax: only this file")
    parser.add_argument("--gathers", type=int, default=3000, help="the number of random gathers")
    parser.add_argument("--steps", type=int, default=100, help="the number of random steps of training")
    parser.add_argument("--jax-tests", type=int, default=20, help="the number of JAX's own tests that are drawn of each file")
    parser.add_argument("--kernels", type=int, default=500, help="the number of random functions that are compiled for a GPU")
    parser.add_argument("--mutants", type=int, default=600, help="the number of mutated programs")
    arguments = parser.parse_args()
    seed = random.SystemRandom().getrandbits(32) if arguments.seed == "random" else int(arguments.seed)
    print(f"seed {seed}; MERCATOR_SEED={seed} draws the same")
    folder = arguments.build / "peers"
    mercator, opt = str(arguments.build / "bin/mercator"), str(arguments.build / "bin/mercator-opt")
    suite = Suite()
    for part in arguments.only or PARTS:
        begin = time.time()
        print(f"== {part}", flush=True)
        work = str(folder / part)
        if part in ("programs", "flow", "code", "steps", "gathers", "text", "narrow", "complex", "twins", "ascend", "dynamic", "compiled", "readme", "guide", "plugin", "jax", "artifacts", "protos", "package", "gpu", "calls"):
            shared = pathlib.Path(os.environ.get("MERCATOR_SHARED", ROOT.parent / "shared"))
            rows = {
                "programs": lambda: programs.run(mercator, opt, work, seed),
                "flow": lambda: flow.run(mercator, work, seed, arguments.function),
                "code": lambda: machine_code.run(mercator, work, seed, arguments.function),
                "steps": lambda: steps.run(mercator, work, seed, arguments.steps),
                "gathers": lambda: gathers.run(mercator, opt, work, seed),
                "text": lambda: fidelity.run(opt, work, seed),
                "narrow": lambda: narrow.run(mercator, work),
                "complex": lambda: complex_numbers.run(mercator, work, seed),
                "twins": lambda: twins.run(mercator, opt, work, seed, arguments.gathers, shared),
                "ascend": lambda: ascend.run(mercator, work),
                "dynamic": lambda: ascend_dynamic.run(mercator, work, seed),
                "compiled": lambda: compiled.run(mercator, work),
                "readme": lambda: readme.run(mercator, work),
                "guide": lambda: guide.run(mercator, work),
                "plugin": lambda: plugin.run(arguments.build, work),
                "jax": lambda: jax_tests.run(arguments.build, work, seed, arguments.jax_tests, arguments.function),
                "artifacts": lambda: artifacts.run(opt, work, seed, shared),
                "protos": lambda: protos.run(arguments.build, work, seed, shared),
                "package": lambda: package.run(arguments.build, work),
                "gpu": lambda: gpu.run(arguments.build, work, shared, seed, arguments.kernels),
                "calls": lambda: gpu_calls.run(arguments.build, work, shared),
            }[part]()
            for name, line, good in rows:
                suite.add(part, name, line, good)
                print(f"{'ok  ' if good else 'FAIL'} {name:28} {line}", flush=True)
        elif part == "verdicts":
            good = verdicts.run(opt, work, seed, arguments.mutants)
            suite.add(part, part, "see the output", good)
        else:
            counts = operations.run(mercator, work, seed, arguments.count, [elementwise, structural])
            for operation, tally in counts.items():
                bad = {outcome: n for outcome, n in tally.items() if outcome != "pass"}
                suite.add(part, operation, str(bad), not bad)
        print(f"{time.time() - begin:.0f} s", flush=True)
    report = arguments.build / "reports"
    report.mkdir(exist_ok=True)
    ElementTree.ElementTree(suite.root).write(report / "peers.xml")
    sys.exit(0 if suite.good else 1)


if __name__ == "__main__":
    main()
