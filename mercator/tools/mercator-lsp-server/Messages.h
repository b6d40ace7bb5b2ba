// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Messages of the Language Server Protocol, as they stand on a stream:
///
///   Content-Length: 46\r\n
///   \r\n
///   {"jsonrpc":"2.0","id":1,"method":"initialize"}
///
/// ```cpp (std::FILE *in, std::FILE *out)
/// while (std::optional<std::string> text = mercator::lsp::readMessage(in))
///   mercator::lsp::writeMessage(out, *text);
/// ```
///
/// Source: Language Server Protocol 3.17, "Base Protocol".

#ifndef MERCATOR_TOOLS_MERCATORLSPSERVER_MESSAGES_H
#define MERCATOR_TOOLS_MERCATORLSPSERVER_MESSAGES_H

#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <optional>
#include <string>

namespace mercator::lsp {

/// The text of the next message. Nothing at the end of the stream, and for a header
/// without a length or with one of more than 256 MB: the messages behind it cannot be
/// found.
[[nodiscard]] std::optional<std::string> readMessage(std::FILE *in);

/// Writes a message and flushes the stream. A closed stream is ignored.
void writeMessage(std::FILE *out, llvm::StringRef text);

} // namespace mercator::lsp

#endif // MERCATOR_TOOLS_MERCATORLSPSERVER_MESSAGES_H
