# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""models inputs FOLDER | mnist MODEL FOLDER | lstm FOLDER

Writes random inputs. Compares the results with those of the networks, computed
here in double precision from their published structure."""

import math
import pathlib
import random
import re
import struct
import sys

NEAR = 2e-5


def save(path, shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = struct.pack(f"<{len(values)}f", *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def load(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<H", data[8:10])
    assert b"'descr': '<f4'" in data[:200] and b"'fortran_order': False" in data[:200], data[:100]
    body = data[10 + length :]
    return list(struct.unpack(f"<{len(body) // 4}f", body))


def compare(got, wanted):
    assert len(got) == len(wanted), (len(got), len(wanted))
    worst = max(abs(a - b) for a, b in zip(got, wanted))
    assert worst < NEAR, f"expected {wanted}, got {got}"
    print(f"at most {worst:.1e} apart")


def inputs(folder):
    draw = random.Random(7)
    save(folder / "image.npy", (1, 28, 28, 1), [draw.random() for _ in range(784)])
    save(folder / "mask.npy", (1, 5), [0.0, 2.0, 0.0, 0.0, 1.0])
    save(folder / "features.npy", (1, 5, 2, 2), [draw.uniform(-0.2, 0.2) for _ in range(20)])


def weights(text, name):
    """The elements of a global, written as hexadecimal bytes or as numbers."""
    found = re.search(rf'{re.escape(name)}" = dense<("0x([0-9A-F]+)"|\[[^>]*\])>', text)
    if found[2]:
        data = bytes.fromhex(found[2])
        return struct.unpack(f"<{len(data) // 4}f", data)
    return [float(number) for number in found[1].strip("[]").split(",")]


def dense(x, kernel, bias):
    width = len(bias)
    return [b + sum(v * kernel[i * width + j] for i, v in enumerate(x)) for j, b in enumerate(bias)]


def mnist(model, folder):
    """Two dense layers, with a relu between them and a softmax after them."""
    text = model.read_text()
    hidden = dense(load(folder / "image.npy"), weights(text, "layer-1.kernel"), weights(text, "layer-1.bias"))
    logits = dense([max(v, 0) for v in hidden], weights(text, "layer-2.kernel"), weights(text, "layer-2.bias"))
    powers = [math.exp(v - max(logits)) for v in logits]
    compare(load(folder / "digits.npy"), [v / sum(powers) for v in powers])


def lstm(folder):
    """Ten cells with all weights 0.42 and gates i, j, f, o without a bias. A mask
    above 0 marks a frame of padding, which keeps the state. Padding at either end
    is skipped; its outputs are 0."""
    mask, frames = load(folder / "mask.npy"), load(folder / "features.npy")
    begin = next(i for i in range(5) if mask[i] == 0)
    end = next(i for i in range(5, 0, -1) if mask[i - 1] == 0)
    cell, hidden, out = [0.0] * 10, [0.0] * 10, [0.0] * 50
    for t in range(begin, end):
        x = frames[4 * t : 4 * t + 4] + [0.0] * 60 + hidden
        gate = 0.42 * sum(x)
        sigmoid = 0.5 + 0.5 * math.tanh(0.5 * gate)
        if mask[t] <= 0:
            cell = [max(-10, min(10, sigmoid * c + sigmoid * math.tanh(gate))) for c in cell]
            hidden = [sigmoid * math.tanh(c) for c in cell]
        out[10 * t : 10 * t + 10] = hidden
    assert any(out), "expected a network that does something"
    compare(load(folder / "states.npy"), out)


command, *words = sys.argv[1:]
{"inputs": inputs, "mnist": mnist, "lstm": lstm}[command](*map(pathlib.Path, words))
