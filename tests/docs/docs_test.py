# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tests the check of the documentation: it must find errors.

docs_test.py CHECK-DOCS BIN-FOLDER
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER, BIN = sys.argv[1:3]
del sys.argv[1:3]

USAGE = "error: expected a command, got nothing\nhelp: mercator --help"


def page(*lines):
    return "\n".join(["# A page", "```console", *lines, "```", "text", ""])


class DocsTest(unittest.TestCase):
    def check(self, text, *options):
        """The exit code, the output, and the page afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "page.md")
            path.write_text(text)
            command = [CHECKER, "--bin", BIN, *options, str(path)]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            return result.returncode, result.stdout, path.read_text()

    def test_right_page(self):
        for lines in (
            ["$ mercator", USAGE],
            ["$ mercator", "..."],
            ["$ mercator", "error: expected a command, got nothing", "..."],
            ["$ mercator", USAGE, "$ echo $?", "2"],
            ["$ mercator \\", ">   frob", "...", "help: mercator --help"],
        ):
            code, printed, _ = self.check(page(*lines))
            self.assertEqual(code, 0, printed)

    def test_wrong_page(self):
        for lines in (
            ["$ mercator"],
            ["$ mercator", "error"],
            ["$ mercator", USAGE, "more"],
            ["$ mercator", "...", "error: something"],
            ["$ mercator", USAGE, "$ echo $?", "0"],
            ["$ rm -rf nothing"],
            ["$ mercator compile examples/embedding.mlir --target=ascend -o left_behind.air"],
        ):
            code, printed, _ = self.check(page(*lines))
            self.assertEqual(code, 1, printed)
            self.assertIn("page.md:", printed)

    def test_other_fences_are_not_run(self):
        code, printed, _ = self.check(page("$ mercator").replace("```console", "```sh"))
        self.assertEqual((code, printed), (0, "0 commands, 0 files, 0 differences\n"))

    def test_update(self):
        _, _, text = self.check(page("$ mercator", "old", "$ echo $?", "old"), "--update")
        self.assertEqual(text, page("$ mercator", USAGE, "$ echo $?", "2"))
        code, printed, _ = self.check(text)
        self.assertEqual(code, 0, printed)

    def test_update_keeps_dots(self):
        wrong = page("$ mercator", "...", "old")
        _, _, text = self.check(wrong, "--update")
        self.assertEqual(text, wrong)

    def test_file(self):
        fence = "```text {}\none\ntwo\n```\n"
        name = "tests/docs/excerpt.txt"
        right = fence.format(name)
        code, printed, _ = self.check(right)
        self.assertEqual((code, printed), (0, "0 commands, 1 files, 0 differences\n"))
        for wrong in (right.replace("two", "three"), right.replace("one\n", ""), right.replace(name, "no/such/file")):
            code, printed, _ = self.check(wrong)
            self.assertEqual(code, 1, wrong)
        _, _, text = self.check(right.replace("two", "three"), "--update")
        self.assertEqual(text, right)

    def test_links(self):
        heading = "\n## The `map` of A, B\n"
        right = "[a](#the-map-of-a-b) [b](https://nowhere) `[c](#none)`\n" + heading
        for text in (right, "<!-- contents -->\n" + right):
            code, printed, _ = self.check(text)
            self.assertEqual(code, 0, printed)
        for text in ("[a](#b)\n" + heading, "[a](none.md)\n", "<!-- contents -->\n" + heading):
            code, printed, _ = self.check(text)
            self.assertEqual(code, 1, text)
            self.assertIn("page.md:", printed)


if __name__ == "__main__":
    unittest.main()
