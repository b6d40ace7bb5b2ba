// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Text for JSON, which is UTF-8. A quoted name of a program may be any bytes.
///
/// ```cpp
/// assert(mercator::validUtf8("add") == "add");
/// assert(mercator::validUtf8("\xff") == "\xEF\xBF\xBD"); // U+FFFD
/// ```

#ifndef MERCATOR_SUPPORT_UTF8_H
#define MERCATOR_SUPPORT_UTF8_H

#include "llvm/Support/JSON.h"

#include <string>

namespace mercator {

/// The text, with U+FFFD in place of bytes that are no UTF-8.
[[nodiscard]] inline std::string validUtf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

} // namespace mercator

#endif // MERCATOR_SUPPORT_UTF8_H
