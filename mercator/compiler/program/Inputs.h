// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The words after `--input` as values for the parameters of a function.
/// Internal.
///
///   random:7                       random elements of the parameter's type
///   random:7:0.1                   random floats in [-0.1, 0.1)
///   dense<[1, 2]> : tensor<2xi32>  these elements
///   x.npy                          the elements in a file
///   x.npz                          the arrays in a file, in its order: one for
///                                  each of the parameters that follow
///
/// Random floats are uniform in [-1, 1). If the tensor is a factor of a product or a
/// convolution that adds up K terms (FanIn.h), they are uniform in [-1/sqrt(K),
/// 1/sqrt(K)): results of many layers stay finite. Random integers are uniform in the
/// part of [0, 15] that the type has. One seed gives the same values on every machine.

#ifndef MERCATOR_COMPILER_PROGRAM_INPUTS_H
#define MERCATOR_COMPILER_PROGRAM_INPUTS_H

#include "mercator/reference/core/Value.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/support/ExitCode.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

class CacheKey;

/// A function, or a graph of Ascend's Graph Engine.
struct Callee {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<mlir::Type> parameters = {};
  [[nodiscard]] llvm::StringRef name() const {
    return mlir::SymbolTable::getSymbolName(op).getValue();
  }
};

/// What "random:SEED" and "random:SEED:SCALE" say.
struct RandomElements {
  uint64_t seed = 0;
  std::optional<double> scale = {}; ///< none: by the fan-in
};
void addTo(CacheKey &key, const RandomElements &elements);
/// None for any other word.
[[nodiscard]] std::optional<RandomElements> parseRandom(llvm::StringRef word);

/// A tensor of random elements. Tensors of one seed differ in their `stream`.
/// Fails after an error if the tensor is too large.
[[nodiscard]] llvm::FailureOr<reference::Tensor>
randomTensor(mlir::RankedTensorType type, const RandomElements &elements,
             uint64_t stream, int64_t fanIn, reference::EmitError emitError);

/// A value of the type: `leaf` makes it, or the members of a tuple, in their order. None if
/// it makes none.
[[nodiscard]] std::optional<reference::Value> valueOfLeaves(
    mlir::Type type,
    llvm::function_ref<std::optional<reference::Value>(mlir::Type)> leaf);

/// Why a tensor of type `got` cannot be the value of a parameter of type
/// `wanted`; empty if it can. An unknown extent of the parameter may be any.
[[nodiscard]] std::string whyNotParameter(mlir::RankedTensorType got,
                                          mlir::RankedTensorType wanted);

/// Inputs whose random tensors are not drawn yet: they may be large, and a program
/// may turn out to have no code.
struct PlannedInputs {
  struct Draw {
    size_t copy, parameter;
    RandomElements elements;
    uint64_t stream;             ///< before the first tensor
    std::vector<int64_t> fanIns; ///< of each tensor
  };
  std::vector<std::vector<reference::Value>> values; ///< tokens, where drawn
  std::vector<Draw> draws;
  bool isShared = false; ///< all copies have the values of the first

  /// The inputs of this copy alone.
  void keepOnly(size_t copy);
  /// None after an error.
  [[nodiscard]] std::optional<std::vector<std::vector<reference::Value>>>
  make(llvm::ArrayRef<mlir::Type> parameters, mlir::Location loc) &&;
};

/// An array in the memory of the caller.
struct GivenArray {
  std::string element; ///< the type of an element as MLIR writes it: f32, ui8
  std::vector<int64_t> shape;
  /// Row-major. A bool, and an integer of fewer than 8 bits, takes a byte.
  const void *data = nullptr;
};

/// One value for each parameter, `copies` times: arrays for the first ones, then
/// words. A last word "random:SEED"
/// stands for all that follow. Tokens take no word. Words for one copy are used
/// for each of them. None after an error.
[[nodiscard]] std::optional<PlannedInputs>
planInputs(const Callee &callee, llvm::ArrayRef<GivenArray> arrays,
           llvm::ArrayRef<std::string> words, size_t copies,
           DiagnosticEngine &diagnostics);

/// Why `make` failed: a parameter exceeds a limit, or an input is wrong.
[[nodiscard]] ExitCode codeOfInputs(llvm::ArrayRef<mlir::Type> parameters);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_INPUTS_H
