// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Who is at fault if a checked program accesses what is in no buffer.

#ifndef MERCATOR_RUNTIME_CHECK_H
#define MERCATOR_RUNTIME_CHECK_H

namespace mercator {

/// The program that runs next computes indices of its own, which may be out of
/// bounds: then `mercator_check` (Abi.h) says that the program is wrong and ends the
/// process with code 1. Without such indices, Mercator is wrong: 70.
void setOwnIndices(bool has);

} // namespace mercator

#endif // MERCATOR_RUNTIME_CHECK_H
