# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Functions exported for all sizes: extents are unknown, and are computed with."""

import jax
import jax.numpy as jnp
import numpy as np
from functions.registry import floats, function, integers
from jax import lax


@function(0, relative=4e-6, shapes=["(b, n, 8)", "(8, 8)"])
def attention_of_any_length(g):
    def f(x, w):
        q = x @ w
        scores = jnp.einsum("bqd,bkd->bqk", q, x)
        n = x.shape[1]
        mask = lax.broadcasted_iota(jnp.int32, (n, n), 0) >= lax.broadcasted_iota(jnp.int32, (n, n), 1)
        return jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)) @ x

    return f, [floats(g, 2, 5, 8), floats(g, 8, 8)]


@function(0, relative=2e-6, shapes=["(b, h, w, 3)", "(3, 3, 3, 4)"])
def convolution_of_any_size(g):
    def f(x, k):
        out = lax.conv_general_dilated(x, k, (1, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jax.nn.relu(out), lax.reduce_window(out, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), "VALID"), out.mean((1, 2))

    return f, [floats(g, 2, 6, 7, 3), floats(g, 3, 3, 3, 4)]


@function(0, shapes=["(n, m)", "(n)"])
def moves_of_any_size(g):
    def f(x, i):
        n, m = x.shape
        return (
            x.T.reshape(-1),
            jnp.pad(x, ((1, 2), (0, 3))),
            x[:, ::2],
            jnp.flip(x, 0),
            x[i % n],
            jnp.tile(x, (2, 1)),
            jnp.concatenate([x, x[:1]]),
            jnp.arange(n * m).reshape(m, n),
            jnp.where(x > 0, x, jnp.broadcast_to(x[0], (n, m))),
        )

    return f, [floats(g, 4, 5), integers(g, 0, 100, 4)]


@function(0, relative=1e-6, shapes=["(n)", "(n)"])
def loops_of_any_size(g):
    def f(x, segments):
        total = lax.fori_loop(0, x.shape[0], lambda i, t: t * 0.5 + x[i], jnp.float32(0))
        return total, jnp.cumsum(x), jnp.zeros(4, x.dtype).at[segments].add(x), jnp.argsort(x), lax.scan(lambda c, v: (c + v, c), jnp.float32(0), x)

    return f, [floats(g, 7), integers(g, 0, 4, 7)]


@function(0, relative=1e-5, shapes=["(b, 4, 4)", "(b, 4)"])
def solves_of_any_batch(g):
    def f(a, b):
        a = a @ a.swapaxes(1, 2) + 4 * jnp.eye(4, dtype=a.dtype)
        return jnp.linalg.cholesky(a), jnp.linalg.solve(a, b[..., None])

    return f, [floats(g, 3, 4, 4), floats(g, 3, 4)]


@function(0, shapes=["2", "(n)"])
def random_of_any_size(g):
    def f(key, x):
        return jax.random.bits(key, x.shape), jax.random.uniform(key, x.shape, x.dtype)

    return f, [np.array([3, 9], np.uint32), floats(g, 7)]
