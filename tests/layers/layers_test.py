# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tests the check of layers: it must find errors.

layers_test.py CHECK-LAYERS
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = sys.argv.pop(1)

TABLE = """
# a comment
low:  llvm/ADT/
high: low llvm/ mlir/IR/
all:  *
house:       low
house/below: . low
house/above: . house/below low
house/alone: low
oracle:      low
block:             low
block/flat:        . low
block/flat/inner:  . block low
block/flat/outer:  block/flat/inner
block/other:       block/flat
"""


class LayersTest(unittest.TestCase):
    def errors(self, files):
        """The lines the checker prints for a tree of these files."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in {"docs/layers.txt": TABLE, **files}.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            result = subprocess.run([CHECKER, root], capture_output=True, text=True, check=False)
            lines = result.stdout.splitlines()
            self.assertEqual(result.returncode, 1 if lines else 0, result.stderr)
            return lines

    def test_allowed(self):
        self.assertEqual(
            self.errors(
                {
                    "mercator/low/A.h": '#include "mercator/low/B.h"\n#include <vector>\n#include <sys/stat.h>\n',
                    "mercator/high/A.h": '#include "mercator/low/B.h"\n#include "mlir/IR/Builders.h"\n',
                    "mercator/high/A.td": 'include "mlir/IR/OpBase.td"\n',
                    "mercator/high/CMakeLists.txt": "mercator_room(high mercator_low)\n",
                    "mercator/all/A.cpp": '#include "mercator/high/A.h"\n#include "mlir/Pass/Pass.h"\n',
                }
            ),
            [],
        )

    def test_upward_include(self):
        self.assertEqual(
            self.errors({"mercator/low/A.h": '// fine\n#include "mercator/high/A.h"\n'}),
            ["mercator/low/A.h:2: error: low may not include mercator/high/A.h (docs/layers.txt)"],
        )

    def test_foreign_include(self):
        self.assertEqual(
            self.errors({"mercator/low/deep/A.cpp": '#  include <mlir/IR/Value.h>\n#include "llvm/IR/Value.h"\n'}),
            [
                "mercator/low/deep/A.cpp:1: error: low may not include mlir/IR/Value.h (docs/layers.txt)",
                "mercator/low/deep/A.cpp:2: error: low may not include llvm/IR/Value.h (docs/layers.txt)",
            ],
        )
        self.assertEqual(
            self.errors({"mercator/high/A.td": 'include "mlir/Pass/PassBase.td"\n'}),
            ["mercator/high/A.td:1: error: high may not include mlir/Pass/PassBase.td (docs/layers.txt)"],
        )

    def test_upward_link(self):
        self.assertEqual(
            self.errors({"mercator/low/CMakeLists.txt": "mercator_room(low mercator_high)\n"}),
            ["mercator/low/CMakeLists.txt:1: error: low may not link high (docs/layers.txt)"],
        )

    def test_room_without_a_line(self):
        self.assertEqual(
            self.errors({"mercator/new/A.h": ""}),
            ["mercator/new: error: a folder without a row in docs/layers.txt"],
        )

    def test_folders_of_a_room(self):
        self.assertEqual(
            self.errors(
                {
                    "mercator/house/Beside.h": '#include "mercator/low/A.h"\n',
                    "mercator/house/below/A.h": '#include "mercator/house/Beside.h"\n#include "mercator/house/below/B.h"\n',
                    "mercator/house/above/deep/A.h": '#include "mercator/house/below/A.h"\n',
                }
            ),
            [],
        )
        self.assertEqual(
            self.errors(
                {
                    "mercator/house/Beside.h": '#include "mercator/house/below/A.h"\n',
                    "mercator/house/below/A.h": '#include "mercator/house/above/A.h"\n',
                    "mercator/house/alone/A.h": '#include "mercator/house/Beside.h"\n',
                    "mercator/oracle/A.h": '#include "mercator/house/below/A.h"\n',
                }
            ),
            [
                "mercator/house/Beside.h:1: error: house may not include mercator/house/below/A.h (docs/layers.txt)",
                "mercator/house/alone/A.h:1: error: house/alone may not include mercator/house/Beside.h (docs/layers.txt)",
                "mercator/house/below/A.h:1: error: house/below may not include mercator/house/above/A.h (docs/layers.txt)",
                "mercator/oracle/A.h:1: error: oracle may not include mercator/house/below/A.h (docs/layers.txt)",
            ],
        )

    def test_folders_of_a_folder(self):
        self.assertEqual(
            self.errors(
                {
                    "mercator/block/Top.h": '#include "mercator/low/A.h"\n',
                    "mercator/block/flat/A.h": '#include "mercator/block/Top.h"\n',
                    "mercator/block/flat/inner/A.h": '#include "mercator/block/flat/A.h"\n#include "mercator/block/Top.h"\n',
                    "mercator/block/flat/outer/A.h": '#include "mercator/block/flat/inner/deep/A.h"\n',
                    "mercator/block/other/A.h": '#include "mercator/block/flat/inner/A.h"\n#include "mercator/block/flat/A.h"\n',
                }
            ),
            [],
        )
        self.assertEqual(
            self.errors(
                {
                    "mercator/block/flat/A.h": '#include "mercator/block/flat/inner/A.h"\n',
                    "mercator/block/flat/inner/A.h": '#include "mercator/block/flat/outer/A.h"\n#include "mercator/block/other/A.h"\n',
                    "mercator/block/flat/new/A.h": "",
                    "mercator/block/flat/outer/A.h": '#include "mercator/block/flat/A.h"\n#include "mercator/block/Top.h"\n',
                }
            ),
            [
                "mercator/block/flat/A.h:1: error: block/flat may not include mercator/block/flat/inner/A.h (docs/layers.txt)",
                "mercator/block/flat/inner/A.h:1: error: block/flat/inner may not include mercator/block/flat/outer/A.h (docs/layers.txt)",
                "mercator/block/flat/inner/A.h:2: error: block/flat/inner may not include mercator/block/other/A.h (docs/layers.txt)",
                "mercator/block/flat/new: error: a folder without a row in docs/layers.txt",
                "mercator/block/flat/outer/A.h:1: error: block/flat/outer may not include mercator/block/flat/A.h (docs/layers.txt)",
                "mercator/block/flat/outer/A.h:2: error: block/flat/outer may not include mercator/block/Top.h (docs/layers.txt)",
            ],
        )

    def test_pages_need_no_row(self):
        self.assertEqual(self.errors({"mercator/house/README.md": "", "mercator/new/README.md": ""}), [])

    def test_folder_without_a_row(self):
        self.assertEqual(
            self.errors({"mercator/house/new/A.h": "", "mercator/house/new/B.h": ""}),
            ["mercator/house/new: error: a folder without a row in docs/layers.txt"],
        )
        self.assertEqual(
            self.errors({"mercator/low/A.h": '#include "mercator/house/new/A.h"\n'}),
            ["mercator/low/A.h:1: error: low may not include mercator/house/new/A.h (docs/layers.txt)"],
        )

    def test_link_of_an_oracle(self):
        self.assertEqual(
            self.errors({"mercator/oracle/CMakeLists.txt": "mercator_room(oracle mercator_low mercator_house)\n"}),
            ["mercator/oracle/CMakeLists.txt:1: error: oracle may not link house (docs/layers.txt)"],
        )


if __name__ == "__main__":
    unittest.main()
