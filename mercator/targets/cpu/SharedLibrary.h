// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A shared library from objects: the program and the functions of the runtime
/// that it calls, linked by lld.
///
///   llvm::Expected<std::string> bytes = cpu::linkSharedLibrary(objects, "mlp");
///
/// It exports the program under that name, mercator_new_context and
/// mercator_free_context (runtime/Abi.h). It needs the C++ standard library and,
/// if the program calls linear algebra, LAPACK.

#ifndef MERCATOR_TARGETS_CPU_SHAREDLIBRARY_H
#define MERCATOR_TARGETS_CPU_SHAREDLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mercator::cpu {

/// The bytes of the file.
llvm::Expected<std::string>
linkSharedLibrary(llvm::ArrayRef<std::string> objects, llvm::StringRef name);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_SHAREDLIBRARY_H
