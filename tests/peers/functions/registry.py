# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The table of JAX functions that are lowered and compared. The other files of this
folder fill it, a file for each kind of function.

    @function(8)                      at most 8 ULPs from JAX
    @function(0, relative=2e-6)       relative to the largest element of each result
    @function(0, shapes=["(b, n)"])   exported for all sizes

A function is made with a generator of random numbers: it returns a function of JAX
and its inputs.
"""

import numpy as np

FUNCTIONS = {}


def function(ulps, relative=0.0, shapes=None):
    def register(make):
        assert make.__name__ not in FUNCTIONS, make.__name__
        FUNCTIONS[make.__name__] = (make, ulps, relative, shapes)
        return make

    return register


def floats(g, *shape):
    return g.standard_normal(shape).astype(np.float32)


def integers(g, lowest, highest, *shape):
    return g.integers(lowest, highest, shape, dtype=np.int32)
