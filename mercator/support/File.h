// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reading a whole file, and writing a file whole or not at all.
///
/// The path "-" is standard input or output. Errors are ready for a user: they
/// name the file and the limit that was exceeded.

#ifndef MERCATOR_SUPPORT_FILE_H
#define MERCATOR_SUPPORT_FILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <string>

namespace mercator {

/// The default limit on the size of an input. Programs of this size are
/// generated; a far larger file is a mistake in the path.
inline constexpr size_t defaultInputLimit = size_t(1) << 30;

/// The content of a regular file, a pipe, or standard input for "-".
/// Errors: not found, unreadable, a folder, or more than `limit` bytes.
[[nodiscard]] llvm::Expected<std::string>
readFile(llvm::StringRef path, size_t limit = defaultInputLimit);

/// Calls `write` with a stream and makes the written text the content of
/// `path`. Ensures: a regular file has either its old content or all of the new
/// content. The text is written to a temporary file in the same folder, which
/// is then renamed. Standard output ("-"), pipes and devices are written
/// directly.
[[nodiscard]] llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace mercator

#endif // MERCATOR_SUPPORT_FILE_H
