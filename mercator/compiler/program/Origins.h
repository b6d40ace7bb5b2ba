// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The lines of a Python program that the instructions of a text come from.

#ifndef MERCATOR_COMPILER_PROGRAM_ORIGINS_H
#define MERCATOR_COMPILER_PROGRAM_ORIGINS_H

namespace mercator {

class Compilation;

/// Whether JAX has written StableHLO without the lines of the Python program.
[[nodiscard]] bool lacksOrigins(const Compilation &compilation);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_ORIGINS_H
