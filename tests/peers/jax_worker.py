# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs tests of a file of JAX's own test suite, one after another (jax_tests.py).

`jax_worker.py FILE --list` prints their names. Otherwise standard input has names, a line
each, and each gives two lines: `begin NAME` and `pass|skip|fail NAME SECONDS REASON`. The
process may end in the middle of one.
"""

import importlib.util
import pathlib
import sys
import time
import unittest


def load(path):
    import jax
    import jax._src.test_util  # whose options the next line sets
    from absl import flags

    jax.config.update("jax_test_dut", "cpu")
    sys.path.insert(0, str(path.parent.parent))
    sys.argv = [str(path)]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(sys.argv)
    return {
        f"{type(test).__name__}.{test._testMethodName}": test
        for suite in unittest.defaultTestLoader.loadTestsFromModule(module)
        for test in suite
    }


def reason(trace):
    """The last line of a trace that says what is wrong."""
    lines = [line for line in trace.strip().splitlines() if line and not line.startswith(" ")]
    said = [line for line in lines if "Error" in line] or lines
    return said[-1][:400] if said else ""


def main():
    path, names = pathlib.Path(sys.argv[1]).resolve(), None
    out = sys.stdout
    sys.stdout = sys.stderr  # of what tests print
    if "--list" in sys.argv:
        print("\n".join(load(path)), file=out)
        return
    names = sys.stdin.read().split()
    tests = load(path)
    for name in names:
        print("begin", name, file=out, flush=True)
        begin, result = time.time(), unittest.TestResult()
        if name in tests:
            tests[name].run(result)
        else:
            result.addSkip(None, "JAX makes no such test for this platform")
        bad = result.failures + result.errors
        outcome = "fail" if bad or result.unexpectedSuccesses else "skip" if result.skipped else "pass"
        said = reason(bad[0][1]) if bad else result.skipped[0][1] if result.skipped else ""
        said = said.replace("\n", " ")
        print(outcome, name, f"{time.time() - begin:.2f}", said, file=out, flush=True)


if __name__ == "__main__":
    main()
