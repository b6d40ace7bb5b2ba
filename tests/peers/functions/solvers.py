# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Linear algebra. JAX lowers these functions to calls of LAPACK. Vectors of a
decomposition have no sign, so products that have none are compared."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np
from functions.registry import floats, function


def definite(g, n):
    a = floats(g, n, n)
    return a @ a.T + np.float32(n) * np.eye(n, dtype=np.float32)


@function(0, relative=1e-5)
def cholesky_solve(g):
    def f(a, b):
        factor = jax.scipy.linalg.cho_factor(a, lower=True)
        return jax.scipy.linalg.cho_solve(factor, b), jnp.linalg.cholesky(a), 2 * jnp.log(jnp.diag(factor[0])).sum()

    return f, [definite(g, 6), floats(g, 6, 2)]


@function(0, relative=1e-5)
def triangular_solves(g):
    def f(a, b):
        solve = jax.scipy.linalg.solve_triangular
        return solve(a, b), solve(a, b, lower=True), solve(a, b, trans=1), solve(a, b, unit_diagonal=True)

    return f, [definite(g, 5), floats(g, 5, 3)]


@function(0, relative=2e-5)
def solve_and_invert(g):
    def f(a, b):
        return jnp.linalg.solve(a, b), jnp.linalg.inv(a), jnp.linalg.det(a), jnp.linalg.slogdet(a)

    return f, [floats(g, 2, 5, 5) + 3 * np.eye(5, dtype=np.float32), floats(g, 2, 5, 2)]


@function(0, relative=2e-5)
def eigenvalues(g):
    def f(a):
        a = a + a.T
        values, vectors = jnp.linalg.eigh(a)
        return values, vectors @ jnp.diag(jnp.exp(values)) @ vectors.T

    return f, [floats(g, 6, 6)]


@function(0, relative=2e-5)
def singular_values(g):
    def f(a):
        u, s, v = jnp.linalg.svd(a, full_matrices=False)
        return s, (u * s) @ v, jnp.linalg.pinv(a), jnp.linalg.norm(a, ord=2)

    return f, [floats(g, 7, 4)]


@function(0, relative=2e-5)
def orthogonal_factor(g):
    def f(a, b):
        q, r = jnp.linalg.qr(a)
        return q @ r, q.T @ q, jnp.abs(jnp.diag(r)), jnp.linalg.lstsq(a, b)[0]

    return f, [floats(g, 7, 4), floats(g, 7)]


@function(0, relative=5e-5)
def gaussian_process(g):
    """The posterior mean and variance at new points, and a gradient of the evidence."""

    def kernel(a, b, scale):
        return jnp.exp(-0.5 * ((a[:, None] - b[None, :]) / scale) ** 2)

    def f(x, y, at, scale):
        def evidence(scale):
            factor = jnp.linalg.cholesky(kernel(x, x, scale) + 0.1 * jnp.eye(8, dtype=x.dtype))
            half = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
            return -0.5 * half @ half - jnp.log(jnp.diag(factor)).sum()

        system = kernel(x, x, scale) + 0.1 * jnp.eye(8, dtype=x.dtype)
        cross = kernel(at, x, scale)
        mean = cross @ jnp.linalg.solve(system, y)
        return mean, 1 - (cross * jnp.linalg.solve(system, cross.T).T).sum(1), jax.grad(evidence)(scale)

    return f, [floats(g, 8), floats(g, 8), floats(g, 3), np.float32(0.7)]


@function(0, relative=2e-5)
def matrix_exponential(g):
    return lambda a: (jax.scipy.linalg.expm(a), jnp.linalg.matrix_power(a, 5)), [floats(g, 4, 4)]


@function(0, relative=1e-5)
def conjugate_gradients(g):
    def f(a, b):
        return jax.scipy.sparse.linalg.cg(lambda x: a @ x, b, maxiter=12)[0]

    return f, [definite(g, 6), floats(g, 6)]
