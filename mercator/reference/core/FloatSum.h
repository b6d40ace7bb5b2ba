// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A sum of floats in progress.
///
///   FloatSum sum(/*bits=*/32);
///   for (int i = 0; i < 16'777'216; ++i)
///     sum.add(0.1);
///   float(sum.value()); // 1677721.6, and 2097152 if each step were rounded
///
/// Specifications leave the order of a sum open. Here the terms come in *blocks* of
/// kBlock. In a block one is added after the other, as the specification says, each
/// step rounded to f32 or f64: so short sums have the bits that a reader expects, and
/// that recorded results have. The sums of blocks are added without rounding. So the
/// relative error of a sum of positive numbers is at most kBlock / 2 units in the
/// last place, for any number of terms.
///
/// Floats of fewer than 32 bits are added without rounding, as every implementation
/// adds them in a wider type: a sum of f16 in steps of f16 stops growing after 2,048
/// ones.
///
/// Source of the sum without rounding: Neumaier, "Rundungsfehleranalyse einiger
/// Verfahren zur Summation endlicher Summen", 1974.

#ifndef MERCATOR_REFERENCE_CORE_FLOATSUM_H
#define MERCATOR_REFERENCE_CORE_FLOATSUM_H

#include "mercator/reference/core/Element.h"

#include <cmath>

namespace mercator::reference {

class FloatSum {
public:
  /// The terms of a block.
  static constexpr int kBlock = 32;

  /// A sum of numbers of `bits` bits. The start is no term.
  explicit FloatSum(unsigned bits = 64, double start = -0.0)
      : block(start), isSingle(bits == 32), isNarrow(bits < 32) {}

  void add(double x) {
    if (isNarrow)
      return addExactly(x);
    if (count == kBlock) {
      addExactly(block);
      block = x;
      count = 1;
      return;
    }
    block = round(block + x);
    ++count;
  }
  /// Adds a * b.
  void addProduct(double a, double b) { add(round(a * b)); }

  [[nodiscard]] double value() const {
    FloatSum all = *this;
    all.addExactly(block);
    return all.lost == 0 || !std::isfinite(all.total) ? all.total
                                                      : all.total + all.lost;
  }

  /// To the type of the steps.
  [[nodiscard]] double round(double value) const {
    return isSingle ? double(float(value)) : value;
  }

private:
  void addExactly(double x) {
    double next = total + x;
    if (std::isfinite(next))
      lost += std::fabs(total) >= std::fabs(x) ? (total - next) + x
                                               : (x - next) + total;
    total = next;
  }

  /// The sum of the blocks before, and what its additions rounded away.
  double total = -0.0, lost = 0;
  double block; ///< the sum of the current block
  int count = 0;
  bool isSingle, isNarrow;
};

/// The same for real and complex elements.
struct ScalarSum {
  ScalarSum(const Element &element, Scalar start)
      : re(element.bits, start.re), im(element.bits, start.im) {}

  FloatSum re, im;

  void add(Scalar x) {
    re.add(x.re);
    im.add(x.im);
  }
  [[nodiscard]] Scalar value() const {
    return Scalar::complex(re.value(), im.value());
  }
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_FLOATSUM_H
