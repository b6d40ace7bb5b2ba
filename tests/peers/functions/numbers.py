# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Element types other than f32 and i32."""

import jax
import jax.numpy as jnp
import numpy as np
from functions.registry import floats, function
from jax import lax


@function(0, relative=1e-13)
def doubles(g):
    def f(x, w):
        return jax.nn.softmax(x @ w), jnp.cumsum(x, 1), jnp.linalg.inv(w), jax.scipy.special.erf(x), jnp.sum(x.astype(jnp.float32) - x)

    return f, [g.standard_normal((3, 4)), g.standard_normal((4, 4)) + 3 * np.eye(4)]


@function(0, relative=1e-2)
def halves(g):
    def f(x, w):
        x, w = x.astype(jnp.bfloat16), w.astype(jnp.bfloat16)
        y = x.astype(jnp.float16)
        return jax.nn.gelu(x @ w), x.sum(0), jnp.exp(y), y @ w.astype(jnp.float16), lax.reduce_precision(x.astype(jnp.float32), 5, 3), jnp.sort(x, 1)

    return f, [floats(g, 4, 6), floats(g, 6, 5)]


@function(0, relative=1e-6)
def quantized_product(g):
    """Numbers of eight bits with a scale for each row and column."""

    def f(x, w):
        def quantize(v, axis):
            scale = jnp.abs(v).max(axis, keepdims=True) / 127
            return jnp.round(v / scale).astype(jnp.int8), scale

        (a, sa), (b, sb) = quantize(x, 1), quantize(w, 0)
        return lax.dot(a, b, preferred_element_type=jnp.int32) * sa * sb, a, b

    return f, [floats(g, 4, 16), floats(g, 16, 5)]


@function(0, relative=1e-6)
def small_floats(g):
    def f(x):
        kinds = [jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float8_e4m3b11fnuz, jnp.float8_e4m3fnuz, jnp.float8_e5m2fnuz]
        cast = [x.astype(kind).astype(jnp.float32) for kind in kinds]
        a = x.astype(jnp.float8_e4m3fn)
        return *cast, lax.dot(a, a.T, preferred_element_type=jnp.float32), x.astype(jnp.int4).astype(jnp.int32)

    return f, [3 * floats(g, 5, 6)]


@function(0)
def unsigned_numbers(g):
    def f(a, b):
        return (
            a + b, a - b, a * b, a // (b | 1), a % (b | 1), a > b, jnp.maximum(a, b), a >> 3, a.astype(jnp.float32), a.astype(jnp.int8),
            a.sum(dtype=jnp.uint32), jnp.sort(a), lax.population_count(a), ~a, a.astype(jnp.uint64) << 60, lax.top_k(a, 3), jnp.argmax(b),
        )  # fmt: skip

    return f, [g.integers(0, 2**32, 20, dtype=np.uint32), g.integers(0, 2**32, 20, dtype=np.uint32)]


@function(0)
def bit_tricks(g):
    def f(x, n):
        bits = x.view(jnp.int32)
        return lax.bitcast_convert_type(x, jnp.uint8), (bits >> 23) & 0xFF, jnp.packbits(n), jnp.unpackbits(n), lax.bitcast_convert_type(bits, jnp.float32), jnp.frexp(x)

    return f, [floats(g, 8), g.integers(0, 256, 16).astype(np.uint8)]
