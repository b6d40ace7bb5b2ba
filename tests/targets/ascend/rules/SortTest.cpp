// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random sorts, top_k and comparisons in the total order, before and after the
// conversion: the same results, to the bit.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/prepare/TotalOrder.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/RandomGather.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mercator;
using gather::Draw;
using gather::Ints;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Scalar;
using reference::Tensor;

//===--- Programs ---------------------------------------------------------===//

static bool isFloat(llvm::StringRef element) {
  return element.starts_with("f") || element.starts_with("bf");
}

/// `%NAME`, the value that JAX compares in place of a float.
static std::string canonical(const std::string &name, llvm::StringRef type,
                             const std::string &of) {
  std::string t = type.str(), b = t, n = name;
  // tensor<2x3xf32> -> tensor<2x3xi1>
  size_t element = b.rfind(b.find('x') == std::string::npos ? '<' : 'x') + 1;
  b = b.substr(0, element) + "i1>";
  return "%" + n + "z = stablehlo.constant dense<0.0> : " + t + "\n%" + n +
         "q = stablehlo.constant dense<0x" +
         (t.find("bf16") != std::string::npos  ? "7FC0"
          : t.find("f16") != std::string::npos ? "7E00"
          : t.find("f64") != std::string::npos ? "7FF8000000000000"
                                               : "7FC00000") +
         "> : " + t + "\n%" + n + "e = stablehlo.compare EQ, " + of + ", %" +
         n + "z, FLOAT : (" + t + ", " + t + ") -> " + b + "\n%" + n +
         "p = stablehlo.select %" + n + "e, %" + n + "z, " + of + " : " + b +
         ", " + t + "\n%" + n + "u = stablehlo.compare NE, " + of + ", " + of +
         ", FLOAT : (" + t + ", " + t + ") -> " + b + "\n%" + n +
         " = stablehlo.select %" + n + "u, %" + n + "q, %" + n + "p : " + b +
         ", " + t + "\n";
}

namespace {
struct Sort {
  std::string text;
  /// Whether the elements of an input may be NaN.
  llvm::SmallVector<bool> hasNaN;
  size_t keys = 1;
};
} // namespace

static Sort drawSort(Draw &draw) {
  static constexpr std::array<const char *, 10> elements = {
      "f32", "i32", "f16", "i8", "ui8", "i64", "i1", "f64", "bf16", "ui32"};
  Sort sort;
  size_t count = 1 + draw.upTo(2);
  sort.keys = 1 + draw.upTo(std::min<int64_t>(count, 2) - 1);
  Ints shape;
  for (int64_t rank = 1 + draw.upTo(2), i = 0; i < rank; ++i)
    shape.push_back(1 + draw.upTo(i == 0 ? 8 : 3));
  int64_t dim = draw.upTo(shape.size() - 1);
  std::vector<std::string> types, operands;
  std::string parameters, results, prelude, arguments, body, scalars;
  for (size_t i = 0; i < count; ++i) {
    // The last operand is often the positions.
    bool isIota = i > 0 && i >= sort.keys && draw.once(2);
    std::string element = isIota ? (draw.once(2) ? "i32" : "i64")
                                 : elements[draw.upTo(elements.size() - 1)];
    types.push_back(tensorText(shape, element));
    std::string n = std::to_string(i), one = "tensor<" + element + ">";
    if (isIota) {
      operands.push_back("%iota" + n);
      prelude += "%iota" + n +
                 " = stablehlo.iota dim = " + std::to_string(dim) + " : " +
                 types.back() + "\n";
    } else {
      operands.push_back("%x" + n);
      parameters +=
          (parameters.empty() ? "%x" : ", %x") + n + ": " + types.back();
      sort.hasNaN.push_back(false);
    }
    scalars += (i ? ", %a" : "%a") + n + ": " + one + ", %b" + n + ": " + one;
    if (i >= sort.keys)
      continue;
    bool isTotal = isFloat(element) && draw.once(2),
         isDescending = draw.once(2), isSwapped = draw.once(3);
    std::string a = "%a" + n, b = "%b" + n;
    if (isTotal) {
      body += canonical("c" + n, one, a) + canonical("d" + n, one, b);
      a = "%c" + n, b = "%d" + n;
      sort.hasNaN.back() = true;
    }
    if (isSwapped)
      std::swap(a, b);
    std::string order = isFloat(element)
                            ? (isTotal ? ", TOTALORDER" : ", FLOAT")
                        : element == "i1" || element[0] == 'u' ? ", UNSIGNED"
                                                               : ", SIGNED";
    auto compare = [&](const std::string &name, const char *direction) {
      body += name + n + " = stablehlo.compare " + direction + ", " + a + ", " +
              b + order + " : (" + one + ", " + one + ") -> tensor<i1>\n";
    };
    compare("%before", isDescending != isSwapped ? "GT" : "LT");
    if (sort.keys == 2 && i == 0)
      compare("%same", "EQ");
  }
  std::string before = "%before0";
  if (sort.keys == 2) {
    std::string first = "%same0", second = "%before1", left = "%before0",
                right = "%both";
    if (draw.once(2))
      std::swap(first, second);
    if (draw.once(2))
      std::swap(left, right);
    body += "%both = stablehlo.and " + first + ", " + second +
            " : tensor<i1>\n%either = stablehlo.or " + left + ", " + right +
            " : tensor<i1>\n";
    before = "%either";
  }
  auto list = [](const std::vector<std::string> &parts) {
    return llvm::join(parts, ", ");
  };
  std::string returned;
  for (size_t i = 0; i < count; ++i)
    returned += (i ? ", %r#" : "%r#") + std::to_string(i);
  if (count == 1)
    returned = "%r";
  sort.text = "func.func @main(" + parameters + ") -> (" + list(types) +
              ") {\n" + prelude + "%r" +
              (count == 1 ? "" : ":" + std::to_string(count)) +
              " = \"stablehlo.sort\"(" + list(operands) +
              ") <{dimension = " + std::to_string(dim) +
              " : i64, is_stable = true}> ({\n^bb0(" + scalars + "):\n" + body +
              "stablehlo.return " + before + " : tensor<i1>\n}) : (" +
              list(types) + ") -> (" + list(types) + ")\nreturn " + returned +
              " : " + list(types) + "\n}\n";
  return sort;
}

static Sort drawTopK(Draw &draw) {
  static constexpr std::array<const char *, 6> elements = {
      "f32", "i32", "ui8", "bf16", "f64", "i64"};
  Ints shape;
  for (int64_t rank = 1 + draw.upTo(2), i = 0; i < rank; ++i)
    shape.push_back(1 + draw.upTo(7));
  std::string element = elements[draw.upTo(elements.size() - 1)],
              from = tensorText(shape, element);
  int64_t k = draw.upTo(shape.back() - 1) + 1;
  shape.back() = k;
  std::string values = tensorText(shape, element),
              places = tensorText(shape, "i32");
  return {"func.func @main(%x: " + from + ") -> (" + values + ", " + places +
              ") {\n%v, %i = chlo.top_k(%x, k = " + std::to_string(k) +
              ") : " + from + " -> (" + values + ", " + places +
              ")\nreturn %v, %i : " + values + ", " + places + "\n}\n",
          {false}};
}

static Sort drawComparison(Draw &draw) {
  static constexpr std::array<const char *, 6> directions = {"EQ", "NE", "LT",
                                                             "GT", "LE", "GE"};
  std::string element = draw.once(2) ? "f32" : "bf16",
              type = "tensor<24x" + element + ">", result = "tensor<24xi1>";
  return {"func.func @main(%x: " + type + ", %y: " + type + ") -> " + result +
              " {\n" + canonical("c", type, "%x") + canonical("d", type, "%y") +
              "%r = stablehlo.compare " + directions[draw.upTo(5)] +
              ", %c, %d, TOTALORDER : (" + type + ", " + type + ") -> " +
              result + "\nreturn %r : " + result + "\n}\n",
          {true, true}};
}

//===--- Checks -----------------------------------------------------------===//

/// Few different elements, so that many are equal.
static Programs::Inputs drawInputs(Draw &draw, Programs &programs,
                                   ModuleOp module, const Sort &sort) {
  Programs::Inputs inputs =
      programs.inputs(module, [](size_t, int64_t) { return 0; });
  for (auto [i, input] : llvm::enumerate(inputs)) {
    Tensor tensor = *input.tensor();
    const reference::Element &element = tensor.element();
    for (int64_t at = 0; at < tensor.size(); ++at) {
      if (!element.isReal()) {
        tensor.set(at, Scalar::whole(element.bits == 1 ? draw.upTo(1)
                                     : element.kind ==
                                             reference::ElementKind::UnsignedInt
                                         ? (draw.once(4) ? -1 : draw.upTo(4))
                                         : draw.upTo(6) - 3));
        continue;
      }
      double value = double(draw.upTo(6) - 3) / 2;
      if (value == 0 && sort.hasNaN[i] && draw.once(2))
        value = -0.0;
      if (draw.once(8))
        value =
            std::numeric_limits<double>::infinity() * (draw.once(2) ? 1 : -1);
      if (sort.hasNaN[i] && draw.once(6))
        value = std::copysign(std::numeric_limits<double>::quiet_NaN(),
                              draw.once(2) ? 1.0 : -1.0);
      tensor.set(at, Scalar::real(value));
    }
    input = tensor;
  }
  return inputs;
}

static bool isSame(const Tensor &a, const Tensor &b, int64_t at) {
  if (!a.element().isReal())
    return a.at(at).integer == b.at(at).integer;
  double x = a.at(at).re, y = b.at(at).re;
  return std::isnan(x) ? std::isnan(y)
                       : x == y && std::signbit(x) == std::signbit(y);
}

static void check(uint64_t seed, Programs &programs,
                  std::map<std::string, int64_t> &counts) {
  Draw draw(seed);
  int64_t kind = draw.upTo(5);
  Sort sort = kind == 0   ? drawTopK(draw)
              : kind == 1 ? drawComparison(draw)
                          : drawSort(draw);
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed) + "\n" + sort.text);
  auto module = programs.parse(sort.text);
  ASSERT_TRUE(module) << programs.messages;
  Programs::Inputs inputs = drawInputs(draw, programs, *module, sort);
  std::vector<Tensor> want = programs.results(*module, inputs);
  ASSERT_FALSE(want.empty()) << programs.messages;
  OwningOpRef<ModuleOp> after = module->clone();
  ascend::spellTotalOrder(*after);
  for (const ascend::Unconverted &it : ascend::convertToAscend(*after, {}))
    ADD_FAILURE() << it.op->getName().getStringRef().str() << ": " << it.why;
  ASSERT_TRUE(succeeded(mlir::verify(*after))) << programs.messages;
  after->walk([&](mlir::Operation *op) {
    ++counts[op->getName().stripDialect().str()];
  });
  counts["two keys"] += sort.keys == 2;
  std::vector<Tensor> got = programs.results(*after, inputs);
  ASSERT_EQ(got.size(), want.size()) << programs.messages;
  for (size_t r = 0; r < want.size(); ++r) {
    ASSERT_EQ(got[r].type(), want[r].type());
    for (int64_t i = 0; i < want[r].size(); ++i)
      ASSERT_TRUE(isSame(got[r], want[r], i)) << "result " << r << " at " << i;
  }
}

TEST(AscendSorts, RandomOnes) {
  Programs programs;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases() / 5;
  std::map<std::string, int64_t> counts;
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    check(seed + i, programs, counts);
  std::printf("  %ld sorts and comparisons from seed %lu on: %ld Sort, %ld "
              "TopKV2, %ld GatherElements\n",
              long(cases), (unsigned long)seed, long(counts["Sort"]),
              long(counts["TopKV2"]), long(counts["GatherElements"]));
  EXPECT_GT(counts["Sort"], cases / 3);
  EXPECT_GT(counts["TopKV2"], cases / 10);
  EXPECT_GT(counts["GatherElements"], cases / 4);
  EXPECT_GT(counts["two keys"], cases / 10);
}

//===--- Refusals ---------------------------------------------------------===//

static std::string refusal(Programs &programs, const std::string &element,
                           const std::string &body) {
  std::string t = "tensor<7x" + element + ">", one = "tensor<" + element + ">";
  auto module = programs.parse(
      "func.func @main(%x: " + t + ", %y: " + t + ") -> (" + t + ", " + t +
      ") {\n%r:2 = \"stablehlo.sort\"(%x, %y) <{dimension = 0 : i64}> ({\n"
      "^bb0(%a: " +
      one + ", %b: " + one + ", %c: " + one + ", %d: " + one + "):\n" + body +
      "\nstablehlo.return %p : tensor<i1>\n}) : (" + t + ", " + t + ") -> (" +
      t + ", " + t + ")\nreturn %r#0, %r#1 : " + t + ", " + t + "\n}\n");
  EXPECT_TRUE(module) << programs.messages;
  if (!module)
    return "";
  std::vector<ascend::Unconverted> left = ascend::convertToAscend(*module, {});
  return left.size() == 1 ? left[0].why : "converted";
}

TEST(AscendSorts, OtherComparators) {
  Programs programs;
  const char *pair = " : (tensor<f32>, tensor<f32>) -> tensor<i1>";
  std::string other = "its comparator is another function than an order by one "
                      "operand after the other";
  // Not a strict order.
  EXPECT_EQ(refusal(programs, "f32",
                    std::string("%p = stablehlo.compare LE, %a, %b") + pair),
            other);
  // Of two operands.
  EXPECT_EQ(refusal(programs, "f32",
                    std::string("%p = stablehlo.compare LT, %a, %d") + pair),
            other);
  EXPECT_EQ(refusal(programs, "f32",
                    std::string("%u = stablehlo.abs %a : tensor<f32>\n%p = "
                                "stablehlo.compare LT, %u, %b") +
                        pair),
            other);
  // The second key counts where the first is less.
  EXPECT_EQ(
      refusal(programs, "f32",
              std::string("%u = stablehlo.compare LT, %a, %b") + pair +
                  "\n%v = stablehlo.compare NE, %a, %b" + pair +
                  "\n%w = stablehlo.compare LT, %c, %d" + pair +
                  "\n%z = stablehlo.and %v, %w : tensor<i1>\n%p = stablehlo.or "
                  "%u, %z : tensor<i1>"),
      other);
  EXPECT_EQ(refusal(programs, "f32",
                    std::string("%p = stablehlo.compare LT, %a, %b, "
                                "TOTALORDER") +
                        pair),
            "its comparator orders -0 before +0, and NaNs by their signs, "
            "which GE's Sort does not");
}
