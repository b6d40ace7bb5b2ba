// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Arrays of numbers that read two spellings.
///
/// Until 2023, `array<i64: 1, 128>` was written `dense<[1, 128]> :
/// tensor<2xi64>`, or `dense<1> : tensor<2xi64>` if all elements are equal.
/// Exports of that time are still in use. An attribute declared
/// `Stablehlo_I64Array` in the .td is stored as an I64ArrayAttr, which is a
/// DenseI64ArrayAttr for all users. Every writer of the attribute (both forms
/// of the text, a dictionary of properties, `setAttr`) casts to I64ArrayAttr
/// first, and this cast converts:
///
///   isa<I64ArrayAttr>(dense<[1, 128]> : tensor<2xi64>)   is true
///   cast<I64ArrayAttr>(dense<[1, 128]> : tensor<2xi64>)  is array<i64: 1, 128>
///
/// The stored and printed spelling is always the new one.

#ifndef MERCATOR_DIALECTS_STABLEHLO_LENIENTARRAY_H
#define MERCATOR_DIALECTS_STABLEHLO_LENIENTARRAY_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mercator::stablehlo {

namespace detail {
/// The attribute as an array of i64 (of i1); null if it has neither spelling. A
/// splat with more elements than the largest rank is not converted.
mlir::DenseI64ArrayAttr toArray(mlir::Attribute attr, mlir::DenseI64ArrayAttr);
mlir::DenseBoolArrayAttr toArray(mlir::Attribute attr,
                                 mlir::DenseBoolArrayAttr);
} // namespace detail

template <typename Array> class LenientArray : public Array {
public:
  LenientArray() = default;
  LenientArray(std::nullptr_t) {}
  LenientArray(Array array) : Array(array) {}
  /// Called at the end of a cast. Requires: classof.
  explicit LenientArray(const mlir::Attribute::ImplType *impl)
      : Array(detail::toArray(mlir::Attribute(impl), Array())) {}

  static bool classof(mlir::Attribute attr) {
    return bool(detail::toArray(attr, Array()));
  }
};

using I64ArrayAttr = LenientArray<mlir::DenseI64ArrayAttr>;
using BoolArrayAttr = LenientArray<mlir::DenseBoolArrayAttr>;

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_LENIENTARRAY_H
