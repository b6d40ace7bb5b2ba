// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The checks of a test program accept no more than StableHLO's own
/// interpreter.

#include "mercator/reference/core/Check.h"
#include "Programs.h"

using namespace mercator;
using namespace mercator::reference;

namespace {

struct Check : testing::Test {
  Programs programs;

  enum Kind { Equal, Almost, Close };

  /// Whether two elements of a type pass, in both orders.
  bool passes(Kind kind, llvm::StringRef a, llvm::StringRef b,
              llvm::StringRef type, double bound = 0) {
    auto constant = [&](llvm::StringRef value) {
      return programs.tensor(
          ("dense<" + value + "> : tensor<" + type + ">").str());
    };
    Tensor left = constant(a), right = constant(b);
    auto compare = [&](const Tensor &x, const Tensor &y) {
      switch (kind) {
      case Equal:
        return compareEqual(x, y).passed();
      case Almost:
        return compareAlmostEqual(x, y, bound).passed();
      case Close:
        return compareClose(x, y, 0, uint64_t(bound)).passed();
      }
      llvm_unreachable("all kinds are handled");
    };
    bool passed = compare(left, right);
    EXPECT_EQ(compare(right, left), passed) << a.str() << " and " << b.str();
    return passed;
  }

  /// Whether the checks of a function pass.
  bool holds(llvm::StringRef body) {
    return programs.run("func.func @main() {\n" + body.str() +
                        "\nfunc.return\n}") &&
           programs.messages.empty();
  }
};

constexpr const char *kNaN = "0x7FC00000", *kInfinity = "0x7F800000",
                     *kMinusInfinity = "0xFF800000", *kLargest = "0x7F7FFFFF";

TEST_F(Check, Equality) {
  EXPECT_TRUE(passes(Equal, "1.0", "1.0", "f32"));
  EXPECT_TRUE(passes(Equal, "-0.0", "0.0", "f32"));
  EXPECT_TRUE(passes(Equal, kInfinity, kInfinity, "f32"));
  EXPECT_FALSE(passes(Equal, kNaN, kNaN, "f32"));
  EXPECT_FALSE(passes(Equal, kNaN, "0.0", "f32"));
  EXPECT_FALSE(passes(Equal, kInfinity, kMinusInfinity, "f32"));
  EXPECT_FALSE(passes(Equal, "0x3F800001", "1.0", "f32"));
  EXPECT_FALSE(passes(Equal, "(1.0, 2.0)", "(1.0, 3.0)", "complex<f32>"));
  EXPECT_FALSE(passes(Equal, "(2.0, 1.0)", "(3.0, 1.0)", "complex<f64>"));
  EXPECT_TRUE(passes(Equal, "-1", "-1", "i4"));
  EXPECT_FALSE(passes(Equal, "255", "127", "ui8"));
  EXPECT_FALSE(passes(Equal, "true", "false", "i1"));
}

TEST_F(Check, Nearness) {
  EXPECT_TRUE(passes(Almost, "1.0", "1.5", "f32", 0.5));
  EXPECT_FALSE(passes(Almost, "1.0", "1.5", "f32", 0.49));
  EXPECT_TRUE(passes(Almost, "-0.0", "0.0", "f32", 0));
  EXPECT_TRUE(passes(Almost, kNaN, "0xFFC00001", "f32", 0));
  EXPECT_FALSE(passes(Almost, kNaN, "1.0", "f32", 1e300));
  EXPECT_TRUE(passes(Almost, kInfinity, kInfinity, "f32", 0));
  EXPECT_FALSE(passes(Almost, kInfinity, kMinusInfinity, "f32", 1e300));
  EXPECT_FALSE(passes(Almost, kInfinity, kLargest, "f32", 1e300));
  EXPECT_FALSE(passes(Almost, "(1.0, 0.0)", "(1.0, 0.2)", "complex<f32>", 0.1));
  EXPECT_FALSE(passes(Almost, "(0.0, 1.0)", "(0.2, 1.0)", "complex<f32>", 0.1));
  EXPECT_FALSE(passes(Almost, "1", "2", "i32", 5)); // integers are equal or not
}

TEST_F(Check, StepsBetweenFloats) {
  EXPECT_TRUE(passes(Close, "1.0", "0x3F800003", "f32", 3));
  EXPECT_FALSE(passes(Close, "1.0", "0x3F800004", "f32", 3));
  // Across a power of two, and across zero, which counts once.
  EXPECT_TRUE(passes(Close, "0x3F800001", "0x3F7FFFFE", "f32", 3));
  EXPECT_TRUE(passes(Close, "0x00000001", "0x80000002", "f32", 3));
  EXPECT_FALSE(passes(Close, "0x00000002", "0x80000002", "f32", 3));
  EXPECT_TRUE(passes(Close, "-0.0", "0.0", "f32", 0));
  EXPECT_TRUE(passes(Close, kNaN, "0xFFC00001", "f32", 0));
  EXPECT_FALSE(passes(Close, kNaN, kInfinity, "f32", 1e9));
  EXPECT_TRUE(passes(Close, kInfinity, kInfinity, "f32", 0));
  EXPECT_FALSE(passes(Close, kInfinity, kLargest, "f32", 1e9));
  EXPECT_FALSE(passes(Close, kInfinity, kMinusInfinity, "f32", 1e9));
  // In steps of their own type.
  EXPECT_TRUE(passes(Close, "1.0", "1.0078125", "bf16", 1));
  EXPECT_TRUE(passes(Close, "1.0", "1.125", "f8E4M3FN", 1));
  EXPECT_FALSE(passes(Close, "1.0", "1.25", "f8E4M3FN", 1));
  // For complex numbers, the larger distance of the parts counts.
  EXPECT_FALSE(
      passes(Close, "(1.0, 1.0)", "(1.0, 0x3F800002)", "complex<f32>", 1));
  EXPECT_FALSE(
      passes(Close, "(1.0, 1.0)", "(0x3F800002, 1.0)", "complex<f32>", 1));
  EXPECT_FALSE(
      passes(Close, "(1.0, 1.0)", "(1.0, 0x7FC00000)", "complex<f32>", 1e9));
}

/// The minimum distance is checked too, and all elements are.
TEST_F(Check, Operations) {
  const char *pair = "%a = stablehlo.constant dense<[1.0, 2.0]> : "
                     "tensor<2xf32>\n"
                     "%b = stablehlo.constant dense<[1.0, 0x40000002]> : "
                     "tensor<2xf32>\n";
  auto close = [&](const char *max, const char *min) {
    return holds(std::string(pair) +
                 "check.expect_close %a, %b, max_ulp_difference = " + max +
                 ", min_ulp_difference = " + min +
                 " : tensor<2xf32>, tensor<2xf32>");
  };
  EXPECT_TRUE(close("2", "0"));
  EXPECT_FALSE(close("1", "0"));
  EXPECT_FALSE(close("2", "1"));
  EXPECT_FALSE(
      holds(std::string(pair) + "check.expect_eq %a, %b : tensor<2xf32>"));
  EXPECT_EQ(programs.messages.find("expected 2.0000005 at [1], got 2.0, 2 ULPs "
                                   "away; 1 of 2 elements differs") ==
                std::string::npos,
            false)
      << programs.messages;
  // By name: three steps, a thousandth, and equality.
  auto call = [&](const char *target, const char *a, const char *b,
                  const char *type) {
    return holds("%a = stablehlo.constant dense<" + std::string(a) +
                 "> : " + type + "\n%b = stablehlo.constant dense<" + b +
                 "> : " + type + "\nstablehlo.custom_call @" + target +
                 "(%a, %b) {has_side_effect = true} : (" + type + ", " + type +
                 ") -> ()");
  };
  const char *f32 = "tensor<f32>";
  EXPECT_TRUE(call("check.expect_close", "1.0", "0x3F800003", f32));
  EXPECT_FALSE(call("check.expect_close", "1.0", "0x3F800004", f32));
  EXPECT_FALSE(call("check.expect_close", "1", "2", "tensor<i32>"));
  EXPECT_TRUE(call("check.expect_almost_eq", "1.0", "1.0009", f32));
  EXPECT_FALSE(call("check.expect_almost_eq", "1.0", "1.0011", f32));
  EXPECT_FALSE(call("check.expect_eq", "1.0", "0x3F800001", f32));
  EXPECT_FALSE(call("check.expect_eq", kNaN, kNaN, f32));
  EXPECT_FALSE(call("check.expect_something", "1.0", "1.0", f32));
}

} // namespace
