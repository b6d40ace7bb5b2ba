# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tests the check of constraint labels: it must find errors.

constraints_test.py CHECK-CONSTRAINTS
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = sys.argv.pop(1)

SOURCE = "mercator/dialects/stablehlo/Verify.cpp"
TEST = "tests/dialects/stablehlo/verify.mlir"


class ConstraintsTest(unittest.TestCase):
    def lines(self, table, files=None):
        """The output of the checker for a tree with this table and these files."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in {"docs/stablehlo-constraints.txt": table, **(files or {})}.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            result = subprocess.run([CHECKER, root], capture_output=True, text=True, check=False)
            lines = result.stdout.splitlines()
            self.assertEqual(result.returncode, 1 if lines else 0, result.stderr)
            return lines

    def test_all_there(self):
        self.assertEqual(
            self.lines(
                "# a comment\nabs 3\n",
                {SOURCE: "// (abs C1)\n// (abs C2,\n// C3)\n", TEST: "// (abs C1, C2, C3)\n"},
            ),
            [],
        )

    def test_missing(self):
        self.assertEqual(
            self.lines("abs 2\n", {SOURCE: "// (abs C1, C2)\n", TEST: "// (abs C2)\n"}),
            ["tests/dialects/stablehlo: error: expected the label (abs C1) somewhere, got none"],
        )
        self.assertEqual(
            self.lines("abs 1\n", {TEST: "// (abs C1)\n"}),
            ["mercator/dialects/stablehlo: error: expected the label (abs C1) somewhere, got none"],
        )

    def test_unknown(self):
        self.assertEqual(
            self.lines("abs 1\n", {SOURCE: "// (abs C1)\n", TEST: "\n// (abs C1) (abs C2)\n"}),
            [TEST + ":2: error: (abs C2) is not in docs/stablehlo-constraints.txt"],
        )

    def test_undecidable_has_no_test(self):
        self.assertEqual(
            self.lines("abs 2 undecidable C2\n", {SOURCE: "// (abs C1, C2)\n", TEST: "// (abs C1)\n"}),
            [],
        )
        self.assertEqual(
            self.lines("abs 1 undecidable C1\n"),
            ["mercator/dialects/stablehlo: error: expected the label (abs C1) somewhere, got none"],
        )


if __name__ == "__main__":
    unittest.main()
