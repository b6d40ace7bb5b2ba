# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Convolutions and windows, and their gradients."""

import jax
import jax.numpy as jnp
from functions.registry import floats, function
from jax import lax

NHWC = ("NHWC", "HWIO", "NHWC")


@function(0, relative=4e-6)
def grouped_convolution(g):
    def f(x, k):
        def conv(x, k):
            return lax.conv_general_dilated(x, k, (2, 1), "SAME", dimension_numbers=NHWC, feature_group_count=3)

        out, pull = jax.vjp(conv, x, k)
        return out, *pull(jnp.cos(out))

    return f, [floats(g, 2, 7, 6, 6), floats(g, 3, 3, 2, 9)]


@function(0, relative=4e-6)
def depthwise_convolution(g):
    def f(x, k):
        def conv(x, k):
            return lax.conv_general_dilated(x, k, (1, 2), ((1, 0), (2, 1)), rhs_dilation=(2, 1), feature_group_count=4)

        out, pull = jax.vjp(conv, x, k)
        return out, *pull(out * out)

    return f, [floats(g, 2, 4, 8, 7), floats(g, 8, 1, 3, 2)]


@function(0, relative=4e-6)
def transposed_convolution(g):
    def f(x, k):
        out = lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=NHWC)
        dilated = lax.conv_general_dilated(
            x, k, (1, 1), ((2, 3), (1, 1)), lhs_dilation=(3, 1), rhs_dilation=(1, 2), dimension_numbers=NHWC
        )
        return out, dilated

    return f, [floats(g, 2, 4, 5, 3), floats(g, 3, 3, 3, 4)]


@function(0, relative=4e-6)
def convolutions_of_other_ranks(g):
    def f(signal, kernel, volume, cube):
        one = lax.conv_general_dilated(signal, kernel, (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC"))
        three = lax.conv_general_dilated(volume, cube, (1, 2, 1), "SAME")
        return one, three, lax.conv_general_dilated(signal, kernel, (3,), [(-1, 2)], dimension_numbers=("NWC", "WIO", "NWC"))

    return f, [floats(g, 2, 11, 3), floats(g, 4, 3, 5), floats(g, 1, 2, 4, 5, 3), floats(g, 3, 2, 2, 2, 2)]


@function(0, relative=4e-6)
def batch_grouped_convolution(g):
    def f(x, k):
        return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=NHWC, batch_group_count=2)

    return f, [floats(g, 4, 5, 5, 3), floats(g, 3, 3, 3, 6)]


@function(0, relative=4e-6)
def pools_and_gradients(g):
    def f(x):
        def most(x):
            return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 2, 1), (1, 2, 2, 1), "SAME")

        def mean(x):
            return lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 1, 1), "VALID") / 4

        return most(x), jax.grad(lambda x: (most(x) ** 2).sum())(x), mean(x), jax.grad(lambda x: (mean(x) ** 2).sum())(x)

    return f, [floats(g, 2, 7, 6, 3)]


@function(0, relative=4e-6)
def image_patches(g):
    def f(x):
        patches = lax.conv_general_dilated_patches(x, (3, 2), (2, 1), "VALID")
        return patches, jax.grad(lambda x: (lax.conv_general_dilated_patches(x, (3, 2), (2, 1), "SAME") ** 2).sum())(x)

    return f, [floats(g, 1, 3, 6, 5)]


@function(0)
def integer_convolution(g):
    def f(x, k):
        return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=NHWC, preferred_element_type=jnp.int32)

    return f, [g.integers(-128, 128, (1, 5, 5, 4)).astype("int8"), g.integers(-128, 128, (3, 3, 4, 2)).astype("int8")]
