# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""wheel_test.py BUILD-FOLDER [WHEEL]: installs the package in a virtual environment and tests it there.

Without WHEEL, it is made of BUILD-FOLDER. The environment is BUILD-FOLDER/python-venv; it has
the pinned packages of requirements.txt and is kept while these stay the same. Exits with 77 if
they cannot be installed.
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PINNED = HERE / "requirements.txt"


def environment(folder):
    """The Python of a virtual environment with the pinned packages; None if there is none."""
    python, installed = folder / "bin" / "python", folder / "installed.txt"
    if installed.exists() and installed.read_bytes() == PINNED.read_bytes():
        return python
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=False)
    if made.returncode == 0:
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", PINNED]
        made = subprocess.run(pip, check=False)
    if made.returncode != 0:
        return None
    installed.write_bytes(PINNED.read_bytes())
    return python


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    python = environment(build / "python-venv")
    if python is None:
        print("skipped: numpy cannot be installed in a virtual environment")
        sys.exit(77)
    if len(sys.argv) > 2:
        wheel = sys.argv[2]
    else:
        subprocess.run([sys.executable, ROOT / "scripts" / "wheel", build, build / "dist"], check=True)
        (wheel,) = (build / "dist").glob("*.whl")
    install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--force-reinstall"]
    subprocess.run([python, *install, wheel], check=True)
    # Only what was installed: neither the source tree nor the build.
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "MERCATOR_LIBRARY", "MERCATOR_DEVICE", "LD_LIBRARY_PATH", "COLUMNS")
    }
    clean["XDG_CACHE_HOME"] = str(build / "cache")
    mypy = ["-m", "mypy", "--strict", "--cache-dir", build / "mypy-cache"]
    failed = 0
    for words, folder in (
        ([HERE / "package_test.py"], ROOT),
        ([HERE / "page_test.py", ROOT / "docs" / "python.md"], ROOT),
        ([*mypy, "-p", "mercator"], build),
        ([*mypy, HERE / "typed_user.py"], build),
    ):
        failed += subprocess.run([python, *words], cwd=folder, env=clean, check=False).returncode != 0
    sys.exit(failed != 0)


main()
