// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Makes the Call of an ElementFunction of a function of numbers.
///
///   static double half(double x) { return x / 2; }
///
///   function.call = call<half>;      // rounds to the element type of the result
///
/// A table has one Call for each kind of element.

#ifndef MERCATOR_REFERENCE_CORE_ELEMENTCALLS_H
#define MERCATOR_REFERENCE_CORE_ELEMENTCALLS_H

#include "mercator/reference/core/ElementFunction.h"

#include <complex>

namespace mercator::reference {

using Call = ElementFunction::Call;

/// One function for each kind of element; null if there is none.
struct ByKind {
  Call boolean = nullptr, signedInt = nullptr, unsignedInt = nullptr,
       real = nullptr, complex = nullptr;

  [[nodiscard]] Call operator[](ElementKind kind) const {
    switch (kind) {
    case ElementKind::Boolean:
      return boolean;
    case ElementKind::SignedInt:
      return signedInt;
    case ElementKind::UnsignedInt:
      return unsignedInt;
    case ElementKind::Real:
      return real;
    case ElementKind::Complex:
      return complex;
    }
    llvm_unreachable("all kinds are handled");
  }
};

/// Makes a Call of a function of values: of integers, where F maps int64_t to
/// int64_t; of doubles; of Scalars. The result of F is rounded.
template <auto F> inline constexpr Call call = nullptr;
template <int64_t (*F)(int64_t)>
inline constexpr Call call<F> =
    [](const ElementFunction &self, const Scalar *x) {
      return self.result.round(Scalar::whole(F(x[0].integer)));
    };
template <int64_t (*F)(int64_t, int64_t)>
inline constexpr Call call<F> =
    [](const ElementFunction &self, const Scalar *x) {
      return self.result.round(Scalar::whole(F(x[0].integer, x[1].integer)));
    };
template <double (*F)(double)>
inline constexpr Call call<F> =
    [](const ElementFunction &self, const Scalar *x) {
      return self.result.round(Scalar::real(F(x[0].re)));
    };
template <double (*F)(double, double)>
inline constexpr Call call<F> =
    [](const ElementFunction &self, const Scalar *x) {
      return self.result.round(Scalar::real(F(x[0].re, x[1].re)));
    };
template <Scalar (*F)(Scalar)>
inline constexpr Call call<F> =
    [](const ElementFunction &self, const Scalar *x) {
      return self.result.round(F(x[0]));
    };
template <Scalar (*F)(Scalar, Scalar)>
inline constexpr Call call<F> =
    [](const ElementFunction &self, const Scalar *x) {
      return self.result.round(F(x[0], x[1]));
    };

/// Makes a Call of a function of complex numbers that is evaluated in a wider
/// float.
template <typename Wide, std::complex<Wide> (*F)(std::complex<Wide>)>
Scalar apply(const ElementFunction &self, const Scalar *x) {
  std::complex<Wide> y = F({Wide(x->re), Wide(x->im)});
  return self.result.round(Scalar::complex(double(y.real()), double(y.imag())));
}
template <typename Wide,
          std::complex<Wide> (*F)(std::complex<Wide>, std::complex<Wide>)>
Scalar apply2(const ElementFunction &self, const Scalar *x) {
  std::complex<Wide> y =
      F({Wide(x[0].re), Wide(x[0].im)}, {Wide(x[1].re), Wide(x[1].im)});
  return self.result.round(Scalar::complex(double(y.real()), double(y.imag())));
}

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_ELEMENTCALLS_H
