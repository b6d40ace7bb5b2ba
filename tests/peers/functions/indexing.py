# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Gathers, scatters, slices at positions that are known when the program runs."""

import jax
import jax.numpy as jnp
import jax.ops
import numpy as np
from functions.registry import floats, function, integers
from jax import lax


@function(0, relative=1e-6)
def segment_sum(g):
    def f(x, segments):
        return (
            jax.ops.segment_sum(x, segments, 5),
            jax.ops.segment_max(x, segments, 5),
            jax.ops.segment_prod(x, segments, 5),
            jax.ops.segment_min(x[:, 0], jnp.sort(segments), 5, indices_are_sorted=True),
        )

    return f, [floats(g, 20, 3), integers(g, -1, 6, 20)]


@function(0)
def histogram(g):
    def f(x, n):
        return jnp.histogram(x, bins=8, range=(-2, 2))[0], jnp.bincount(n, length=6), jnp.digitize(x, jnp.arange(-2.0, 2.0))

    return f, [floats(g, 50), integers(g, 0, 9, 40)]


@function(0, relative=1e-6)
def scatter_add(g):
    """Indices that repeat, and indices outside of the operand."""

    def f(x, rows, updates):
        return (
            x.at[rows].add(updates),
            x.at[rows].add(updates, mode="clip"),
            x.at[rows, :2].multiply(updates[:, :2], mode="drop"),
            x.at[rows].min(updates),
            x.at[:, rows % 5].subtract(1.0),
        )

    return f, [floats(g, 6, 5), np.array([1, 4, 1, -7, 9, 5, 1, -1], np.int32), floats(g, 8, 5)]


@function(0)
def dynamic_slices(g):
    """Starts outside of the operand are clamped."""

    def f(x, i, j, update):
        return (
            lax.dynamic_slice(x, (i, j), (3, 2)),
            lax.dynamic_update_slice(x, update, (j, i)),
            lax.dynamic_index_in_dim(x, i, 1),
            lax.dynamic_slice(x, (jnp.int32(-5), jnp.int32(100)), (2, 2)),
        )

    return f, [floats(g, 6, 7), np.int32(5), np.int32(-2), floats(g, 2, 3)]


@function(0)
def one_hot(g):
    def f(n):
        return jax.nn.one_hot(n, 6), jax.nn.one_hot(n, 6, axis=0, dtype=jnp.int8), jnp.eye(4, 6, k=1)[n % 4]

    return f, [integers(g, -2, 8, 3, 4)]


@function(0)
def compaction(g):
    """Results of a fixed size for sets of unknown size."""

    def f(n, x):
        return (
            jnp.nonzero(n > 2, size=8, fill_value=-1)[0],
            jnp.unique(n, size=6, fill_value=99),
            jnp.compress(n > 1, x, size=5, fill_value=0),
            jnp.searchsorted(jnp.sort(n), jnp.arange(7), side="right"),
        )

    return f, [integers(g, 0, 6, 15), floats(g, 15)]


@function(0)
def advanced_indexing(g):
    def f(x, i, j, mask):
        return x[i, :, j], x[:, i[:, None], j[None, :]], x[..., ::-2], jnp.where(mask[:, None, None], x, 0), x[i].at[..., 0].get()

    return f, [floats(g, 5, 6, 7), integers(g, -5, 5, 4), integers(g, 0, 6, 4), g.random(5) < 0.5]


@function(0, relative=1e-6)
def graph_convolution(g):
    """Messages along the edges of a graph, normalized by degrees."""

    def f(x, senders, receivers, w):
        degree = jax.ops.segment_sum(jnp.ones_like(senders, x.dtype), receivers, 6)
        sums = jax.ops.segment_sum((x @ w)[senders], receivers, 6)
        return jax.nn.relu(sums / jnp.maximum(degree, 1)[:, None])

    return f, [floats(g, 6, 4), integers(g, 0, 6, 14), integers(g, 0, 6, 14), floats(g, 4, 3)]


@function(0)
def rolling(g):
    def f(x, shift):
        return jnp.roll(x, shift, 1), jnp.roll(x, (1, -2), (0, 1)), jnp.pad(x, 2, mode="reflect"), jnp.pad(x, ((1, 0), (0, 3)), mode="wrap"), jnp.rot90(x)

    return f, [floats(g, 4, 6), np.int32(-9)]
