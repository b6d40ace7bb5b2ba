# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Sums and other folds: along a dimension, over windows, up to each element."""

import jax
import jax.numpy as jnp
import numpy as np
from functions.registry import floats, function, integers
from jax import lax


@function(0, relative=2e-6)
def cumulative_functions(g):
    def f(x):
        return (
            jnp.cumsum(x, 1),
            lax.cumlogsumexp(x, axis=0),
            lax.cumlogsumexp(x, axis=1, reverse=True),
            jnp.cumprod(x, 0),
            lax.cummax(x, axis=1),
            lax.cummin(x, axis=0, reverse=True),
            jnp.diff(x, n=2),
        )

    return f, [floats(g, 5, 9)]


@function(0, relative=4e-6)
def cumulative_gradients(g):
    def f(x):
        loss = lambda x: (jnp.cumsum(x) * jnp.cumprod(x) + lax.cumlogsumexp(x)).sum()  # noqa: E731
        return jax.grad(loss)(x), jax.grad(lambda x: lax.cummax(x).sum())(x)

    return f, [floats(g, 9)]


@function(0, relative=4e-6)
def statistics(g):
    def f(x):
        return (
            x.mean(0),
            x.var(1, ddof=1),
            jnp.cov(x),
            jnp.corrcoef(x),
            jax.nn.logsumexp(x, 1),
            jnp.linalg.norm(x, axis=0),
            jnp.ptp(x),
            jnp.average(x, weights=jnp.abs(x)),
        )

    return f, [floats(g, 4, 9)]


@function(0)
def folds_of_integers(g):
    def f(n, b):
        return (
            n.sum(),
            n.prod(1),
            n.max(0),
            jnp.all(b, 0),
            jnp.any(b, 1),
            jnp.bitwise_xor.reduce(n, axis=1),
            jnp.count_nonzero(n),
            lax.reduce(n, np.int32(-1), lax.bitwise_and, (0,)),
            n.astype(jnp.int8).sum(dtype=jnp.int8),
        )

    return f, [integers(g, -50, 50, 4, 7), g.random((4, 7)) < 0.6]


@function(0, relative=1e-6)
def folds_of_nothing(g):
    def f(x, n):
        return x.sum(0), x.prod(0), jnp.max(n, 0, initial=-3), x.T @ x, jnp.any(n > 0, 0), jnp.concatenate([x, x]), jnp.sort(x, 0), jnp.cumsum(x, 0)

    return f, [floats(g, 0, 3), integers(g, 0, 9, 0, 4)]


@function(0, relative=2e-6)
def windows(g):
    def f(x, n):
        return (
            lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 2), ((1, 0), (2, 2))),
            lax.reduce_window(n, np.int32(0), lax.max, (3,), (1,), "SAME", window_dilation=(2,)),
            lax.reduce_window(n, np.int32(1), lax.mul, (2,), (1,), ((0, 1),), base_dilation=(2,)),
            lax.reduce_window(x, jnp.inf, lax.min, (4, 1), (4, 1), "VALID"),
        )

    return f, [floats(g, 5, 8), integers(g, 1, 5, 9)]


@function(0, relative=1e-5)
def einsums(g):
    def f(a, b, c):
        return (
            jnp.einsum("bij,bjk->ikb", a, b),
            jnp.einsum("bij,bjk,kl->bil", a, b, c),
            jnp.einsum("bii->bi", a[:, :, :4]),
            jnp.einsum("bij->j", a),
            jnp.tensordot(a, c, ((1,), (0,))),
            jnp.vdot(a[0], b[0].T),
            jnp.kron(c[:2, :2], c[2:, 2:]),
        )

    return f, [floats(g, 3, 4, 5), floats(g, 3, 5, 4), floats(g, 4, 4)]


@function(0, relative=1e-6)
def argument_reductions(g):
    """Reductions of several operands, with their own bodies."""

    def f(x, n):
        def best(left, right):
            is_left = (left[0] > right[0]) | ((left[0] == right[0]) & (left[1] < right[1]))
            return tuple(jnp.where(is_left, l, r) for l, r in zip(left, right))

        index = lax.broadcasted_iota(jnp.int32, x.shape, 1)
        return lax.reduce((x, index), (np.float32(-np.inf), np.int32(99)), best, (1,)), jnp.argmax(n, keepdims=True), lax.argmin(x, 0, jnp.uint8)

    return f, [floats(g, 4, 6), integers(g, -3, 3, 3, 4)]
