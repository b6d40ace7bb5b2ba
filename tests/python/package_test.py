# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tests of the installed package `mercator`. They run in the root of the source tree."""

import ctypes
import doctest
import gc
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import ml_dtypes
import numpy as np

import mercator
from mercator import Map, _maps

LAYER = "examples/layer.mlir"
ADD = "examples/transpose_add.hlo"
ZEN5 = {"device": "zen5"}


def program(parameters, results, *lines):
    """The text of a function: `program("%x: tensor<4xf32>", "tensor<4xf32>", "return ..")`."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"func.func @main({parameters}) -> ({results}) {{\n{body}}}\n"


def identity(element, shape="2x3x"):
    return program(f"%x: tensor<{shape}{element}>", f"tensor<{shape}{element}>", f"return %x : tensor<{shape}{element}>")


class MapTest(unittest.TestCase):
    def test_variables(self):
        m = Map("(d0)[s0]{rt0}<p0> -> (d0 * p0 + s0 + rt0), domain: d0 in [0, 9], s0 in [0, 3], rt0 in [0, 1], p0 in [1, 8]")
        self.assertEqual([v.name for v in m.variables], ["d0", "s0", "rt0", "p0"])
        self.assertEqual([len(kind) for kind in (m.dims, m.ranges, m.runtimes, m.parameters)], [1, 1, 1, 1])
        self.assertEqual(m.ranges[0], mercator.Variable("s0", "range", 0, 3))
        self.assertEqual(m(2, s0=1, rt0=1, p0=8), (18,))
        self.assertEqual(m.reads(2, rt0=0, p0=8).tolist(), [[16], [17], [18], [19]])
        self.assertEqual(m.to_dict()["variables"][3]["kind"], "parameter")
        self.assertIsNone(Map("(d0) -> (d0)").dims[0].upper)

    def test_points(self):
        m = Map("(d0, d1) -> (d1, d0 * 3 + d1 mod 5), domain: d0 in [0, 99], d1 in [0, 999]")
        d0, d1 = np.arange(100)[:, None], np.arange(1000)
        rows, columns = m(d0, d1)
        self.assertEqual(rows.shape, (100, 1000))
        np.testing.assert_array_equal(rows, np.broadcast_to(d1, (100, 1000)))
        np.testing.assert_array_equal(columns, d0 * 3 + d1 % 5)
        self.assertEqual(m(7, 8), (8, 24))
        self.assertIs(type(m(np.int32(7), 8)[0]), int)
        self.assertEqual(m(np.zeros(0, int), 1)[0].shape, (0,))
        self.assertEqual(m([], 1)[0].shape, (0,))
        x = np.arange(1000 * 400).reshape(1000, 400)
        self.assertEqual(x[m(7, 8)], 8 * 400 + 24)

    def test_domain(self):
        m = Map("(d0) -> (d0), domain: d0 in [0, 99], d0 mod 3 in [0, 0]")
        np.testing.assert_array_equal(m.contains(np.arange(-3, 120)), [0 <= i <= 99 and i % 3 == 0 for i in range(-3, 120)])
        self.assertTrue(m.contains(3))
        with self.assertRaisesRegex(mercator.Error, "no value at d0 = 4"):
            m(np.array([3, 4, 5]))
        self.assertFalse(Map("(d0) -> (d0), domain: d0 in [1, 0]").contains(0))

    def test_no_dimensions(self):
        m = Map("()[s0] -> (s0 * 2), domain: s0 in [0, 2]")
        self.assertEqual(m(s0=1), (2,))
        self.assertEqual(m.reads().tolist(), [[0], [2], [4]])
        constant = Map("() -> ()")
        self.assertEqual(constant(), ())
        self.assertEqual(constant.reads().shape, (1, 0))
        self.assertTrue(constant.contains())

    def test_reads(self):
        window = Map("(d0)[s0, s1] -> (d0 + s0 + s1), domain: d0 in [0, 9], s0 in [0, 1], s1 in [0, 1], d0 + s0 in [0, 9]")
        self.assertEqual(window.reads(4).tolist(), [[4], [5], [6]])  # each once
        self.assertEqual(window.reads(9).tolist(), [[9], [10]])
        self.assertEqual(window.reads(4, s1=1).tolist(), [[5], [6]])
        self.assertEqual(window.reads(10).shape, (0, 1))
        with self.assertRaisesRegex(mercator.Error, "arrays"):
            window.reads(np.arange(3))
        with self.assertRaisesRegex(mercator.Error, "with bounds"):
            Map("(d0)[s0] -> (s0)").reads(1)
        with self.assertRaisesRegex(mercator.Error, "at most"):
            Map("(d0)[s0] -> (s0), domain: s0 in [0, 99999999]").reads(1)

    def test_wrong_calls(self):
        m = Map("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 3]")
        for call, text in (
            (lambda: m(1), "a value of s0, a range variable"),
            (lambda: m(1, 2), "expected 1 coordinates"),
            (lambda: m(1, s1=2), "no dimension, got 's1'"),
            (lambda: m(1, d0=2), "no dimension, got 'd0'"),
            (lambda: m(1.5, s0=1), "expected integers for d0"),
            (lambda: m("1", s0=1), "expected integers for d0"),
            (lambda: m(True, s0=1), "expected integers for d0"),
            (lambda: m(np.arange(2), s0=np.arange(3)), "broadcast"),
            (lambda: m(np.array([2**63], np.uint64), s0=1), "64 bits with a sign"),
            (lambda: Map(3), "expected the text of a map"),
            (lambda: m.inverse([1, 2]), "expected 1 sizes"),
            (lambda: Map("(d0) -> (d0)").inverse(), "bounds"),
            (lambda: Map("(d0, d1) -> (d0)") @ m, "a second map with 1 dimensions"),
        ):
            with self.subTest(text), self.assertRaisesRegex(mercator.Error, text):
                call()
        with self.assertRaises(TypeError):
            m @ 3
        with self.assertRaises(TypeError):
            hash(m)

    def test_parse_error(self):
        with self.assertRaises(mercator.Error) as caught:
            Map("(d0) -> (d1), domain: d0 in [0, 3]")
        error = caught.exception
        self.assertEqual(error.place, mercator.Place("<map>", 1, 10))
        self.assertEqual(error.text, "expected a variable of the map, got 'd1'")
        self.assertEqual(error.help, "did you mean 'd0'?")
        self.assertEqual(error.status, 1)
        self.assertIn("<map>:1:10: expected", str(error))
        self.assertEqual(error.messages[0]["schema"], "mercator.diagnostic/1")

    def test_algebra(self):
        digits = Map("(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]")
        number = Map("(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]")
        both = number @ digits
        self.assertEqual(str(both), "(d0) -> (d0), domain: d0 in [0, 31]")
        for i in range(32):
            self.assertEqual(both(i), number(*digits(i)))
        self.assertEqual(digits.inverse(), number)
        self.assertEqual(number.inverse(), digits)
        self.assertEqual(digits.inverse().inverse(), digits)
        self.assertEqual(Map("(d0) -> (d0), domain: d0 in [2, 3]").inverse([10]).dims[0].upper, 3)

    def test_equality(self):
        self.assertTrue(Map("()[s0, s1] -> (s0 * 8 + s1), domain: s0 in [0, 3], s1 in [0, 7]") == Map("()[s0] -> (s0), domain: s0 in [0, 31]"))
        self.assertTrue(Map("(d0) -> (d0), domain: d0 in [0, 3]") != Map("(d0) -> (d0), domain: d0 in [0, 4]"))
        self.assertFalse(Map("(d0) -> (d0)") == "(d0) -> (d0)")
        proof = mercator.prove(Map("(d0) -> (d0 mod 4), domain: d0 in [0, 4]"), "(d0) -> (d0), domain: d0 in [0, 4]")
        self.assertEqual(proof.verdict, "different")
        self.assertFalse(proof)
        self.assertEqual(proof.counterexample, mercator.Counterexample((4,), (0,), "first"))
        self.assertIn("at d0 = 4, the first map alone reads (0)", repr(proof))
        self.assertEqual(proof.to_dict()["schema"], "mercator.prove/1")

    def test_undecided(self):
        hard = "(d0, d1, d2) -> ((d0 * d1 * d2 + {}) mod 1000003), domain: d0 in [0, 99999], d1 in [0, 99999], d2 in [0, 99999]"
        first, second = Map(hard.format("d0 * d2 + d1")), Map(hard.format("d2 * d0 + d1 + 1000003 * d0 * d1"))
        proof = mercator.prove(first, second)
        if proof.verdict == "undecided":
            with self.assertRaisesRegex(mercator.Error, "undecided"):
                first == second  # noqa: B015

    def test_simplify(self):
        simplified = Map("(d0, d1) -> ((d0 * 50 + d1) floordiv 50), domain: d0 in [0, 9], d1 in [0, 49]").simplify()
        self.assertEqual(str(simplified.map), "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 49]")
        self.assertEqual([rule.name for rule in simplified.rules], ["QuotientWindow"])
        self.assertTrue(simplified.proof)
        self.assertEqual(simplified.to_dict()["schema"], "mercator.simplify/1")
        self.assertIn("QuotientWindow", repr(simplified))
        self.assertIn("<td", simplified._repr_html_())

    def test_copies(self):
        m = Map("(d0) -> (d0), domain: d0 in [0, 9]")
        copy = Map(m)
        del m
        gc.collect()
        self.assertEqual(copy(3), (3,))
        self.assertEqual(Map(repr(copy)[5:-2]), copy)

    def test_doctests(self):
        self.assertEqual(doctest.testmod(_maps).failed, 0)


class ProgramTest(unittest.TestCase):
    def test_sources(self):
        text = pathlib.Path(ADD).read_text()
        expected = str(mercator.load(ADD).maps())
        for source in (pathlib.Path(ADD), text, text.encode(), bytearray(text.encode())):
            made = mercator.load(source, name="transpose_add.hlo")
            self.assertEqual([r.to for r in made.maps()], [r.to for r in mercator.load(ADD).maps()])
        self.assertEqual(str(mercator.load(text, name="transpose_add.hlo").maps()), expected)
        p = mercator.load(LAYER)
        self.assertIs(mercator.load(p), p)
        self.assertEqual(repr(p), "<mercator.Program 'jit_layer'>")

    def test_sources_of_jax(self):
        layer = pathlib.Path(LAYER).read_text()

        class Lowered:
            def as_text(self, dialect=None, *, debug_info=False):
                assert debug_info, "the lines of Python"
                return layer

        class Compiled:
            def as_text(self):
                return pathlib.Path(ADD).read_text()

        class Exported:
            fun_name = "layer"

            def mlir_module(self):
                return layer

        self.assertEqual(mercator.load(Lowered()).name, "jit_layer")
        self.assertEqual(mercator.load(Compiled()).name, mercator.load(ADD).name)
        self.assertEqual(mercator.load(Exported()).name, "jit_layer")

    def test_load_errors(self):
        with self.assertRaises(mercator.Error) as caught:
            mercator.load("ROOT r = f32[4] ad(f32[4] p)\n", name="a.hlo")
        self.assertEqual(caught.exception.place, mercator.Place("a.hlo", 1, 17))
        self.assertEqual(caught.exception.help, "write 'add'")
        with self.assertRaisesRegex(mercator.Error, "nowhere.mlir"):
            mercator.load("nowhere.mlir")
        with self.assertRaisesRegex(mercator.Error, "got int"):
            mercator.load(3)
        with self.assertRaises(mercator.Error):
            mercator.load(b"\xff\x00\n")
        many = "func.func @f() {\n" + "  nope.op\n" * 50 + "  return\n}\n"
        for _ in range(3):
            with self.assertRaises(mercator.Error) as caught:
                mercator.load(many)
            self.assertTrue(caught.exception.text)

    def test_maps(self):
        p = mercator.load(LAYER)
        maps = p.maps(fused=True)
        self.assertEqual(len(maps), 1)
        record = maps[0]
        self.assertEqual((record.computation, record.instruction, record.start), ("main", "%11", {"result": 0}))
        self.assertEqual([(t.kind, t.number, t.name, len(t.maps)) for t in record.to], [("operand", 0, "%arg0", 1), ("operand", 1, "%arg1", 2)])
        self.assertTrue(record.to[0].maps[0].exact)
        self.assertEqual(record.to[0].maps[0].map.reads(3, 5).shape, (128, 2))
        self.assertEqual(maps.of("11"), list(maps))
        self.assertEqual(maps.of("nope"), [])
        self.assertIn("%arg0  exact  (d0, d1)[s0] -> (d0, s0)", repr(maps))
        self.assertIn("<td", maps._repr_html_())
        self.assertEqual(len(p.maps("%0")), 1)
        self.assertEqual(len(p.maps(op="dot*")), 1)
        self.assertEqual(p.maps(source="%11", target="%0")[0].to[0].kind, "result")
        self.assertEqual(p.maps(fused=True, direction="in-to-out")[0].direction, "in-to-out")
        with self.assertRaises(mercator.Error) as caught:
            p.maps("nope")
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaisesRegex(mercator.Error, "unknown option"):
            p.maps(fuse=True)

    def test_runtime_variables(self):
        record = mercator.load("examples/gather.hlo").maps(fused=True)[0]
        found = [v for target in record.to for m in target.maps for v in m.runtime_variables]
        self.assertTrue(found)
        self.assertTrue(found[0].source)

    def test_same_json_as_the_command(self):
        p = mercator.load(LAYER)
        for answer, words in (
            (p.maps(), ["map", LAYER]),
            (p.tile((16, 128), **ZEN5), ["tile", LAYER, "--tile=16x128", "--device=zen5"]),
            (p.access(**ZEN5), ["access", LAYER, "--device=zen5"]),
            (p.explain(**ZEN5), ["explain", LAYER, "--device=zen5"]),
            (p.diff(LAYER), ["diff", LAYER, LAYER]),
        ):
            with self.subTest(words[0]):
                # Not the environment of C: the library readline sets COLUMNS there.
                printed = subprocess.run([COMMAND, *words, "--json"], capture_output=True, text=True, env=dict(os.environ), check=False).stdout
                self.assertEqual(answer.to_dict(), json.loads(printed))
                text = subprocess.run([COMMAND, *words], capture_output=True, text=True, env=dict(os.environ), check=False).stdout
                self.assertEqual(answer.text, text)

    def test_tile(self):
        p = mercator.load(LAYER)
        part = p.tile(np.s_[0:16, 0:128], fused=True, **ZEN5)[0]
        self.assertEqual((part.instruction, part.tile), ("%11", "[0:16, 0:128]"))
        self.assertEqual([n.box for n in part.needs], ["[0:16, 0:128]", "[0:128, 0:128]", "[0:128, 0:256]"])
        self.assertEqual(part.needs[0].elements, 2048)
        self.assertTrue(part.producers)
        sizes = p.tile((16, 128), of="%0", **ZEN5)
        self.assertEqual(sizes[0].needs[0].box, "[p0:p0 + 16, 0:128]")
        self.assertEqual(p.tile(np.s_[:, 0:128:2], of="%0", **ZEN5)[0].tile, "[0:64, 0:127:2]")
        self.assertTrue(p.tile("auto", instruction="%0", **ZEN5)[0].sizes)
        self.assertIn("<td", sizes._repr_html_())
        self.assertEqual(p.tile(np.s_[np.int64(3), 0:5], of="%0", **ZEN5)[0].tile, "[3:4, 0:5]")
        for part in (np.s_[-16:, :], np.s_[0:4, 8::-1], np.s_[0:2, -1]):
            with self.assertRaisesRegex(mercator.Error, "counted from 0, got -1"):
                p.tile(part, of="%0")
        with self.assertRaisesRegex(mercator.Error, "a slice for each dimension"):
            p.tile(np.s_[..., 0:3])
        with self.assertRaises(mercator.Error):
            p.tile(np.s_[0:1000, 0:1])

    def test_access(self):
        accesses = mercator.load(ADD).access(device="h100")
        operands = [operand for access in accesses for operand in access.operands]
        self.assertTrue(any(factor and factor > 1 for operand in operands for factor in operand.traffic))
        self.assertEqual(operands[0].elements, 128 * 128)
        self.assertIn("sectors", repr(accesses))
        self.assertIn("<td", accesses._repr_html_())

    def test_explain(self):
        explanation = mercator.load("examples/feed_forward.mlir").explain(**ZEN5)
        self.assertGreaterEqual(len(explanation.dispatches), 2)
        self.assertGreater(explanation.dispatches[0].bytes_read, 0)
        self.assertTrue(explanation.boundaries[0].reasons)
        self.assertIn("dispatch", repr(explanation))
        self.assertIn("<td", explanation._repr_html_())
        self.assertEqual(explanation.kernels, ())

    def test_explore(self):
        page = mercator.load("examples/softmax.hlo").explore(**ZEN5)
        self.assertTrue(page.html.startswith("<!doctype html>"))
        self.assertIn('"module":"softmax"', page.html)
        self.assertTrue(page._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;'))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            page.save(path)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), page.html)

    def test_diff(self):
        shape = "tensor<4x4xf32>"
        first = program(f"%x: {shape}", shape, f"%r = stablehlo.negate %x : {shape}", f"return %r : {shape}")
        second = program(f"%x: {shape}", shape, f"%r = stablehlo.transpose %x, dims = [1, 0] : ({shape}) -> {shape}", f"return %r : {shape}")
        same, other = mercator.load(first).diff(first), mercator.load(first).diff(second)
        self.assertEqual((same.verdict, bool(same)), ("equal", False))
        self.assertEqual((other.verdict, bool(other)), ("different", True))
        self.assertTrue(other.only_first or other.changed)
        self.assertIn("maps different", repr(other))
        self.assertIn("<table", other._repr_html_())

    def test_many_questions(self):
        p = mercator.load(ADD)
        expected = p.maps().to_dict()
        for _ in range(25):
            with self.assertRaisesRegex(mercator.Error, "no instruction 'nope'"):
                p.maps("nope")
        self.assertEqual(p.maps().to_dict(), expected)

    def test_ask(self):
        p = mercator.load(ADD)
        self.assertIn("exact", p.ask("map", "--fused"))
        with self.assertRaisesRegex(mercator.Error, "asks about a program"):
            p.ask("prove")
        with self.assertRaisesRegex(mercator.Error, "zero byte"):
            p.ask("map", "--instruction=\0")

    def test_threads(self):
        p, q = mercator.load(LAYER), mercator.load(ADD)
        expected = p.maps().to_dict(), q.maps().to_dict()
        wrong = []

        def work():
            for _ in range(5):
                if (p.maps().to_dict(), q.maps().to_dict()) != expected:
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertFalse(wrong)


class TorchTest(unittest.TestCase):
    """Programs as torch_xla gives them. The package itself is not needed."""

    TEXT = pathlib.Path("tests/python/Inputs/torch_layer.mlir").read_text()

    def test_object(self):
        class StableHLOGraphModule:
            def get_stablehlo_text(self, method_name="forward"):
                return TorchTest.TEXT

        p = mercator.load(StableHLOGraphModule())
        self.assertEqual(p.name, "IrToHlo.71")
        random = np.random.default_rng(1)
        bias, weight = (random.standard_normal(shape).astype(np.float32) for shape in (12, (12, 8)))
        shift, scale = (random.standard_normal(8).astype(np.float32) for _ in range(2))
        rows, table = np.array([[3, 0, 19]]), random.standard_normal((20, 8)).astype(np.float32)
        values, most = p.run(bias, weight, shift, scale, rows, table)
        x = table[rows].astype(np.float64)
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale + shift
        x = x @ weight.T + bias
        expected = 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
        np.testing.assert_allclose(values, expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(most, expected.max(-1, keepdims=True), rtol=1e-5, atol=1e-6)

    def test_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(mercator.Error, "expected a folder with functions/forward.mlir"):
                mercator.load(folder)
            os.mkdir(os.path.join(folder, "functions"))
            pathlib.Path(folder, "functions", "forward.mlir").write_text(self.TEXT)
            self.assertEqual(mercator.load(folder).name, "IrToHlo.71")


class InterruptTest(unittest.TestCase):
    """Ctrl-C, in a process of its own."""

    PROGRAM = program(
        "%n: tensor<f64>",
        "tensor<f64>",
        "%zero = stablehlo.constant dense<0.0> : tensor<f64>",
        "%one = stablehlo.constant dense<1.0> : tensor<f64>",
        "%r:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<f64>, tensor<f64>",
        "cond { %c = stablehlo.compare LT, %i, %n : (tensor<f64>, tensor<f64>) -> tensor<i1>",
        "stablehlo.return %c : tensor<i1> } do {",
        "%j = stablehlo.add %i, %one : tensor<f64>",
        "%t = stablehlo.sine %s : tensor<f64>",
        "%u = stablehlo.add %t, %one : tensor<f64>",
        "stablehlo.return %j, %u : tensor<f64>, tensor<f64> }",
        "return %r#1 : tensor<f64>",
    )
    SETUP = """
import mercator, os, signal, threading, time
p = mercator.load(PROGRAM)
p.run(3.0)
begin = time.time()
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
"""

    def setUp(self):
        # A command in the background of a script starts with SIGINT ignored, and so do its own.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def outcome(self, lines):
        code = f"PROGRAM = {self.PROGRAM!r}\n{self.SETUP}{lines}"
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    def test_ends_the_process(self):
        ended = self.outcome("p.run(1e15)\n")
        self.assertIn("KeyboardInterrupt", ended.stderr)
        self.assertEqual(ended.returncode, -2, ended.stderr)

    def test_can_be_caught(self):
        ended = self.outcome(
            """
try:
    p.run(1e15)
except KeyboardInterrupt:
    print("stopped", time.time() - begin < 20)
del p
print(mercator.load(PROGRAM).run(1.0), mercator.Map("(d0) -> (d0), domain: d0 in [0, 3]").simplify().map(2))
"""
        )
        self.assertEqual((ended.stdout, ended.returncode), ("stopped True\n1.0 (2,)\n", 0), ended.stderr)

    def test_progress_in_a_terminal(self):
        import pty

        terminal, other = pty.openpty()
        code = f"PROGRAM = {self.PROGRAM!r}\nimport mercator\nmercator.load(PROGRAM).run(1e15)\n"
        process = subprocess.Popen([sys.executable, "-c", code], stderr=other, stdout=subprocess.DEVNULL)
        os.close(other)
        said = b""
        while b"mercator: run, 2 s (Ctrl-C ends it)" not in said:
            said += os.read(terminal, 1000)
        process.send_signal(2)
        self.assertEqual(process.wait(timeout=60), -2)
        os.close(terminal)


class RunTest(unittest.TestCase):
    def test_values(self):
        p = mercator.load(LAYER)
        random = np.random.default_rng(1)
        x, w = (random.standard_normal(shape, np.float32) / 8 for shape in ((64, 128), (128, 256)))
        product = np.exp(x @ w)
        expected = product / product.sum(axis=1, keepdims=True)
        for options in ({}, {"reference": True}, {"cache": "off"}, {"math": "precise", "threads": 1}):
            np.testing.assert_allclose(p.run(x, w, **options), expected, rtol=2e-5)
        np.testing.assert_array_equal(p.run(x[::-1], w), p.run(np.ascontiguousarray(x[::-1]), w))
        np.testing.assert_array_equal(p.run(np.asfortranarray(x), w), p.run(x, w))
        np.testing.assert_array_equal(p.run(x.astype(">f4"), w), p.run(x, w))

    def test_elements(self):
        for element, dtype in (
            ("i1", bool), ("i8", np.int8), ("i16", np.int16), ("i32", np.int32), ("i64", np.int64),
            ("ui8", np.uint8), ("ui16", np.uint16), ("ui32", np.uint32), ("ui64", np.uint64),
            ("f16", np.float16), ("f32", np.float32), ("f64", np.float64),
            ("complex<f32>", np.complex64), ("complex<f64>", np.complex128),
            ("bf16", ml_dtypes.bfloat16), ("i4", ml_dtypes.int4), ("ui4", ml_dtypes.uint4),
            ("f8E4M3FN", ml_dtypes.float8_e4m3fn), ("f8E5M2", ml_dtypes.float8_e5m2),
            ("f8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz), ("f8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz),
            ("f8E4M3B11FNUZ", ml_dtypes.float8_e4m3b11fnuz), ("f8E3M4", ml_dtypes.float8_e3m4),
            ("f8E4M3", ml_dtypes.float8_e4m3), ("f8E8M0FNU", ml_dtypes.float8_e8m0fnu),
            ("f4E2M1FN", ml_dtypes.float4_e2m1fn), ("f6E2M3FN", ml_dtypes.float6_e2m3fn), ("f6E3M2FN", ml_dtypes.float6_e3m2fn),
        ):  # fmt: skip
            with self.subTest(element):
                x = np.array([[0, 1, 2], [4, 1, 0]]).astype(dtype)
                got = mercator.load(identity(element)).run(x, reference=True)
                self.assertEqual(got.dtype, x.dtype)
                np.testing.assert_array_equal(got.view(np.uint8), x.view(np.uint8))

    def test_machine_code_of_narrow_floats(self):
        t = "tensor<8xbf16>"
        p = mercator.load(program(f"%x: {t}", t, f"%y = stablehlo.add %x, %x : {t}", f"return %y : {t}"))
        x = np.arange(8).astype(ml_dtypes.bfloat16)
        np.testing.assert_array_equal(p.run(x), x + x)

    def test_shapes(self):
        scalar = mercator.load(identity("f32", ""))
        self.assertEqual(scalar.run(np.float32(3)).shape, ())
        self.assertEqual(scalar.run(np.float32(3)), 3)
        self.assertEqual(mercator.load(identity("f32", "0x4x")).run(np.zeros((0, 4), np.float32)).shape, (0, 4))
        self.assertEqual(mercator.load(identity("f32", "?x")).run(np.zeros(7, np.float32), reference=True).shape, (7,))
        several = program("%x: tensor<2xf32>, %y: tensor<3xi32>", "tensor<3xi32>, tensor<2xf32>", "return %y, %x : tensor<3xi32>, tensor<2xf32>")
        y, x = mercator.load(several).run(np.ones(2, np.float32), np.arange(3, dtype=np.int32))
        self.assertEqual((y.tolist(), x.tolist()), ([0, 1, 2], [1, 1]))
        none = mercator.load(program("", "", "return"))
        self.assertEqual(none.run(reference=True), ())

    def test_words(self):
        p = mercator.load(LAYER)
        np.testing.assert_array_equal(p.run("random:1"), p.run("random:1"))
        self.assertEqual(p.run(np.zeros((64, 128), np.float32), "random:1").shape, (64, 256))

    def test_results_outlive_their_program(self):
        p = mercator.load(identity("f32"))
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        results = [p.run(x + i) for i in range(20)]
        views = [result[1:] for result in results]
        del p, results
        gc.collect()
        for i, view in enumerate(views):
            self.assertEqual(view.tolist(), [[3 + i, 4 + i, 5 + i]])

    def test_inputs_are_not_changed(self):
        x = np.ones((2, 3), np.float32)
        result = mercator.load(identity("f32")).run(x)
        result = np.array(result)
        result[:] = 7
        self.assertEqual(x.sum(), 6)

    def test_errors(self):
        p = mercator.load(identity("f32"))
        x = np.ones((2, 3), np.float32)
        for inputs, text in (
            ((x.astype(float),), "input #0: expected elements of type f32, got 'f64'"),
            ((x.T,), "expected tensor<2x3xf32>, got tensor<3x2xf32>"),
            ((), "parameter #0"),
            ((x, x), "expected 1 input"),
            ((np.array(["a"]),), "expected an array of numbers"),
            ((object(),), "expected an array of numbers"),
        ):
            with self.subTest(text), self.assertRaisesRegex(mercator.Error, text):
                p.run(*inputs)
        with self.assertRaisesRegex(mercator.Error, "unknown option"):
            p.run(x, nope=True)
        with self.assertRaisesRegex(mercator.Error, "check"):
            p.run(x, check=True)

    def test_compile(self):
        p = mercator.load("examples/perceptron.mlir")
        with tempfile.TemporaryDirectory() as folder:
            p.compile(f"{folder}/perceptron.o", emit="obj")
            self.assertEqual(pathlib.Path(f"{folder}/perceptron.o").read_bytes()[:4], b"\x7fELF")
            with self.assertRaisesRegex(mercator.Error, "ends in .so"):
                p.compile(f"{folder}/x.dll")
            if LINKER:
                p.compile(pathlib.Path(folder) / "perceptron.so")
                self.assertIn("perceptron", pathlib.Path(f"{folder}/perceptron.h").read_text())
                library = ctypes.CDLL(f"{folder}/perceptron.so")
                self.assertTrue(library.perceptron and library.mercator_new_context)


class PackageTest(unittest.TestCase):
    def test_version(self):
        printed = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertTrue(printed.startswith(f"mercator {mercator.__version__} "))
        module = subprocess.run([sys.executable, "-m", "mercator", "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(module.stdout, printed)

    def test_exit_codes(self):
        for words, code in (
            (["prove", "(d0) -> (d0)", "(d0) -> (d0)"], 0),
            (["map", "nowhere.hlo"], 1),
            (["mapp"], 2),
            (["prove", "(d0) -> (d0)", "(d0) -> (0)"], 3),
        ):
            self.assertEqual(subprocess.run([COMMAND, *words], capture_output=True, check=False).returncode, code)

    def test_pipe(self):
        script = f"'{COMMAND}' map {LAYER} | head -1"
        ended = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_only_its_own_libraries(self):
        folder = str(pathlib.Path(mercator.__file__).parent)
        with open("/proc/self/maps", encoding="utf-8") as file:
            loaded = {line.split()[-1] for line in file if ".so" in line}
        ours = {path for path in loaded if any(n in path for n in ("mercator", "lapack", "blas.", "gfortran", "zstd", "protobuf", "LLVM", "MLIR"))}
        self.assertIn(f"{folder}/lib/libmercator.so", ours)
        if not any("libLLVM" in path for path in ours):  # it has LLVM in it
            others = {path for path in ours if not path.startswith(folder) and "numpy" not in path}
            self.assertEqual(others, set())

    def test_missing_library(self):
        environment = {**os.environ, "MERCATOR_LIBRARY": "/nowhere/libmercator.so"}
        made = subprocess.run([sys.executable, "-c", "import mercator"], capture_output=True, text=True, env=environment, check=False)
        self.assertIn("cannot load /nowhere/libmercator.so", made.stderr)

    def test_the_command_does_not_import_numpy(self):
        script = "import sys, mercator._command; sys.exit('numpy' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", script], check=False).returncode, 0)

    def test_all_is_exported(self):
        self.assertFalse(hasattr(mercator, "nope"))
        self.assertTrue(set(mercator.__all__) < set(dir(mercator)))
        for name in mercator.__all__:
            self.assertTrue(hasattr(mercator, name))
        self.assertEqual(sorted(mercator.__all__), mercator.__all__)


def find(name):
    for folder in os.environ["PATH"].split(os.pathsep):
        if os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    return None


COMMAND = str(pathlib.Path(sys.executable).parent / "mercator")
LINKER = find("ld.lld") or find("ld.lld-22")

if __name__ == "__main__":
    unittest.main()
