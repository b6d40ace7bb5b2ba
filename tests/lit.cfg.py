# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""How lit finds and runs the tests in this folder.

Tools in RUN lines: mercator, mercator-opt, FileCheck, not, count, split-file.
Substitutions: `%exits 2 mercator ...` runs the command and expects exit code 2
(`not` accepts every code); %s, %t, %S as usual; %examples, the folder of examples;
%library, libmercator.so; %bin, the folder of the tools;
%shared, the folder of real programs that some tests read (`REQUIRES: shared`).
$MERCATOR_SHARED names that folder; by default it is next to the source tree.
Features: `shared` if that folder exists, `mpi` where Open MPI starts processes.
"""

import os
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.mercator_source_dir, "tests"))
from mpi_works import MPI_ENVIRONMENT, mpi_works

config.name = "mercator"
# The internal shell: same behavior on every machine, and `not` sees exit codes.
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".hlo", ".test"]
config.excludes = ["Inputs", "corpus"]
config.test_source_root = os.path.join(config.mercator_source_dir, "tests")
config.test_exec_root = os.path.join(config.mercator_binary_dir, "tests")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.mercator_binary_dir, "bin"),
        config.llvm_tools_dir,
        config.environment.get("PATH", ""),
    ]
)
# Machine code is kept beside the build.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.mercator_binary_dir, "cache")
# The same dispatches on every machine.
config.environment["MERCATOR_DEVICE"] = "zen5"
# A failing FileCheck shows its input.
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=all --color=0"
if "MERCATOR_SHARED" in os.environ:
    config.environment["MERCATOR_SHARED"] = os.environ["MERCATOR_SHARED"]
# A sanitizer report is a crash, and never an exit code of Mercator. Therefore
# neither `not` nor `%exits 1` accepts it as a rejected input.
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    config.environment[name] = os.environ.get(name, "abort_on_error=1")

shared = os.environ.get("MERCATOR_SHARED") or os.path.join(
    config.mercator_source_dir, os.pardir, "shared"
)
shared = os.path.abspath(shared)
if os.path.isdir(shared):
    config.available_features.add("shared")
# Mercator or the sanitizer reports a crash. These tests are excluded, not skipped:
# nothing is missing.
sanitized = "address" in config.mercator_sanitize
config.excludes.append("crash.test" if sanitized else "sanitizer.test")
# A shared library contains the runtime, which a sanitizer ties to its own.
if sanitized:
    config.excludes += ["compile-calls.mlir", "compile-cpu-c.test", "compile-cpu-splats.test", "compile-cpu-streamed.test", "compile-cpu-tiles.test", "narrow-integers.test", "example.test"]

# Several processes.
library = os.path.join(config.mercator_binary_dir, "lib", "libmercator_mpi.so")
if os.path.exists(library) and not sanitized and mpi_works():
    config.available_features.add("mpi")
config.environment.update(MPI_ENVIRONMENT)

exits = os.path.join(config.test_source_root, "exits.py")
config.substitutions.append(("%exits", f"{sys.executable} {exits}"))
config.substitutions.append(("%{python}", sys.executable))
config.substitutions.append(("%shared", shared))
config.substitutions.append(("%bin", os.path.join(config.mercator_binary_dir, "bin")))
config.substitutions.append(("%library", os.path.join(config.mercator_binary_dir, "lib", "libmercator.so")))
config.substitutions.append(
    ("%examples", os.path.join(config.mercator_source_dir, "examples"))
)
