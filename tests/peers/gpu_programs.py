# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random JAX programs, one or more for each way in which XLA makes kernels for a GPU.

Each has the name of its kind. A kind is a function that draws shapes and types and returns a function of JAX with its arguments.
"""

import jax
import jax.numpy as jnp
import numpy as np

FLOATS = [np.float32, np.float32, np.float32, jnp.bfloat16, np.float16]
INTEGERS = [np.int32, np.int8, np.uint8, np.int16, np.uint32]


class Draw:
    """Random numbers, shapes and arrays."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def one(self, values):
        return values[int(self.random.integers(len(values)))]

    def shape(self, rank, most=4096):
        while True:
            shape = tuple(int(self.one([1, 2, 3, 4, 7, 8, 16, 17, 31, 32, 33, 40, 64, 65, 96, 128])) for _ in range(rank))
            if np.prod(shape) <= most:
                return shape

    def array(self, shape, dtype=np.float32):
        dtype = np.dtype(dtype)
        if dtype == np.bool_:
            return self.random.integers(0, 2, shape).astype(np.bool_)
        if dtype.kind in "iu":
            return self.random.integers(0, 8, shape).astype(dtype)
        if dtype.kind == "c":
            return (self.random.uniform(-1, 1, shape) + 1j * self.random.uniform(-1, 1, shape)).astype(dtype)
        return self.random.uniform(-1, 1, shape).astype(dtype)

    def axis(self, shape):
        return int(self.random.integers(len(shape)))


UNARY = [
    jnp.exp, jnp.tanh, jnp.sin, jnp.cos, jnp.abs, jnp.negative, jnp.floor, jnp.ceil, jnp.round, jnp.sign, jax.nn.sigmoid, jnp.expm1, jax.nn.gelu, jax.nn.relu,
    lambda x: jnp.sqrt(jnp.abs(x)), lambda x: jnp.log(jnp.abs(x) + 1), lambda x: 1 / (x * x + 1), lambda x: jax.lax.rsqrt(x * x + 1), lambda x: jnp.log1p(jnp.abs(x)),
    lambda x: x**3, jnp.arctan, lambda x: jnp.where(x > 0, x, 2 * x), lambda x: jax.lax.erf(x), lambda x: jnp.cbrt(x), jnp.isfinite,
]
BINARY = [jnp.add, jnp.subtract, jnp.multiply, jnp.maximum, jnp.minimum, lambda x, y: x / (jnp.abs(y) + 1), jnp.arctan2, lambda x, y: jnp.power(jnp.abs(x), y)]
INTEGER_BINARY = [
    jnp.add, jnp.subtract, jnp.multiply, jnp.maximum, jnp.minimum, jnp.bitwise_and, jnp.bitwise_or, jnp.bitwise_xor,
    lambda x, y: x // (y + 1), lambda x, y: x % (y + 1), lambda x, y: jnp.left_shift(x, y % 4), lambda x, y: jnp.right_shift(x, y % 4),
]


def elementwise(d):
    shape, dtype, f, g, h = d.shape(d.one([1, 2, 3])), d.one(FLOATS), d.one(UNARY), d.one(UNARY), d.one(BINARY)
    return lambda x, y: h(f(x), g(y)), (d.array(shape, dtype), d.array(shape, dtype))


def integers(d):
    shape, dtype, f, g = d.shape(2), d.one(INTEGERS), d.one(INTEGER_BINARY), d.one(INTEGER_BINARY)
    return lambda x, y: f(g(x, y), y), (d.array(shape, dtype), d.array(shape, dtype))


def bits(d):
    shape, f = d.shape(1), d.one([jax.lax.population_count, jax.lax.clz, lambda x: ~x, lambda x: x.astype(np.int64) * 3, lambda x: jax.lax.bitcast_convert_type(x, np.float32)])
    return f, (d.array(shape, d.one([np.int32, np.uint32])),)


def convert(d):
    types = [np.float32, jnp.bfloat16, np.float16, np.int32, np.int8, np.uint8, np.bool_, jnp.float8_e4m3fn, jnp.float8_e5m2, np.uint32, np.int16]
    a, b, shape = d.one(types), d.one(types), d.shape(2)
    return lambda x: x.astype(b), ((4 * np.asarray(d.array(shape, np.float32))).astype(a),)


def complex_numbers(d):
    shape, f = d.shape(2), d.one([jnp.multiply, lambda x, y: x / (y + 2), lambda x, y: jnp.exp(x) + y, lambda x, y: jnp.abs(x) + jnp.real(y)])
    return f, (d.array(shape, np.complex64), d.array(shape, np.complex64))


def broadcast(d):
    shape, dtype = d.shape(2), d.one(FLOATS)
    f = d.one([lambda x, y: x[:, None] + y[None, :], lambda x, y: x[:, None] * jnp.ones_like(y)])
    return f, (d.array(shape[:1], dtype), d.array(shape[1:], dtype))


def transpose(d):
    rank = d.one([2, 2, 3, 3, 4])
    shape, dtype, order = d.shape(rank, 20000), d.one(FLOATS + [np.int8]), tuple(int(i) for i in d.random.permutation(rank))
    f = d.one([lambda x: jnp.transpose(x, order), lambda x: jnp.transpose(x, order) * 2 + 1, lambda x: (jnp.transpose(x + x, order), x)])
    return f, (d.array(shape, dtype),)


REDUCTIONS = [jnp.sum, jnp.max, jnp.min, jnp.mean, jnp.prod, lambda x, axis: jnp.argmax(x, axis=axis), lambda x, axis: jnp.any(x > 0, axis=axis), lambda x, axis: jax.nn.logsumexp(x, axis=axis), lambda x, axis: jnp.var(x, axis=axis)]


def reduction(d):
    rank = d.one([1, 2, 2, 3])
    shape, dtype, f, g = d.shape(rank, 30000), d.one(FLOATS), d.one(REDUCTIONS), d.one([lambda x: x, jnp.exp, jnp.abs])
    axis = d.one([d.axis(shape), tuple(range(rank)), d.axis(shape)])
    if not isinstance(axis, int) and f is REDUCTIONS[5]:
        axis = None
    return lambda x: f(g(x), axis=axis), (d.array(shape, dtype),)


def long_reduction(d):
    shape = (int(d.random.integers(3000, 40000)),) if d.one([0, 1]) else (int(d.random.integers(1, 4)), int(d.random.integers(3000, 9000)))
    f, axis = d.one([jnp.sum, jnp.max]), d.one([len(shape) - 1, 0])
    return lambda x: f(x, axis=axis), (d.array(shape, d.one([np.float32, np.int32, jnp.bfloat16])),)


def several_results(d):
    shape = d.shape(2)
    f = d.one([lambda x: (x.sum(0), x.max(0)), lambda x: (x * 2, x.sum(1)), lambda x: (x + 1, x * x, jnp.exp(x)), lambda x: (x.T, x.sum(1))])
    return f, (d.array(shape, np.float32),)


def normalization(d):
    shape, dtype = d.shape(2, 20000), d.one(FLOATS)

    def layer(x):
        mean = x.mean(-1, keepdims=True)
        return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-3)

    f = d.one([lambda x: jax.nn.softmax(x, axis=-1), layer, lambda x: x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-3), lambda x: jax.nn.softmax(x, axis=0), lambda x: jax.nn.log_softmax(x, axis=-1)])
    return f, (d.array(shape, dtype),)


def concatenate(d):
    shape, dtype = d.shape(2), d.one(FLOATS + INTEGERS)
    axis = d.axis(shape)
    other = list(shape)
    other[axis] = int(d.random.integers(1, 20))
    return lambda x, y: jnp.concatenate([x, y, x], axis=axis), (d.array(shape, dtype), d.array(tuple(other), dtype))


def movement(d):
    shape, dtype = d.shape(2), d.one(FLOATS + INTEGERS)
    low, high = int(d.random.integers(0, 4)), int(d.random.integers(0, 4))
    f = d.one([
        lambda x: jnp.pad(x, ((low, high), (high, low))), lambda x: x[::-1, ::2], lambda x: x[:, low % shape[1] :], lambda x: jnp.roll(x, low + 1, 1), lambda x: jnp.flip(x, 0) + x,
        lambda x: jnp.repeat(x, 2, axis=0), lambda x: jnp.tile(x, (2, 1)), lambda x: x.reshape(-1)[::3], lambda x: jax.lax.pad(x, x.dtype.type(1), ((low, high, 1), (0, 0, 2))), lambda x: jnp.tril(x),
    ])
    return f, (d.array(shape, dtype),)


def slices(d):
    shape, dtype = d.shape(2), d.one(FLOATS)
    sizes = tuple(int(d.random.integers(1, s + 1)) for s in shape)
    starts = d.random.integers(0, 40, 2).astype(np.int32)
    if d.one([0, 1]):
        return lambda x, i: jax.lax.dynamic_slice(x, (i[0], i[1]), sizes), (d.array(shape, dtype), starts)
    return lambda x, u, i: jax.lax.dynamic_update_slice(x * 2, u, (i[0], i[1])), (d.array(shape, dtype), d.array(sizes, dtype), starts)


def gather(d):
    shape, dtype = d.shape(2), d.one(FLOATS + INTEGERS)
    count = int(d.random.integers(1, 50))
    if d.one([0, 1]):
        return lambda x, i: x[i], (d.array(shape, dtype), d.random.integers(-2, shape[0] + 2, count).astype(np.int32))
    return lambda x, i: jnp.take_along_axis(x, i, axis=1), (d.array(shape, dtype), d.random.integers(0, shape[1], (shape[0], 3)).astype(np.int32))


def scatter(d):
    shape, dtype = d.shape(2), d.one([np.float32, np.float32, np.int32, jnp.bfloat16, np.float16, np.int8])
    count = int(d.random.integers(1, 50))
    f = d.one([lambda x, i, u: x.at[i].add(u), lambda x, i, u: x.at[i].max(u), lambda x, i, u: x.at[i].min(u), lambda x, i, u: x.at[i].add(u, indices_are_sorted=False) * 2])
    rows = d.random.integers(0, shape[0], count) if d.one([0, 1]) else d.random.permutation(shape[0])[: min(count, shape[0])]
    return f, (d.array(shape, dtype), rows.astype(np.int32), d.array((len(rows), shape[1]), dtype))


def scatter_set(d):
    shape, dtype = d.shape(2), d.one(FLOATS)
    rows = d.random.permutation(shape[0])[: max(1, shape[0] // 2)].astype(np.int32)
    return lambda x, i, u: x.at[i].set(u, unique_indices=True), (d.array(shape, dtype), rows, d.array((len(rows), shape[1]), dtype))


def window(d):
    shape = d.shape(2)
    f = d.one([
        lambda x: jnp.cumsum(x, axis=1), lambda x: jnp.cumsum(x, axis=0), lambda x: jax.lax.cummax(x, axis=1),
        lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3), (1, 2), "SAME"), lambda x: jax.lax.reduce_window(x, 0.0, jax.lax.add, (2, 2), (1, 1), "SAME"),
    ])
    return f, (d.array(shape, np.float32),)


def dot(d):
    m, n, k = (int(d.one([8, 16, 17, 32, 40, 64, 65, 96, 128])) for _ in range(3))
    dtype = d.one([np.float32, jnp.bfloat16, jnp.bfloat16, np.float16])
    f = d.one([lambda x, y: x @ y, lambda x, y: jax.nn.gelu(x @ y), lambda x, y: (x @ y).astype(np.float32) + 1, lambda x, y: jnp.exp(x) @ y])
    a, b = d.array((m, k), dtype), d.array((k, n), dtype)
    way = d.one([0, 1, 2])
    if way == 1:
        return lambda x, y: f(x, y.T), (a, b.T.copy())
    if way == 2:
        return lambda x, y: f(x.T, y), (a.T.copy(), b)
    return f, (a, b)


def batch_dot(d):
    b, m, n, k = int(d.one([2, 3])), *(int(d.one([8, 16, 24, 32, 48])) for _ in range(3))
    dtype = d.one([np.float32, jnp.bfloat16, np.float16])
    return lambda x, y: jnp.einsum("bmk,bkn->bmn", x, y), (d.array((b, m, k), dtype), d.array((b, k, n), dtype))


def matrix_vector(d):
    shape = d.shape(2, 20000)
    return lambda x, y: x @ y, (d.array(shape, d.one([np.float32, jnp.bfloat16])), d.array(shape[1:], np.float32))


def loops(d):
    shape = d.shape(2, 600)
    f = d.one([lambda x: jax.lax.fori_loop(0, 4, lambda i, c: jnp.sin(c) + i, x), lambda x: jax.lax.scan(lambda c, r: (c + r, c * r), x[0], x), lambda x: jax.lax.while_loop(lambda c: c.sum() < 50, lambda c: c * 2 + 1, jnp.abs(x))])
    return f, (d.array(shape, np.float32),)


def sort(d):
    shape, axis = d.shape(2, 1500), d.one([0, 1])
    f = d.one([lambda x: jnp.sort(x, axis=axis), lambda x: jnp.argsort(x, axis=axis), lambda x: jnp.median(x, axis=axis)])
    return f, (d.array(shape, np.float32),)


def random_bits(d):
    shape = d.shape(2, 2000)
    return lambda k: jax.random.uniform(jax.random.wrap_key_data(k), shape), (d.random.integers(0, 1 << 32, 2, dtype=np.uint32),)


def gradient(d):
    m, n = int(d.one([8, 17, 32, 40])), int(d.one([8, 16, 33]))
    f = d.one([lambda w, x: (jnp.tanh(x * w) ** 2).sum(), lambda w, x: jax.nn.softmax(w * x).sum(1).max(), lambda w, x: jnp.where(w > x, w, x * x).sum()])
    return jax.grad(f), (d.array((m, n)), d.array((m, n)))


KINDS = [
    elementwise, elementwise, elementwise, integers, bits, convert, complex_numbers, broadcast, transpose, transpose, reduction, reduction, reduction, long_reduction,
    several_results, normalization, normalization, concatenate, movement, movement, slices, gather, scatter, scatter_set, window, dot, dot, dot, batch_dot, matrix_vector,
    loops, sort, random_bits, gradient,
]


def program(seed):
    """The name, the function and the arguments of one seed."""
    d = Draw(seed)
    kind = KINDS[seed % len(KINDS)]
    function, arguments = kind(d)
    return kind.__name__, function, arguments
