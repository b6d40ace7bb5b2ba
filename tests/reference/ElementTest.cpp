// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Rounding and storing of elements, against APFloat and APInt.

#include "mercator/reference/core/Element.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

using namespace mercator::reference;
using llvm::APFloat;

namespace {

class ElementTest : public testing::Test {
protected:
  mlir::MLIRContext context;
  mlir::Builder builder{&context};

  std::vector<mlir::Type> floats() {
    return {builder.getF16Type(),
            builder.getBF16Type(),
            builder.getF32Type(),
            builder.getF64Type(),
            mlir::Float8E3M4Type::get(&context),
            mlir::Float8E4M3Type::get(&context),
            mlir::Float8E4M3FNType::get(&context),
            mlir::Float8E4M3FNUZType::get(&context),
            mlir::Float8E4M3B11FNUZType::get(&context),
            mlir::Float8E5M2Type::get(&context),
            mlir::Float8E5M2FNUZType::get(&context),
            mlir::Float6E2M3FNType::get(&context),
            mlir::Float6E3M2FNType::get(&context),
            mlir::Float4E2M1FNType::get(&context)};
  }
};

/// APFloat's result; nothing if the format cannot represent it.
std::optional<uint64_t> expected(const llvm::fltSemantics &format,
                                 double value) {
  if (!APFloat::semanticsHasInf(format) && !APFloat::semanticsHasNaN(format) &&
      std::fabs(value) > APFloat::getLargest(format).convertToDouble())
    return std::nullopt;
  APFloat rounded(value);
  bool lost = false;
  rounded.convert(format, APFloat::rmNearestTiesToEven, &lost);
  return rounded.bitcastToAPInt().getZExtValue();
}

TEST_F(ElementTest, EveryFloatRoundsToNearestEven) {
  std::mt19937_64 random(1);
  for (mlir::Type type : floats()) {
    Element element = *Element::of(type);
    std::vector<double> values = {0.0, -0.0, INFINITY, -INFINITY, 5e-324};
    for (int i = 0; i < 20000; ++i) {
      // Bits of doubles near the range of the format, including ties.
      int exponent = int(random() % 300) - 150;
      double value = std::ldexp(double(random() >> 11), exponent - 52);
      if (i % 2)
        value = std::bit_cast<double>(std::bit_cast<uint64_t>(value) &
                                      ~((uint64_t(1) << (30 + i % 20)) - 1));
      values.push_back(random() % 2 ? value : -value);
    }
    for (double value : values) {
      std::optional<uint64_t> bits = expected(*element.format, value);
      if (!bits)
        continue;
      std::byte memory[8] = {};
      element.store(memory, Scalar::real(value));
      uint64_t got = 0;
      std::memcpy(&got, memory, element.bytes);
      ASSERT_EQ(got, *bits)
          << "of " << value << " in " << element.bits << " bits";
    }
  }
}

TEST_F(ElementTest, EverySmallPatternComesBack) {
  for (mlir::Type type : floats()) {
    Element element = *Element::of(type);
    if (element.bits > 16)
      continue;
    for (uint64_t bits = 0; bits < (uint64_t(1) << element.bits); ++bits) {
      std::byte memory[8] = {}, again[8] = {};
      std::memcpy(memory, &bits, element.bytes);
      Scalar value = element.load(memory);
      if (std::isnan(value.re))
        continue;
      element.store(again, value);
      ASSERT_EQ(std::memcmp(memory, again, element.bytes), 0)
          << bits << " in " << element.bits << " bits is " << value.re;
    }
  }
}

TEST_F(ElementTest, IntegersWrap) {
  auto round = [&](unsigned bits, bool isUnsigned, int64_t value) {
    return Element::of(
               mlir::IntegerType::get(&context, bits,
                                      isUnsigned ? mlir::IntegerType::Unsigned
                                                 : mlir::IntegerType::Signless))
        ->round(Scalar::whole(value))
        .integer;
  };
  EXPECT_EQ(round(2, false, 2), -2);
  EXPECT_EQ(round(2, true, -1), 3);
  EXPECT_EQ(round(4, false, 8), -8);
  EXPECT_EQ(round(8, false, 200), -56);
  EXPECT_EQ(round(8, true, -1), 255);
  EXPECT_EQ(round(32, false, int64_t(1) << 31), -(int64_t(1) << 31));
  EXPECT_EQ(round(64, true, -1), -1);
  EXPECT_EQ(round(1, false, 3), 1);
}

} // namespace
