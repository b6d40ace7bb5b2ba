#!/bin/sh
# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# agent.sh HOST COMMAND: what ssh would do on the other host, done here.
shift
exec sh -c "$*"
