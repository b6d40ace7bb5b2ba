# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""libmercator.so through ctypes: mercator/c/mercator.h has the documentation."""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_uint8, c_uint32, c_void_p
from typing import Any, Callable, NamedTuple, Optional, Sequence

from . import _calls

C_VERSION = 1

DONE, INPUT_REJECTED, WRONG_USAGE, PROPERTY_FALSE, UNDECIDED, INTERNAL_ERROR = 0, 1, 2, 3, 4, 70


class Place(NamedTuple):
    """Where in a text; lines and columns count from 1, columns count bytes."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Error(Exception):
    """What is wrong, in `text`; where, in `place`; and what to do, in `help`.

    `messages` are all diagnostics, as schemas/mercator.diagnostic-1.json describes
    them. `status` is the exit code that the command has in the same case: 1 for a wrong
    input, 2 for wrong usage, 4 for a limit.
    """

    def __init__(
        self,
        text: str,
        place: Optional[Place] = None,
        help: Optional[str] = None,
        status: int = WRONG_USAGE,
        messages: Sequence[dict[str, Any]] = (),
    ):
        self.text = text
        self.place = place
        self.help = help
        self.status = status
        self.messages = list(messages)
        lines = [f"{place}: {text}" if place else text]
        for message in self.messages[1:]:
            if message["severity"] in ("error", "note"):
                where = _place_of(message)
                lines.append(f"{message['severity']}: {f'{where}: ' if where else ''}{message['message']}")
        if help:
            lines.append(f"help: {help}")
        super().__init__("\n".join(lines))


def _place_of(message: dict[str, Any]) -> Optional[Place]:
    if "file" not in message:
        return None
    return Place(message["file"], message["line"], message["column"])


def error_of(status: int, messages: Sequence[dict[str, Any]]) -> Error:
    """The error that the messages of a failed call describe. The first one is an error."""
    errors = [message for message in messages if message["severity"] == "error"]
    if not errors:
        return Error("there is no answer, and no reason was given", status=status, messages=messages)
    first = errors[0]
    rest = list(messages[messages.index(first) :])
    helps = [message["message"] for message in rest if message["severity"] == "help"]
    return Error(first["message"], _place_of(first), helps[0] if helps else None, status, rest)


class Array(ctypes.Structure):
    """mercator_array."""

    _fields_ = [
        ("element", c_char_p),
        ("rank", c_int64),
        ("shape", POINTER(c_int64)),
        ("data", c_void_p),
    ]


def _find() -> str:
    given = os.environ.get("MERCATOR_LIBRARY")
    return given if given else os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", "libmercator.so")


_handle, _words = c_void_p, POINTER(c_char_p)
_out = POINTER(c_void_p)
_PROTOTYPES: dict[str, tuple[Any, list[Any]]] = {
    "c_version": (c_uint32, []),
    "version": (c_char_p, []),
    "text_data": (c_void_p, [_handle]),
    "text_size": (c_size_t, [_handle]),
    "free_text": (None, [_handle]),
    "load": (c_int, [c_char_p, c_char_p, c_size_t, _out, _out]),
    "load_file": (c_int, [c_char_p, _out, _out]),
    "compilation_name": (c_char_p, [_handle]),
    "free_compilation": (None, [_handle]),
    "ask": (c_int, [_handle, _words, c_size_t, _out, _out]),
    "diff": (c_int, [_handle, _handle, _words, c_size_t, _out, _out]),
    "compile": (c_int, [_handle, c_char_p, _words, c_size_t, _out]),
    "run": (c_int, [_handle, _words, c_size_t, POINTER(Array), c_size_t, _out, _out]),
    "results_count": (c_size_t, [_handle]),
    "results_get": (c_int, [_handle, c_size_t, POINTER(Array)]),
    "free_results": (None, [_handle]),
    "parse_map": (c_int, [c_char_p, c_size_t, _out, _out]),
    "free_map": (None, [_handle]),
    "map_text": (c_void_p, [_handle]),
    "map_structure": (c_void_p, [_handle]),
    "map_evaluate": (c_int, [_handle, c_size_t, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_uint8), _out]),
    "map_compose": (c_int, [_handle, _handle, _out, _out]),
    "map_invert": (c_int, [_handle, POINTER(c_int64), c_size_t, _out, _out]),
    "map_simplify": (c_int, [_handle, _out, _out, _out]),
    "map_prove": (c_int, [_handle, _handle, _out, _out]),
    "command": (c_int, [c_int, _words]),
}


def _open() -> dict[str, Callable[..., Any]]:
    path = _find()
    try:
        # Its symbols are for nobody else.
        library = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        raise ImportError(
            f"mercator: cannot load {path}: {error}\n"
            "help: install the wheel, or set MERCATOR_LIBRARY to the path of libmercator.so"
        ) from error
    functions = {}
    for name, (result, arguments) in _PROTOTYPES.items():
        function = getattr(library, f"mercator_{name}")
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    if functions["c_version"]() != C_VERSION:
        raise ImportError(
            f"mercator: expected version {C_VERSION} of the C interface, got {functions['c_version']()} of {path}"
        )
    return functions


_functions = _open()


class Handle:
    """A handle of the library, freed with this object."""

    def __init__(self, address: int, free: str):
        self.address = address
        self._free = _functions[free]

    def __del__(self) -> None:
        free, address = getattr(self, "_free", None), getattr(self, "address", None)
        if free is not None and address:
            free(address)
            self.address = 0


def take_text(address: Optional[int]) -> str:
    """The content of a mercator_text, which is freed."""
    if not address:
        return ""
    data = _functions["text_data"](address)
    text = ctypes.string_at(data, _functions["text_size"](address))
    _functions["free_text"](address)
    return text.decode("utf-8", errors="replace")


def words_of(words: Sequence[str]) -> Any:
    """An array of char *. Python's strings may not contain a zero byte there."""
    for word in words:
        if "\0" in word:
            raise Error(f"expected no zero byte in an option, got {word!r}")
    return (c_char_p * len(words))(*(os.fsencode(word) for word in words))


# What may take long: another thread runs it (_calls.py).
_LONG = {"load", "load_file", "ask", "diff", "compile", "run", "map_prove", "map_simplify", "map_compose", "map_invert"}


def call(
    name: str, *arguments: Any, outputs: int = 1, kept: Any = None, what: str = ""
) -> tuple[int, list[Optional[int]], list[dict[str, Any]]]:
    """Calls a function whose last arguments are `outputs` places for handles and one for
    the messages. Returns the status, the handles, and the messages. The function may go on
    after an interrupt, so whatever it refers to is an argument or `kept`; `what` is its
    name for the user."""
    places = [c_void_p() for _ in range(outputs + 1)]
    all_arguments = (*arguments, *(ctypes.byref(place) for place in places))
    if name in _LONG:
        status = _calls.call(what or name, _functions[name], all_arguments, kept)
    else:
        status = _functions[name](*all_arguments)
    messages = [json.loads(line) for line in take_text(places[-1].value).splitlines()]
    return status, [place.value for place in places[:-1]], messages


def function(name: str) -> Callable[..., Any]:
    return _functions[name]


def version() -> str:
    text: bytes = _functions["version"]()
    return text.decode()
