// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Rounding to floating-point formats, against APFloat.

#include "mercator/reference/ptx/Formats.h"

#include "tests/Scale.h"
#include "tests/Seed.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::reference::ptx;
using llvm::APFloat;

namespace {

struct Pair {
  Format format;
  const llvm::fltSemantics &semantics;
};
const Pair kFormats[] = {{kF16, APFloat::IEEEhalf()},
                         {kBF16, APFloat::BFloat()},
                         {kF32, APFloat::IEEEsingle()},
                         {kE4M3, APFloat::Float8E4M3FN()},
                         {kE5M2, APFloat::Float8E5M2()}};
const std::pair<Rounding, llvm::RoundingMode> kRoundings[] = {
    {Rounding::Nearest, llvm::RoundingMode::NearestTiesToEven},
    {Rounding::Zero, llvm::RoundingMode::TowardZero},
    {Rounding::Down, llvm::RoundingMode::TowardNegative},
    {Rounding::Up, llvm::RoundingMode::TowardPositive},
    {Rounding::NearestAway, llvm::RoundingMode::NearestTiesToAway}};

TEST(PtxFormats, EveryNumberIsItself) {
  for (const Pair &pair : kFormats)
    for (uint64_t bits = 0;
         bits < uint64_t(1) << std::min(16u, pair.format.bits); ++bits) {
      double value = decode(pair.format, bits);
      APFloat expected(pair.semantics, llvm::APInt(pair.format.bits, bits));
      if (std::isnan(value)) {
        ASSERT_TRUE(expected.isNaN()) << bits;
        continue;
      }
      bool lost;
      expected.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                       &lost);
      ASSERT_EQ(value, expected.convertToDouble()) << bits;
      for (auto [rounding, mode] : kRoundings)
        ASSERT_EQ(encode(pair.format, {value}, rounding), bits);
    }
}

TEST(PtxFormats, RandomNumbersRoundAsAPFloatDoes) {
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < cases(200'000); ++i) {
    // Exponents around those of the formats, and few bits, so that ties occur.
    int exponent = int(random() % 300) - 160;
    double value =
        std::ldexp(double(random() >> (11 + random() % 50)), exponent - 40);
    value = random() & 1 ? value : -value;
    const Pair &pair = kFormats[random() % std::size(kFormats)];
    auto [rounding, mode] = kRoundings[random() % std::size(kRoundings)];
    APFloat expected(value);
    bool lost;
    expected.convert(pair.semantics, mode, &lost);
    uint64_t bits = encode(pair.format, {value}, rounding);
    // APFloat gives E4M3FN's NaN for an overflow in all modes.
    if (&pair.format == &kFormats[3].format && expected.isNaN())
      continue;
    ASSERT_EQ(bits, expected.bitcastToAPInt().getZExtValue())
        << value << " to " << pair.format.bits << " bits, rounding "
        << int(rounding) << ", seed " << testSeed();
  }
}

TEST(PtxFormats, SumsAreRoundedOnce) {
  std::mt19937_64 random(testSeed());
  auto draw = [&] {
    auto bits = uint32_t(random());
    // Half of the numbers are near 1, so that products and sums meet.
    if (random() & 1)
      bits = (bits & 0x807FFFFF) | (120 + random() % 16) << 23;
    return std::bit_cast<float>(bits);
  };
  for (int i = 0; i < cases(200'000); ++i) {
    float a = draw(), b = draw(), c = draw();
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c))
      continue;
    auto [rounding, mode] = kRoundings[random() % 4];
    APFloat expected(a);
    expected.fusedMultiplyAdd(APFloat(b), APFloat(c), mode);
    float got = roundToFloat(sum(double(a) * b, c), rounding);
    if (got == 0 && expected.isZero())
      continue; // the sign is the handler's
    ASSERT_EQ(std::bit_cast<uint32_t>(got),
              uint32_t(expected.bitcastToAPInt().getZExtValue()))
        << a << " * " << b << " + " << c << ", rounding " << int(rounding)
        << ", seed " << testSeed();
  }
}

} // namespace
