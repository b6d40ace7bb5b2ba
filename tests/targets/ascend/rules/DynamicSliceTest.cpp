// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random dynamic_slices in the operators of GE: with starts that are arguments,
// bounded or constant, they give the same result.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/RandomGather.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mercator;
using gather::Draw;
using gather::Ints;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Tensor;

/// A dynamic_slice whose program takes the operand and all starts.
static std::string drawSlice(Draw &draw, const std::string &element) {
  static constexpr std::array<const char *, 8> types = {
      "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"};
  int64_t rank = draw.upTo(4);
  Ints shape, sizes;
  for (int64_t i = 0; i < rank; ++i) {
    shape.push_back(draw.once(30) ? 0 : 1 + draw.upTo(5));
    sizes.push_back(draw.once(3) ? shape.back() : draw.upTo(shape.back()));
  }
  std::string index = types[draw.once(2) ? 2 : draw.upTo(7)],
              scalar = "tensor<" + index + ">", body, names, operandTypes,
              parameters;
  for (int64_t i = 0; i < rank; ++i) {
    std::string name = "%s" + std::to_string(i);
    parameters += ", " + name + ": " + scalar;
    if (int64_t kind = draw.upTo(2); kind != 0) {
      std::string low = std::to_string(draw.upTo(2)),
                  high = std::to_string(draw.upTo(4) + 2);
      std::string constant = " = stablehlo.constant dense<";
      if (kind == 1) {
        body += "  " + name + "c" + constant + high + "> : " + scalar + "\n";
      } else {
        body += "  " + name + "l" + constant + low + "> : " + scalar + "\n  " +
                name + "h" + constant + high + "> : " + scalar + "\n  " + name +
                "c = stablehlo.clamp " + name + "l, " + name + ", " + name +
                "h : " + scalar + "\n";
      }
      name += "c";
    }
    names += ", " + name;
    operandTypes += ", " + scalar;
  }
  std::string operand = tensorText(shape, element),
              result = tensorText(sizes, element);
  return "func.func @main(%x: " + operand + parameters + ") -> " + result +
         " {\n" + body + "  %r = stablehlo.dynamic_slice %x" + names +
         ", sizes = " + listText(sizes) + " : (" + operand + operandTypes +
         ") -> " + result + "\n  return %r : " + result + "\n}\n";
}

static void checkSlice(uint64_t seed, Programs &programs) {
  static constexpr std::array<const char *, 5> elements = {"f32", "i1", "ui16",
                                                           "i64", "f64"};
  Draw draw(seed);
  std::string text = drawSlice(draw, elements[seed % elements.size()]);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  auto module = programs.parse(text);
  ASSERT_TRUE(module) << programs.messages;
  Programs::Inputs inputs =
      programs.inputs(*module, [&](size_t k, int64_t i) -> int64_t {
        return k == 0 ? i * 7 % 127 : draw.start();
      });
  std::optional<Tensor> want = programs.result(*module, inputs);
  ASSERT_TRUE(want) << programs.messages;
  for (const Device *device : {&devices::ascendAny(), &devices::ascend910b()}) {
    OwningOpRef<ModuleOp> after = module->clone();
    EXPECT_TRUE(
        ascend::convertToAscend(*after, {.plan = {.device = device}}).empty());
    ASSERT_TRUE(succeeded(mlir::verify(*after))) << programs.messages;
    std::optional<Tensor> got = programs.result(*after, inputs);
    ASSERT_TRUE(got) << programs.messages;
    const Tensor &a = *got, &b = *want;
    ASSERT_EQ(a.type(), b.type());
    ASSERT_EQ(std::memcmp(a.data(), b.data(), a.byteSize()), 0);
  }
}

TEST(AscendDynamicSlice, RandomOnesWithoutATrap) {
  Programs programs;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases() / 5;
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    checkSlice(seed + i, programs);
  std::printf("  %ld dynamic_slices from seed %lu on\n", long(cases),
              (unsigned long)seed);
}
