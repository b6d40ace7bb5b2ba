// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Element.h"

#include "mercator/reference/core/Perturbation.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

using namespace mlir;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::optional<Element> integer(unsigned bits, bool isUnsigned) {
  if (bits == 1)
    return Element{};
  if (bits > 64 || !std::has_single_bit(bits))
    return std::nullopt;
  return Element{isUnsigned ? ElementKind::UnsignedInt : ElementKind::SignedInt,
                 bits, std::max(1u, bits / 8), nullptr};
}

std::optional<Element> Element::of(Type type) {
  // Other types have no storage type or are not in the specification.
  if (isa<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
          type)) {
    auto quantized = cast<quant::QuantizedType>(type);
    return integer(quantized.getStorageTypeIntegralWidth(),
                   !quantized.isSigned());
  }
  if (isa<IndexType>(type))
    return integer(64, false);
  if (auto whole = dyn_cast<IntegerType>(type))
    return integer(whole.getWidth(), whole.isUnsigned());
  if (auto real = dyn_cast<FloatType>(type)) {
    unsigned bits = real.getWidth();
    if (bits > 64 || isa<FloatTF32Type>(type))
      return std::nullopt;
    return Element{ElementKind::Real, bits, std::bit_ceil((bits + 7) / 8),
                   &real.getFloatSemantics()};
  }
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex ||
      !(complex.getElementType().isF32() || complex.getElementType().isF64()))
    return std::nullopt;
  std::optional<Element> part = of(complex.getElementType());
  return Element{ElementKind::Complex, part->bits, 2 * part->bytes,
                 part->format};
}

int64_t Element::lowest() const {
  return kind == ElementKind::SignedInt ? int64_t(~uint64_t(0) << (bits - 1))
                                        : 0;
}

int64_t Element::highest() const {
  unsigned used = kind == ElementKind::SignedInt ? bits - 1 : bits;
  return int64_t(~uint64_t(0) >> (64 - used));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static int64_t wrap(const Element &element, int64_t value) {
  if (element.kind == ElementKind::Boolean)
    return value & 1;
  unsigned unused = 64 - element.bits;
  uint64_t high = uint64_t(value) << unused;
  return element.kind == ElementKind::SignedInt ? int64_t(high) >> unused
                                                : int64_t(high >> unused);
}

//===----------------------------------------------------------------------===//
// Floats: the bits of a format, in the low bits of a word
//===----------------------------------------------------------------------===//

// Rounds to float first, to an odd digit if inexact. The second rounding then
// knows on which side of a tie the value was (Boldo and Melquiond, 2008).
static uint64_t encodeBFloat(double value) {
  if (std::isnan(value))
    return 0x7FC0 | (std::signbit(value) ? 0x8000 : 0);
  float nearest = float(value);
  auto word = std::bit_cast<uint32_t>(nearest);
  if (double(nearest) != value) {
    if (std::fabs(double(nearest)) > std::fabs(value))
      --word;
    word |= 1;
  }
  if (std::isinf(value))
    return word >> 16;
  return (word + 0x7FFF + ((word >> 16) & 1)) >> 16;
}

// f8E8M0FNU has powers of two and NaN, which stands for zero and negative numbers
// too. The code c is 2^(c - 127). Of a tie the upper neighbor is taken. APFloat
// has neither the NaN nor the rounding.
constexpr uint64_t kPowerNan = 255;
constexpr int kPowerBias = 127;

static uint64_t encodePower(double value) {
  if (!std::isfinite(value) || value <= 0)
    return kPowerNan;
  int exponent = 0;
  double half = std::frexp(value, &exponent); // 1/2 <= half < 1
  int code = exponent - 1 + kPowerBias + (half >= 0.75 ? 1 : 0);
  return code < 0 ? 0 : std::min(uint64_t(code), kPowerNan);
}

static double decodePower(uint64_t code) {
  return code == kPowerNan ? NAN : std::ldexp(1, int(code) - kPowerBias);
}

static bool hasPowersOnly(const llvm::fltSemantics &format) {
  return !llvm::APFloat::semanticsHasSignedRepr(format);
}

static uint64_t encodeRare(const llvm::fltSemantics &format, double value) {
  if (hasPowersOnly(format))
    return encodePower(value);
  bool hasNan = llvm::APFloat::semanticsHasNaN(format);
  if (std::isnan(value)) {
    llvm::APFloat nan = hasNan
                            ? llvm::APFloat::getNaN(format, std::signbit(value))
                            : llvm::APFloat::getZero(format, /*Negative=*/true);
    return nan.bitcastToAPInt().getZExtValue();
  }
  if (!hasNan && !llvm::APFloat::semanticsHasInf(format)) {
    double largest = llvm::APFloat::getLargest(format).convertToDouble();
    value = std::fmin(std::fmax(value, -largest), largest);
  }
  llvm::APFloat rounded(value);
  bool lost = false;
  rounded.convert(format, llvm::APFloat::rmNearestTiesToEven, &lost);
  return rounded.bitcastToAPInt().getZExtValue();
}

static uint64_t encodeNearest(const llvm::fltSemantics &format, double value) {
  if (&format == &llvm::APFloat::IEEEdouble())
    return std::bit_cast<uint64_t>(value);
  if (&format == &llvm::APFloat::IEEEsingle())
    return std::bit_cast<uint32_t>(float(value));
  if (&format == &llvm::APFloat::IEEEhalf())
    return std::bit_cast<uint16_t>(_Float16(value));
  if (&format == &llvm::APFloat::BFloat())
    return encodeBFloat(value);
  return encodeRare(format, value);
}

/// The processor takes subnormal numbers for zero where the evaluation asks for it.
/// The C library does not expect that, and computes other numbers for them.
static uint64_t flushed(uint64_t bits) {
  constexpr uint64_t kSign = uint64_t(1) << 63, kExponent = uint64_t(0x7ff)
                                                            << 52;
  // By bits: for the processor, the number equals zero already.
  if ((bits & kExponent) != 0 || (bits & ~kSign) == 0)
    return bits;
  const Perturbation *own = Perturbation::current();
  return own && own->flushes() ? bits & kSign : bits;
}

static double decode(const llvm::fltSemantics &format, uint64_t bits) {
  if (&format == &llvm::APFloat::IEEEdouble())
    return std::bit_cast<double>(flushed(bits));
  if (&format == &llvm::APFloat::IEEEsingle())
    return std::bit_cast<float>(uint32_t(bits));
  if (&format == &llvm::APFloat::IEEEhalf())
    return double(std::bit_cast<_Float16>(uint16_t(bits)));
  if (&format == &llvm::APFloat::BFloat())
    return std::bit_cast<float>(uint32_t(bits) << 16);
  if (hasPowersOnly(format))
    return decodePower(bits & 0xff);
  unsigned width = llvm::APFloat::getSizeInBits(format);
  llvm::APFloat value(format, llvm::APInt(width, bits & ((1u << width) - 1)));
  bool lost = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToDouble();
}

/// The neighbor of a rounded value in the direction of the perturbation, if the
/// value is on that side. The hardware has rounded f32 and f64 so; f8 and narrower
/// formats are rounded to nearest always.
static uint64_t encode(const llvm::fltSemantics &format, double value) {
  uint64_t bits = encodeNearest(format, value);
  const Perturbation *own = Perturbation::current();
  if (!own || own->direction() == 0 ||
      (&format != &llvm::APFloat::IEEEhalf() &&
       &format != &llvm::APFloat::BFloat()))
    return bits;
  double nearest = decode(format, bits);
  if (!std::isfinite(nearest) || nearest == value ||
      (nearest > value) == (own->direction() > 0))
    return bits;
  if (nearest == 0)
    return own->direction() > 0 ? 1 : 0x8001;
  return (nearest > 0) == (own->direction() > 0) ? bits + 1 : bits - 1;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Scalar Element::round(Scalar value) const {
  switch (kind) {
  case ElementKind::Boolean:
  case ElementKind::SignedInt:
  case ElementKind::UnsignedInt:
    return Scalar::whole(wrap(*this, value.integer));
  case ElementKind::Real:
    return Scalar::real(decode(*format, encode(*format, value.re)));
  case ElementKind::Complex:
    return Scalar::complex(decode(*format, encode(*format, value.re)),
                           decode(*format, encode(*format, value.im)));
  }
  llvm_unreachable("all kinds are handled");
}

static uint64_t loadWord(const std::byte *at, unsigned bytes) {
  uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

Scalar Element::load(const std::byte *at) const {
  if (kind == ElementKind::Complex) {
    unsigned part = bytes / 2;
    return Scalar::complex(decode(*format, loadWord(at, part)),
                           decode(*format, loadWord(at + part, part)));
  }
  uint64_t word = loadWord(at, bytes);
  if (kind == ElementKind::Real)
    return Scalar::real(decode(*format, word));
  return Scalar::whole(wrap(*this, int64_t(word)));
}

void Element::store(std::byte *at, Scalar value) const {
  if (kind == ElementKind::Complex) {
    unsigned part = bytes / 2;
    uint64_t re = encode(*format, value.re), im = encode(*format, value.im);
    std::memcpy(at, &re, part);
    std::memcpy(at + part, &im, part);
    if (Perturbation *own = Perturbation::current())
      own->wrote(std::fmax(std::fabs(value.re), std::fabs(value.im)));
    return;
  }
  uint64_t word = kind == ElementKind::Real
                      ? encode(*format, value.re)
                      : uint64_t(wrap(*this, value.integer));
  std::memcpy(at, &word, bytes);
  if (Perturbation *own = Perturbation::current())
    own->wrote(kind == ElementKind::Real ? value.re : 0);
}

} // namespace mercator::reference
