// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Text of dialects that Mercator does not know.
///
///   module attributes {tt.arch = #tt.arch<wormhole>}     kept as text
///   %0 = mhlo.add %a, %b : tensor<4xf32>                 becomes stablehlo.add
///   %0 = shape.shape_of %a : ..                          becomes tensor.dim, ..
///   %0 = torch.aten.mm %a, %b : ..                       refused
///
/// Attributes of other tools say nothing about values: they are kept, and printed
/// as they were. Operations are refused, with the name of a tool that converts
/// them where one is known.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_FOREIGN_H
#define MERCATOR_FRONTENDS_STABLEHLO_FOREIGN_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace mercator::stablehlo {

/// Whether a text may have attributes or types of dialects that are not in the
/// registry, or operations of mhlo or shape.
[[nodiscard]] bool namesForeign(llvm::StringRef text,
                                const mlir::DialectRegistry &registry);

/// Loads the dialects that a text names and that are converted after parsing:
/// mhlo and shape.
void loadConvertedDialects(llvm::StringRef text, mlir::MLIRContext &context);

/// Converts the operations of mhlo and shape below `root`, where they have an
/// equal in StableHLO, chlo, tensor or arith. Others remain. Fails after an
/// error.
llvm::LogicalResult convertForeign(mlir::Operation *root);

/// Reports operations, and types of values, of dialects that are not known: the
/// first of each dialect. Fails if there are any.
llvm::LogicalResult refuseForeign(mlir::Operation *root);

/// The message for an operation that the parser does not know, in place of its
/// own; nothing for other messages.
[[nodiscard]] std::optional<std::string>
messageOfForeign(llvm::StringRef message, mlir::MLIRContext &context);

/// A line of help for a message of refuseForeign or messageOfForeign.
[[nodiscard]] std::optional<std::string>
hintForForeign(llvm::StringRef message);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_FOREIGN_H
