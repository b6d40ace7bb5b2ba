// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// One element of a tensor: how it lies in memory, and its value.
///
/// Whatever the type, a value is held in the widest form of its kind: an
/// integer in 64 bits, a float in a double, a complex number in two. Element
/// says what the type is, and turns values into bytes and back:
///
///   Element bf16 = *Element::of(builder.getBF16Type());
///   Scalar third = Scalar::real(1.0 / 3.0);
///   bf16.round(third).re          // 0.333984375: the nearest bfloat16
///
/// A double has more than twice the precision of every narrower format, plus
/// two bits; so the sum, difference, product, quotient or square root of two
/// narrow values, computed in double and then rounded, is the correctly rounded
/// one (Figueroa, "When is double rounding innocuous?", 1995).

#ifndef MERCATOR_REFERENCE_CORE_ELEMENT_H
#define MERCATOR_REFERENCE_CORE_ELEMENT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mercator::reference {

/// The value of an element. Which member counts, its Element knows: `integer`
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
  boolean,
  signedInt,
  unsignedInt,
  real,
  complex
};

/// The type of an element.
struct Element {
  ElementKind kind = ElementKind::boolean;
  /// Of the value; of each of the two parts of a complex number.
  unsigned bits = 1;
  /// In memory: a power of two; narrow types take a byte each.
  unsigned bytes = 1;
  /// Of floats, and of the parts of complex numbers.
  const llvm::fltSemantics *format = nullptr;

  /// Nothing for a type that the specification does not have. A quantised type
  /// is the integer it is stored as; `index` is a signed integer of 64 bits.
  static std::optional<Element> of(mlir::Type type);

  [[nodiscard]] bool isInteger() const {
    return kind == ElementKind::signedInt || kind == ElementKind::unsignedInt;
  }
  [[nodiscard]] bool isReal() const { return kind == ElementKind::real; }
  [[nodiscard]] bool isComplex() const { return kind == ElementKind::complex; }

  /// The value nearest to `value`, ties to even: integers keep their low bits,
  /// floats follow IEEE 754; a format without infinity or NaN has the largest
  /// finite value, and -0, in their place.
  [[nodiscard]] Scalar round(Scalar value) const;

  /// Reads an element. Requires: `at` has `bytes` bytes. The order is
  /// little-endian.
  [[nodiscard]] Scalar load(const std::byte *at) const;
  /// Writes `round(value)`.
  void store(std::byte *at, Scalar value) const;

  /// The bounds of an integer type, as `Scalar::integer` holds them.
  [[nodiscard]] int64_t lowest() const;
  [[nodiscard]] int64_t highest() const;

  friend bool operator==(const Element &, const Element &) = default;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_ELEMENT_H
