#!/usr/bin/env python3
# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""examples.py ROOT OUT ROOM...: the C++ examples in the headers of these rooms, as one program.

An example is a fenced block in a comment of a header:

    // ```cpp (Arena &arena)
    // Map t = transpose(arena, Direction::OutToIn, {10, 20}, {1, 0});
    // ```

It becomes the body of a function with the parameters in parentheses, compiled in the namespaces of its header. An
example without parameters is also run: its assertions must hold. `#include` lines may stand first.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^\s*///? ?(\s*)```(cpp)?\s*(?:\((.*)\))?\s*$")
COMMENT = re.compile(r"^\s*///? ?(.*)$")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
NO_MLIR = {"indexing", "support", "runtime", "reference"}


def examples(text):
    """(line, parameters, lines) of each block."""
    block = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and block is None and fence[2]:
            block = (number, fence[3] or "", [])
        elif fence and block is not None:
            yield block
            block = None
        elif block is not None:
            comment = COMMENT.match(line)
            if not comment:
                sys.exit(f"line {number}: error: expected the end of the example that begins at line {block[0]}")
            block[2].append(comment[1])
    if block is not None:
        sys.exit(f"line {block[0]}: error: expected a line with ``` after the example")


def namespaces(text):
    """All namespaces that the header opens, the outer ones of each first."""
    found = []
    for name in NAMESPACE.findall(text):
        parts = name.split("::")
        for end in range(1, len(parts) + 1):
            prefix = "::".join(parts[:end])
            if prefix.startswith("mercator") and prefix not in found:
                found.append(prefix)
    return found


def generate(root, rooms):
    includes, functions, runs = [], [], []
    for room in rooms:
        for path in sorted((root / "mercator" / room).rglob("*.h")):
            name = path.relative_to(root)
            text = path.read_text()
            found = list(examples(text))
            if not found:
                continue
            includes.append(f'#include "{name}"')
            scope = "example_" + re.sub(r"\W", "_", str(name))
            functions += ["", f"namespace {scope} {{"]
            spaces = namespaces(text) + (["mercator::indexing"] if room == "analysis" else [])
            functions += [f"using namespace {space};" for space in spaces]
            functions += ["using namespace llvm;"] + ([] if room in NO_MLIR else ["using namespace mlir;"])
            for number, parameters, lines in found:
                includes += [line for line in lines if line.startswith("#include")]
                functions.append(f"[[maybe_unused]] static void line{number}({parameters}) {{")
                functions.append(f'#line {number + 1} "{path}"')
                functions += ["" if line.startswith("#include") else line for line in lines]
                functions.append("}")
                if not parameters:
                    runs.append(f"  {scope}::line{number}();")
            functions.append("}")
    unique = list(dict.fromkeys(includes))
    head = ["// Written by tests/headers/examples.py.", *unique, "#include <cassert>", "namespace llvm {}"]
    return "\n".join([*head, *functions, "", "int main() {", *runs, "}", ""])


def main():
    root, out, *rooms = sys.argv[1:]
    text = generate(pathlib.Path(root), rooms)
    out = pathlib.Path(out)
    if not out.exists() or out.read_text() != text:
        out.write_text(text)


if __name__ == "__main__":
    main()
