# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The console script `mercator`."""

import os
import signal
import sys

from . import _library


def main() -> int:
    # As a program that is no Python: `| head` and Ctrl-C end it.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    words = ["mercator", *sys.argv[1:]]
    code: int = _library.function("command")(len(words), _library.words_of([os.fsdecode(word) for word in words]))
    return code
