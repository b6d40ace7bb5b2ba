// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A part of a tensor: along each dimension, `size` elements from `offset` on,
/// `stride` apart.
///
///   FailureOr<Slice> slice = Slice::of(step, op.getMixedOffsets(),
///       op.getMixedSizes(), op.getMixedStrides(), whole.shape());
///   slice->read(whole, part);           // part is what the slice says
///   slice->write(part, whole);          // and back

#ifndef MERCATOR_REFERENCE_LINALG_SLICE_H
#define MERCATOR_REFERENCE_LINALG_SLICE_H

#include "mercator/reference/core/Evaluator.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mercator::reference {

struct Slice {
  llvm::SmallVector<int64_t> offsets, sizes, strides;

  /// Fails, with an error at the step, where it is not within `whole`.
  static llvm::FailureOr<Slice> of(Step &step,
                                   llvm::ArrayRef<mlir::OpFoldResult> offsets,
                                   llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                   llvm::ArrayRef<mlir::OpFoldResult> strides,
                                   llvm::ArrayRef<int64_t> whole);

  /// Where an element of the part lies.
  [[nodiscard]] llvm::SmallVector<int64_t>
  at(llvm::ArrayRef<int64_t> index) const;
  /// The sizes without those of the dimensions dropped, which are 1.
  [[nodiscard]] llvm::SmallVector<int64_t>
  shape(const llvm::SmallBitVector &dropped) const;

  /// Both require: `part` has as many elements, whatever its rank.
  void read(const Tensor &whole, Tensor &part) const;
  void write(const Tensor &part, Tensor &whole) const;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_SLICE_H
