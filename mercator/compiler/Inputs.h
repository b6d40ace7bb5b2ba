// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The words after `--input` as values for the parameters of a function.
/// Internal.
///
///   random:7                       random elements of the parameter's type
///   dense<[1, 2]> : tensor<2xi32>  these elements
///   x.npy                          the elements in a file
///   x.npz                          the arrays in a file, in its order: one for
///                                  each of the parameters that follow
///
/// Random floats are uniform in [-1, 1), random integers in the part of [0, 15]
/// that the type has. One seed gives the same values on every machine.

#ifndef MERCATOR_COMPILER_INPUTS_H
#define MERCATOR_COMPILER_INPUTS_H

#include "mercator/reference/core/Value.h"
#include "mercator/support/Diagnostic.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

/// A function, or a graph of Ascend's Graph Engine.
struct Callee {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<mlir::Type> parameters = {};
  [[nodiscard]] llvm::StringRef name() const {
    return mlir::SymbolTable::getSymbolName(op).getValue();
  }
};

/// The number in "random:NUMBER"; none for any other word.
[[nodiscard]] std::optional<uint64_t> parseSeed(llvm::StringRef word);

/// A tensor of random elements. Tensors of one seed differ in their `stream`.
/// Fails after an error if the tensor is too large.
[[nodiscard]] llvm::FailureOr<reference::Tensor>
randomTensor(mlir::RankedTensorType type, uint64_t seed, uint64_t stream,
             reference::EmitError emitError);

/// Why a tensor of type `got` cannot be the value of a parameter of type
/// `wanted`; empty if it can. An unknown extent of the parameter may be any.
[[nodiscard]] std::string whyNotParameter(mlir::RankedTensorType got,
                                          mlir::RankedTensorType wanted);

/// One value for each parameter, `copies` times. A last word "random:SEED"
/// stands for all that follow. Tokens take no word. Words for one copy are used
/// for each of them. None after an error.
[[nodiscard]] std::optional<std::vector<std::vector<reference::Value>>>
makeInputs(const Callee &callee, llvm::ArrayRef<std::string> words,
           size_t copies, DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_INPUTS_H
