# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Programs as graphs of Ascend's Graph Engine, and these graphs as ONNX models.
onnxruntime (or, if it lacks a kernel, ONNX's own evaluator) must give the same
results as `mercator run --reference` on the program, or as XLA for whole models.

Gathers of onnxruntime reject an index outside its dimension, so a missing clamp is
an error here.
"""

import collections
import concurrent.futures
import dataclasses
import multiprocessing
import pathlib
import re
import subprocess

import gathers
import models
import numpy as np
import programs
import random_gathers
import xla
from elements import ALL, is_float, name_of

BATCH = 50
ELEMENTS = ["f32", "i32", "f32", "i8", "i64", "f16", "i1", "ui8", "f32", "f64", "i16", "ui16", "ui32", "ui64"]


class Runner:
    """`models.run_model` in another process, which may crash."""

    def __init__(self):
        self.pool = None

    def run(self, path, inputs):
        if self.pool is None:
            self.pool = concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        try:
            return self.pool.submit(models.run_model, str(path), inputs).result(timeout=300)
        except concurrent.futures.process.BrokenProcessPool:
            self.pool = None
            raise RuntimeError("the process that runs models died") from None


# --- One program ---


@dataclasses.dataclass
class Tools:
    mercator: str
    folder: pathlib.Path
    runner: Runner


class NotExpressed(Exception):
    """A program that cannot be expressed as a model, and why."""


def lines_of(text):
    return [line for line in text.splitlines() if "error: " in line] or [text.strip()[:200]]


def compile_to_onnx(tools, program, soc="any"):
    path = program.with_suffix(".onnx")
    command = [tools.mercator, "compile", str(program), "--target=ascend", f"--soc={soc}", "--function=main", "--format=onnx", "-o", str(path)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        said = lines_of(result.stdout)[0].split("error: ")[-1]
        if result.returncode != 1:
            raise RuntimeError(f"exit code {result.returncode}: {said}")
        raise NotExpressed(said)
    return path


def evaluate(tools, program, inputs, function=None):
    """The results of `mercator run`."""
    folder = tools.folder / "values"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.npy"):
        old.unlink()
    words = [f"--function={function}"] if function else []
    for i, value in enumerate(inputs):
        np.save(tools.folder / f"in{i}.npy", value)
        words.append(f"--input={tools.folder}/in{i}.npy")
    command = [tools.mercator, "run", "--reference", str(program), *words, "-o", f"{folder}/"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"mercator run: exit code {result.returncode}: {lines_of(result.stdout)[0]}")
    numbered = sorted(folder.glob("*.npy"), key=lambda path: [int(n) for n in re.findall(r"\d+", path.stem)] or [0])
    values = [np.load(path) for path in numbered]
    return [value.view(ALL["bf16"]) if value.dtype == np.dtype("V2") else value for value in values]


# Differences in rounding: sums in another order, functions that differ by a few
# floats.
TOLERANCE = {"bf16": 2e-2, "f16": 4e-3, "f32": 3e-6, "f64": 1e-12}
# Long sums of products that nearly cancel.
CONVOLVED = TOLERANCE | {"f32": 1e-4}
# For whole functions that compute doubles from floats.
WHOLE = TOLERANCE | {"f64": 3e-6}


def difference(got, wanted, exact, bounds):
    """Empty if they are equal."""
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"expected {wanted.dtype}{wanted.shape}, got {got.dtype}{got.shape}"
    element = name_of(wanted)
    if element not in bounds:
        return "" if np.array_equal(got, wanted) else "other elements"
    bound = 0.0 if exact else bounds[element]
    got, wanted = got.astype(np.float64), wanted.astype(np.float64)
    scale = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0))
    same = np.isclose(got, wanted, rtol=bound, atol=bound * min(scale, 1.0), equal_nan=True)
    if same.all():
        return ""
    worst = np.argmin(same.ravel())
    return f"{wanted.ravel()[worst]!r} became {got.ravel()[worst]!r}"


def check(tools, program, inputs, exact, soc="any", bounds=TOLERANCE):
    """The name of the program that ran the model. `inputs` are arrays, or None for
    the results of @inputs. Raises NotExpressed, or RuntimeError."""
    path = compile_to_onnx(tools, program, soc)
    if inputs is None:
        inputs = evaluate(tools, program, [], "inputs")
    wanted = evaluate(tools, program, inputs, "main")
    results, who = tools.runner.run(path, inputs)
    if len(results) != len(wanted):
        raise RuntimeError(f"expected {len(wanted)} results, got {len(results)}")
    for i, (got, value) in enumerate(zip(results, wanted)):
        said = difference(np.asarray(got), value, exact, bounds)
        if said:
            raise RuntimeError(f"result {i} by {who}: {said}")
    return who


# --- Random gathers ---


def elements(g, element, shape):
    """Elements that are different at each position, as far as the type allows."""
    values = np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape)
    if element == "i1":
        return np.asarray(g.random(shape) < 0.5)
    return np.asarray(values if is_float(element) else values % 120, dtype=ALL[element])


def check_gathers(tools, batch, g, soc, tally):
    """Bisects a failing batch down to the failing gathers."""
    program = tools.folder / "gathers.mlir"
    program.write_text(random_gathers.program(batch))
    inputs = []
    for gather in batch:
        inputs += [elements(g, gather.element, gather.operand), random_gathers.start_values(g, gather)]
    try:
        tally[check(tools, program, inputs, exact=True, soc=soc)] += len(batch)
        return []
    except (NotExpressed, RuntimeError) as error:
        if len(batch) == 1:
            if isinstance(error, NotExpressed):
                tally["not expressed: " + re.sub(r"\d+", "N", str(error))[:120]] += 1
                return []
            kept = tools.folder / f"failed{len(list(tools.folder.glob('failed*')))}.mlir"
            kept.write_text(program.read_text())
            return [f"{error}\n  {kept}"]
    half = len(batch) // 2
    return check_gathers(tools, batch[:half], g, soc, tally) + check_gathers(tools, batch[half:], g, soc, tally)


def run_gathers(tools, seed, count):
    tally, failures = collections.Counter(), []
    for n in range(0, count, BATCH):
        g = np.random.default_rng([seed, n])
        element = ELEMENTS[n // BATCH % len(ELEMENTS)]
        index_types = random_gathers.WIDE_INDEX_TYPES if n // BATCH % 5 == 4 else random_gathers.INDEX_TYPES
        batch = [random_gathers.draw(g, element, index_types) for _ in range(min(BATCH, count - n))]
        failures += check_gathers(tools, batch, g, ["any", "910b"][n // BATCH % 2], tally)
    return tally, failures


# --- Test programs of StableHLO ---

# Never in a graph of GE: skipped.
NOT_TRIED = "scatter|sort|random|rng|convert|cum.*complex|fft|top_k|all_|collective|infeed|outfeed|partition|quantized|ragged|custom_call"


def body_of(text, name):
    """The lines of a function, and its position in the text."""
    found = re.search(rf"^  func\.func (?:\w+ )?@{name}\([^\n]*\{{\n(.*?)^  \}}\n", text, re.M | re.S)
    return found


def as_parameters(text):
    """A program of JAX's tests, in which @main calls @inputs for its operands, as a
    @main with parameters. None if it has another form."""
    main = body_of(text, "main")
    call = main and re.search(r"^    (%\d+)(?::\d+)? = call @inputs\(\) : \(\) -> \(?(.*?)\)?\n", main[1], re.M)
    if not call:
        return None
    types = split_types(call[2])
    lines = []
    for line in main[1].splitlines():
        if "call @inputs" in line or "call @expected" in line or "@check." in line or "check.expect" in line:
            continue
        line = re.sub(rf"{call[1]}#(\d+)", r"%in\1", line)
        lines.append(re.sub(rf"{call[1]}(?![\w#])", "%in0", line))
    returned = re.search(r"^    return (?:[^:]*) : (.*)$", lines[-1])
    if not returned:
        return None
    parameters = ", ".join(f"%in{i}: {type_}" for i, type_ in enumerate(types))
    new = f"  func.func @main({parameters}) -> ({returned[1]}) {{\n" + "\n".join(lines) + "\n  }\n"
    return text[: main.start()] + new + text[main.end() :]


def split_types(text):
    """Splits types at commas, except inside the angle brackets of a type."""
    return [part.strip() for part in re.findall(r"(?:[^,<]|<(?:[^<>]|<[^<>]*>)*>)+", text)]


def constants_as_parameters(text):
    """A test with constant operands: they become parameters, and the checked values
    become results."""
    found = re.search(r"^  func\.func @\w+\(\) \{\n(.*?)^  \}\n", text, re.M | re.S)
    if not found or "check." not in found[1]:
        return None
    constants, lines, results = [], [], []
    for line in found[1].splitlines():
        constant = re.match(r"    (%\w+) = stablehlo\.constant .* : (tensor<.*>)$", line)
        checked = re.match(r"    (?:\"?check\.expect\w+\"?)\(?\s*(%[\w#]+)", line)
        if constant:
            constants.append((constant[1], constant[2], line))
        elif checked:
            types = re.search(r" : \(?(tensor<(?:[^<>]|<[^<>]*>)*>)", line)
            results.append((checked[1], types and types[1]))
        elif line.strip() not in ("return", "func.return"):
            lines.append(line)
    if not results or not constants or not all(type_ for _, type_ in results):
        return None
    names, types = zip(*results)
    c_names, c_types, c_lines = zip(*constants)
    parameters = ", ".join(f"{name}: {type_}" for name, type_ in zip(c_names, c_types))
    new = [
        f"  func.func @main({parameters}) -> ({', '.join(types)}) {{",
        *lines,
        f"    return {', '.join(names)} : {', '.join(types)}",
        "  }",
        f"  func.func @inputs() -> ({', '.join(c_types)}) {{",
        *c_lines,
        f"    return {', '.join(c_names)} : {', '.join(c_types)}",
        "  }",
    ]
    return text[: found.start()] + "\n".join(new) + "\n" + text[found.end() :]


def test_programs(opt, shared):
    """Each (name, text)."""
    for folder, rewrite in [("stablehlo-testdata", as_parameters), ("stablehlo-interpret", constants_as_parameters)]:
        for path in sorted((shared / "data" / folder).glob("*.mlir")):
            if re.match(NOT_TRIED, path.name):
                continue
            printed = subprocess.run([opt, "--split-input-file", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            for i, part in enumerate(printed.stdout.split("// -----\n")):
                text = rewrite(part)
                if text:
                    yield f"{path.stem}.{i}" if i else path.stem, text


# --- Every operator ---

OPERATORS = pathlib.Path(__file__).resolve().parents[1] / "targets/ascend/formats"


def operator_graphs():
    """Each (operator, element, text) of the tests of the writers."""
    header = (OPERATORS / "Operators.h").read_text()
    prelude = re.search(r'kOperatorPrelude = R"\((.*?)\)"', header, re.S)[1]
    n = 0
    for line in (OPERATORS / "Inputs/operators.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        names, rest = line.split(" = ", 1)
        for name in names.split():
            # Three for every line, and two of the others, different from line to line.
            n += 1
            for element in [*ELEMENT_TYPES[:3], *(ELEMENT_TYPES[3 + (n * 2 + k) % 10] for k in range(2))]:
                text = prelude
                results, types = "%r", rest.rsplit(" -> ")[-1]
                if types.startswith("("):  # of several results
                    types = types[1:-1]
                    count = types.count("tensor<")
                    text = text.replace("%r = ", f"%r:{count} = ")
                    results = ", ".join(f"%r#{i}" for i in range(count))
                text += f"{name}{rest}\n  ascend.NetOutput {results} : {types}\n}}\n"
                yield name, element, text.replace("T>", element + ">")


ELEMENT_TYPES = ["f32", "i32", "i1", "f16", "f64", "bf16", "i8", "i16", "i64", "ui8", "ui16", "ui32", "ui64"]


def operator_inputs(element, positive):
    """The inputs that operators.txt describes."""
    g = np.random.default_rng(7)
    kind = ALL[element]

    def values(*shape):
        if element == "i1":
            return np.asarray(g.random(shape) < 0.5)
        if is_float(element):
            if positive:  # whole numbers, too
                return np.asarray(g.integers(1, 4, shape).astype(kind))
            return np.asarray(np.round(g.uniform(-2.0, 2.0, shape), 2).astype(kind))
        low = 1 if positive or element.startswith("ui") else -4
        drawn = g.integers(low, 5, shape)
        return np.asarray(np.where(drawn == 0, 1, drawn).astype(kind))

    x, y, z, s = values(2, 3), values(2, 3), values(2, 4, 3), np.ones((), kind)
    i = g.integers(0, 2, (2, 1)).astype(np.int64)
    j = np.array([[1, -1, 0], [-2, 1, 1]], np.int32)
    windows = [values(*shape) for shape in [(2, 4, 5, 6), (6, 2, 3, 2), (1, 2, 3, 4, 5), (3, 2, 2, 2, 2)]]
    return [x, y, z, s, i, j, np.asarray(g.random((2, 3)) < 0.5), *windows, values(3)]


def run_operators(tools):
    tally, failures = collections.Counter(), []
    for name, element, text in operator_graphs():
        program = tools.folder / "operator.mlir"
        program.write_text(text)
        # For negative numbers, GE does not define all operators.
        for positive in (False, True):
            try:
                bounds = WHOLE if name == "Erf" else TOLERANCE  # ONNX's evaluator computes in floats
                tally[check(tools, program, operator_inputs(element, positive), exact=False, bounds=bounds)] += 1
            except NotExpressed as error:
                if "expected '" not in str(error) or "Const" in str(error):  # otherwise GE does not have it either
                    tally[f"not expressed: {name}: {element}"] += 1
            except RuntimeError as error:
                if "mercator run" in str(error):
                    tally[f"not defined by GE: {name}: {element}"] += positive
                    continue
                failures.append(f"{name} of {element}: {error}")
            break
    return tally, failures


# --- All of it ---


def reason(said):
    """The counts of many programs."""
    return re.sub(r"tensor<.*?>+|'[^']*'|\d+", "..", said)[:110]


def run_tests(tools, opt, shared):
    tally, failures = collections.Counter(), []
    for name, text in test_programs(opt, shared):
        program = tools.folder / "test.mlir"
        program.write_text(text)
        try:
            bounds = CONVOLVED if "stablehlo.convolution" in text else TOLERANCE
            tally[check(tools, program, None, exact=False, bounds=bounds)] += 1
        except NotExpressed as error:
            tally["not expressed: " + reason(str(error))] += 1
        except RuntimeError as error:
            (tools.folder / f"{name}.mlir").write_text(text)
            failures.append(f"{name}: {error}\n  {tools.folder / name}.mlir")
    return tally, failures


def run_jax(tools, seed):
    """The functions of programs.py and of gathers.py."""
    tally, failures = collections.Counter(), []
    made = {name: make for name, (make, *_) in programs.PROGRAMS.items()} | gathers.PROGRAMS
    for name, make in made.items():
        function, inputs = make(np.random.default_rng([seed, len(name)]))
        program = tools.folder / f"jax_{name}.mlir"
        program.write_text(programs.export(function, inputs)[0])
        try:
            tally[check(tools, program, [np.asarray(value) for value in inputs], exact=False, bounds=WHOLE)] += 1
        except NotExpressed as error:
            tally[f"not expressed: {name}: {reason(str(error))}"] += 1
        except RuntimeError as error:
            failures.append(f"{name}: {error}\n  {program}")
    return tally, failures


# Whole models, with weights as inputs.
MODELS = ["pt_bert.mlir", "searchless_chess_9m.mlir", "jax_resnet_50.mlir"]


def weights_as_parameters(text):
    """The constants of @main whose elements the text omits become parameters."""
    pattern = r"^    (%\w+) = stablehlo\.constant dense_resource<__elided__> : (tensor<.*>)\n"
    parameters = "".join(f", {name}: {type_}" for name, type_ in re.findall(pattern, text, re.M))
    text = re.sub(pattern, "", text, flags=re.M)
    return re.sub(r"(@main\(.*?)\) ->", rf"\1{parameters}) ->", text, count=1)


def run_models(tools, shared):
    """Compared with XLA, because the reference evaluator is slow."""
    tally, failures = collections.Counter(), []
    for name in MODELS:
        source = shared / "data/models" / name
        program = tools.folder / name
        program.write_text(weights_as_parameters(source.read_text()))
        g = np.random.default_rng(1)
        try:
            path = compile_to_onnx(tools, program)
            inputs = []
            for kind, shape in models.inputs_of(path):
                is_real = kind.kind == "f"
                drawn = g.standard_normal(shape) * 0.05 if is_real else g.integers(0, 2, shape)
                if is_real and len(shape) == 1:  # some are variances
                    drawn = np.abs(drawn) + 0.5
                inputs.append(np.asarray(drawn, dtype=kind))
            results, who = tools.runner.run(path, inputs)
            wanted = xla.run(program.read_text(), inputs)
            for got, value in zip(results, wanted, strict=True):
                share = programs.compare(np.asarray(got), value, relative=1.0)[1]
                if got.shape != value.shape or share > 2e-5:
                    raise RuntimeError(f"{share:g} of the largest element away from XLA's {value.shape}")
            tally[who] += 1
        except (NotExpressed, RuntimeError) as error:
            failures.append(f"{name}: {error}")
    return tally, failures


# The least part of the programs that must have a model, so that none is lost.
LEAST = {"gathers": 1.0, "operators": 0.9, "tests": 0.7, "jax": 0.5, "models": 1.0}


def run(mercator, opt, folder, seed, count, shared):
    """One (name, line, good) for each kind of program."""
    for name in LEAST:
        tools = Tools(mercator, pathlib.Path(folder) / name, Runner())
        tools.folder.mkdir(parents=True, exist_ok=True)
        for old in tools.folder.glob("*.mlir"):
            old.unlink()
        if name == "gathers":
            tally, failures = run_gathers(tools, seed, count)
        elif name == "operators":
            tally, failures = run_operators(tools)
        elif name in ("tests", "models") and not (shared / "data").is_dir():
            yield name, f"expected programs in {shared}/data, got no such folder", False
            continue
        elif name == "models":
            tally, failures = run_models(tools, shared)
        elif name == "tests":
            tally, failures = run_tests(tools, opt, shared)
        else:
            tally, failures = run_jax(tools, seed)
        for said, times in tally.most_common():
            if said.startswith("not ") and times:
                print(f"  {times:5} {said}")
        for failure in failures:
            print(failure)
        ran = tally["onnxruntime"] + tally["onnx"]
        total = sum(tally.values()) + len(failures)  # including those without a comparison
        line = (
            f"{total} programs: {tally['onnxruntime']} the same by onnxruntime, {tally['onnx']} by ONNX's evaluator, "
            f"{total - ran - len(failures)} without a model, {len(failures)} different"
        )
        yield name, line, not failures and ran >= LEAST[name] * total
