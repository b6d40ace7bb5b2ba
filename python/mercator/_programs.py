# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Programs and what can be asked of them."""

from __future__ import annotations

import html
import inspect
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable, Generic, Iterable, Iterator, Optional, TypeVar, Union, overload

from . import _library as c
from ._arrays import Inputs, results_of
from ._library import Error
from ._maps import Map
from ._tables import paragraph, shorten, table

T = TypeVar("T")


class Answer:
    """An answer about a program. `repr` is the text of the command."""

    def __init__(self, ask: Callable[[bool], str], data: dict[str, Any]):
        self._ask = ask
        self._data = data

    def to_dict(self) -> dict[str, Any]:
        """The answer as the command writes it with `--json`: schemas/ describes it."""
        return self._data

    @property
    def text(self) -> str:
        """What the command prints."""
        return self._ask(False)

    def __repr__(self) -> str:
        return shorten(self.text, "print(answer.text) prints all")

    def _repr_html_(self) -> str:
        return paragraph(repr(self))


class Rows(Answer, Sequence[T], Generic[T]):
    """An answer that is a list."""

    def __init__(self, ask: Callable[[bool], str], data: dict[str, Any], rows: list[T]):
        super().__init__(ask, data)
        self._rows = rows

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[T, list[T]]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[T]:
        return iter(self._rows)


# Maps.


@dataclass(frozen=True)
class RuntimeSource:
    """Where the value of a runtime variable is read: element `map` of `source`."""

    name: str
    interval: tuple[int, int]
    source: str
    map: str
    element: Optional[int] = None


@dataclass(frozen=True)
class OperandMap:
    """One of the maps by which an operand is read. `reason` says why a map is not exact."""

    text: str
    exact: bool
    reason: str = ""
    runtime_variables: tuple[RuntimeSource, ...] = ()

    @property
    def map(self) -> Map:
        return Map(self.text)


@dataclass(frozen=True)
class Target:
    """What the maps of a record lead to: an operand, or a result, by number."""

    kind: str
    number: int
    name: str
    maps: tuple[OperandMap, ...]
    element: Optional[int] = None


def _named(data: dict[str, Any]) -> tuple[str, str, str, str, str]:
    """The first fields of the answer for an instruction: where it stands, and its line of Python."""
    return (
        data["computation"],
        data["instruction"],
        data.get("operation", ""),
        data.get("at", ""),
        data.get("origin", ""),
    )


@dataclass(frozen=True)
class MapRecord:
    """All maps from one result of an instruction to its operands, or the inverse."""

    computation: str
    instruction: str
    operation: str
    at: str
    origin: str
    direction: str
    start: dict[str, int]
    to: tuple[Target, ...]

    @classmethod
    def _of(cls, data: dict[str, Any]) -> MapRecord:
        targets = []
        for target in data["to"]:
            kind = "operand" if "operand" in target else "result"
            maps = tuple(
                OperandMap(
                    found["map"],
                    found["exact"],
                    found.get("reason", ""),
                    tuple(
                        RuntimeSource(v["name"], tuple(v["interval"]), v["source"], v["map"], v.get("element"))
                        for v in found["runtime_variables"]
                    ),
                )
                for found in target["maps"]
            )
            targets.append(Target(kind, target[kind], target.get("name", ""), maps, target.get("element")))
        return cls(
            *_named(data),
            data["direction"],
            data["from"],
            tuple(targets),
        )


class Maps(Rows[MapRecord]):
    """The maps of a program. `maps["name"]` gives the records of an instruction."""

    def of(self, instruction: str) -> list[MapRecord]:
        """The records of one instruction, by its name, with or without `%`."""
        name = instruction.lstrip("%")
        return [record for record in self if record.instruction.lstrip("%") == name]

    def _repr_html_(self) -> str:
        return table(
            ("instruction", "line", "reads", "map", "exact"),
            (
                (record.instruction, record.origin or record.at, target.name or target.number, found.text, found.reason or "exact")
                for record in self
                for target in record.to
                for found in target.maps
            ),
        )


# Tiles.


@dataclass(frozen=True)
class NeededTile:
    """The box of an operand or a producer that a tile needs, in the notation of numpy."""

    name: str
    type: str
    box: str
    elements: Optional[int]
    bytes: Optional[int]
    is_box: bool
    exact_map: bool


@dataclass(frozen=True)
class Tile:
    """A tile of one result, and what it needs; `refused` says why there is none."""

    computation: str
    instruction: str
    operation: str
    at: str
    origin: str
    type: str
    tile: str
    needs: tuple[NeededTile, ...]
    producers: tuple[NeededTile, ...]
    footprint: Optional[int]
    bytes_moved: Optional[int]
    fits: str
    refused: str
    sizes: tuple[tuple[int, ...], ...] = ()  # of tile="auto", the best first


def _box(dims: Iterable[dict[str, Any]]) -> str:
    parts = []
    for dim in dims:
        offset, length = dim["offset"], (dim["size"] - 1) * dim["stride"] + 1
        try:
            text = f"{int(offset)}:{int(offset) + length}"
        except ValueError:
            text = f"{offset}:{offset} + {length}"
        parts.append(text if dim["stride"] == 1 else f"{text}:{dim['stride']}")
    return "[" + ", ".join(parts) + "]"


def _tile_of(data: dict[str, Any]) -> Tile:
    def needed(found: dict[str, Any]) -> NeededTile:
        return NeededTile(
            found["name"],
            found["type"],
            _box(found["box"]),
            found["elements"].get("value"),
            found.get("bytes"),
            bool(found["is_box"].get("value")),
            found["exact_map"],
        )

    return Tile(
        *_named(data),
        data["type"],
        _box(data.get("tile", ())),
        tuple(map(needed, data.get("needs", ()))),
        tuple(map(needed, data.get("producers", ()))),
        data.get("footprint"),
        data.get("bytes_moved"),
        data.get("fits", ""),
        data.get("refused", ""),
        tuple(tuple(choice["tile"]) for choice in data.get("sizes", ())),
    )


class Tiles(Rows[Tile]):
    """What tiles of results need."""

    def _repr_html_(self) -> str:
        return table(
            ("result", "tile", "needs", "box", "elements", "bytes"),
            (
                (tile.instruction, tile.tile, found.name, found.box, found.elements, found.bytes)
                for tile in self
                for found in tile.needs
            ),
        )


# Access.


@dataclass(frozen=True)
class OperandAccess:
    """How one operand is read: distinct elements, reads, and for each map the sectors that
    warps or vectors fetch for each that they need (1 is best)."""

    name: str
    type: str
    elements: Optional[int]
    read: Optional[int]
    reads: Optional[int]
    traffic: tuple[Optional[float], ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Access:
    """How an instruction reads memory."""

    computation: str
    instruction: str
    operation: str
    at: str
    origin: str
    type: str
    operands: tuple[OperandAccess, ...]


def _access_of(data: dict[str, Any]) -> Access:
    operands = []
    for found in data["operands"]:
        factors = [access.get("traffic_factor", {}) for access in found["accesses"]]
        operands.append(
            OperandAccess(
                found["name"],
                found["type"],
                found.get("elements"),
                found["read"].get("value"),
                found["pairs"].get("value"),
                tuple(float(factor["value"]) if "value" in factor else None for factor in factors),
                tuple(factor.get("reason", "") for factor in factors),
            )
        )
    return Access(
        *_named(data),
        data["type"],
        tuple(operands),
    )


class Accesses(Rows[Access]):
    """How the instructions of a program read memory."""

    def _repr_html_(self) -> str:
        return table(
            ("instruction", "line", "operand", "elements", "read", "traffic", "reason"),
            (
                (
                    access.instruction,
                    access.origin or access.at,
                    operand.name,
                    operand.elements,
                    operand.read,
                    ", ".join("?" if factor is None else f"{factor:.3g}" for factor in operand.traffic),
                    "; ".join(operand.reasons),
                )
                for access in self
                for operand in access.operands
            ),
        )


# Dispatches.


@dataclass(frozen=True)
class Dispatch:
    """Operations that share a kernel, with the lines that they stand in."""

    function: str
    at: str
    operations: tuple[str, ...]
    origins: tuple[str, ...]
    flops: Optional[int]
    bytes_read: Optional[int]
    bytes_written: Optional[int]


@dataclass(frozen=True)
class Edge:
    """From a result to an operand: inside of a dispatch, or a boundary with its reasons."""

    function: str
    at: str
    edge: str
    inside: bool
    reasons: tuple[str, ...]
    bytes: Optional[int]
    cost: str
    help: str


def _sum(tensors: Iterable[dict[str, Any]]) -> Optional[int]:
    total = 0
    for tensor in tensors:
        if "bytes" not in tensor:
            return None
        total += tensor["bytes"]
    return total


def _dispatch_of(data: dict[str, Any]) -> Dispatch:
    return Dispatch(
        data["function"],
        data["at"],
        tuple(op["operation"] for op in data["operations"]),
        tuple(op.get("origin", "") or op.get("at", "") for op in data["operations"]),
        data.get("flops"),
        _sum(data.get("reads", ())),
        _sum(data.get("gives", ())),
    )


def _edge_of(data: dict[str, Any]) -> Edge:
    reasons = [data["reason"]] if "reason" in data else []
    reasons += [reason["reason"] for reason in data.get("reasons", ()) if reason["reason"] not in reasons]
    return Edge(
        data["function"],
        data["at"],
        data["edge"],
        data["inside"],
        tuple(reasons),
        data.get("bytes"),
        data.get("cost", ""),
        data.get("help", ""),
    )


class Explanation(Answer):
    """The dispatches of a program, and why there are that many."""

    @property
    def dispatches(self) -> tuple[Dispatch, ...]:
        return tuple(map(_dispatch_of, self._data["dispatches"]))

    @property
    def kernels(self) -> tuple[Dispatch, ...]:
        """The kernels that compiled HLO itself has."""
        return tuple(map(_dispatch_of, self._data.get("kernels", ())))

    @property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(map(_edge_of, self._data["edges"]))

    @property
    def boundaries(self) -> tuple[Edge, ...]:
        """The edges between dispatches."""
        return tuple(edge for edge in self.edges if not edge.inside)

    def _repr_html_(self) -> str:
        dispatches = table(
            ("dispatch", "operations", "lines", "reads", "writes"),
            (
                (number, "; ".join(each.operations), "; ".join(each.origins), each.bytes_read, each.bytes_written)
                for number, each in enumerate(self.dispatches)
            ),
        )
        edges = table(
            ("boundary", "bytes", "reasons"), ((each.edge, each.bytes, "; ".join(each.reasons)) for each in self.boundaries)
        )
        return dispatches + edges


# Differences.


@dataclass(frozen=True)
class Change:
    """An instruction of the first program, its counterpart, and what differs."""

    first: str
    second: str
    changes: tuple[str, ...]


class Diff(Answer):
    """What differs between two programs. `verdict` is about the maps from results to
    parameters: "equal", "different" or "undecided"."""

    @property
    def verdict(self) -> str:
        verdict: str = self._data["verdict"]
        return verdict

    @property
    def changed(self) -> tuple[Change, ...]:
        return tuple(
            Change(change["first"]["instruction"], change["second"]["instruction"], tuple(change["changes"]))
            for change in self._data["changed"]
        )

    @property
    def only_first(self) -> tuple[str, ...]:
        return tuple(place["instruction"] for place in self._data["only_first"])

    @property
    def only_second(self) -> tuple[str, ...]:
        return tuple(place["instruction"] for place in self._data["only_second"])

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self._data["affected"] or self.changed or self.only_first or self.only_second)

    def _repr_html_(self) -> str:
        rows = [(change.first, change.second, "; ".join(change.changes)) for change in self.changed]
        rows += [(name, "", "only in the first program") for name in self.only_first]
        rows += [("", name, "only in the second program") for name in self.only_second]
        return table(("first", "second", "change"), rows) + paragraph(f"maps {self.verdict}")


# Programs.


def _options(**options: Any) -> list[str]:
    """`fused=True` is --fused, `device="h100"` is --device=h100; None and False are nothing."""
    words = []
    for name, value in options.items():
        name = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        words.append(name if value is True else f"{name}={value}")
    return words


@dataclass(frozen=True)
class Page:
    """A page of HTML that needs no network. A notebook shows it; `save` writes it."""

    html: str

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"<a page of {len(self.html):,} bytes: save(path) writes it>"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:860px;border:0" title="Mercator"></iframe>'


class Program:
    """A program, made by `load` or `trace`.

    Every question takes further options of its command (docs/cli.md) by name:
    `p.maps(op="dot*")` is `mercator map --op='dot*'`.
    """

    def __init__(self, address: int, messages: list[dict[str, Any]]):
        self._handle = c.Handle(address, "free_compilation")
        self.name: str = c.function("compilation_name")(address).decode()
        """The name of the module."""
        self.warnings = [message["message"] for message in messages if message["severity"] == "warning"]
        """What was found to be unusual while the program was loaded."""

    def ask(self, *words: str) -> str:
        """What a command prints about the program: `p.ask("map", "--fused")`."""
        text, _ = self._ask(words)
        return text

    def _ask(self, words: Sequence[str]) -> tuple[str, int]:
        status, (answer,), messages = c.call(
            "ask", self._handle.address, c.words_of(words), len(words), kept=self._handle, what=words[0] if words else "ask"
        )
        text = c.take_text(answer)
        if status not in (c.DONE, c.PROPERTY_FALSE) and not (status == c.UNDECIDED and text):
            raise c.error_of(status, messages)
        return text, status

    def _question(self, command: str, options: list[str]) -> tuple[Callable[[bool], str], dict[str, Any]]:
        def ask(is_json: bool) -> str:
            text, _ = self._ask([command, *options, *(["--json"] if is_json else [])])
            return text

        data: dict[str, Any] = json.loads(ask(True))
        return ask, data

    def maps(
        self,
        instruction: Optional[str] = None,
        *,
        fused: bool = False,
        source: Optional[str] = None,
        target: Optional[str] = None,
        direction: Optional[str] = None,
        **options: Any,
    ) -> Maps:
        """Which elements each instruction reads. `fused`: from the results of the program
        to its parameters. `source` and `target`: from one instruction to another."""
        ask, data = self._question(
            "map",
            _options(instruction=instruction, fused=fused, from_=source, to=target, direction=direction, **options),
        )
        return Maps(ask, data, [MapRecord._of(record) for record in data["records"]])

    def tile(
        self,
        tile: Union[str, slice, int, tuple[Union[slice, int, Any], ...]] = "auto",
        *,
        of: Optional[str] = None,
        fused: bool = False,
        device: Optional[str] = None,
        **options: Any,
    ) -> Tiles:
        """What a tile of a result needs.

        `np.s_[0:16, 0:128]` is a part of the result `of`, by default of the program;
        `(16, 128)` are the sizes of tiles at any place, and "auto" finds sizes that move
        few bytes.
        """
        parts = tile if isinstance(tile, tuple) else (tile,)
        words = _options(fused=fused, device=device, **options)
        if isinstance(tile, str):
            words.append(f"--tile={tile}")
        elif any(isinstance(part, slice) or part is Ellipsis for part in parts):
            name = of if of is not None else self._root()
            words.append(f"--of={name}[{', '.join(map(_slice_text, parts))}]")
        else:
            words.append("--tile=" + "x".join(str(int(part)) for part in parts))
            if of is not None:
                words.append(f"--instruction={of}")
        ask, data = self._question("tile", words)
        return Tiles(ask, data, [_tile_of(tile) for tile in data["instructions"]])

    def _root(self) -> str:
        records = self.maps(fused=True)
        if not records:
            raise Error("expected a program with a result that reads a parameter", help='of="NAME" names a result')
        return records[0].instruction

    def access(self, *, fused: bool = False, device: Optional[str] = None, **options: Any) -> Accesses:
        """How much of each operand is read, how often, and in which sectors of memory."""
        ask, data = self._question("access", _options(fused=fused, device=device, **options))
        return Accesses(ask, data, [_access_of(access) for access in data["instructions"]])

    def explain(self, *, fusion: Optional[str] = None, device: Optional[str] = None, **options: Any) -> Explanation:
        """The dispatches of the program, and the reasons of the boundaries between them."""
        return Explanation(*self._question("explain", _options(fusion=fusion, device=device, **options)))

    def explore(self, *, fusion: Optional[str] = None, device: Optional[str] = None, **options: Any) -> Page:
        """A page that shows what the program reads, computes and moves."""
        return Page(self._ask(["explore", *_options(fusion=fusion, device=device, **options)])[0])

    def diff(self, other: Any) -> Diff:
        """What differs in another program, which may be anything that `load` accepts."""
        second = load(other)

        def ask(is_json: bool) -> str:
            words = ["--json"] if is_json else []
            status, (answer,), messages = c.call(
                "diff",
                self._handle.address,
                second._handle.address,
                c.words_of(words),
                len(words),
                kept=(self._handle, second._handle),
            )
            text = c.take_text(answer)
            if not text:
                raise c.error_of(status, messages)
            return text

        return Diff(ask, json.loads(ask(True)))

    def run(self, *inputs: Any, reference: bool = False, function: Optional[str] = None, **options: Any) -> Any:
        """Compiles the program for this machine, runs it, and returns the array that it
        computes, or a tuple of arrays.

        An input is an array, or a word such as "random:1". After arrays, a last
        "random:1" stands for all inputs that follow. With `reference=True` the program is
        evaluated, slowly, as the specification of StableHLO says.
        """
        count = len(inputs)
        while count and isinstance(inputs[count - 1], str):
            count -= 1
        arrays = Inputs(inputs[:count])
        words = _options(reference=reference, function=function, **options)
        for word in inputs[count:]:
            words += ["--input", word]
        status, (results,), messages = c.call(
            "run",
            self._handle.address,
            c.words_of(words),
            len(words),
            arrays.arrays,
            count,
            kept=(self._handle, arrays),
        )
        if results is None:
            raise c.error_of(status, messages)
        made = results_of(results)
        return made[0] if len(made) == 1 else made

    def compile(self, path: Union[str, os.PathLike[str]], **options: Any) -> None:
        """Writes machine code: a shared library with a header of C beside it, or what
        `emit` says ("obj", "asm", "llvm")."""
        words = _options(**options)
        status, _, messages = c.call(
            "compile",
            self._handle.address,
            os.fspath(path).encode(),
            c.words_of(words),
            len(words),
            outputs=0,
            kept=self._handle,
        )
        if status != c.DONE:
            raise c.error_of(status, messages)

    def __repr__(self) -> str:
        return f"<mercator.Program '{self.name}'>"


def _slice_text(part: Any) -> str:
    if part is Ellipsis:
        raise Error("expected a slice for each dimension, got ...", help="np.s_[0:16, :]")
    numbers = (part.start, part.stop, part.step) if isinstance(part, slice) else (part,)
    negative = [number for number in numbers if number is not None and number < 0]
    if negative:
        raise Error(f"expected a part that is counted from 0, got {negative[0]}")
    if not isinstance(part, slice):
        return str(int(part))
    text = f"{'' if part.start is None else part.start}:{'' if part.stop is None else part.stop}"
    return text if part.step is None else f"{text}:{part.step}"


def load(program: Any, name: Optional[str] = None) -> Program:
    """A program from

    - a path (`os.PathLike`, or a `str` of one line) to HLO text, StableHLO or MLIR;
    - such a text (a `str` of several lines, or `bytes`);
    - `jax.jit(f).lower(..)`, with the lines of Python that it was traced from;
    - a compiled program of JAX, `jax.jit(f).lower(..).compile()`, as XLA has optimized it;
    - `jax.export.export(jax.jit(f))(..)`;
    - a program of torch_xla, `exported_program_to_stablehlo(..)`, or the folder that it saves;
    - a module of MLIR's Python bindings.

    `name` is the file name in messages.
    """
    if isinstance(program, Program):
        return program
    if isinstance(program, os.PathLike) or (isinstance(program, str) and "\n" not in program):
        path = os.fspath(program)
        if os.path.isdir(path):
            path = _saved_by_torch(path)
        status, (address,), messages = c.call("load_file", path.encode() if isinstance(path, str) else path)
    else:
        text, own_name = _text_of(program)
        status, (address,), messages = c.call("load", (name or own_name).encode(), text, len(text))
    if address is None:
        raise c.error_of(status, messages)
    return Program(address, messages)


def _saved_by_torch(folder: Union[str, bytes]) -> Union[str, bytes]:
    """The program in a folder that torch_xla has saved."""
    for name in ("forward.mlir", "forward.bytecode"):
        path = os.path.join(os.fsdecode(folder), "functions", name)
        if os.path.exists(path):
            return path
    raise Error(f"expected a folder with functions/forward.mlir, as torch_xla saves one, got {os.fsdecode(folder)}")


def _text_of(program: Any) -> tuple[bytes, str]:
    """The text of a program, and a name for it."""
    if isinstance(program, (bytes, bytearray, memoryview)):
        return bytes(program), "<bytes>"
    if isinstance(program, str):
        return program.encode(), "<text>"
    if callable(getattr(program, "as_text", None)):
        # Only a program that is not compiled knows the lines of Python.
        has_lines = "debug_info" in inspect.signature(program.as_text).parameters
        text = program.as_text(debug_info=True) if has_lines else program.as_text()
        return text.encode(), "<lowered>" if has_lines else "<compiled>"
    if callable(getattr(program, "mlir_module", None)):
        return str(program.mlir_module()).encode(), f"<exported {getattr(program, 'fun_name', '')}>"
    if callable(getattr(program, "get_stablehlo_text", None)):
        return program.get_stablehlo_text().encode(), "<torch>"
    operation = getattr(program, "operation", program)
    if callable(getattr(operation, "get_asm", None)):
        return operation.get_asm(enable_debug_info=True).encode(), "<module>"
    raise Error(
        f"expected a path, a text, or a program of JAX or torch_xla, got {type(program).__name__}",
        help="mercator.trace(f, *arguments) traces a function",
    )


def trace(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Program:
    """The program of a function of JAX for arguments of these shapes and types, which may
    be arrays or `jax.ShapeDtypeStruct`."""
    try:
        import jax  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise Error("expected the package jax, which traces functions, got none", help="pip install jax") from None
    jitted = function if hasattr(function, "lower") else jax.jit(function)
    return load(jitted.lower(*arguments, **keywords))
