# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""`python -m mercator` is the command `mercator`."""

import sys

from ._command import main

sys.exit(main())
