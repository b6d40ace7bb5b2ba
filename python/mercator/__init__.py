# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Mercator tells you exactly which input elements each output element of a tensor program reads.

    import mercator
    p = mercator.load("softmax.hlo")      # or a text, or jax.jit(f).lower(..)
    p.maps(fused=True)                    # from each result to the parameters
    p.explain()                           # the dispatches, and why there are that many
    p.explore().save("p.html")            # a page that shows all of it
    p.run(x)                              # compiled for this machine

    m = mercator.Map("(d0) -> (d0 mod 4), domain: d0 in [0, 7]")
    m(6)                                  # (2,)

docs/python.md describes the package.
"""

from typing import TYPE_CHECKING, Any

from ._library import Error, Place
from ._library import version as _version

if TYPE_CHECKING:
    from ._maps import Counterexample, Map, Proof, Rewrite, Simplified, Variable, prove
    from ._programs import (
        Access,
        Accesses,
        Answer,
        Change,
        Diff,
        Dispatch,
        Edge,
        Explanation,
        MapRecord,
        Maps,
        NeededTile,
        OperandAccess,
        OperandMap,
        Program,
        RuntimeSource,
        Target,
        Tile,
        Tiles,
        load,
        trace,
    )
else:

    def __getattr__(name: str) -> Any:
        """The command `mercator` imports this package, and has no use for numpy."""
        if name not in __all__:
            raise AttributeError(f"module 'mercator' has no attribute '{name}'")
        from . import _maps, _programs

        for module in (_maps, _programs):
            if hasattr(module, name):
                globals()[name] = getattr(module, name)
        return globals()[name]


__version__ = _version().split(" ", 1)[0]

__all__ = [
    "Access",
    "Accesses",
    "Answer",
    "Change",
    "Counterexample",
    "Diff",
    "Dispatch",
    "Edge",
    "Error",
    "Explanation",
    "Map",
    "MapRecord",
    "Maps",
    "NeededTile",
    "OperandAccess",
    "OperandMap",
    "Page",
    "Place",
    "Program",
    "Proof",
    "Rewrite",
    "RuntimeSource",
    "Simplified",
    "Target",
    "Tile",
    "Tiles",
    "Variable",
    "load",
    "prove",
    "trace",
]


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
