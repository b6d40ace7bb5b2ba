# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# terminal.py COLUMNS COMMAND...: runs a command in a terminal of this width, and
# prints what it writes there.

import fcntl
import os
import pty
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
process, terminal = pty.fork()
if process == 0:
    size = struct.pack("HHHH", 50, columns, 0, 0)
    fcntl.ioctl(sys.stdout.fileno(), termios.TIOCSWINSZ, size)
    os.environ.update(TERM="xterm", NO_COLOR="1")
    os.execvp(command[0], command)
written = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # the end, on Linux
        break
    if not piece:
        break
    written += piece
sys.stdout.write(written.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
