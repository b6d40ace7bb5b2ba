# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""install_test.py BUILD-FOLDER CXX: installs the build, builds examples/library against what was
installed, and compares what its programs print with the comment at the end of each.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "library"


def run(*words, folder=None):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def expected(source):
    comment = source.read_text().split("// prints\n")[1]
    return re.sub(r"^//   ", "", comment, flags=re.MULTILINE)


def main():
    build, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    failed = 0

    def check(what, good):
        nonlocal failed
        print(f"{'ok  ' if good else 'FAIL'} {what}")
        failed += not good

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        prefix, project, outside = folder / "prefix", folder / "project", folder / "outside"
        run("cmake", "--install", build, "--prefix", prefix)
        run("cmake", "-S", EXAMPLE, "-B", project, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}")
        run("cmake", "--build", project)
        for source in sorted([*EXAMPLE.glob("*.cpp"), *EXAMPLE.glob("*.c")]):
            printed = run(project / source.stem)
            check(source.name, printed == expected(source))
            if printed != expected(source):
                print(printed)
        # The installed command finds what it needs beside it, not in the build.
        outside.mkdir()
        program = EXAMPLE.parent / "softmax.hlo"
        answer = run(prefix / "bin" / "mercator", "map", "--fused", program, folder=outside)
        check("the installed command", "exact" in answer)
        pages = list((prefix / "share" / "man" / "man1").glob("mercator*.1"))
        commands = re.search(r"compgen -W '([^']*)'", (prefix / "share/bash-completion/completions/mercator").read_text())
        names = [word for word in commands.group(1).split() if not word.startswith("-")]
        check("a man page for each command", len(pages) == len(names) + 1)
        check("no page is empty", all(".SH SYNOPSIS" in page.read_text() for page in pages))
        leaks = [p for p in prefix.rglob("*.cmake") if str(ROOT) in p.read_text()]
        check("no path of the source tree in the package files", not leaks)
    sys.exit(1 if failed else 0)


main()
