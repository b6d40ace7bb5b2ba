// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// One element of a tensor: its representation in memory, and its value.
///
/// A value is held in the widest form of its kind: an integer in 64 bits, a
/// float in a double, a complex number in two. Element describes the type and
/// converts values to bytes and back:
///
/// ```cpp (mlir::Builder &builder)
/// Element bf16 = *Element::of(builder.getBF16Type());
/// Scalar third = Scalar::real(1.0 / 3.0);
/// assert(bf16.round(third).re == 0.333984375); // the nearest bfloat16
/// ```
///
/// A double has at least twice the precision of every narrower format plus two
/// bits. So the sum, difference, product, quotient or square root of two narrow
/// values, computed in double and then rounded, is correctly rounded (Figueroa,
/// "When is double rounding innocuous?", 1995).

#ifndef MERCATOR_REFERENCE_CORE_ELEMENT_H
#define MERCATOR_REFERENCE_CORE_ELEMENT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mercator::reference {

/// The value of an element. Its Element determines the member in use: `integer`
/// for booleans (0 or 1) and integers (unsigned ones as the same 64 bits), `re`
/// for floats, `re` and `im` for complex numbers.
struct Scalar {
  union {
    int64_t integer = 0;
    double re;
  };
  double im = 0;

  static Scalar whole(int64_t value) {
    Scalar scalar;
    scalar.integer = value;
    return scalar;
  }
  static Scalar real(double value) { return complex(value, 0); }
  static Scalar complex(double re, double im) {
    Scalar scalar;
    scalar.re = re;
    scalar.im = im;
    return scalar;
  }
};

enum class ElementKind : uint8_t {
  Boolean,
  SignedInt,
  UnsignedInt,
  Real,
  Complex
};

/// The type of an element.
struct Element {
  ElementKind kind = ElementKind::Boolean;
  /// The width of the value; for a complex number, of each part.
  unsigned bits = 1;
  /// The size in memory: a power of two; narrow types take one byte each.
  unsigned bytes = 1;
  /// The format of floats and of the parts of complex numbers.
  const llvm::fltSemantics *format = nullptr;

  /// Nothing for a type that is not in the specification. A quantized type is
  /// its storage type; `index` is a signed integer of 64 bits.
  static std::optional<Element> of(mlir::Type type);

  [[nodiscard]] bool isInteger() const {
    return kind == ElementKind::SignedInt || kind == ElementKind::UnsignedInt;
  }
  [[nodiscard]] bool isReal() const { return kind == ElementKind::Real; }
  [[nodiscard]] bool isComplex() const { return kind == ElementKind::Complex; }

  /// The value nearest to `value`, ties to even. Integers keep their low bits;
  /// floats follow IEEE 754. Without infinity or NaN, the largest finite value and
  /// -0 replace them; f8E8M0FNU has NaN for 0 and below, 2^-127 for less.
  [[nodiscard]] Scalar round(Scalar value) const;

  /// Reads a little-endian element. Requires: `at` has `bytes` bytes.
  [[nodiscard]] Scalar load(const std::byte *at) const;
  /// Writes `round(value)`.
  void store(std::byte *at, Scalar value) const;

  /// The bounds of an integer type, in the form of `Scalar::integer`.
  [[nodiscard]] int64_t lowest() const;
  [[nodiscard]] int64_t highest() const;

  friend bool operator==(const Element &, const Element &) = default;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_ELEMENT_H
