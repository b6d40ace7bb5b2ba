// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Quantized tensors, which are tensors of stored integers after lowering:
///
///   value = (integer - zero point) * scale
///
/// The specification defines an operation on them as the same operation on the
/// floats that they express. quantizedToFloats writes this out, so that the
/// rules see quantized types only where elements are moved, not read.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_QUANTIZE_H
#define MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_QUANTIZE_H

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::stablehlo {

/// Replaces each operation of StableHLO in `root` that computes on quantized
/// elements: its operands are dequantized, and its results are quantized.
///
///   add(q, r) : qi8       quantize(add(dequantize(q), dequantize(r)))
void quantizedToFloats(mlir::Operation *root);

/// The parameters of a quantized element type.
struct Quantization {
  /// Requires: `type` is uniformly quantized, per tensor or per axis.
  explicit Quantization(mlir::Type type);

  mlir::IntegerType storage;
  bool isSigned;
  mlir::FloatType expressed;
  int64_t lowest, highest;
  /// One of each for a tensor; for an axis one for each of its indices.
  llvm::SmallVector<double, 1> scales;
  llvm::SmallVector<int64_t, 1> zeroPoints;
  /// Nothing for a tensor.
  std::optional<int64_t> axis;

  [[nodiscard]] bool hasZeroPoints() const {
    return llvm::any_of(zeroPoints, [](int64_t i) { return i != 0; });
  }
};

/// The stored integer nearest to a float. `scale` and `zeroPoint`, an integer of
/// any type, are those of the element's slice; by default those of the tensor.
mlir::Value emitQuantize(mlir::ImplicitLocOpBuilder &b, const Quantization &to,
                         mlir::Value x, mlir::Value scale = {},
                         mlir::Value zeroPoint = {});
/// The float that a stored integer expresses.
mlir::Value emitDequantize(mlir::ImplicitLocOpBuilder &b,
                           const Quantization &from, mlir::Value x,
                           mlir::Value scale = {}, mlir::Value zeroPoint = {});

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_QUANTIZE_H
