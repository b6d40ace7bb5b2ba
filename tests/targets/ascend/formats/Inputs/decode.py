# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Decodes the bytes of an .air file, without protobuf and without the schema that
wrote it, and compares every field with the numbers of GE's files.

    python3 decode.py FILE.air

Prints one line for each node; raises an exception for an invalid file. FIELDS lists
the allowed fields. An unlisted field, another wire type, or a repeated field that
may not repeat is an error.
"""

import struct
import sys

# The kind of a field: int (a varint, signed 64), text, bytes, ints (packed varints),
# bools, float, or the name of a message. `*`: it may repeat.
FIELDS = {
    "Model": {7: "graph*Graph"},
    "Graph": {1: "name text", 4: "input*text", 6: "op*Op"},
    "Op": {
        1: "name text",
        2: "type text",
        5: "input*text",
        10: "attr*Entry",
        21: "id int",
        33: "input_desc*Desc",
        34: "output_desc*Desc",
    },
    "Desc": {
        1: "name text",
        2: "dtype int",
        3: "shape Shape",
        4: "layout text",
        5: "attr*Entry",
        14: "device_type text",
    },
    "Shape": {1: "dim ints"},
    "Tensor": {1: "desc Desc", 2: "data bytes"},
    "Entry": {1: "key text", 2: "value Value"},
    "Value": {1: "list List", 2: "s bytes", 3: "i int", 5: "b int", 12: "t Tensor"},
    "List": {2: "s*text", 3: "i ints", 20: "val_type int"},
}

# The numbers of types in the schema, their names here, and bytes per element.
TYPES = {1: ("f32", 4), 7: ("i32", 4), 8: ("i64", 8)}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def decode(data, message):
    out = {}
    at, last = 0, 0
    while at < len(data):
        tag, at = varint(data, at)
        number, wire = tag >> 3, tag & 7
        assert number in FIELDS[message], f"{message} has no field {number}"
        assert number >= last, f"{message}: field {number} after {last}"
        last = number
        spec = FIELDS[message][number]
        again = "*" in spec
        name, kind = spec.replace("*", " ").split()
        if kind == "int":
            assert wire == 0, (message, name, wire)
            value, at = varint(data, at)
            value = signed(value)
        else:
            assert wire == 2, (message, name, wire)
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
            assert len(value) == size, f"{message}.{name} ends too early"
            if kind == "text":
                value = value.decode()
            elif kind == "ints":
                numbers, inside = [], 0
                while inside < size:
                    number, inside = varint(value, inside)
                    numbers.append(signed(number))
                value = numbers
            elif kind != "bytes":
                value = decode(value, kind)
        if again:
            out.setdefault(name, []).append(value)
        else:
            assert name not in out, f"{message}.{name} twice"
            out[name] = value
    return out


def attributes(message):
    entries = message.get("attr", [])
    keys = [entry["key"] for entry in entries]
    assert keys == sorted(set(keys)), keys
    return {entry["key"]: entry["value"] for entry in entries}


def describe(desc, name):
    """Checks the description of a tensor; returns its type and shape."""
    assert desc.get("name", "") == name, (desc, name)
    assert desc["layout"] == "ND" and desc["device_type"] == "NPU"
    dims = desc["shape"].get("dim", [])
    origin = {"val_type": 2}
    if dims:
        origin["i"] = dims
    assert attributes(desc) == {
        "format_for_int": {"i": 2},
        "origin_format": {"s": b"ND"},
        "origin_format_for_int": {"i": 2},
        "origin_shape": {"list": origin},
        "origin_shape_initialized": {"b": 1},
    }, attributes(desc)
    return desc["dtype"], dims


def show(type_and_shape):
    dtype, dims = type_and_shape
    return TYPES[dtype][0] + str(dims).replace(" ", "")


def elements(tensor):
    dtype, dims = describe(tensor["desc"], "")
    count = 1
    for dim in dims:
        count *= dim
    assert len(tensor["data"]) == count * TYPES[dtype][1]
    return struct.unpack("<" + str(count) + {1: "f", 7: "i", 8: "q"}[dtype], tensor["data"])


def names(node_attributes, which, count):
    """Removes the two lists of input or output names from the attributes, and returns them."""
    key = node_attributes.pop(f"_{which}_name_key", {"list": {"s": []}})
    value = node_attributes.pop(f"_{which}_name_value", {"list": {"i": []}})
    assert set(key) == set(value) == {"list"}
    assert "val_type" not in key["list"] and "val_type" not in value["list"]
    assert value["list"]["i"] == list(range(count)), value
    assert len(key["list"]["s"]) == count, key
    return key["list"]["s"]


def main():
    data = open(sys.argv[1], "rb").read()
    model = decode(data, "Model")
    (graph,) = model["graph"]
    print("graph", graph["name"], "of", ", ".join(graph["input"]))
    made = {}
    fed = []
    for position, op in enumerate(graph["op"]):
        assert op.get("id", 0) == position
        assert op["name"] not in made
        attrs = attributes(op)
        inputs, descs = op.get("input", []), op.get("input_desc", [])
        assert len(inputs) == len(descs)
        in_names = names(attrs, "input", len(descs))
        out_names = names(attrs, "output", len(op.get("output_desc", [])))
        shown = []
        for source, desc, name in zip(inputs, descs, in_names):
            got = describe(desc, name)
            if op["type"] == "Data":
                assert source == "" and name == "x"
                assert got == describe(op["output_desc"][0], "y")
                continue
            producer, index = source.rsplit(":", 1)
            assert index == "0" and made[producer] == got, (source, got)
            shown.append(f"{name}={producer}")
        outs = [describe(d, n) for d, n in zip(op.get("output_desc", []), out_names)]
        if op["type"] == "Data":
            assert attrs["index"]["i"] == len(fed)
            fed.append(op["name"] + ":0")
        if op["type"] == "Const":
            value = attrs.pop("value")["t"]
            assert describe(value["desc"], "") == outs[0]
            shown = [", ".join(map(str, elements(value)))]
        made[op["name"]] = outs[0] if outs else None
        rest = " ".join(
            f"{key}={value['i'] if 'i' in value else bool(value['b'])}"
            for key, value in attrs.items()
        )
        result = show(outs[0]) + " " if outs else ""
        print(f"  {op['name']}: {result}{op['type']}({', '.join(shown)}) {rest}".rstrip())
    assert graph["input"] == fed, graph["input"]


main()
