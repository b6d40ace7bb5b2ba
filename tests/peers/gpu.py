# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random JAX programs compiled for an H100, run by the evaluator of PTX and on the CPU by JAX, and the counts that `mercator access` predicts. See gpu_kernels.py."""

import filecmp
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).parent


def environment(build):
    """A Python with XLA's compiler for a GPU: MERCATOR_GPU_PYTHON, or that of build/gpu-venv, which is made if it is missing. None: there is no Python for it."""
    given = os.environ.get("MERCATOR_GPU_PYTHON")
    if given:
        return given
    venv, pinned = build / "gpu-venv", HERE / "requirements-gpu.txt"
    installed = venv / "installed.txt"
    if not installed.exists() or not filecmp.cmp(installed, pinned, shallow=False):
        # A name may lead to a version manager that has no such version here.
        pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
        names = [shutil.which("python3.12"), shutil.which("python3.13"), *sorted(pyenv.glob("versions/3.1[23]*/bin/python"))]
        found = [name for name in names if name and not subprocess.run([name, "--version"], capture_output=True, check=False).returncode]
        if not found:
            return None
        python = found[0]
        print(f"gpu: installing 3 GB into {venv}", flush=True)
        subprocess.run([python, "-m", "venv", "--clear", venv], check=True)
        subprocess.run([venv / "bin/pip", "install", "-q", "--disable-pip-version-check", "-r", pinned], check=True)
        shutil.copy(pinned, installed)
    return str(venv / "bin/python")


def run(build, folder, shared, seed, count):
    """One (name, line, good)."""
    card = shared / "data/gpu/h100.txtpb"
    python = environment(build.resolve())
    if not card.exists():
        yield "kernels", f"expected a description of the card, {card}", False
    elif not python:
        yield "kernels", "expected Python 3.12; MERCATOR_GPU_PYTHON names one that has jax[cuda13]", False
    else:
        command = [python, HERE / "gpu_kernels.py", build, card, folder, str(seed), str(count)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        lines = done.stdout.strip().splitlines()
        if done.returncode not in (0, 1, 2, 3) or len(lines) < 2:
            yield "kernels", f"exit {done.returncode}", False
            return
        for line in lines[:-2]:
            print(f"  {line}")
        yield "values", lines[-2], not done.returncode & 1
        yield "predictions", lines[-1], not done.returncode & 2
