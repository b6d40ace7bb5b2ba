# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random numbers. Bits are exact, and so is every number that is computed from them
without functions of the reals."""

import jax
import jax.numpy as jnp
import numpy as np
from functions.registry import function
from jax import lax

KEY = np.array([7, 42], np.uint32)


@function(16)
def random_normal(g):
    def f(key):
        a, b, c = jax.random.split(key, 3)
        return jax.random.normal(a, (40,)), jax.random.truncated_normal(b, -1.0, 2.0, (20,)), jax.random.normal(c, (3, 5), jnp.bfloat16)

    return f, [KEY]


@function(0, relative=1e-5)
def random_distributions(g):
    def f(key):
        a, b, c, d = jax.random.split(key, 4)
        return jax.random.exponential(a, (10,)), jax.random.gumbel(b, (10,)), jax.random.laplace(c, (10,)), jax.random.cauchy(d, (10,))

    return f, [KEY]


@function(0, relative=1e-5)
def random_rejection(g):
    """Loops until each element is accepted."""

    def f(key):
        a, b = jax.random.split(key)
        return jax.random.gamma(a, jnp.array([0.3, 1.0, 4.5], jnp.float32)), jax.random.beta(b, 2.0, 3.0, (4,), jnp.float32)

    return f, [KEY]


@function(0)
def random_choices(g):
    def f(key, x):
        a, b, c, d = jax.random.split(key, 4)
        return (
            jax.random.categorical(a, x, shape=(3, 8)),
            jax.random.bernoulli(b, 0.3, (12,)),
            jax.random.choice(c, 10, (4,), replace=False),
            jax.random.permutation(d, 9),
            jax.random.fold_in(key, 12),
            jax.random.poisson(a, jnp.array([0.5, 3.0, 20.0], jnp.float32)),
        )

    return f, [KEY, g.standard_normal(8).astype(np.float32)]


@function(0)
def random_bit_generators(g):
    def f(state):
        key, bits = lax.rng_bit_generator(state, (5, 3), dtype=jnp.uint32)
        key, short = lax.rng_bit_generator(key, (7,), dtype=jnp.uint8)
        key, wide = lax.rng_bit_generator(key, (3,), dtype=jnp.uint64, algorithm=lax.RandomAlgorithm.RNG_THREE_FRY)
        return key, bits, short, wide

    return f, [np.array([1, 2, 3, 4], np.uint32)]


@function(0)
def random_wide_bits(g):
    def f(key):
        keys = jax.random.split(key, (2, 3))
        return jax.vmap(jax.vmap(lambda k: jax.random.bits(k, (3,), jnp.uint64)))(keys), jax.random.bits(key, (5,), jnp.uint16), jax.random.randint(key, (6,), -100, 2**40, jnp.int64)

    return f, [KEY]
