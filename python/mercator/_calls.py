# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Calls of the library that may take long.

The main thread waits for such a call, which runs in another thread, so that Ctrl-C ends
it at once: the caller gets KeyboardInterrupt, and what the call still computes is dropped.
In a terminal, a call that takes more than a second says what it does, and for how long.
"""

from __future__ import annotations

import atexit
import os
import queue
import signal
import sys
import threading
import time
from typing import Any, Callable, Optional


class _Call:
    """A call, and what it refers to until it ends."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], kept: Any):
        self.function, self.arguments, self.kept = function, arguments, kept
        self.result: Any = None
        self.ended = threading.Lock()
        self.ended.acquire()

    def run(self) -> None:
        self.result = self.function(*self.arguments)
        self.ended.release()


class _Worker:
    """A thread that runs calls, one after another."""

    def __init__(self) -> None:
        self.calls: queue.SimpleQueue[_Call] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="mercator", daemon=True).start()

    def _work(self) -> None:
        while True:
            call = self.calls.get()
            call.run()
            del call


_worker: Optional[_Worker] = None
_dropped: list[_Call] = []


def _forget() -> None:
    """The threads of a process are not those of its parent."""
    global _worker
    _worker = None
    _dropped.clear()


os.register_at_fork(after_in_child=_forget)


@atexit.register
def _end() -> None:
    """A call that was dropped must not see how the process is taken down."""
    if all(call.ended.acquire(timeout=0.1) for call in _dropped):
        return
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    if getattr(sys, "last_type", None) is KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(0)


def _wait(call: _Call, what: str) -> None:
    begin, shown = time.monotonic(), 0
    is_shown = sys.stderr is not None and sys.stderr.isatty()
    try:
        while not call.ended.acquire(timeout=1 if is_shown else -1):
            text = f"mercator: {what}, {time.monotonic() - begin:.0f} s (Ctrl-C ends it)"
            shown = len(text)
            sys.stderr.write("\r" + text)
            sys.stderr.flush()
    finally:
        if shown:
            sys.stderr.write("\r" + " " * shown + "\r")
            sys.stderr.flush()


def call(what: str, function: Callable[..., Any], arguments: tuple[Any, ...], kept: Any = None) -> Any:
    """The result of a function of the library. `what` is the word that the user knows;
    `kept` lives until the call ends."""
    global _worker
    # Python tells other threads nothing of Ctrl-C.
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    worker = _worker or _Worker()
    # A call in a signal handler, or after an interrupt, gets another thread.
    _worker = None
    made = _Call(function, arguments, kept)
    worker.calls.put(made)
    try:
        _wait(made, what)
    except BaseException:
        _dropped.append(made)
        raise
    _worker = worker
    return made.result
