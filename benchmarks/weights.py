# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Weights that a program's text leaves out.

One number for all elements is not the same work: compilers put such a constant into the code of each dispatch, and
no run loads it from memory.
"""

import math
import re

import numpy


def fill(text):
    """The text with 256 different small numbers in turn where it says dense_resource<__elided__>, which must be f32."""
    numbers = numpy.random.default_rng(0).uniform(0.005, 0.015, 256).astype(numpy.float32)

    def elements(match):
        extents = [int(extent) for extent in match.group(1).split("x")[:-1]]
        values = numpy.resize(numbers, math.prod(extents))
        return f'dense<"0x{values.tobytes().hex().upper()}"> : tensor<{match.group(1)}>'

    return re.sub(r"dense_resource<__elided__> : tensor<([\dx]*f32)>", elements, text)
