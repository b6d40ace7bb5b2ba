# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Control flow."""

import jax
import jax.numpy as jnp
import numpy as np
from functions.registry import floats, function, integers
from jax import lax


@function(0, relative=2e-6)
def scan_with_results(g):
    def f(xs, w):
        def step(carry, x):
            hidden, count = carry
            hidden = jnp.tanh(hidden @ w + x)
            return (hidden, count + (x > 0).sum()), (hidden[0], count)

        forward = lax.scan(step, (jnp.zeros(4, jnp.float32), 0), xs)
        return forward, lax.scan(step, (jnp.ones(4, jnp.float32), 0), xs, reverse=True, unroll=2)

    return f, [floats(g, 7, 4), floats(g, 4, 4)]


@function(0, relative=1e-5)
def scan_gradient(g):
    def f(xs, w):
        def loss(w):
            step = lambda h, x: (jnp.tanh(h @ w + x),) * 2  # noqa: E731
            return lax.scan(step, jnp.zeros(4, jnp.float32), xs)[1].sum()

        return jax.grad(loss)(w)

    return f, [floats(g, 6, 4), floats(g, 4, 4)]


@function(0)
def vmap_of_while(g):
    """Each element of the batch has its own number of iterations."""

    def collatz(n):
        def body(state):
            n, steps = state
            return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

        return lax.while_loop(lambda state: state[0] != 1, body, (n, 0))

    return jax.vmap(collatz), [integers(g, 1, 60, 12)]


@function(0, relative=1e-6)
def vmap_of_cond(g):
    def one(x, flag):
        return lax.cond(flag, lambda x: jnp.sin(x), lambda x: x * x, x), lax.cond(x[0] > 0, jnp.sum, jnp.prod, x)

    return jax.vmap(one), [floats(g, 6, 3), g.random(6) < 0.5]


@function(0, relative=1e-6)
def cond_and_switch(g):
    def f(x, i, flag):
        kinds = [jnp.sin, jnp.cos, lambda x: x + 1]
        return (
            lax.switch(i, kinds, x),
            lax.switch(i - 7, kinds, x),
            lax.cond(flag, lambda x, y: (x, y), lambda x, y: (y, x), x, 2 * x),
        )

    return f, [floats(g, 5), np.int32(8), np.bool_(True)]


@function(0)
def nested_loops(g):
    def f(x):
        def outer(i, x):
            def inner(state):
                j, x = state
                return j + 1, x.at[j, i].add(x[i, j] + j)

            return lax.while_loop(lambda state: state[0] < i, inner, (0, x))[1]

        return lax.fori_loop(0, 5, outer, x)

    return f, [integers(g, -3, 4, 5, 5)]


@function(0, relative=2e-6)
def associative_scan(g):
    """A linear recurrence, and the maximum with its position."""

    def f(a, b):
        def linear(left, right):
            return left[0] * right[0], left[1] * right[0] + right[1]

        def later(left, right):
            better = right[0] >= left[0]
            return tuple(jnp.where(better, r, l) for l, r in zip(left, right))

        return lax.associative_scan(linear, (a, b)), lax.associative_scan(later, (a, jnp.arange(13)), reverse=True)

    return f, [floats(g, 13), floats(g, 13)]


@function(0)
def edit_distance(g):
    def f(a, b):
        def row(previous, x):
            def cell(left, args):
                up, corner, y = args
                best = jnp.minimum(jnp.minimum(left, up) + 1, corner + (x != y))
                return best, best

            first = previous[0] + 1
            rest = lax.scan(cell, first, (previous[1:], previous[:-1], b))[1]
            now = jnp.concatenate([first[None], rest])
            return now, now[-1]

        return lax.scan(row, jnp.arange(b.shape[0] + 1), a)

    return f, [integers(g, 0, 3, 7), integers(g, 0, 3, 6)]


@function(0, relative=1e-5)
def newton_method(g):
    def f(x):
        def solve(x):
            step = lambda y: y - (y**3 - x) / (3 * y * y)  # noqa: E731
            return lax.while_loop(lambda y: jnp.abs(y**3 - x) > 1e-4 * x, step, jnp.maximum(x, 1.0))

        @jax.custom_vjp
        def root(x):
            return solve(x)

        root.defvjp(lambda x: (solve(x),) * 2, lambda y, out: (out / (3 * y * y),))
        return jax.vmap(solve)(x), jax.vmap(jax.grad(root))(x)

    return f, [np.abs(floats(g, 6)) + np.float32(0.2)]


@function(0, relative=2e-5)
def runge_kutta(g):
    def f(y, times):
        from jax.experimental.ode import odeint

        return odeint(lambda y, t: jnp.stack([y[1], -jnp.sin(y[0]) - 0.1 * y[1]]), y, times)

    return f, [floats(g, 2), np.linspace(0, 2, 5).astype(np.float32)]
