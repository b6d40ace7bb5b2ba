// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Check.h"
#include "mercator/reference/core/Print.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace mercator::reference {

/// The bits of a value of the format, as sign and magnitude.
static uint64_t magnitude(const llvm::fltSemantics &format, double value) {
  bool lost = false;
  APFloat number(std::fabs(value));
  number.convert(format, APFloat::rmNearestTiesToEven, &lost);
  return number.bitcastToAPInt().getZExtValue();
}

static std::optional<uint64_t> ulpsBetween(const llvm::fltSemantics &format,
                                           double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  if (!std::isfinite(a) || !std::isfinite(b))
    return std::nullopt;
  uint64_t fromZeroA = magnitude(format, a), fromZeroB = magnitude(format, b);
  if (std::signbit(a) != std::signbit(b))
    return fromZeroA + fromZeroB;
  return fromZeroA > fromZeroB ? fromZeroA - fromZeroB : fromZeroB - fromZeroA;
}

std::optional<uint64_t> ulpsBetween(const Element &element, Scalar a,
                                    Scalar b) {
  if (!element.format) {
    bool less = element.kind == ElementKind::SignedInt
                    ? a.integer < b.integer
                    : uint64_t(a.integer) < uint64_t(b.integer);
    return less ? uint64_t(b.integer) - uint64_t(a.integer)
                : uint64_t(a.integer) - uint64_t(b.integer);
  }
  std::optional<uint64_t> re = ulpsBetween(*element.format, a.re, b.re);
  if (!element.isComplex() || !re)
    return re;
  std::optional<uint64_t> im = ulpsBetween(*element.format, a.im, b.im);
  return im ? std::optional(std::max(*re, *im)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

Comparison::Comparison(const Tensor &actual, const Tensor &expected,
                       llvm::function_ref<bool(Scalar, Scalar)> agree)
    : actual(actual), expected(expected) {
  assert(actual.size() == expected.size() &&
         actual.element() == expected.element() && "expected one type");
  for (int64_t place = 0; place < actual.size(); ++place)
    if (!agree(actual.at(place), expected.at(place)) && differing++ == 0)
      first = place;
}

std::string Comparison::text() const {
  assert(!passed() && "nothing differs");
  std::string text;
  llvm::raw_string_ostream os(text);
  const Element &element = actual.element();
  Scalar got = actual.at(first), wanted = expected.at(first);
  os << "expected ";
  print(os, element, wanted);
  if (actual.rank() != 0) {
    SmallVector<int64_t> index(actual.rank());
    int64_t rest = first;
    for (size_t dim = index.size(); dim-- > 0; rest /= actual.dim(dim))
      index[dim] = rest % actual.dim(dim);
    os << " at [";
    llvm::interleaveComma(index, os);
    os << ']';
  }
  os << ", got ";
  print(os, element, got);
  std::optional<uint64_t> ulps;
  if (element.format)
    ulps = ulpsBetween(element, got, wanted);
  if (ulps == 0 && (std::isnan(got.re) || std::isnan(got.im)))
    os << ", and a NaN equals nothing";
  else if (ulps)
    os << ", " << *ulps << (*ulps == 1 ? " ULP" : " ULPs") << " away";
  if (actual.size() != 1)
    os << "; " << differing << " of " << actual.size()
       << (differing == 1 ? " elements differs" : " elements differ");
  return text;
}

Comparison compareEqual(const Tensor &actual, const Tensor &expected) {
  bool isFloat = actual.element().format;
  return {actual, expected, [&](Scalar a, Scalar b) {
            return isFloat ? a.re == b.re && a.im == b.im
                           : a.integer == b.integer;
          }};
}

Comparison compareAlmostEqual(const Tensor &actual, const Tensor &expected,
                              double absolute, double relative) {
  auto near = [&](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) ||
           (std::isfinite(a) && std::isfinite(b) &&
            std::fabs(a - b) <= absolute + relative * std::fabs(b));
  };
  bool isFloat = actual.element().format;
  return {actual, expected, [&](Scalar a, Scalar b) {
            return isFloat ? near(a.re, b.re) && near(a.im, b.im)
                           : a.integer == b.integer;
          }};
}

Comparison compareClose(const Tensor &actual, const Tensor &expected,
                        uint64_t minUlps, uint64_t maxUlps) {
  return {actual, expected, [&](Scalar a, Scalar b) {
            std::optional<uint64_t> ulps = ulpsBetween(actual.element(), a, b);
            return ulps && *ulps >= minUlps && *ulps <= maxUlps;
          }};
}

} // namespace mercator::reference
