// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `mercator run` gives a program: the words after `--input`, as values.
///
///   random:7                       as the parameter's type wants them
///   dense<[1, 2]> : tensor<2xi32>  written out
///   x.npy                          from a file
///
/// Random floats are uniform in [-1, 1), random integers in [0, 15] as far as
/// the type goes; one seed gives the same values everywhere.

#ifndef MERCATOR_TOOLS_DRIVER_RUNINPUTS_H
#define MERCATOR_TOOLS_DRIVER_RUNINPUTS_H

#include "mercator/reference/core/Value.h"
#include "mercator/support/Diagnostic.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

/// What is run: a function, or a graph of Ascend's Graph Engine.
struct Callee {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<mlir::Type> parameters = {};
  [[nodiscard]] llvm::StringRef name() const {
    return mlir::SymbolTable::getSymbolName(op).getValue();
  }
};

/// The number in "random:NUMBER"; nothing where `word` is something else.
[[nodiscard]] std::optional<uint64_t> parseSeed(llvm::StringRef word);

/// A tensor of random elements; `stream` makes tensors of one seed differ.
/// Fails, with an error, where the tensor is too large.
[[nodiscard]] llvm::FailureOr<reference::Tensor>
randomTensor(mlir::RankedTensorType type, uint64_t seed, uint64_t stream,
             reference::EmitError emitError);

/// One value for each parameter, `copies` times over; a last word
/// "random:SEED" goes on for those that have no word of their own. Tokens take
/// no word. Where there are words for one copy only, all get these. Nothing
/// after an error.
[[nodiscard]] std::optional<std::vector<std::vector<reference::Value>>>
makeInputs(const Callee &callee, llvm::ArrayRef<std::string> words,
           size_t copies, DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_RUNINPUTS_H
