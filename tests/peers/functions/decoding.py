# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Parts of language models: attention, caches, positions, sampling."""

import jax
import jax.numpy as jnp
import numpy as np
from functions.registry import floats, function, integers
from jax import lax


@function(0, relative=4e-6)
def decode_with_cache(g):
    """One step of decoding: the new key and value go into the caches, at a position
    that is known when the program runs."""

    def f(x, wq, wk, wv, keys, values, position):
        heads = lambda w: (x @ w).reshape(2, 1, 2, 4)  # noqa: E731
        zero = jnp.zeros_like(position)
        keys = lax.dynamic_update_slice(keys, heads(wk), (zero, position, zero, zero))
        values = lax.dynamic_update_slice(values, heads(wv), (zero, position, zero, zero))
        scores = jnp.einsum("bqhd,bkhd->bhqk", heads(wq), keys) / 2
        scores = jnp.where(jnp.arange(9) <= position, scores, -jnp.inf)
        mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), values)
        return mixed.reshape(2, 8), keys, values

    weights = [floats(g, 8, 8) for _ in range(3)]
    return f, [floats(g, 2, 1, 8), *weights, floats(g, 2, 9, 2, 4), floats(g, 2, 9, 2, 4), np.int32(5)]


@function(0, relative=4e-6)
def masked_attention(g):
    def f(q, k, v, lengths):
        mask = jnp.arange(7)[None, :] < lengths[:, None]
        return jax.nn.dot_product_attention(q, k, v, mask=mask[:, None, None, :], is_causal=True)

    return f, [*(floats(g, 2, 7, 2, 4) for _ in range(3)), np.array([7, 3], np.int32)]


@function(0, relative=4e-6)
def grouped_query_attention(g):
    def f(q, k, v):
        return jax.nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=(3, 0))

    return f, [floats(g, 1, 6, 4, 8), floats(g, 1, 6, 2, 8), floats(g, 1, 6, 2, 8)]


@function(0, relative=2e-6)
def rotary_positions(g):
    """Pairs of neighbors are rotated, as complex numbers."""

    def f(x, offset):
        angles = jnp.outer(jnp.arange(6) + offset, 10000.0 ** (-jnp.arange(0, 8, 2, dtype=jnp.float32) / 8))
        pairs = x.reshape(2, 6, 4, 2)
        turned = lax.complex(pairs[..., 0], pairs[..., 1]) * jnp.exp(1j * angles.astype(jnp.float32))
        return jnp.stack([turned.real, turned.imag], -1).reshape(2, 6, 8)

    return f, [floats(g, 2, 6, 8), np.int32(11)]


@function(0)
def sample_nucleus(g):
    """Of the most likely tokens with a total probability of 0.8, one is drawn."""

    def f(logits, key):
        order = jnp.argsort(-logits)
        sums = jnp.cumsum(jax.nn.softmax(logits[order]))
        kept = jnp.where(sums < 0.8, logits[order], -jnp.inf).at[0].set(logits[order[0]])
        return order[jax.random.categorical(key, kept, shape=(5,))]

    return f, [floats(g, 30), np.array([1, 9], np.uint32)]


@function(0, relative=4e-6)
def speculative_tokens(g):
    """The longest prefix of draft tokens that the model would draw as well."""

    def f(draft, target, tokens):
        at = lambda p: jnp.take_along_axis(jax.nn.softmax(p), tokens[:, None], 1)[:, 0]  # noqa: E731
        accepted = jnp.cumprod((at(target) >= 0.5 * at(draft)).astype(jnp.int32))
        rest = jnp.maximum(jax.nn.softmax(target) - jax.nn.softmax(draft), 0)
        return accepted.sum(), rest / rest.sum(-1, keepdims=True)

    return f, [floats(g, 5, 8), floats(g, 5, 8), integers(g, 0, 8, 5)]


@function(0, relative=4e-6)
def mixture_of_experts(g):
    """Each token goes to two experts. An expert takes at most four tokens."""

    def f(x, gate, experts):
        weights, chosen = lax.top_k(jax.nn.softmax(x @ gate), 2)
        places = jax.nn.one_hot(chosen.reshape(-1), 3, dtype=jnp.int32)
        rank = (jnp.cumsum(places, 0) * places).sum(-1) - 1
        kept = rank < 4
        slots = jnp.where(kept, chosen.reshape(-1) * 4 + rank, 12)
        sent = jnp.zeros((12, 8), x.dtype).at[slots].set(jnp.repeat(x, 2, 0), mode="drop")
        done = jnp.einsum("ecd,edf->ecf", sent.reshape(3, 4, 8), experts).reshape(12, 8)
        back = jnp.where(kept[:, None], done.at[slots].get(mode="fill", fill_value=0), 0)
        return (back.reshape(6, 2, 8) * weights[..., None]).sum(1)

    return f, [floats(g, 6, 8), floats(g, 8, 3), floats(g, 3, 8, 8)]
