// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A slice of a tensor: along each dimension, `size` elements from `offset` on,
/// `stride` apart.
///
///   FailureOr<Slice> slice = Slice::of(step, op.getMixedOffsets(),
///       op.getMixedSizes(), op.getMixedStrides(), whole.shape());
///   slice->read(whole, part);           // copies the slice to `part`
///   slice->write(part, whole);          // and back

#ifndef MERCATOR_REFERENCE_LINALG_SLICE_H
#define MERCATOR_REFERENCE_LINALG_SLICE_H

#include "mercator/reference/core/Evaluator.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mercator::reference {

struct Slice {
  llvm::SmallVector<int64_t> offsets, sizes, strides;

  /// Fails with an error at the step if the slice is not within `whole`.
  static llvm::FailureOr<Slice> of(Step &step,
                                   llvm::ArrayRef<mlir::OpFoldResult> offsets,
                                   llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                   llvm::ArrayRef<mlir::OpFoldResult> strides,
                                   llvm::ArrayRef<int64_t> whole);

  /// The index in the whole tensor of an element of the slice.
  [[nodiscard]] llvm::SmallVector<int64_t>
  at(llvm::ArrayRef<int64_t> index) const;
  /// The sizes without the dropped dimensions, whose size is 1.
  [[nodiscard]] llvm::SmallVector<int64_t>
  shape(const llvm::SmallBitVector &dropped) const;

  /// Both require: `part` has the same number of elements, of any rank.
  void read(const Tensor &whole, Tensor &part) const;
  void write(const Tensor &part, Tensor &whole) const;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_SLICE_H
