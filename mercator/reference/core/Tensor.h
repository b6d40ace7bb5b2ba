// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A tensor with known elements.
///
///   FailureOr<Tensor> t = Tensor::zeros(type, emitError);
///   for (Index d(t->shape()); d; ++d)           // support/Index.h
///     t->set(*d, Scalar::whole(d[0] + d[1]));
///
/// Elements are in row-major order, each in its own bytes, as in an .npy file.
/// A copy shares the elements. The creator of a tensor fills it; afterwards it
/// is never written.

#ifndef MERCATOR_REFERENCE_CORE_TENSOR_H
#define MERCATOR_REFERENCE_CORE_TENSOR_H

#include "mercator/reference/core/Element.h"
#include "mercator/support/Index.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>

namespace mercator::reference {

/// Where an error is reported.
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// The limit on the size of a tensor: 4 GiB. All living tensors together may
/// take four times as much: 16 GiB.
inline constexpr int64_t kMaxTensorBytes = int64_t(1) << 32;

class Tensor {
public:
  /// A tensor of zeros. Requires: the shape is static. Fails with an error if
  /// the element type is not in the specification or the size exceeds the
  /// limit.
  static llvm::FailureOr<Tensor> zeros(mlir::RankedTensorType type,
                                       EmitError emitError);
  /// Whether `zeros` would fail now because of the size.
  [[nodiscard]] static bool isTooLarge(mlir::RankedTensorType type);
  /// The value of a constant. Fails with an error also if the text omits the
  /// data.
  static llvm::FailureOr<Tensor> from(mlir::ElementsAttr value,
                                      EmitError emitError);

  /// Whether the text left the data of a constant out.
  [[nodiscard]] static bool isElided(mlir::ElementsAttr value);

  [[nodiscard]] mlir::RankedTensorType type() const { return tensorType; }
  [[nodiscard]] const Element &element() const { return elementType; }
  [[nodiscard]] llvm::ArrayRef<int64_t> shape() const {
    return tensorType.getShape();
  }
  [[nodiscard]] int64_t rank() const { return tensorType.getRank(); }
  /// The extent of a dimension.
  [[nodiscard]] int64_t dim(size_t i) const { return shape()[i]; }
  /// The number of elements.
  [[nodiscard]] int64_t size() const { return elementCount; }

  /// The row-major position of an index. Requires: the index is within the
  /// shape.
  [[nodiscard]] int64_t linear(llvm::ArrayRef<int64_t> index) const;

  [[nodiscard]] Scalar at(int64_t place) const {
    return elementType.load(data() + place * elementType.bytes);
  }
  [[nodiscard]] Scalar at(llvm::ArrayRef<int64_t> index) const {
    return at(linear(index));
  }
  /// The only element of a tensor, or its first.
  [[nodiscard]] Scalar scalar() const { return at(int64_t(0)); }

  /// Writes the value, rounded to the element type.
  void set(int64_t place, Scalar value) {
    elementType.store(data() + place * elementType.bytes, value);
  }
  void set(llvm::ArrayRef<int64_t> index, Scalar value) {
    set(linear(index), value);
  }
  /// Copies the bytes of an element, so a NaN keeps its payload. Requires: both
  /// tensors have the same element type.
  void copy(int64_t place, const Tensor &from, int64_t fromPlace);

  /// The same elements in a type with as many elements of the same width.
  [[nodiscard]] Tensor withType(mlir::RankedTensorType type) const;
  /// Whether another tensor has the same storage, so that writing to this one
  /// would change it.
  [[nodiscard]] bool isShared() const { return bytes.use_count() > 1; }
  /// A separate tensor with the same elements, for writing.
  [[nodiscard]] llvm::FailureOr<Tensor> clone(EmitError emitError) const;

  [[nodiscard]] std::byte *data() { return bytes.get(); }
  [[nodiscard]] const std::byte *data() const { return bytes.get(); }
  /// The size of data().
  [[nodiscard]] int64_t byteSize() const {
    return elementCount * elementType.bytes;
  }

private:
  mlir::RankedTensorType tensorType;
  Element elementType;
  int64_t elementCount = 0;
  std::shared_ptr<std::byte[]> bytes;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_TENSOR_H
