// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Boolean elements in hex, in the two forms that MLIR has used.
///
///   dense<"0x0300"> : tensor<9xi1>                 one bit for each element
///   dense<"0x010100000000000000"> : tensor<9xi1>   one byte for each element
///
/// MLIR writes bytes since version 23 (JAX 0.10); earlier versions wrote bits.
/// MLIR 22 reads only bits, current readers read only bytes, and all read a
/// list. So a text is rewritten to bits before MLIR 22 reads it, and to lists
/// after MLIR 22 has written it. The length of the string distinguishes the
/// forms:
///
///   bytes                     elements    meaning
///   number of elements        2 or more   bytes; each nonzero byte is true
///   one                       1, over 8   one byte for all elements
///   one                       2 to 8      bits
///   an eighth, rounded up     any         bits, the lowest first
///
/// One byte for 2 to 8 elements could also mean one byte for all elements, but
/// all writers use `dense<true>` for such a constant. Strings of other lengths
/// are not changed, and MLIR refuses them.
///
/// Both functions are linear in time and memory. They rewrite the elements of
/// any attribute, in the pretty and in the generic form.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_BOOLELEMENTS_H
#define MERCATOR_FRONTENDS_STABLEHLO_BOOLELEMENTS_H

#include "mlir/IR/OperationSupport.h"

#include <optional>
#include <string>

namespace mercator::stablehlo {

/// The text with bytes replaced by bits; nothing if it has no bytes. Ensures:
/// the result has the same length and the same lines.
[[nodiscard]] std::optional<std::string> packBoolElements(llvm::StringRef text);

/// A text that MLIR printed, with bits replaced by lists.
[[nodiscard]] std::string listBoolElements(std::string printed);

/// Prints an operation so that every version of MLIR can read it.
void print(mlir::Operation *op, llvm::raw_ostream &os,
           mlir::OpPrintingFlags flags = {});

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_BOOLELEMENTS_H
