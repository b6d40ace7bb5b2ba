# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Steps of training: gradients, optimizers, rules of differentiation."""

import jax
import jax.numpy as jnp
import numpy as np
from functions.registry import floats, function, integers
from jax import lax


@function(0, relative=1e-5)
def adam_step(g):
    def loss(weights, x, y):
        return jnp.mean((jnp.tanh(x @ weights["in"]) @ weights["out"] - y) ** 2)

    def f(a, b, m, v, x, y, step):
        weights = {"in": a, "out": b}
        value, gradient = jax.value_and_grad(loss)(weights, x, y)
        norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
        gradient = jax.tree.map(lambda leaf: leaf / jnp.maximum(norm, 1.0), gradient)
        m = 0.9 * m + 0.1 * gradient["in"]
        v = 0.999 * v + 0.001 * gradient["in"] ** 2
        rate = 1e-2 * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        return value, a - rate * m / (jnp.sqrt(v) + 1e-8), m, v, gradient["out"]

    state = [floats(g, 6, 8), np.abs(floats(g, 6, 8))]
    return f, [floats(g, 6, 8), floats(g, 8, 3), *state, floats(g, 5, 6), floats(g, 5, 3), np.float32(7)]


@function(0, relative=5e-6)
def embedding_gradient(g):
    """The gradient of a gather is a scatter that adds."""

    def f(table, ids, labels):
        def loss(table):
            logits = table[ids].mean(1) @ table.T
            return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean()

        return jax.grad(loss)(table)

    return f, [floats(g, 12, 6), integers(g, 0, 12, 4, 5), integers(g, 0, 12, 4)]


@function(0, relative=1e-5)
def layer_norm_gradient(g):
    def f(x, scale, bias, out):
        def norm(x, scale, bias):
            x = x - x.mean(-1, keepdims=True)
            return x * lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-5) * scale + bias

        return jax.vjp(norm, x, scale, bias)[1](out)

    return f, [floats(g, 4, 16), floats(g, 16), floats(g, 16), floats(g, 4, 16)]


@function(0, relative=1e-5)
def attention_gradient(g):
    def f(q, k, v):
        def loss(q, k, v):
            return (jax.nn.dot_product_attention(q, k, v, is_causal=True) ** 2).sum()

        return jax.grad(loss, (0, 1, 2))(q, k, v)

    return f, [floats(g, 1, 5, 2, 4) for _ in range(3)]


@function(8)
def custom_jvp(g):
    @jax.custom_jvp
    def softplus(x):
        return jnp.logaddexp(x, 0.0)

    @softplus.defjvp
    def _(primals, tangents):
        return softplus(primals[0]), jax.nn.sigmoid(primals[0]) * tangents[0]

    return lambda x, t: jax.jvp(softplus, (x,), (t,)), [10 * floats(g, 30), floats(g, 30)]


@function(0, relative=1e-5)
def custom_vjp_and_checkpoint(g):
    @jax.custom_vjp
    def clipped(x):
        return x

    clipped.defvjp(lambda x: (x, None), lambda _, out: (jnp.clip(out, -0.1, 0.1),))

    def f(x, w):
        layer = jax.checkpoint(lambda x: jnp.sin(clipped(x) @ w))
        return jax.grad(lambda x: layer(layer(x)).sum())(x)

    return f, [floats(g, 3, 5), floats(g, 5, 5)]


@function(0, relative=4e-6)
def dropout(g):
    def f(x, w, key):
        kept = jax.random.bernoulli(key, 0.7, x.shape)
        return jnp.where(kept, x / 0.7, 0) @ w

    return f, [floats(g, 6, 9), floats(g, 9, 2), np.array([0, 4], np.uint32)]


@function(0, relative=1e-5)
def batch_norm(g):
    def f(x, scale, bias, mean, variance):
        at = lambda v: v[None, None, None, :]  # noqa: E731
        now, spread = x.mean((0, 1, 2)), x.var((0, 1, 2))
        out = (x - at(now)) * lax.rsqrt(at(spread) + 1e-3) * at(scale) + at(bias)
        return out, 0.9 * mean + 0.1 * now, 0.9 * variance + 0.1 * spread

    return f, [floats(g, 2, 3, 4, 5), *(floats(g, 5) for _ in range(3)), np.abs(floats(g, 5))]


@function(0, relative=1e-5)
def hessian(g):
    f = jax.hessian(lambda x: jnp.log1p(jnp.sum(jnp.cos(x) ** 2) * x.prod()))
    return f, [np.abs(floats(g, 4)) + np.float32(0.5)]


@function(0, relative=2e-5)
def lora_step(g):
    """A stochastic gradient step of a factor of rank 2, in bfloat16 products."""

    def f(x, w, a, b, y):
        def loss(a, b):
            half = lambda v: v.astype(jnp.bfloat16)  # noqa: E731
            out = jnp.dot(half(x), half(w), preferred_element_type=jnp.float32) + (x @ a) @ b
            return jnp.square(out - y).mean()

        da, db = jax.grad(loss, (0, 1))(a, b)
        return a - 0.1 * da, b - 0.1 * db

    return f, [floats(g, 5, 8), floats(g, 8, 6), floats(g, 8, 2), floats(g, 2, 6), floats(g, 5, 6)]
