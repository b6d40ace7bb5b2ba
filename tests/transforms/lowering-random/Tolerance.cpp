// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tolerance.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace mercator::reference;
using llvm::StringRef;

namespace mercator::testing {

//===----------------------------------------------------------------------===//
// What may give other bits
//===----------------------------------------------------------------------===//

/// The tolerance of an operation, 0 for one that gives the same bits.
static double ulpsOf(StringRef name) {
  if (name.consume_front("chlo."))
    return name.contains("constant") || name.contains("is_") ||
                   name == "mulhi" || name == "top_k"
               ? 0
               : kUlpsOfSolvers; // composed of many operations
  if (!name.consume_front("stablehlo."))
    return 0;
  return llvm::StringSwitch<double>(name)
      .Cases({"atan2", "cbrt", "cosine", "exponential"}, kUlps)
      .Cases({"exponential_minus_one", "log", "log_plus_one", "logistic"},
             kUlps)
      .Cases({"power", "rsqrt", "sine", "tan", "tanh"}, kUlps)
      .Cases({"reduce", "reduce_window", "select_and_scatter", "scatter"},
             kUlps)
      .Cases({"dot", "dot_general", "einsum", "unary_einsum"}, kUlps)
      .Cases({"convolution", "dynamic_conv"}, kUlps)
      .Cases({"batch_norm_inference", "batch_norm_training", "batch_norm_grad"},
             kUlpsOfSolvers)
      .Cases({"cholesky", "triangular_solve", "fft"}, kUlpsOfSolvers)
      .Default(0);
}

/// The largest tolerance of the operations that a text names.
static double ulpsOfText(StringRef text) {
  double most = 0;
  while (!text.empty()) {
    size_t at = std::min(text.find("stablehlo."), text.find("chlo."));
    if (at == StringRef::npos)
      return most;
    text = text.drop_front(at);
    StringRef name = text.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    most = std::max(most, ulpsOf(name));
    text = text.drop_front(name.size());
  }
  return most;
}

static bool isOfComplexNumbers(const Sample &sample,
                               const SampleOperation &op) {
  for (const std::vector<int> &list : {op.operands, op.results})
    for (int v : list)
      if (StringRef(sample.values[v].type.element).contains("complex"))
        return true;
  return false;
}

double ulpsOf(const Sample &sample, const SampleOperation &op) {
  double ulps = std::max(ulpsOf(op.name), ulpsOfText(op.regions));
  if (op.name == "func.call" || op.name == "stablehlo.composite")
    ulps = std::max(ulps, ulpsOfText(sample.functions));
  return isOfComplexNumbers(sample, op) ? std::max(ulps, kUlps) : ulps;
}

double ulpsOf(const Sample &sample) {
  double most = 0;
  for (const SampleOperation &op : sample.operations)
    most = std::max(most, ulpsOf(sample, op));
  return most;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static bool isSame(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));
}

double distance(const Tensor &want, const Tensor &got, std::string &why) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Element &element = want.element();
  bool isFloat = element.isReal() || element.isComplex();
  double largest = 0, most = 0;
  for (int64_t i = 0; isFloat && i < want.size(); ++i)
    for (double x : {want.at(i).re, want.at(i).im})
      if (std::isfinite(x))
        largest = std::max(largest, std::fabs(x));
  auto differ = [&](int64_t i, double by) {
    if (by <= most)
      return;
    most = by;
    Scalar a = want.at(i), b = got.at(i);
    why = isFloat ? llvm::formatv("element {0}: expected ({1:e8}, {2:e8}), got "
                                  "({3:e8}, {4:e8})",
                                  i, a.re, a.im, b.re, b.im)
                        .str()
                  : llvm::formatv("element {0}: expected {1}, got {2}", i,
                                  a.integer, b.integer)
                        .str();
  };
  for (int64_t i = 0; i < want.size(); ++i) {
    Scalar a = want.at(i), b = got.at(i);
    if (!isFloat) {
      if (a.integer != b.integer)
        differ(i, inf);
      continue;
    }
    for (auto [x, y] : {std::pair(a.re, b.re), std::pair(a.im, b.im)}) {
      if (isSame(x, y))
        continue;
      if (!std::isfinite(x) || !std::isfinite(y)) {
        differ(i, inf);
        continue;
      }
      int digits = int(llvm::APFloat::semanticsPrecision(*element.format)) - 1;
      // The smallest number bounds the unit of the last place from below.
      double unit = std::max(
          largest == 0 ? 0 : std::ldexp(1, std::ilogb(largest) - digits),
          llvm::APFloat::getSmallest(*element.format).convertToDouble());
      double by = std::fabs(x - y) / unit;
      // Another sign of zero is a difference, though not one of size.
      differ(i, by == 0 ? 0.5 : by);
    }
  }
  return most;
}

} // namespace mercator::testing
