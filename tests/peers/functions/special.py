# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Functions of the reals and of complex numbers."""

import jax
import jax.numpy as jnp
import jax.scipy.special as special
import numpy as np
from functions.registry import floats, function


@function(0, relative=1e-5)
def gamma_functions(g):
    def f(a, x):
        return (
            special.gammaln(x),
            special.digamma(x),
            special.gammainc(a, x),
            special.gammaincc(a, x),
            special.betainc(a, x, 0.3 + 0 * x),
            special.polygamma(2, x),
            special.zeta(1.5 + a, x),
        )

    return f, [np.abs(floats(g, 20)) + np.float32(0.1), np.abs(3 * floats(g, 20)) + np.float32(0.1)]


@function(0, relative=4e-6)
def error_functions(g):
    def f(x):
        return special.erf(x), special.erfc(x), special.erfinv(x / (1 + jnp.abs(x))), special.ndtr(x), special.log_ndtr(x), special.ndtri(jax.nn.sigmoid(x))

    return f, [3 * floats(g, 30)]


@function(0, relative=4e-6)
def bessel_functions(g):
    def f(x):
        return special.i0(x), special.i1(x), special.i0e(x), special.i1e(x)

    return f, [3 * floats(g, 30)]


@function(0, relative=4e-6)
def activations(g):
    def f(x):
        names = ["relu6", "silu", "gelu", "elu", "selu", "softplus", "mish", "hard_swish", "log_sigmoid", "celu", "squareplus", "soft_sign"]
        return [getattr(jax.nn, name)(x) for name in names] + [jax.grad(lambda x: jax.nn.gelu(x, approximate=False).sum())(x)]

    return f, [3 * floats(g, 30)]


@function(0, relative=4e-6)
def trigonometry(g):
    def f(x):
        u = x / (1 + jnp.abs(x))
        return (
            jnp.arcsin(u), jnp.arccos(u), jnp.arctan(x), jnp.sinh(x), jnp.cosh(x), jnp.arcsinh(x), jnp.arccosh(1 + x * x),
            jnp.arctanh(u), jnp.arctan2(x, x[::-1]), jnp.hypot(x, x[::-1]), jnp.tan(x), jnp.sinc(x), jnp.expm1(x), jnp.log1p(x * x),
            jnp.cbrt(x), jnp.exp2(x), jnp.log10(x * x), jnp.power(jnp.abs(x), x[::-1]),
        )  # fmt: skip

    return f, [3 * floats(g, 30)]


@function(0, relative=1e-5)
def complex_functions(g):
    def f(a, b):
        z = jax.lax.complex(a, b)
        w = z[::-1]
        return (
            z * w, z / w, jnp.abs(z), jnp.angle(z), jnp.sqrt(z), jnp.exp(z), jnp.log(z), jnp.tanh(z), jnp.sin(z), jnp.cos(z),
            z ** 3, jnp.conj(z) @ w, jnp.arcsin(z), jnp.arctanh(z), jnp.power(z, w), jnp.log1p(z), jnp.expm1(z),
        )  # fmt: skip

    return f, [floats(g, 16), floats(g, 16)]


@function(0)
def corner_cases(g):
    """Signed zeros, infinities, NaN, and integers at the ends of their range."""

    def f(x, n):
        return (
            jnp.sign(x), jnp.floor(x), jnp.round(x), jnp.trunc(x), jnp.maximum(x, x[::-1]), jnp.minimum(x, x[::-1]), jnp.fmod(x, 2),
            jnp.nextafter(x, 1), jnp.isfinite(x), jnp.signbit(x), jnp.copysign(1, x), jnp.clip(x, -1, 1), jnp.nan_to_num(x), x == x[::-1],
            x.astype(jnp.int32), n.astype(jnp.float32), n // n[::-1], n % n[::-1], n << jnp.arange(8), n >> 40, jnp.abs(n),
            jax.lax.population_count(n), jax.lax.clz(n), x.astype(jnp.uint8), jnp.remainder(x, -3), jnp.rint(x), x.view(jnp.int32),
        )  # fmt: skip

    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -2.5, 3e9], np.float32)
    n = np.array([0, -1, 2**31 - 1, -(2**31), 7, -7, 1, 100], np.int32)
    return f, [x, n]
