// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Checks what MLIR's reader of bytecode takes for granted.
///
/// Bytecode is a header and sections: strings, dialects with the names of their
/// operations, attributes and types in groups of one dialect, properties, and the
/// operations. MLIR's reader reserves as many places as a count claims, and writes
/// where some of the numbers say. This pass walks the same sections first and keeps
/// nothing. It fails if
///
///   - a count is larger than the number of bytes that follow it: each thing that
///     is counted takes a byte at least
///   - the groups of attributes or types have more members than the section claims
///   - an order of uses names a use that the value does not have
///   - regions are nested deeper than a text may nest them (Limits.h): MLIR frees
///     them recursively
///
/// Linear in the bytes.

#ifndef MERCATOR_FRONTENDS_VHLO_CONTAINER_H
#define MERCATOR_FRONTENDS_VHLO_CONTAINER_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mercator::vhlo {

/// What is wrong with the sections of bytecode; none if the reader may have them.
[[nodiscard]] std::optional<std::string> faultOf(llvm::StringRef bytecode);

} // namespace mercator::vhlo

#endif // MERCATOR_FRONTENDS_VHLO_CONTAINER_H
