# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Random programs in StableHLO, for benchmarks/estimate.

    name, text = program(seed)

A seed gives the same program everywhere. Programs of neighboring seeds are of different kinds: KINDS
is the list of them, and seed % len(KINDS) the kind.
"""

import random


class Text:
    """A function, operation by operation. A value is a pair of its name and its shape."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.args = []
        self.results = []
        self.number = 0

    @staticmethod
    def type_of(shape, element="f32"):
        return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"

    def new(self):
        self.number += 1
        return f"%{self.number}"

    def arg(self, *shape, element="f32"):
        name = f"%arg{len(self.args)}"
        self.args.append(f"{name}: {self.type_of(shape, element)}")
        return name, tuple(shape)

    def emit(self, code, shape):
        name = self.new()
        self.lines.append(f"  {name} = {code}")
        return name, tuple(shape)

    def constant(self, value, shape=()):
        text = value if isinstance(value, str) else f"{value:e}"
        return self.emit(f"stablehlo.constant dense<{text}> : {self.type_of(shape)}", shape)

    def unary(self, op, x):
        return self.emit(f"stablehlo.{op} {x[0]} : {self.type_of(x[1])}", x[1])

    def binary(self, op, x, y):
        return self.emit(f"stablehlo.{op} {x[0]}, {y[0]} : {self.type_of(x[1])}", x[1])

    def spread(self, x, shape, dims):
        return self.emit(f"stablehlo.broadcast_in_dim {x[0]}, dims = {list(dims)} : "
                         f"({self.type_of(x[1])}) -> {self.type_of(shape)}", shape)

    def scaled(self, x, factor):
        return self.binary("multiply", x, self.constant(factor, x[1]))

    def dot(self, x, y, contract, batch=((), ())):
        shape = [x[1][i] for i in batch[0]]
        shape += [n for i, n in enumerate(x[1]) if i not in batch[0] and i not in contract[0]]
        shape += [n for i, n in enumerate(y[1]) if i not in batch[1] and i not in contract[1]]
        batching = f" batching_dims = {list(batch[0])} x {list(batch[1])}," if batch[0] else ""
        return self.emit(f"stablehlo.dot_general {x[0]}, {y[0]},{batching} contracting_dims = "
                         f"{list(contract[0])} x {list(contract[1])} : ({self.type_of(x[1])}, "
                         f"{self.type_of(y[1])}) -> {self.type_of(shape)}", shape)

    def reduce(self, x, dims, op="add"):
        init = self.constant("0xFF800000" if op == "maximum" else "0.0")
        shape = [n for i, n in enumerate(x[1]) if i not in dims]
        return self.emit(f"stablehlo.reduce({x[0]} init: {init[0]}) applies stablehlo.{op} across dimensions = "
                         f"{list(dims)} : ({self.type_of(x[1])}, tensor<f32>) -> {self.type_of(shape)}", shape)

    def transpose(self, x, order):
        shape = [x[1][i] for i in order]
        return self.emit(f"stablehlo.transpose {x[0]}, dims = {list(order)} : ({self.type_of(x[1])}) -> "
                         f"{self.type_of(shape)}", shape)

    def reshape(self, x, *shape):
        return self.emit(f"stablehlo.reshape {x[0]} : ({self.type_of(x[1])}) -> {self.type_of(shape)}", shape)

    def select(self, condition, x, y):
        return self.emit(f"stablehlo.select {condition[0]}, {x[0]}, {y[0]} : "
                         f"{self.type_of(x[1], 'i1')}, {self.type_of(x[1])}", x[1])

    def compare(self, how, x, y, element="f32"):
        kind = self.type_of(x[1], element)
        return self.emit(f"stablehlo.compare {how}, {x[0]}, {y[0]} : ({kind}, {kind}) -> "
                         f"{self.type_of(x[1], 'i1')}", x[1])

    def iota(self, shape, dim):
        return self.emit(f"stablehlo.iota dim = {dim} : {self.type_of(shape, 'i32')}", shape)

    def result(self, x, element="f32"):
        self.results.append((x[0], self.type_of(x[1], element)))

    def text(self):
        kinds = ", ".join(kind for _, kind in self.results)
        end = f"  return {', '.join(name for name, _ in self.results)} : {kinds}\n"
        return f"func.func @main({', '.join(self.args)}) -> ({kinds}) {{\n" + "\n".join(self.lines) + "\n" + end + "}\n"

    # What programs have in common.

    def size(self, least, most, step=1):
        """Log-uniform, a multiple of `step`."""
        value = least * (most / least)**self.rng.random()
        return max(step, int(value) // step * step)

    def activation(self, x):
        kind = self.rng.choice(["relu", "gelu", "silu", "tanh", "none"])
        if kind == "relu":
            return self.binary("maximum", x, self.constant(0, x[1]))
        if kind == "silu":
            return self.binary("multiply", x, self.unary("logistic", x))
        if kind == "tanh":
            return self.unary("tanh", x)
        if kind == "gelu":
            cube = self.binary("multiply", x, self.binary("multiply", x, x))
            inner = self.scaled(self.binary("add", x, self.scaled(cube, 0.044715)), 0.79788)
            half = self.scaled(x, 0.5)
            return self.binary("multiply", half, self.binary("add", self.constant(1, x[1]), self.unary("tanh", inner)))
        return x

    def dense(self, x, units):
        w, b = self.arg(x[1][-1], units), self.arg(units)
        y = self.dot(x, w, ((len(x[1]) - 1,), (0,)))
        return self.binary("add", y, self.spread(b, y[1], [len(y[1]) - 1])), w

    def along(self, x, like):
        """What was reduced in the last dimension, again for each element."""
        return self.spread(x, like[1], range(len(x[1])))

    def softmax(self, x):
        last = len(x[1]) - 1
        e = self.unary("exponential", self.binary("subtract", x, self.along(self.reduce(x, [last], "maximum"), x)))
        return self.binary("divide", e, self.along(self.reduce(e, [last]), x))

    def layer_norm(self, x):
        last = len(x[1]) - 1
        n = x[1][last]
        mean = self.scaled(self.reduce(x, [last]), 1 / n)
        centered = self.binary("subtract", x, self.along(mean, x))
        var = self.scaled(self.reduce(self.binary("multiply", centered, centered), [last]), 1 / n)
        scale = self.unary("rsqrt", self.binary("add", var, self.constant(1e-5, var[1])))
        y = self.binary("multiply", centered, self.along(scale, x))
        gain, bias = self.arg(n), self.arg(n)
        y = self.binary("multiply", y, self.spread(gain, x[1], [last]))
        return self.binary("add", y, self.spread(bias, x[1], [last]))

    def causal(self, scores):
        rank = len(scores[1])
        rows, columns = self.iota(scores[1], rank - 2), self.iota(scores[1], rank - 1)
        keep = self.compare("GE", rows, columns, "i32")
        return self.select(keep, scores, self.constant(-1e9, scores[1]))

    def scores(self, q, k, causal):
        s = self.scaled(self.dot(q, k, ((2,), (2,)), ((0,), (0,))), q[1][2]**-0.5)
        return self.causal(s) if causal else s


def product(t):
    m, k, n = t.size(16, 768), t.size(16, 1024), t.size(16, 768)
    if t.rng.random() < 0.5:
        m, k, n = (max(16, x // 16 * 16) for x in (m, k, n))
    left, right = t.rng.random() < 0.25, t.rng.random() < 0.35
    x = t.arg(k, m) if left else t.arg(m, k)
    w = t.arg(n, k) if right else t.arg(k, n)
    y = t.dot(x, w, ((0 if left else 1,), (1 if right else 0,)))
    if t.rng.random() < 0.5:
        y = t.activation(t.binary("add", y, t.spread(t.arg(n), y[1], [1])))
    t.result(y)


def thin_product(t):
    k, n = t.size(64, 2048), t.size(64, 2048)
    x = t.arg(t.rng.choice([1, 2, 4, 8]), k)
    w = t.arg(n, k) if t.rng.random() < 0.5 else t.arg(k, n)
    t.result(t.dot(x, w, ((1,), (1 if w[1] == (n, k) and w[1][0] == n and n != k else 0,)))
             if w[1][0] == k else t.dot(x, w, ((1,), (1,))))


def batched(t):
    b, m, k, n = t.size(2, 64), t.size(8, 128), t.size(8, 128), t.size(8, 128)
    t.result(t.activation(t.dot(t.arg(b, m, k), t.arg(b, k, n), ((2,), (1,)), ((0,), (0,)))))


def reductions(t):
    shape = [t.size(8, 2000), t.size(8, 2000)]
    while shape[0] * shape[1] > 3_000_000:
        shape = [max(8, n // 2) for n in shape]
    if t.rng.random() < 0.4:
        shape = [t.size(2, 16)] + [max(8, n // 3) for n in shape]
    x = t.arg(*shape)
    for _ in range(t.rng.randint(1, 3)):
        dims = t.rng.choice([[len(shape) - 1], [0], list(range(len(shape)))])
        y = x
        if t.rng.random() < 0.4:
            y = t.binary("multiply", x, x)
        elif t.rng.random() < 0.3:
            y = t.unary("exponential", x)
        t.result(t.reduce(y, dims, t.rng.choice(["add", "add", "maximum"])))


def chain(t):
    n = t.size(1000, 3_000_000)
    columns = t.rng.choice([n, t.size(8, 2000)])
    shape = (max(1, n // columns), columns)
    x, y = t.arg(*shape), t.arg(*shape)
    row = t.arg(columns)
    for _ in range(t.rng.randint(1, 10)):
        op = t.rng.choice(["add", "multiply", "subtract", "maximum", "exponential", "tanh", "logistic", "abs", "sqrt",
                           "divide", "row", "log", "sine", "negate"])
        if op in ("add", "multiply", "subtract", "maximum"):
            x = t.binary(op, x, y)
        elif op == "divide":
            x = t.binary(op, x, t.binary("add", t.unary("abs", y), t.constant(1, shape)))
        elif op == "row":
            x = t.binary("add", x, t.spread(row, shape, [1]))
        elif op in ("sqrt", "log"):
            x = t.unary(op, t.binary("add", t.unary("abs", x), t.constant(1, shape)))
        elif op in ("exponential", "sine"):
            x = t.unary(op, t.unary("tanh", x))
        else:
            x = t.unary(op, x)
    t.result(x)


def rows(t):
    m, n = t.size(8, 2048), t.size(16, 2048)
    while m * n > 2_000_000:
        m = max(8, m // 2)
    x = t.arg(m, n)
    t.result(t.rng.choice([t.softmax, t.layer_norm])(x))
    if t.rng.random() < 0.5:
        t.result(t.layer_norm(t.arg(m, n)))


def attention(t):
    s = t.rng.choice([64, 96, 128, 200, 256, 384, 512, 768, 1024, 1536, 2048, 4096])
    d, h = t.rng.choice([32, 64, 64, 128]), t.rng.choice([1, 2, 4, 8])
    while h > 1 and s * s * h > 8_000_000:
        h //= 2
    q, k, v = t.arg(h, s, d), t.arg(h, s, d), t.arg(h, s, d)
    p = t.softmax(t.scores(q, k, t.rng.random() < 0.4))
    t.result(t.dot(p, v, ((2,), (1,)), ((0,), (0,))))


def attention_gradient(t):
    s = t.rng.choice([64, 128, 192, 256, 512, 768])
    d, h = t.rng.choice([32, 64]), t.rng.choice([1, 2, 4])
    q, k, v, g = (t.arg(h, s, d) for _ in range(4))
    batch = ((0,), (0,))
    p = t.softmax(t.scores(q, k, t.rng.random() < 0.3))
    t.result(t.dot(p, g, ((1,), (1,)), batch))
    dp = t.dot(g, v, ((2,), (2,)), batch)
    row = t.reduce(t.binary("multiply", dp, p), [2])
    ds = t.scaled(t.binary("multiply", p, t.binary("subtract", dp, t.along(row, dp))), d**-0.5)
    t.result(t.dot(ds, k, ((2,), (1,)), batch))
    t.result(t.dot(ds, q, ((1,), (1,)), batch))


def block(t):
    s, d, h = t.rng.choice([32, 64, 128, 197, 256]), t.rng.choice([64, 128, 256, 384]), t.rng.choice([2, 4])
    x = t.arg(s, d)
    y = t.layer_norm(x)
    heads = [t.transpose(t.reshape(t.dense(y, d)[0], s, h, d // h), [1, 0, 2]) for _ in range(3)]
    p = t.softmax(t.scores(heads[0], heads[1], t.rng.random() < 0.5))
    o = t.dot(p, heads[2], ((2,), (1,)), ((0,), (0,)))
    o = t.reshape(t.transpose(o, [1, 0, 2]), s, d)
    x = t.binary("add", x, t.dense(o, d)[0])
    y = t.activation(t.dense(t.layer_norm(x), t.rng.choice([2, 4]) * d)[0])
    t.result(t.binary("add", x, t.dense(y, d)[0]))


def mlp_step(t):
    """A step of gradient descent on two layers."""
    m, i, u, o = t.size(16, 256), t.size(16, 512), t.size(16, 512), t.size(8, 256)
    x, goal, w1, w2 = t.arg(m, i), t.arg(m, o), t.arg(i, u), t.arg(u, o)
    b1 = t.arg(u)
    pre = t.dot(x, w1, ((1,), (0,)))
    pre = t.binary("add", pre, t.spread(b1, pre[1], [1]))
    zero = t.constant(0, pre[1])
    hidden = t.binary("maximum", pre, zero)
    error = t.scaled(t.binary("subtract", t.dot(hidden, w2, ((1,), (0,))), goal), 2 / (m * o))
    back = t.select(t.compare("GT", pre, zero), t.dot(error, w2, ((1,), (1,))), zero)
    for weight, gradient in ((w2, t.dot(hidden, error, ((0,), (0,)))), (w1, t.dot(x, back, ((0,), (0,)))),
                             (b1, t.reduce(back, [0]))):
        t.result(t.binary("subtract", weight, t.scaled(gradient, 0.01)))


def norm_gradient(t):
    m, n = t.size(32, 1024), t.size(32, 1024)
    x, g, gain = t.arg(m, n), t.arg(m, n), t.arg(n)
    mean = t.scaled(t.reduce(x, [1]), 1 / n)
    c = t.binary("subtract", x, t.along(mean, x))
    var = t.scaled(t.reduce(t.binary("multiply", c, c), [1]), 1 / n)
    r = t.unary("rsqrt", t.binary("add", var, t.constant(1e-5, var[1])))
    xhat = t.binary("multiply", c, t.along(r, x))
    dy = t.binary("multiply", g, t.spread(gain, x[1], [1]))
    a = t.along(t.scaled(t.reduce(dy, [1]), 1 / n), x)
    b = t.binary("multiply", xhat, t.along(t.scaled(t.reduce(t.binary("multiply", dy, xhat), [1]), 1 / n), x))
    t.result(t.binary("multiply", t.along(r, x), t.binary("subtract", t.binary("subtract", dy, a), b)))
    t.result(t.reduce(t.binary("multiply", g, xhat), [0]))
    t.result(t.reduce(g, [0]))


def convolution(t):
    n, s, c, f = t.rng.choice([1, 2, 4]), t.rng.choice([14, 16, 28, 32, 56]), t.size(4, 96, 4), t.size(8, 96, 8)
    k = t.rng.choice([1, 3, 3, 5])
    x, w = t.arg(n, s, s, c), t.arg(k, k, c, f)
    pad = k // 2
    y = t.emit(f"stablehlo.convolution({x[0]}, {w[0]}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
               f"window = {{pad = [[{pad}, {pad}], [{pad}, {pad}]]}} {{batch_group_count = 1 : i64, "
               f"feature_group_count = 1 : i64}} : ({t.type_of(x[1])}, {t.type_of(w[1])}) -> "
               f"{t.type_of((n, s, s, f))}", (n, s, s, f))
    y = t.binary("add", y, t.spread(t.arg(f), y[1], [3]))
    t.result(t.activation(y))


def moves(t):
    shape = [t.size(8, 64), t.size(8, 256), t.size(8, 128)]
    x = t.arg(*shape)
    order = t.rng.choice([[1, 0, 2], [0, 2, 1], [2, 1, 0], [2, 0, 1]])
    t.result(t.transpose(x, order))
    low, high = t.rng.randint(0, 3), t.rng.randint(0, 3)
    padded = [shape[0], shape[1] + low + high, shape[2]]
    zero = t.constant(0)
    t.result(t.emit(f"stablehlo.pad {x[0]}, {zero[0]}, low = [0, {low}, 0], high = [0, {high}, 0], "
                    f"interior = [0, 0, 0] : ({t.type_of(shape)}, tensor<f32>) -> {t.type_of(padded)}", padded))
    t.result(t.emit(f"stablehlo.reverse {t.unary('negate', x)[0]}, dims = [{t.rng.randint(0, 2)}] : "
                    f"{t.type_of(shape)}", shape))


def embedding(t):
    rows_, width, count = t.size(100, 20000), t.size(8, 256), t.size(16, 4096)
    table = t.arg(rows_, width)
    ids = t.arg(count, 1)
    # Random numbers as indices: all of the table.
    ids = t.binary("multiply", t.unary("abs", ids), t.constant(rows_ / 3, ids[1]))
    ids = t.emit(f"stablehlo.convert {ids[0]} : ({t.type_of(ids[1])}) -> {t.type_of(ids[1], 'i32')}", ids[1])
    y = t.emit(f'"stablehlo.gather"({table[0]}, {ids[0]}) {{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
               f"collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = "
               f"array<i64: 1, {width}>}} : ({t.type_of(table[1])}, {t.type_of(ids[1], 'i32')}) -> "
               f"{t.type_of((count, width))}", (count, width))
    t.result(t.scaled(y, 2))
    update = t.arg(count, width)
    name = t.new()
    t.lines.append(f'''  {name} = "stablehlo.scatter"({table[0]}, {ids[0]}, {update[0]}) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({t.type_of(table[1])}, {t.type_of(ids[1], 'i32')}, {t.type_of(update[1])}) -> {t.type_of(table[1])}''')
    t.result((name, table[1]))


def network(t):
    x = t.arg(t.size(16, 256), t.size(16, 256))
    for _ in range(t.rng.randint(3, 6)):
        x = t.activation(t.dense(x, t.size(16, 512, 8))[0])
        if t.rng.random() < 0.3:
            x = t.layer_norm(x)
    t.result(t.softmax(x))


KINDS = [product, chain, attention, reductions, mlp_step, block, rows, convolution, thin_product, attention_gradient,
         moves, batched, norm_gradient, network, embedding]


# Of each kind there are so many parts of random sizes in a program.
COPIES = {attention: 2, attention_gradient: 2, block: 2, moves: 2, embedding: 2, network: 2}


def program(seed):
    kind = KINDS[seed % len(KINDS)]
    text = Text(random.Random(seed))
    for _ in range(COPIES.get(kind, 4)):
        kind(text)
    return f"{kind.__name__}-{seed}", text.text()
