# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""check.py MERCATOR: the machine output of every command fits its JSON Schema.

Also: each schema refuses a document without a member, with a member of another
name, and with a member of another type; and each schema that the sources name
has a file.
"""

import json
import pathlib
import re
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = "tests/tools/driver/Inputs/"
FILES = [
    *sorted(str(f.relative_to(ROOT)) for f in (ROOT / "examples").glob("*.hlo")),
    *(f"examples/{name}.mlir" for name in ("scan", "embedding")),
    *(INPUTS + name for name in ("linalg.mlir", "empty_tuples.hlo", "hlo_forms.hlo", "odd_access.mlir", "two_offsets.mlir")),
]
COMMANDS = [
    *(["map", f, *options] for f in FILES for options in ([], ["--fused"], ["--direction=both"])),
    *(["access", f, "--warp=0"] for f in FILES),
    ["access", "examples/transpose_add.hlo", "--block=128"],
    *(["tile", f, "--tile=4x4"] for f in FILES),
    ["tile", "examples/conv_net.mlir", "--tile=4x4", "--fused"],
    ["tile", "examples/softmax.hlo", "--tile=4x4", "--direction=in-to-out"],
    ["tile", "examples/softmax.hlo", "--tile=auto"],
    ["tile", "examples/softmax.hlo", "--of=exp[0:4, :]"],
    *(["explain", f] for f in FILES if "sharded" not in f),
    *(["explore", f] for f in FILES),
    ["explore", INPUTS + "diff_before.mlir", "--diff=" + INPUTS + "diff_after.mlir"],
    ["diff", INPUTS + "diff_before.mlir", INPUTS + "diff_after.mlir"],
    ["diff", "examples/softmax.hlo", "examples/softmax.hlo"],
    ["shard", "examples/sharded_mlp.mlir"],
    ["shard", "examples/sharded_mlp.mlir", "--prove", "--cluster=h100x8"],
    ["shard", "examples/sharded_mlp.mlir", "--mesh=auto:4", "--cluster=h100x8"],
    ["shard", "examples/sharded_mlp.mlir", "--mesh=auto:4"],
    ["shard", "examples/sharded.hlo", "--cluster=h100x8"],
    ["prove", "(d0) -> (d0), domain: d0 in [0, 3]", "(d0) -> (d0 + 1), domain: d0 in [0, 3]"],
    ["simplify", "(d0) -> (d0 * 4 / 4), domain: d0 in [0, 3]"],
    ["run", "--reference", "examples/softmax.hlo", "--input=random:1"],
    ["run", "examples/softmax.hlo", "--input=random:1"],
    ["run", "examples/softmax.hlo", "--check", "--time", "--input=random:1"],
    ["run", "examples/mlp.mlir", "--time", "--repeat=2"],
    ["run", "examples/mlp.mlir", "--check", "--rtol=0"],
    ["run", "examples/scan.mlir", "--check"],
    *(["device", name] for name in ("host", "910b", "aarch64", "h100")),
    ["conformance", "tests/transforms/stablehlo/case-meaning.mlir"],
    ["map", "examples/softmax.hlo", "--instruction=nothing"],
    ["map", "README.md"],
]

validators, documents, failures = {}, {}, []


def validator(name):
    if name not in validators:
        path = ROOT / "schemas" / (name.replace("/", "-") + ".json")
        validators[name] = jsonschema.Draft202012Validator(json.loads(path.read_text()))
    return validators[name]


def check(document, where):
    name = document.get("schema", "none")
    for error in list(validator(name).iter_errors(document))[:3]:
        place = "/".join(str(p) for p in error.absolute_path)
        failures.append(f"{where}: {name}: {place}: {error.message[:200]}")
    documents.setdefault(name, document)


def damaged(document):
    """The document without a member, with a renamed one, and with one that is null."""
    for key in list(document):
        rest = {k: v for k, v in document.items() if k != key}
        yield f"without {key}", rest if key in validators[document["schema"]].schema["required"] else None
        yield f"with {key} renamed", {**rest, key + "_": document[key]}
        yield f"with {key} null", {**rest, key: None}


def main(mercator):
    for words in COMMANDS:
        done = subprocess.run([mercator, *words, "--json"], cwd=ROOT, capture_output=True, text=True, check=False)
        where = "mercator " + " ".join(words)
        if done.stdout:
            check(json.loads(done.stdout), where)
        for line in done.stderr.splitlines():
            try:
                check(json.loads(line), where)
            except json.JSONDecodeError:
                failures.append(f"{where}: a line that is not JSON: {line[:200]}")
    for path in (ROOT / "devices").rglob("*.json"):
        check(json.loads(path.read_text()), path.name)
    for name, document in documents.items():
        for how, changed in damaged(document):
            if changed is not None and "schema" in changed and validators[name].is_valid(changed):
                if validators[name].schema["additionalProperties"] is False or "renamed" not in how:
                    failures.append(f"{name} accepts a document {how}")
    named = set()
    for source in (ROOT / "mercator").rglob("*.cpp"):
        named.update(re.findall(r"mercator\.[a-z]+/1", source.read_text()))
    for name in sorted(named - set(documents)):
        failures.append(f"{name}: no output was checked")
    for failure in failures:
        print(failure)
    print(f"{len(COMMANDS)} commands, {len(documents)} schemas, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main(sys.argv[1]))
