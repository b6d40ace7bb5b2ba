# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""JAX on Mercator: `JAX_PLATFORMS=mercator python program.py`.

JAX calls `initialize` when it looks for plugins. What is installed beside it stays the
default: Mercator runs a program only where it is asked for.
"""

import os
import pathlib

PLATFORM = "mercator"


def _library() -> str:
    given = os.environ.get("MERCATOR_LIBRARY")
    if given:
        return given
    import mercator

    return str(pathlib.Path(mercator.__file__).parent / "lib" / "libmercator.so")


def initialize() -> None:
    from jax._src import core, xla_bridge
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    if PLATFORM in xla_bridge._backend_factories:
        return
    # Below the CPU of jaxlib, whose priority is 0.
    xla_bridge.register_plugin(PLATFORM, priority=-100, library_path=_library())
    # What JAX lowers for each platform alone, and linear algebra: as for the CPU. The
    # runtime has the calls of LAPACK that JAX makes there.
    rules = mlir._platform_specific_lowerings
    algebra = [value for value in vars(linalg).values() if isinstance(value, core.Primitive)]
    for primitive, rule in rules["cpu"].items():
        if primitive not in mlir._lowerings or primitive in algebra:
            rules[PLATFORM].setdefault(primitive, rule)
    if PLATFORM not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(PLATFORM)
