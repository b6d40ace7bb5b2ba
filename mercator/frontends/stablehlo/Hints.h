// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Suggestions for text that MLIR's parser refuses.
///
///   custom op 'stablehlo.tanhh' is unknown      did you mean `stablehlo.tanh`?
///   tensor<2x3xfloat>                           did you mean `f32`?

#ifndef MERCATOR_FRONTENDS_STABLEHLO_HINTS_H
#define MERCATOR_FRONTENDS_STABLEHLO_HINTS_H

#include "mercator/support/Diagnostic.h"

#include "mlir/IR/MLIRContext.h"

#include <optional>

namespace mercator::stablehlo {

/// A line of help for a parser error with this message at this offset of the
/// text; nothing if no suggestion is known.
[[nodiscard]] std::optional<std::string> hintFor(llvm::StringRef message,
                                                 llvm::StringRef text,
                                                 size_t offset,
                                                 mlir::MLIRContext &context);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_HINTS_H
