# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Starts a command on several processes of MPI, and kills process 1.

Prints what the command writes, and its code. The test of it sees that the other
processes say where they wait."""

import os
import signal
import subprocess
import sys
import time


def process_of_rank(rank, parent):
    """The process below `parent` that has this number in MPI."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                words = file.read().split(b"\0")
            with open(f"/proc/{name}/stat") as file:
                above = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if f"OMPI_COMM_WORLD_RANK={rank}".encode() in words and above == parent:
            return int(name)
    return None


def seconds_of(process):
    """The time that a process has computed."""
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[11]) / os.sysconf("SC_CLK_TCK")


def main():
    # `mercator run --processes` becomes mpirun, the parent of the processes.
    command = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    deadline = time.monotonic() + 60
    while not (victim := process_of_rank(1, command.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    # It compiles for less than a second, and then computes for long: its peers wait.
    while seconds_of(victim) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    os.kill(victim, signal.SIGKILL)
    text, _ = command.communicate(timeout=60)
    print(text)
    print("code", command.returncode)


if __name__ == "__main__":
    main()
