// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Products of tensors: what their maps say of a matmul, a batched matmul, or a
/// convolution, in one form.
///
/// An operation c[..] += a[..] * b[..] over buffers reads and writes at addresses
/// that are linear in the loop variables. So each loop has a *stride* in a, in b
/// and in c, in elements, and its role follows from which of them are zero:
///
///   role      a    b    c      matmul    convolution (28x28x64, kernel 3x3x64x128)
///   batch     *    *    *
///   row       *    0    *      i         y (a 30*64, c 28*128), x (a 64, c 128)
///   column    0    *    *      j         o (b 1, c 1)
///   sum       *    *    0      k         ky (a 30*64, b 3*64*128), kx, input channel
///
/// A convolution is a matmul whose a is read with overlaps: no image of columns
/// is ever made.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_CONTRACTION_H
#define MERCATOR_TARGETS_CPU_KERNELS_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mercator::cpu {

/// A loop of a contraction.
struct ContractionLoop {
  int64_t extent;
  int64_t a, b, c; ///< strides in elements
};

struct Contraction {
  mlir::linalg::LinalgOp op;
  mlir::Value a, b, c;
  int64_t firstA = 0, firstB = 0; ///< the addresses of the first terms
  bool isPart = false;            ///< its terms are some of those of each sum
  bool isSwapped = false;         ///< a is the second operand of the operation
  /// Outermost first. Neighbors that are one loop are merged.
  llvm::SmallVector<ContractionLoop> batch, rows, columns, sums;

  /// The contraction that an operation on buffers computes. None for other
  /// operations, for unknown extents, and if the last column is not contiguous
  /// in c after a possible exchange of a and b.
  static std::optional<Contraction> of(mlir::linalg::LinalgOp op);
  /// The same for any body.
  static std::optional<Contraction> loopsOf(mlir::linalg::LinalgOp op);
};

/// The operation that filled c with zeros just before; null if nothing did.
mlir::linalg::FillOp fillBefore(const Contraction &contraction);

/// The strides of a buffer; none if they are not known.
std::optional<llvm::SmallVector<int64_t>> stridesOf(mlir::Value buffer);

/// The stride of each loop variable of a map into a buffer: coefficients of the
/// linear address. None if the map is not linear.
std::optional<llvm::SmallVector<int64_t>>
addressStrides(mlir::AffineMap map, llvm::ArrayRef<int64_t> strides);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_CONTRACTION_H
