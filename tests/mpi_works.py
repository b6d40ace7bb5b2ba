# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Whether MPI can start processes here: it is installed, and finds a network interface."""

import functools
import os
import shutil
import subprocess

# Open MPI may run as root, and start more processes than there are processors.
MPI_ENVIRONMENT = dict.fromkeys(
    ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"), "1"
)


@functools.cache
def mpi_works():
    if not shutil.which("mpirun"):
        return False
    command = ["mpirun", "-n", "2", "true"]
    try:
        done = subprocess.run(
            command, env={**os.environ, **MPI_ENVIRONMENT}, capture_output=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
