# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Indexing maps: evaluate, compose, invert, simplify, prove."""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _library as c
from ._library import Error
from ._tables import paragraph, table

# One element of a tensor, or the elements that many points give: as an index of numpy.
Index = tuple[Any, ...]

MOST_POINTS = 1 << 24


@dataclass(frozen=True)
class Variable:
    """A variable of a map. `lower` and `upper` belong to the interval; None: no bound.

    `kind` is "dimension", "range", "runtime" or "parameter".
    """

    name: str
    kind: str
    lower: Optional[int]
    upper: Optional[int]

    def __str__(self) -> str:
        lower = "-inf" if self.lower is None else self.lower
        upper = "inf" if self.upper is None else self.upper
        return f"{self.name} in [{lower}, {upper}]"


class Map:
    """An indexing map in the notation of Mercator.

    >>> m = Map("(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 9], s0 in [0, 3]")
    >>> m(2, s0=1)
    (9,)
    >>> m.reads(2).tolist()
    [[8], [9], [10], [11]]

    Maps are equal if they read the same elements at every point:

    >>> Map("(d0) -> (d0 mod 4), domain: d0 in [0, 3]") == Map("(d0) -> (d0), domain: d0 in [0, 3]")
    True

    `==` raises an Error if that is not decided. So maps have no hash.
    """

    text: str
    """The map in the notation."""
    variables: tuple[Variable, ...]
    _handle: c.Handle
    _structure: dict[str, Any]
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, text: Union[str, Map]):
        if isinstance(text, Map):
            self._handle, self._structure = text._handle, text._structure
            self.text, self.variables = text.text, text.variables
            return
        if not isinstance(text, str):
            raise Error(f"expected the text of a map, got {type(text).__name__}")
        encoded = text.encode()
        status, (address,), messages = c.call("parse_map", encoded, len(encoded))
        if status != c.DONE or address is None:
            raise c.error_of(status, messages)
        self._take(address)

    @classmethod
    def _of(cls, address: int) -> Map:
        made = cls.__new__(cls)
        made._take(address)
        return made

    def _take(self, address: int) -> None:
        self._handle = c.Handle(address, "free_map")
        self.text = c.take_text(c.function("map_text")(address))
        self._structure = json.loads(c.take_text(c.function("map_structure")(address)))
        self.variables = tuple(
            Variable(v["name"], v["kind"], v["interval"][0], v["interval"][1]) for v in self._structure["variables"]
        )

    @property
    def dims(self) -> tuple[Variable, ...]:
        """The dimensions: the coordinates of the element that reads."""
        return self._of_kind("dimension")

    @property
    def ranges(self) -> tuple[Variable, ...]:
        """The range variables, which take all values of their intervals."""
        return self._of_kind("range")

    @property
    def runtimes(self) -> tuple[Variable, ...]:
        """The runtime variables, known only when the program runs."""
        return self._of_kind("runtime")

    @property
    def parameters(self) -> tuple[Variable, ...]:
        """The parameters, which the user of the map chooses."""
        return self._of_kind("parameter")

    def _of_kind(self, kind: str) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.variables if variable.kind == kind)

    @property
    def num_results(self) -> int:
        """The rank of the tensor that is read."""
        return len(self._structure["results"])

    def to_dict(self) -> dict[str, Any]:
        """Variables, results and constraints as trees: `structure` of mercator.map/1."""
        return self._structure

    # Evaluation.

    def __call__(self, *dims: Any, **others: Any) -> Index:
        """The element that is read at a point; for arrays of coordinates, the elements at
        all points. Coordinates broadcast as in numpy. Other variables are given by name.

        The result is an index: `x[m(i, j)]` is what is read.
        """
        points, shape = self._points(dims, others)
        elements, inside = self._evaluate(points)
        if not inside.all():
            at = int(np.argmin(inside))
            values = ", ".join(f"{v.name} = {p[at]}" for v, p in zip(self.variables, points))
            raise Error(f"the map has no value at {values}: expected a point of its domain", help=f"domain: {self._domain()}")
        if shape == ():
            return tuple(int(column[0]) for column in elements)
        return tuple(column.reshape(shape) for column in elements)

    def contains(self, *dims: Any, **others: Any) -> Any:
        """Whether a point is in the domain; for arrays, an array of bools."""
        points, shape = self._points(dims, others)
        _, inside = self._evaluate(points)
        return bool(inside[0]) if shape == () else inside.reshape(shape)

    def reads(self, *dims: int, **others: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        """All elements that one element reads, a row each, sorted: the values of the map
        for all values of its range variables that are not given by name."""
        if any(np.ndim(value) for value in (*dims, *others.values())):
            raise Error("expected the coordinates of one element, got arrays")
        free = [variable for variable in self.ranges if variable.name not in others]
        count = 1
        for variable in free:
            if variable.lower is None or variable.upper is None:
                raise Error(f"expected a range variable with bounds, got {variable}", status=c.UNDECIDED)
            count *= max(variable.upper - variable.lower + 1, 0)
        if count > MOST_POINTS:
            raise Error(
                f"expected at most {MOST_POINTS} values of the range variables, got {count}", status=c.UNDECIDED
            )
        values: list[Any] = [np.arange(v.lower, int(v.upper or 0) + 1, dtype=np.int64) for v in free]  # type: ignore[arg-type]
        grids = np.meshgrid(*values, indexing="ij")
        given: dict[str, Any] = dict(others)
        given.update({variable.name: grid.ravel() for variable, grid in zip(free, grids)})
        points, _ = self._points(dims, given)
        elements, inside = self._evaluate(points)
        rows = np.stack(elements, axis=-1)[inside] if elements else np.zeros((int(inside.any()), 0), np.int64)
        return np.unique(rows, axis=0) if rows.shape[1] else rows

    def _domain(self) -> str:
        _, _, domain = self.text.partition("domain: ")
        return domain or "all integers"

    def _points(self, dims: Sequence[Any], others: dict[str, Any]) -> tuple[list[Any], tuple[int, ...]]:
        """A column for each variable, and the shape of the points."""
        if len(dims) != len(self.dims):
            names = ", ".join(variable.name for variable in self.dims) or "none"
            raise Error(f"expected {len(self.dims)} coordinates ({names}), got {len(dims)}")
        values = dict(zip((variable.name for variable in self.dims), dims))
        for name, value in others.items():
            if name in values or name not in {variable.name for variable in self.variables}:
                raise Error(f"expected the name of a variable that is no dimension, got '{name}'", help=self._domain())
            values[name] = value
        missing = [variable for variable in self.variables if variable.name not in values]
        if missing:
            ranges = all(variable.kind == "range" for variable in missing)
            raise Error(
                f"expected a value of {missing[0].name}, a {missing[0].kind} variable, got none",
                help="m.reads(..) gives all elements that are read" if ranges else f"give {missing[0].name}=..",
            )
        arrays = [_integers(values[variable.name], variable.name) for variable in self.variables]
        try:
            shape = np.broadcast_shapes(*(array.shape for array in arrays))
        except ValueError as error:
            raise Error(f"expected coordinates that broadcast: {error}") from None
        return [np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1) for array in arrays], shape

    def _evaluate(self, points: Sequence[Any]) -> tuple[list[Any], Any]:
        count = points[0].size if points else 1
        elements = [np.empty(count, np.int64) for _ in range(self.num_results)]
        inside = np.empty(count, np.uint8)
        status, _, messages = c.call(
            "map_evaluate",
            self._handle.address,
            count,
            _pointers(points),
            _pointers(elements),
            inside.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)),
            outputs=0,
        )
        if status != c.DONE:
            raise c.error_of(status, messages)
        return elements, inside.astype(bool)

    # Algebra.

    def __matmul__(self, inner: Map) -> Map:
        """The composition, simplified: `(a @ b)(x)` is `a(*b(x))`."""
        if not isinstance(inner, Map):
            return NotImplemented
        status, (address,), messages = c.call(
            "map_compose", inner._handle.address, self._handle.address, kept=(inner._handle, self._handle), what="compose"
        )
        if status != c.DONE or address is None:
            raise c.error_of(status, messages)
        return Map._of(address)

    def inverse(self, sizes: Optional[Sequence[int]] = None) -> Map:
        """From the elements that are read to those that read them. `sizes` is the shape of
        the tensor that is read; by default the smallest one that holds all results."""
        given = None if sizes is None else (ctypes.c_int64 * len(sizes))(*sizes)
        count = 0 if sizes is None else len(sizes)
        status, (address,), messages = c.call(
            "map_invert", self._handle.address, given, count, kept=self._handle, what="invert"
        )
        if status != c.DONE or address is None:
            raise c.error_of(status, messages)
        return Map._of(address)

    def simplify(self) -> Simplified:
        """The simple form, the rules used, and a proof that both are equal."""
        status, (simple, answer), messages = c.call(
            "map_simplify", self._handle.address, outputs=2, kept=self._handle, what="simplify"
        )
        text = c.take_text(answer)
        if simple is None or not text:
            raise c.error_of(status, messages)
        made = Map._of(simple)
        if status == c.INTERNAL_ERROR:
            raise c.error_of(status, messages)
        return Simplified._of(made, json.loads(text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Map):
            return NotImplemented
        proof = prove(self, other)
        if proof.verdict == "undecided":
            raise Error(f"it is undecided whether the maps are equal: {proof.reason}", status=c.UNDECIDED)
        return proof.verdict == "equal"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f'Map("{self.text}")'

    def _repr_html_(self) -> str:
        rows = [(v.name, v.kind, "" if v.lower is None else v.lower, "" if v.upper is None else v.upper) for v in self.variables]
        return paragraph(self.text) + table(("variable", "kind", "from", "to"), rows)


def _integers(value: Any, name: str) -> Any:
    array = np.asarray(value)
    if array.dtype.kind not in "iu" and array.size > 0:
        raise Error(f"expected integers for {name}, got {array.dtype}")
    if array.dtype == np.uint64 and array.size > 0 and array.max() > np.iinfo(np.int64).max:
        raise Error(f"expected integers of 64 bits with a sign for {name}, got {array.max()}")
    return array.astype(np.int64)


def _pointers(columns: Sequence[Any]) -> Any:
    return (ctypes.c_void_p * len(columns))(*(column.ctypes.data for column in columns))


@dataclass(frozen=True)
class Counterexample:
    """A point at which one map reads an element that the other does not."""

    dims: tuple[int, ...]
    element: tuple[int, ...]
    read_by: str  # "first" or "second"
    ranges: tuple[int, ...] = ()
    runtimes: tuple[int, ...] = ()
    other_runtimes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Proof:
    """Whether two maps read the same elements. True in a condition if they do."""

    verdict: str  # "equal", "different" or "undecided"
    reason: str
    counterexample: Optional[Counterexample] = None
    _data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Proof:
        found = data.get("counterexample")
        counterexample = None
        if found:
            points: dict[str, Any] = {name: tuple(value) for name, value in found.items() if name != "read_by"}
            counterexample = Counterexample(read_by=found["read_by"], **points)
        return cls(data["verdict"], data["reason"], counterexample, data)

    def __bool__(self) -> bool:
        return self.verdict == "equal"

    def to_dict(self) -> dict[str, Any]:
        """mercator.prove/1."""
        return self._data

    def __repr__(self) -> str:
        lines = [f"{self.verdict}: {self.reason}"]
        if self.counterexample:
            at = ", ".join(f"d{i} = {value}" for i, value in enumerate(self.counterexample.dims))
            element = ", ".join(map(str, self.counterexample.element))
            lines.append(f"  at {at or 'the only point'}, the {self.counterexample.read_by} map alone reads ({element})")
        return "\n".join(lines)


def prove(first: Union[Map, str], second: Union[Map, str]) -> Proof:
    """Decides whether two maps read the same elements at every point.

    >>> prove("(d0) -> (d0 mod 4), domain: d0 in [0, 4]", "(d0) -> (d0), domain: d0 in [0, 4]").counterexample.dims
    (4,)
    """
    a, b = Map(first), Map(second)
    status, (answer,), messages = c.call(
        "map_prove", a._handle.address, b._handle.address, kept=(a._handle, b._handle), what="prove"
    )
    text = c.take_text(answer)
    if not text:
        raise c.error_of(status, messages)
    return Proof._of(json.loads(text))


@dataclass(frozen=True)
class Rewrite:
    """One use of a rule. `before` and `after` are empty for a rule about the domain."""

    name: str
    rewrite: str
    condition: str
    before: str
    after: str


@dataclass(frozen=True)
class Simplified:
    """A map, its simple form, the rules used, and the proof that both are equal."""

    map: Map
    rules: tuple[Rewrite, ...]
    proof: Proof
    _data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _of(cls, made: Map, data: dict[str, Any]) -> Simplified:
        return cls(made, tuple(Rewrite(**step) for step in data["rules"]), Proof._of(data["proof"]), data)

    def to_dict(self) -> dict[str, Any]:
        """mercator.simplify/1."""
        return self._data

    def __repr__(self) -> str:
        lines = [self.map.text]
        width = max((len(step.name) for step in self.rules), default=0)
        lines += [f"  {step.name:<{width}}  {step.before}  =>  {step.after}" for step in self.rules]
        lines.append(f"  {self.proof.verdict}: {self.proof.reason}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [(step.name, step.rewrite, step.before, step.after) for step in self.rules]
        return (
            paragraph(self.map.text)
            + table(("rule", "rewrite", "before", "after"), rows)
            + paragraph(f"{self.proof.verdict}: {self.proof.reason}")
        )
