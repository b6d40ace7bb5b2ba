# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Training loops of flax and optax, as users write them: a convolutional network for
images of digits, and a small transformer. The losses of each step on the default device
of JAX, as JSON: {"cnn": [..], "transformer": [..]}. The part `plugin` runs it twice."""

import json

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS = 12


class Network(nn.Module):
    """The network of flax's example for MNIST."""

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(16, (3, 3))(x))
        x = nn.avg_pool(x, (2, 2), strides=(2, 2))
        x = nn.relu(nn.Conv(32, (3, 3))(x))
        x = nn.max_pool(x, (2, 2), strides=(2, 2))
        x = x.reshape((x.shape[0], -1))
        return nn.Dense(10)(nn.relu(nn.Dense(64)(x)))


class Block(nn.Module):
    @nn.compact
    def __call__(self, x, mask):
        x = x + nn.MultiHeadDotProductAttention(num_heads=4)(nn.LayerNorm()(x), mask=mask)
        h = nn.Dense(4 * x.shape[-1])(nn.LayerNorm()(x))
        return x + nn.Dense(x.shape[-1])(nn.gelu(h))


class Transformer(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(64, 32)(tokens) + nn.Embed(16, 32)(jnp.arange(tokens.shape[1]))
        mask = nn.make_causal_mask(tokens)
        for _ in range(2):
            x = Block()(x, mask)
        return nn.Dense(64)(nn.LayerNorm()(x))


def train(model, optimizer, inputs, labels):
    """The losses of the steps."""
    parameters = model.init(jax.random.key(0), inputs[0])
    state = optimizer.init(parameters)

    @jax.jit
    def step(parameters, state, x, y):
        def loss(parameters):
            logits = model.apply(parameters, x)
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

        value, gradients = jax.value_and_grad(loss)(parameters)
        updates, state = optimizer.update(gradients, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    losses = []
    for n in range(STEPS):
        parameters, state, value = step(parameters, state, inputs[n % 2], labels[n % 2])
        losses.append(float(value))
    return losses


def main():
    g = np.random.default_rng(1)
    images = g.standard_normal((2, 16, 28, 28, 1)).astype(np.float32)
    digits = g.integers(0, 10, (2, 16))
    tokens = g.integers(0, 64, (2, 8, 16))
    schedule = optax.warmup_cosine_decay_schedule(0.0, 3e-3, 3, STEPS)
    losses = {
        "cnn": train(Network(), optax.sgd(0.05, momentum=0.9), images, digits),
        "transformer": train(
            Transformer(),
            optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule)),
            tokens,
            np.roll(tokens, -1, axis=2),
        ),
    }
    print(json.dumps(losses))


if __name__ == "__main__":
    main()
