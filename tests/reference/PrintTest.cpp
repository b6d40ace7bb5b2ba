// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Floats as text: each reads back as the same float, and from 0.0001 to 10^16
// there is no exponent.

#include "mercator/reference/core/Print.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <random>

using namespace mercator;
using llvm::APFloat;
using llvm::fltSemantics;

static std::string textOf(const fltSemantics &format, double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  reference::printFloat(os, format, value);
  return text;
}

static double rounded(const fltSemantics &format, double value) {
  bool lost = false;
  APFloat it(value);
  it.convert(format, APFloat::rmNearestTiesToEven, &lost);
  it.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return it.convertToDouble();
}

static void check(const fltSemantics &format, double value) {
  if (!std::isfinite(value))
    return;
  std::string text = textOf(format, value);
  SCOPED_TRACE(text);
  double back = std::strtod(text.c_str(), nullptr);
  ASSERT_EQ(rounded(format, back), value);
  ASSERT_EQ(std::signbit(back), std::signbit(value));
  // By its digits: a float just below 10^16 may be printed as 1e+16.
  double size = std::abs(back);
  bool isPlain = size == 0 || (size >= 1e-4 && size < 1e16);
  ASSERT_EQ(text.find('e') == std::string::npos, isPlain);
  if (!isPlain)
    return;
  // Digits on both sides of the point; an integer has all of its digits.
  size_t point = text.find('.');
  ASSERT_TRUE(point != std::string::npos && point != 0 &&
              point + 1 != text.size());
  if (size == std::trunc(size))
    ASSERT_EQ(back, value);
}

TEST(Print, EveryNarrowFloatIsReadBack) {
  for (const fltSemantics *format :
       {&APFloat::BFloat(), &APFloat::IEEEhalf(), &APFloat::Float8E5M2(),
        &APFloat::Float8E4M3FN(), &APFloat::Float8E4M3B11FNUZ(),
        &APFloat::Float8E3M4()}) {
    unsigned width = APFloat::getSizeInBits(*format);
    for (uint64_t bits = 0; bits >> width == 0 && !HasFailure(); ++bits) {
      APFloat value(*format, llvm::APInt(width, bits));
      bool lost = false;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
      check(*format, value.convertToDouble());
    }
  }
}

TEST(Print, WideFloatsAreReadBack) {
  std::mt19937_64 engine(20261122);
  for (int i = 0; i < 100'000 && !HasFailure(); ++i) {
    uint64_t bits = engine();
    check(APFloat::IEEEdouble(), std::bit_cast<double>(bits));
    check(APFloat::IEEEsingle(), std::bit_cast<float>(uint32_t(bits)));
  }
}

TEST(Print, InOneStyle) {
  struct Row {
    const fltSemantics &format;
    double value;
    const char *text;
  };
  const Row rows[] = {
      {APFloat::BFloat(), 10, "10.0"},
      {APFloat::BFloat(), 8, "8.0"},
      {APFloat::BFloat(), 3008, "3008.0"},
      {APFloat::BFloat(), -0.0, "-0.0"},
      {APFloat::IEEEsingle(), 1e5, "100000.0"},
      {APFloat::IEEEsingle(), 16777216, "16777216.0"},
      {APFloat::IEEEsingle(), 0.1F, "0.1"},
      {APFloat::IEEEsingle(), 2.5e-5F, "2.5e-05"},
      {APFloat::IEEEdouble(), 123456.789, "123456.789"},
      {APFloat::IEEEdouble(), 1e16, "1e+16"},
      {APFloat::IEEEdouble(), -1e300, "-1e+300"},
      {APFloat::IEEEdouble(), INFINITY, "inf"},
      {APFloat::IEEEdouble(), NAN, "nan"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(textOf(row.format, row.value), row.text);
}
