// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Run.h"

using namespace mercator;

static thread_local RunArguments ofThread;

Run::Run(const RunArguments &arguments) : before(ofThread) {
  ofThread = arguments;
}

Run::~Run() { ofThread = before; }

const RunArguments &Run::current() { return ofThread; }
