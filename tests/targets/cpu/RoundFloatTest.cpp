// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Element.h"
#include "mercator/runtime/Abi.h"
#include "mercator/targets/cpu/Lower.h"
#include "tests/Seed.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <array>
#include <cmath>
#include <random>

using namespace mercator;
using namespace mlir;

namespace {

/// The bits that the evaluator stores.
uint32_t expectedBits(FloatType type, double value) {
  reference::Element element = *reference::Element::of(type);
  std::byte bytes[4] = {};
  element.store(bytes, reference::Scalar::real(value));
  uint32_t bits = 0;
  for (unsigned i = 0; i < element.bytes; ++i)
    bits |= uint32_t(bytes[i]) << (8 * i);
  return bits;
}

TEST(RoundFloat, IsTheEvaluators) {
  MLIRContext context;
  std::mt19937_64 engine(testSeed());
  SmallVector<FloatType> types = {
      Float16Type::get(&context),           BFloat16Type::get(&context),
      Float8E5M2Type::get(&context),        Float8E4M3FNType::get(&context),
      Float8E5M2FNUZType::get(&context),    Float8E4M3FNUZType::get(&context),
      Float8E4M3Type::get(&context),        Float8E3M4Type::get(&context),
      Float8E4M3B11FNUZType::get(&context), Float4E2M1FNType::get(&context),
      Float6E2M3FNType::get(&context),      Float6E3M2FNType::get(&context)};
  for (FloatType type : types) {
    SmallVector<double> values = {
        0.0, -0.0, INFINITY, -INFINITY, 1e-300, -1e-300, 1e300,   6.0,
        0.5, 0.75, 448.0,    464.0,     465.0,  57344.0, 61440.0, 0x1p-149};
    std::uniform_real_distribution<double> exponent(-30, 20);
    for (int i = 0; i < 20'000; ++i)
      values.push_back((engine() % 2 ? 1 : -1) * std::exp2(exponent(engine)));
    for (int i = 0; i < 2'000; ++i) // ties
      values.push_back(std::ldexp(double(engine() % 512), -int(engine() % 14)));
    for (double value : values) {
      uint32_t got = mercator_round_float(value, cpu::formatOf(type));
      ASSERT_EQ(got, expectedBits(type, value))
          << value << " as " << std::string(type.getAbstractType().getName());
    }
    auto nan = reference::Element::of(type)->load(
        reinterpret_cast<const std::byte *>(std::array<uint32_t, 1>{
            mercator_round_float(NAN, cpu::formatOf(type))}
                                                .data()));
    EXPECT_TRUE(std::isnan(nan.re) ||
                !llvm::APFloat::semanticsHasNaN(type.getFloatSemantics()))
        << std::string(type.getAbstractType().getName());
  }
}

} // namespace
