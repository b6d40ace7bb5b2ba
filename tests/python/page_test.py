# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""page_test.py PAGE [--all]: runs the examples of a page, and compares what they print.

An example is a fence marked `pycon`. The examples of a page share their names. A `##` section
that imports a package that is not installed is left out, or with --all fails. `...` stands for
any text.
"""

import doctest
import importlib.util
import os
import re
import sys

PACKAGES = re.compile(r"^>>> (?:import|from) (\w+)", re.MULTILINE)


def main():
    page, needs_all = sys.argv[1], "--all" in sys.argv
    os.environ["MERCATOR_DEVICE"] = "zen5"  # the page shows decisions for one device
    with open(page, encoding="utf-8") as file:
        text = file.read()
    names, failed, tried, left = {}, 0, 0, []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    position = 0
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        fences = re.finditer(r"^```pycon\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
        examples = [(text.count("\n", 0, position + fence.start(1)), fence.group(1)) for fence in fences]
        position += len(section)
        missing = sorted(
            {
                package
                for _, example in examples
                for package in PACKAGES.findall(example)
                if importlib.util.find_spec(package) is None
            }
        )
        if missing and not needs_all:
            left.append(f"{section.splitlines()[0]} (no {', '.join(missing)})")
            continue
        for line, example in examples:
            test = doctest.DocTestParser().get_doctest(example, names, page, page, line)
            result = runner.run(test, clear_globs=False)
            names = test.globs
            failed += result.failed
            tried += result.attempted
    print(f"{page}: {tried} examples, {failed} failed")
    for section in left:
        print(f"  left out: {section}")
    sys.exit(failed != 0 or tried == 0)


main()
