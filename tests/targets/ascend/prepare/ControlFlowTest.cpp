// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random loops with constant counters, and branches, before and after their
// control flow is removed: the results are the same, and none is left.

#include "mercator/targets/ascend/prepare/ControlFlow.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/RandomGather.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mercator;
using gather::Draw;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Tensor;

namespace {
/// Writes a program on one vector %x of integers and one number %k.
struct Writer {
  Draw &draw;
  std::string type; ///< of the counters
  int count = 0;

  static constexpr const char *kVector = "tensor<3xi32>";

  std::string scalar() const { return "tensor<" + type + ">"; }
  std::string fresh() { return "%v" + std::to_string(count++); }

  std::string constant(std::string &body, int64_t value) {
    std::string name = fresh();
    body += name + " = stablehlo.constant dense<" + std::to_string(value) +
            "> : " + scalar() + "\n";
    return name;
  }

  /// Statements on the vector `x` and the number `k`; the name of the result.
  std::string statements(std::string &body, std::string x, const std::string &k,
                         int depth) {
    for (int64_t i = draw.upTo(2); i >= 0; --i)
      switch (depth > 0 ? draw.upTo(3) : 0) {
      case 0:
        x = arithmetic(body, x, k);
        break;
      case 1:
        x = loop(body, x, k, depth - 1);
        break;
      case 2:
        x = branches(body, x, k, depth - 1, /*isIf=*/true);
        break;
      case 3:
        x = branches(body, x, k, depth - 1, /*isIf=*/false);
        break;
      }
    return x;
  }

  std::string arithmetic(std::string &body, const std::string &x,
                         const std::string &k) {
    std::string wide = fresh(), all = fresh(), result = fresh();
    static constexpr std::array<const char *, 3> names = {"add", "subtract",
                                                          "maximum"};
    body += wide + " = stablehlo.convert " + k + " : (" + scalar() +
            ") -> tensor<i32>\n" + all + " = stablehlo.broadcast_in_dim " +
            wide + ", dims = [] : (tensor<i32>) -> " + kVector + "\n" + result +
            " = stablehlo." + names[draw.upTo(2)] + " " + x + ", " + all +
            " : " + kVector + "\n";
    return result;
  }

  /// Counts up or down by 1 or 2, for up to 5 iterations; the vector may stand
  /// before or after the counter.
  std::string loop(std::string &body, const std::string &x,
                   const std::string &k, int depth) {
    bool isDown = draw.once(2), isNotEqual = draw.once(3);
    // Down to 0 by 2, an unsigned counter would pass by.
    int64_t step = isNotEqual || isDown ? 1 : 1 + draw.upTo(1),
            from = draw.upTo(5), to = from + draw.upTo(5);
    if (isDown)
      std::swap(from, to);
    // Sometimes the number of iterations follows from an outer counter.
    std::string first = draw.once(4) && k != "%k" ? k : constant(body, from),
                limit = first == k ? k : constant(body, to),
                by = constant(body, step), i = fresh(), y = fresh(),
                holds = fresh(), next = fresh(), loop = fresh(), inner;
    std::string result = statements(inner, y, i, depth);
    body += loop + ":2 = stablehlo.while(" + i + " = " + first + ", " + y +
            " = " + x + ") : " + scalar() + ", " + kVector + "\ncond {\n" +
            holds + " = stablehlo.compare " +
            (isNotEqual ? "NE"
             : isDown   ? "GT"
                        : "LT") +
            ", " + i + ", " + limit + " : (" + scalar() + ", " + scalar() +
            ") -> tensor<i1>\nstablehlo.return " + holds +
            " : tensor<i1>\n} do {\n" + inner + next + " = stablehlo." +
            (isDown ? "subtract " : "add ") + i + ", " + by + " : " + scalar() +
            "\nstablehlo.return " + next + ", " + result + " : " + scalar() +
            ", " + kVector + "\n}\n";
    return loop + "#1";
  }

  std::string branches(std::string &body, const std::string &x,
                       const std::string &k, int depth, bool isIf) {
    std::string index = fresh(), result = fresh(), of;
    if (isIf) {
      std::string other = constant(body, draw.upTo(3));
      body += index + " = stablehlo.compare LT, " + k + ", " + other + " : (" +
              scalar() + ", " + scalar() + ") -> tensor<i1>\n";
      of = "tensor<i1>";
    } else {
      body += index + " = stablehlo.convert " + k + " : (" + scalar() +
              ") -> tensor<i32>\n";
      of = "tensor<i32>";
    }
    std::string regions;
    for (int64_t i = isIf ? 2 : 1 + draw.upTo(2); i > 0; --i) {
      std::string inner, value = statements(inner, x, k, depth);
      regions += std::string(regions.empty() ? "" : ", ") + "{\n" + inner +
                 "stablehlo.return " + value + " : " + kVector + "\n}";
    }
    body += result + " = \"stablehlo." + (isIf ? "if" : "case") + "\"(" +
            index + ") (" + regions + ") : (" + of + ") -> " + kVector + "\n";
    return result;
  }

  std::string program() {
    std::string body, result = statements(body, "%x", "%k", 2);
    return std::string("func.func @main(%x: ") + kVector + ", %k: " + scalar() +
           ") -> " + kVector + " {\n" + body + "return " + result + " : " +
           kVector + "\n}\n";
  }
};
} // namespace

static void check(uint64_t seed, Programs &programs, int64_t &loops) {
  static constexpr std::array<const char *, 4> types = {"i32", "i8", "ui8",
                                                        "i64"};
  Draw draw(seed);
  Writer writer{draw, types[draw.upTo(3)]};
  std::string text = writer.program();
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  auto module = programs.parse(text);
  ASSERT_TRUE(module) << programs.messages;
  OwningOpRef<ModuleOp> after = module->clone();
  ascend::removeControlFlow(*after);
  ASSERT_TRUE(succeeded(mlir::verify(*after))) << programs.messages;
  module->walk([&](stablehlo::WhileOp) { ++loops; });
  after->walk([&](mlir::Operation *op) {
    EXPECT_FALSE((
        llvm::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)));
  });
  for (int64_t k = 0; k < 4; ++k) {
    Programs::Inputs inputs =
        programs.inputs(*module, [&](size_t k, int64_t i) -> int64_t {
          return k == 0 ? i * 5 - 3 : k;
        });
    std::optional<Tensor> want = programs.result(*module, inputs),
                          got = programs.result(*after, inputs);
    ASSERT_TRUE(want && got) << programs.messages;
    const Tensor &a = *got, &b = *want;
    ASSERT_EQ(std::memcmp(a.data(), b.data(), a.byteSize()), 0);
  }
}

TEST(AscendControlFlow, RandomPrograms) {
  Programs programs;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases() / 10, loops = 0;
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    check(seed + i, programs, loops);
  std::printf("  %ld programs with %ld loops from seed %lu on\n", long(cases),
              long(loops), (unsigned long)seed);
  EXPECT_GT(loops, cases / 2);
}

/// A loop that does not end, one that is too long, and one whose end is not
/// known stay.
TEST(AscendControlFlow, LoopsThatStay) {
  Programs programs;
  auto program = [](const char *limit, const char *step) {
    return std::string("func.func @main(%n: tensor<i32>) -> tensor<i32> {\n"
                       "%zero = stablehlo.constant dense<0> : tensor<i32>\n"
                       "%limit = stablehlo.constant dense<") +
           limit + "> : tensor<i32>\n%step = stablehlo.constant dense<" + step +
           "> : tensor<i32>\n"
           "%r = stablehlo.while(%i = %zero) : tensor<i32>\n cond {\n"
           "%less = stablehlo.compare LT, %i, " +
           (llvm::StringRef(limit) == "7" ? "%n" : "%limit") +
           " : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
           "stablehlo.return %less : tensor<i1>\n} do {\n"
           "%next = stablehlo.add %i, %step : tensor<i32>\n"
           "stablehlo.return %next : tensor<i32>\n}\n"
           "return %r : tensor<i32>\n}\n";
  };
  for (auto [limit, step] :
       {std::pair("1", "0"), {"100000", "1"}, {"7", "1"}}) {
    auto module = programs.parse(program(limit, step));
    ASSERT_TRUE(module);
    ascend::removeControlFlow(*module);
    int64_t left = 0;
    module->walk([&](stablehlo::WhileOp) { ++left; });
    EXPECT_EQ(left, 1) << limit << " " << step;
  }
}
