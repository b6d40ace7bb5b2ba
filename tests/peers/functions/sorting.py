# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Orders: sorts, extremes, ranks."""

import jax
import jax.numpy as jnp
import numpy as np
from functions.registry import floats, function, integers
from jax import lax


@function(0)
def sort_by_key(g):
    def f(keys, minor, values):
        return lax.sort((keys, minor, values), num_keys=2), jnp.lexsort((minor, keys)), jnp.sort(values, descending=True)

    return f, [integers(g, 0, 4, 25), integers(g, 0, 4, 25), floats(g, 25)]


@function(0)
def sort_with_nans(g):
    def f(x):
        return jnp.sort(x), jnp.argsort(x), lax.top_k(x, 4), jnp.argmax(x), jnp.argmin(x), jnp.nanargmax(x), jnp.nanmax(x)

    x = floats(g, 20)
    x[[3, 11]] = np.nan
    x[[5, 6, 7, 8]] = [np.inf, -np.inf, 0.0, -0.0]
    return f, [x]


@function(0)
def top_k_of_rows(g):
    def f(x, n):
        return lax.top_k(x, 3), lax.top_k(n, 2), jnp.argmax(n, 1), jnp.argmin(x, 0), jax.lax.top_k(x[0] > 0, 4)

    return f, [floats(g, 4, 9), integers(g, 0, 3, 4, 9)]


@function(0, relative=1e-6)
def quantiles(g):
    def f(x):
        return jnp.median(x, axis=1), jnp.quantile(x, jnp.array([0.1, 0.5, 0.93], x.dtype)), jnp.percentile(x, 30, method="lower")

    return f, [floats(g, 5, 8)]


@function(0)
def ranks(g):
    def f(x):
        order = jnp.argsort(x)
        return jnp.argsort(order), jnp.zeros(12, jnp.int32).at[order].set(jnp.arange(12, dtype=jnp.int32)), jnp.sort(x.reshape(3, 4), axis=0), x[jnp.flip(order)]

    return f, [floats(g, 12)]


@function(0)
def non_maximum_suppression(g):
    """Of boxes that overlap, the best stays."""

    def f(boxes, scores):
        boxes = boxes[jnp.argsort(-scores)]
        low = jnp.maximum(boxes[:, None, :2], boxes[None, :, :2])
        high = jnp.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
        both = jnp.prod(jnp.maximum(high - low, 0), -1)
        area = jnp.prod(boxes[:, 2:] - boxes[:, :2], -1)
        overlap = both / (area[:, None] + area[None, :] - both) > 0.3

        def body(i, kept):
            return jnp.where(kept[i], kept & ~(overlap[i] & (jnp.arange(10) > i)), kept)

        return jax.lax.fori_loop(0, 10, body, jnp.ones(10, bool))

    low = g.random((10, 2)).astype(np.float32)
    return f, [np.concatenate([low, low + np.float32(0.4)], 1), floats(g, 10)]
