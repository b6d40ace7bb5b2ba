// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Replaces computations that are one operator of GE by this operator.
///
///   %m = stablehlo.reduce(%x init: -inf) applies stablehlo.maximum ..
///   %s = stablehlo.subtract %x, broadcast(%m)
///   %e = stablehlo.exponential %s
///   %t = stablehlo.reduce(%e init: 0) applies stablehlo.add ..
///   %y = stablehlo.divide %e, broadcast(%t)
///
/// becomes
///
///   %y = ascend.SoftmaxV2(%x)
///
/// The operators are SoftmaxV2, LayerNormV3, RmsNorm and GeluV2. The operator
/// computes the same function of real numbers, and overflows for the same
/// inputs. It may round differently: it computes in float32 and rounds once,
/// while the program rounds after each operation.
///
/// Not replaced, for example: a softmax without the subtraction of the maximum,
/// where exp overflows; a normalization with an epsilon outside the root, or
/// over dimensions that are not the last ones.

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_FUSEOPERATORS_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_FUSEOPERATORS_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mercator::ascend {

/// Replaces a computation if at least half of its operations become unused.
/// These are erased. Linear in the number of operations, times the size of a
/// pattern.
void fuseOperators(mlir::ModuleOp module);

/// An operator that computes a value.
struct Fusion {
  enum class Kind { Softmax, LayerNorm, RmsNorm, Gelu };
  Kind kind;
  mlir::Value x;
  /// The axes of a softmax, or the dimensions of a normalization.
  llvm::SmallVector<int64_t, 4> dims = {};
  float epsilon = 0;
  /// A factor and a summand that vary along `dims` only, seen over all
  /// dimensions of x: the element at an index has index[origin[d]] along
  /// dimension d. Null without a factor or a summand.
  struct Parameter {
    mlir::Value value;
    llvm::SmallVector<int64_t, 4> origin;
  };
  Parameter gamma = {}, beta = {};
  bool isTanh = false;
};

/// The operator that computes the only result of an operation, if GE has it.
/// Requires: the result is a static tensor of f32, bf16 or f16.
[[nodiscard]] std::optional<Fusion> matchSoftmax(mlir::Operation *root);
[[nodiscard]] std::optional<Fusion> matchNorm(mlir::Operation *root);
[[nodiscard]] std::optional<Fusion> matchGelu(mlir::Operation *root);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_FUSEOPERATORS_H
