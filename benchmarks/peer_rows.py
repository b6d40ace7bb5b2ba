# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The programs of benchmarks/beside-xla: functions of JAX and their inputs.

A row is (group, name, function, inputs). An input is an array, made when it is asked
for. Inputs are of the sizes that networks have: results that overflow or are subnormal
would be measured otherwise.
"""

import jax
import jax.numpy as jnp
import jax.scipy.special as special
import numpy as np
from jax import lax

ROWS = []


def row(group, name, function, *inputs):
    ROWS.append((group, name, function, inputs))


def f32(*shape, scale=1.0):
    return lambda g: (g.standard_normal(shape) * scale).astype(np.float32)


def of(dtype, *shape):
    return lambda g: g.standard_normal(shape).astype(dtype)


def ints(high, *shape, dtype=np.int32):
    return lambda g: g.integers(0, high, shape).astype(dtype)


def positive(*shape, dtype=np.float32):
    return lambda g: g.uniform(0.05, 0.95, shape).astype(dtype)


def definite(*shape):
    def make(g):
        a = g.standard_normal(shape).astype(np.float32)
        return a @ np.swapaxes(a, -1, -2) / shape[-1] + np.eye(shape[-1], dtype=np.float32)

    return make


def products():
    for m, k, n in [(1024, 1024, 1024), (128, 4096, 4096), (1, 4096, 4096), (7, 4096, 4096), (4096, 64, 4096), (37, 1000, 1000)]:
        row("products", f"{m}x{k}x{n}", jnp.matmul, f32(m, k), f32(k, n, scale=k**-0.5))
    row("products", "transposed left 1024", lambda a, b: a.T @ b, f32(1024, 1024), f32(1024, 1024, scale=0.03))
    row("products", "transposed right 1024", lambda a, b: a @ b.T, f32(1024, 1024), f32(1024, 1024, scale=0.03))
    row("products", "64 of 64x64x64", jnp.matmul, f32(64, 64, 64), f32(64, 64, 64))
    row("products", "1000 of 8x8x8", jnp.matmul, f32(1000, 8, 8), f32(1000, 8, 8))

    def narrow(a, b):
        return lax.dot(a, b, preferred_element_type=jnp.float32 if a.dtype == jnp.bfloat16 else jnp.int32)

    row("products", "bf16 to f32 1024", narrow, of(jnp.bfloat16, 1024, 1024), of(jnp.bfloat16, 1024, 1024))
    row("products", "i8 to i32 1024", narrow, ints(100, 1024, 1024, dtype=np.int8), ints(100, 1024, 1024, dtype=np.int8))


def rows():
    norm = lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    rms = lambda x: x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)
    for shape in [(64, 64), (512, 512), (4096, 1024), (8192, 64)]:
        name = f"{shape[0]}x{shape[1]}"
        row("rows", f"softmax {name}", jax.nn.softmax, f32(*shape))
        row("rows", f"layer norm {name}", norm, f32(*shape))
    row("rows", "rms norm 4096x1024", rms, f32(4096, 1024))
    row("rows", "logsumexp 4096x1024", lambda x: jax.nn.logsumexp(x, axis=-1), f32(4096, 1024))
    row("rows", "sums of columns 4096x1024", lambda x: x.sum(0), f32(4096, 1024))
    row("rows", "sum 16M", jnp.sum, f32(4096, 4096))
    row("rows", "cumsum 64x16384", lambda x: jnp.cumsum(x, -1), f32(64, 16384))
    row("rows", "argmax 1024x4096", lambda x: jnp.argmax(x, -1), f32(1024, 4096))
    row("rows", "gradient of log softmax 1024x1024", jax.grad(lambda x: jax.nn.log_softmax(x)[:, 0].sum()), f32(1024, 1024))
    row("rows", "gradient of layer norm 1024x1024", jax.grad(lambda x: (norm(x) ** 3).sum()), f32(1024, 1024))
    row("rows", "transpose 4096x4096", lambda x: x.T + 0, f32(4096, 4096))
    row("rows", "gelu 4096x1024", lambda x: jax.nn.gelu(x, approximate=False), f32(4096, 1024))


def functions():
    for name, f in {
        "exp": jnp.exp, "log": jnp.log, "log1p": jnp.log1p, "expm1": jnp.expm1, "sin": jnp.sin, "tan": jnp.tan, "tanh": jnp.tanh,
        "pow": lambda x: x ** (1.7 + x), "atan2": lambda x: jnp.arctan2(x, x + 0.3), "cbrt": jnp.cbrt, "erf": special.erf,
        "erfc": special.erfc, "erf_inv": special.erfinv, "lgamma": special.gammaln, "digamma": special.digamma, "asin": jnp.arcsin,
    }.items():
        row("functions", f"{name} of 1M f32", f, positive(1 << 20))
    for name, f in {"exp": jnp.exp, "log": jnp.log, "tanh": jnp.tanh, "erf": special.erf, "sin": jnp.sin, "pow": lambda x: x ** (1.7 + x)}.items():
        row("functions", f"{name} of 1M f64", f, positive(1 << 20, dtype=np.float64))


def random_and_sorts():
    key = lambda g: np.array([1, 2], np.uint32)
    row("random", "normal 1M", lambda k: jax.random.normal(k, (1 << 20,)), key)
    row("random", "uniform 1M", lambda k: jax.random.uniform(k, (1 << 20,)), key)
    row("random", "bits 4M", lambda k: jax.random.bits(k, (1 << 22,)), key)
    row("sorts", "top_k 64x32000, 50", lambda x: lax.top_k(x, 50), f32(64, 32000))
    row("sorts", "top_k 4x40000, 5", lambda x: lax.top_k(x, 5), f32(4, 40000))
    row("sorts", "sort 300,000", jnp.sort, f32(300000))
    row("sorts", "argsort 64x4096", lambda x: jnp.argsort(x, -1), f32(64, 4096))
    row("sorts", "searchsorted 100,000 in 10,000", lambda s, x: jnp.searchsorted(jnp.sort(s), x), f32(10000), f32(100000))
    row("gathers", "embedding 30522x768, 512 rows", lambda t, i: t[i], f32(30522, 768), ints(30522, 512))
    row("gathers", "gradient of an embedding 30522x256", lambda t, i, d: t.at[i].add(d), f32(30522, 256), ints(30522, 2048), f32(2048, 256))


def attention_of(q, k, v, causal):
    s = jnp.einsum("hqd,hkd->hqk", q, k) * q.shape[-1] ** -0.5
    if causal:
        s = jnp.where(jnp.tril(jnp.ones(s.shape[1:], bool)), s, -1e9)
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(s), v)


def attention():
    for size in (256, 1024, 2048):
        qkv = [f32(8, size, 64)] * 3
        row("attention", f"8x{size}x64", lambda q, k, v: attention_of(q, k, v, False), *qkv)
        row("attention", f"8x{size}x64, causal", lambda q, k, v: attention_of(q, k, v, True), *qkv)
    for size in (256, 512, 1024):
        qkv = [f32(8, size, 64)] * 3
        gradient = jax.grad(lambda q, k, v: (attention_of(q, k, v, False) ** 2).sum(), (0, 1, 2))
        row("attention", f"gradient 8x{size}x64", gradient, *qkv)


def convolutions():
    def conv(x, w, stride=1, groups=1, **more):
        return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups, **more)

    row("convolutions", "3x3, 56x56x64 to 64", conv, f32(4, 56, 56, 64), f32(3, 3, 64, 64, scale=0.05))
    row("convolutions", "1x1, 28x28x256 to 256", conv, f32(4, 28, 28, 256), f32(1, 1, 256, 256, scale=0.05))
    row("convolutions", "7x7 by 2, 224x224x3 to 64", lambda x, w: conv(x, w, 2), f32(1, 224, 224, 3), f32(7, 7, 3, 64, scale=0.05))
    row("convolutions", "depthwise 3x3, 56x56x128", lambda x, w: conv(x, w, groups=128), f32(4, 56, 56, 128), f32(3, 3, 1, 128))
    row("convolutions", "3x3 dilated by 2", lambda x, w: conv(x, w, rhs_dilation=(2, 2)), f32(2, 56, 56, 64), f32(3, 3, 64, 64, scale=0.05))
    loss = lambda x, w: (conv(x, w) ** 2).sum()
    row("convolutions", "gradient of the input", jax.grad(loss, 0), f32(2, 28, 28, 128), f32(3, 3, 128, 128, scale=0.03))
    row("convolutions", "gradient of the filter", jax.grad(loss, 1), f32(2, 28, 28, 128), f32(3, 3, 128, 128, scale=0.03))
    maximum = lambda x, window, strides: lax.reduce_window(x, -jnp.inf, lax.max, window, strides, "SAME")
    row("windows", "maxima 3x3 by 2, 112x112x64", lambda x: maximum(x, (1, 3, 3, 1), (1, 2, 2, 1)), f32(16, 112, 112, 64))
    row("windows", "maxima 3x3 by 2, 64x112x112", lambda x: maximum(x, (1, 1, 3, 3), (1, 1, 2, 2)), f32(16, 64, 112, 112))
    row("windows", "gradient of maxima", jax.grad(lambda x: (maximum(x, (1, 3, 3, 1), (1, 2, 2, 1)) ** 2).sum()), f32(8, 112, 112, 64))
    sums = lambda x: lax.reduce_window(x, 0.0, lax.add, (3, 3), (1, 1), "SAME")
    row("windows", "sums 3x3, 4096x4096", sums, f32(4096, 4096))


def linear_algebra():
    row("linear algebra", "solve 1000x8x8", jnp.linalg.solve, definite(1000, 8, 8), f32(1000, 8, 1))
    row("linear algebra", "Cholesky 256", jnp.linalg.cholesky, definite(256, 256))
    row("linear algebra", "Cholesky 1000x8x8", jnp.linalg.cholesky, definite(1000, 8, 8))
    row("linear algebra", "inverse 128", jnp.linalg.inv, definite(128, 128))
    row("linear algebra", "QR 128x64", jnp.linalg.qr, f32(128, 64))
    row("linear algebra", "fft 64x4096", jnp.fft.fft, of(np.complex64, 64, 4096))
    row("linear algebra", "rfft 64x4096", jnp.fft.rfft, f32(64, 4096))
    row("linear algebra", "rfft 64x3125", jnp.fft.rfft, f32(64, 3125))
    row("linear algebra", "irfft 64x3125", lambda x: jnp.fft.irfft(x, 3125), of(np.complex64, 64, 1563))


def training():
    def mlp(p, x, y):
        h = x
        for w, b in zip(p[0::2], p[1::2]):
            h = jnp.tanh(h @ w + b)
        return ((h - y) ** 2).mean()

    def step(*a):
        *p, x, y = a
        return [w - 0.1 * g for w, g in zip(p, jax.grad(lambda p: mlp(p, x, y))(p))]

    for batch, width in [(32, 128), (256, 1024)]:
        sizes = [width, width, width]
        parameters = [f for _ in sizes for f in (f32(width, width, scale=width**-0.5), f32(width))]
        row("training", f"MLP of 3 layers, {batch}x{width}", step, *parameters, f32(batch, width), f32(batch, width))

    def block(x, wq, wo, w1, w2):
        def norm(v):
            return (v - v.mean(-1, keepdims=True)) * lax.rsqrt(v.var(-1, keepdims=True) + 1e-5)

        q, k, v = jnp.split((norm(x) @ wq).reshape(-1, 3 * 8, 64).transpose(1, 0, 2), 3)
        x = x + attention_of(q, k, v, True).transpose(1, 0, 2).reshape(x.shape) @ wo
        return x + jax.nn.gelu(norm(x) @ w1) @ w2

    weights = [f32(512, 1536, scale=0.04), f32(512, 512, scale=0.04), f32(512, 2048, scale=0.04), f32(2048, 512, scale=0.02)]
    row("training", "transformer block, 256 tokens", block, f32(256, 512), *weights)
    gradient = jax.grad(lambda *a: (block(*a) ** 2).mean(), tuple(range(5)))
    row("training", "its gradient", gradient, f32(256, 512), *weights)

    def adam(p, g, m, v):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        return p - 0.001 * m / (jnp.sqrt(v) + 1e-8), m, v

    row("training", "Adam of 4M", adam, f32(2048, 2048), f32(2048, 2048), f32(2048, 2048), positive(2048, 2048))


def networks():
    """Training steps of whole networks: SGD with momentum, and Adam."""

    def conv(x, w, stride):
        return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def batch_norm(x, scale, offset):
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * (scale * lax.rsqrt(var + 1e-5)) + offset

    stages = [(64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)]

    def resnet(p, x):
        p = iter(p)

        def unit(x, stride):
            return batch_norm(conv(x, next(p), stride), next(p), next(p))

        x = jax.nn.relu(unit(x, 1))
        for channels, stride in stages:
            short = unit(x, stride) if x.shape[-1] != channels else x
            x = jax.nn.relu(unit(jax.nn.relu(unit(x, stride)), 1) + short)
        return x.mean((1, 2)) @ next(p) + next(p)

    def convolution(size, inputs, outputs):
        def scales(g):
            return g.uniform(0.5, 1.5, outputs).astype(np.float32)

        return [f32(size, size, inputs, outputs, scale=(2 / (size * size * inputs)) ** 0.5), scales, f32(outputs, scale=0.1)]

    weights, channels = convolution(3, 3, 64), 64
    for outputs, _ in stages:
        weights += convolution(1, channels, outputs) if channels != outputs else []
        weights += convolution(3, channels, outputs) + convolution(3, outputs, outputs)
        channels = outputs
    weights += [f32(512, 10, scale=0.04), f32(10, scale=0.1)]

    def cross_entropy(logits, labels):
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1).mean()

    def resnet_step(*a):
        *p, x, labels = a
        p, momenta = p[: len(weights)], p[len(weights) :]
        gradients = jax.grad(lambda p: cross_entropy(resnet(p, x), labels))(p)
        momenta = [0.9 * m + g for m, g in zip(momenta, gradients)]
        return [w - 0.1 * m for w, m in zip(p, momenta)], momenta

    row("training", "ResNet-18, 16 images of 32x32", resnet_step, *weights, *weights, f32(16, 32, 32, 3), ints(10, 16))

    width, heads, layers, tokens, vocabulary = 256, 4, 4, 256, 4096

    def gpt(p, ids):
        def norm(x):
            return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

        table, places, *blocks = p
        x = table[ids] + places
        for wqkv, wo, w1, w2 in zip(*[iter(blocks)] * 4):
            q, k, v = jnp.split((norm(x) @ wqkv).reshape(tokens, 3 * heads, width // heads).transpose(1, 0, 2), 3)
            x = x + attention_of(q, k, v, True).transpose(1, 0, 2).reshape(x.shape) @ wo
            x = x + jax.nn.gelu(norm(x) @ w1) @ w2
        return norm(x) @ table.T

    def gpt_step(*a):
        *p, ids, labels = a
        count = len(p) // 3
        p, m, v = p[:count], p[count : 2 * count], p[2 * count :]
        gradients = jax.grad(lambda p: cross_entropy(gpt(p, ids), labels))(p)
        m = [0.9 * x + 0.1 * g for x, g in zip(m, gradients)]
        v = [0.999 * x + 0.001 * g * g for x, g in zip(v, gradients)]
        return [w - 0.001 * x / (jnp.sqrt(y) + 1e-8) for w, x, y in zip(p, m, v)], m, v

    shapes = [(vocabulary, width), (tokens, width)]
    shapes += [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)] * layers
    weights_of_gpt = [f32(*shape, scale=shape[0] ** -0.5 if shape[0] < vocabulary else 0.04) for shape in shapes]
    moments = [f32(*shape, scale=0.001) for shape in shapes] + [positive(*shape) for shape in shapes]
    row("training", "GPT of 4 layers, 256 tokens", gpt_step, *weights_of_gpt, *moments, ints(vocabulary, tokens), ints(vocabulary, tokens))


def small():
    def lorenz(s):
        def derivative(s):
            x, y, z = s
            return jnp.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])

        def step(s, _):
            k1 = derivative(s)
            k2 = derivative(s + 0.005 * k1)
            k3 = derivative(s + 0.005 * k2)
            k4 = derivative(s + 0.01 * k3)
            return s + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + k4), s

        return lax.scan(step, s, None, length=3000)

    row("small", "Lorenz, 3000 steps of RK4", lorenz, f32(3))
    row("small", "x + 1, 8 elements", lambda x: x + 1, f32(8))

    def joints(angles, lengths):
        def step(t, a):
            angle, length = a
            c, s = jnp.cos(angle), jnp.sin(angle)
            turn = jnp.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            t = t @ turn
            return t, t[:, 0] * length

        return lax.scan(step, jnp.eye(3), (angles, lengths))

    row("small", "35 joints", joints, f32(35), f32(35))

    def cable(v):
        def step(v, _):
            return v + 0.1 * (jnp.roll(v, 1) - 2 * v + jnp.roll(v, -1)) - 0.01 * v, None

        return lax.scan(step, v, None, length=200)[0]

    row("small", "cable of 1000, 200 steps", cable, f32(1000))

    def rnn(w, u, x):
        def step(h, a):
            return jnp.tanh(w @ h + u @ a), None

        return lax.scan(step, jnp.zeros(w.shape[0]), x)[0]

    row("small", "RNN of 64, 256 steps", rnn, f32(64, 64, scale=0.1), f32(64, 64, scale=0.1), f32(256, 64))
    row("small", "updates in a loop of 20,000", lambda x: lax.fori_loop(0, 20000, lambda i, a: a.at[i].set(i * 1.0), x), f32(20000))


for add in (products, rows, functions, random_and_sorts, attention, convolutions, linear_algebra, training, networks, small):
    add()
