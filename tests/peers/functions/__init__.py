# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""JAX functions of every kind, for the comparison through flow (flow.py)."""

from functions import (  # noqa: F401
    convolutions,
    decoding,
    indexing,
    loops,
    numbers,
    randomness,
    signals,
    solvers,
    sorting,
    special,
    sums,
    symbolic,
    training,
)
from functions.registry import FUNCTIONS  # noqa: F401
