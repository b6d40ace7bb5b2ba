// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random operations on elements of every type, and random data movement: the
// operators of GE give the same result, bit for bit. The evaluator refuses what
// GE does not define, so the result cannot depend on it.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/AllRules.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Seed.h"
#include "tests/random/Texts.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

using namespace mercator;
using llvm::ArrayRef;
using llvm::FailureOr;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Evaluator;
using reference::Scalar;
using reference::Tensor;
using reference::Value;

using Ints = SmallVector<int64_t, 8>;

static const StringRef wholes[] = {"i8",  "i16",  "i32",  "i64",
                                   "ui8", "ui16", "ui32", "ui64"};
static const StringRef reals[] = {"f16", "bf16", "f32", "f64"};
static const StringRef all[] = {
    "i1",   "i8",  "i16",  "i32", "i64", "ui8",          "ui16",        "ui32",
    "ui64", "f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"};

namespace {

/// Draws programs of one operation.
class Draw {
public:
  explicit Draw(uint64_t seed) : random(seed) {}

  std::string elements();
  std::string movement();
  Scalar number(const reference::Element &element);

private:
  int64_t upTo(int64_t n) { return int64_t(random() % uint64_t(n + 1)); }
  bool once(int64_t in) { return upTo(in - 1) == 0; }
  template <typename T> T pick(ArrayRef<T> of) {
    return of[upTo(of.size() - 1)];
  }
  int64_t between(int64_t least, int64_t most) {
    return least + upTo(most - least);
  }
  Ints shape(int64_t leastRank = 0) {
    Ints out;
    for (int64_t rank = between(leastRank, 4); rank > 0; --rank)
      out.push_back(once(30) ? 0 : 1 + upTo(3));
    return out;
  }
  Ints permutation(size_t count) {
    Ints out(count);
    std::iota(out.begin(), out.end(), 0);
    std::shuffle(out.begin(), out.end(), random);
    return out;
  }
  std::string parameter(StringRef of);
  std::string program(const std::string &operation, StringRef result) const;

  std::string pad(StringRef element);
  std::string slice(StringRef element);
  std::string broadcast(StringRef element);
  std::string update(StringRef element);
  std::string concatenate(StringRef element);
  std::string other(StringRef element);

  std::mt19937_64 random;
  std::string parameters;
  int64_t count = 0;
};

} // namespace

std::string Draw::parameter(StringRef of) {
  std::string name = "%x" + std::to_string(count++);
  parameters += (count == 1 ? "" : ", ") + name + ": " + of.str();
  return name;
}

std::string Draw::program(const std::string &operation,
                          StringRef result) const {
  return "func.func @main(" + parameters + ") -> " + result.str() +
         " {\n  %0 = stablehlo." + operation +
         "\n  return %0 : " + result.str() + "\n}\n";
}

std::string Draw::elements() {
  static const StringRef anyTwo[] = {"add",     "subtract", "multiply",
                                     "maximum", "minimum",  "compare",
                                     "select",  "clamp",    "convert"};
  static const StringRef wholeOnes[] = {"and",
                                        "or",
                                        "xor",
                                        "shift_left",
                                        "shift_right_logical",
                                        "shift_right_arithmetic",
                                        "negate",
                                        "not",
                                        "popcnt",
                                        "count_leading_zeros",
                                        "abs",
                                        "sign"};
  static const StringRef realOnes[] = {"divide",
                                       "remainder",
                                       "negate",
                                       "abs",
                                       "sign",
                                       "floor",
                                       "ceil",
                                       "round_nearest_afz",
                                       "round_nearest_even",
                                       "is_finite",
                                       "reduce_precision"};
  static const StringRef booleanOnes[] = {
      "add", "multiply", "maximum", "minimum", "and",
      "or",  "xor",      "not",     "compare", "select"};
  bool isBoolean = once(12), isReal = !isBoolean && once(3);
  StringRef element = isBoolean ? "i1"
                      : isReal  ? pick<StringRef>(reals)
                                : pick<StringRef>(wholes);
  StringRef op = isBoolean ? pick<StringRef>(booleanOnes)
                 : once(2) ? pick<StringRef>(anyTwo)
                 : isReal  ? pick<StringRef>(realOnes)
                           : pick<StringRef>(wholeOnes);
  if (element.starts_with("u") && (op == "abs" || op == "sign"))
    op = "not";
  Ints of = {between(4, 12)};
  std::string t = tensorText(of, element), truth = tensorText(of, "i1");
  std::string x = parameter(t);
  if (op == "convert") {
    StringRef to = pick<StringRef>(ArrayRef(all).drop_back(2));
    return program("convert " + x + " : (" + t + ") -> " + tensorText(of, to),
                   tensorText(of, to));
  }
  if (op == "is_finite")
    return program("is_finite " + x + " : (" + t + ") -> " + truth, truth);
  if (op == "reduce_precision") {
    StringRef format =
        element == "f16"
            ? "e5m10"
            : pick<StringRef>({"e8m7", "e5m10", "e8m23", "e11m52"});
    return program(
        "reduce_precision " + x + ", format = " + format.str() + " : " + t, t);
  }
  if (op == "compare") {
    StringRef direction = pick<StringRef>({"EQ", "NE", "LT", "LE", "GT", "GE"});
    return program("compare " + direction.str() + ", " + x + ", " +
                       parameter(t) + " : (" + t + ", " + t + ") -> " + truth,
                   truth);
  }
  if (op == "select") {
    std::string of1 = once(3) ? "tensor<i1>" : truth;
    return program("select " + parameter(of1) + ", " + x + ", " + parameter(t) +
                       " : " + of1 + ", " + t,
                   t);
  }
  if (op == "clamp") {
    std::string limit = once(2) ? tensorText({}, element) : t;
    return program("clamp " + parameter(limit) + ", " + x + ", " +
                       parameter(limit) + " : (" + limit + ", " + t + ", " +
                       limit + ") -> " + t,
                   t);
  }
  bool isUnary = llvm::is_contained(
      ArrayRef<StringRef>{"negate", "not", "popcnt", "count_leading_zeros",
                          "abs", "sign", "floor", "ceil", "round_nearest_afz",
                          "round_nearest_even"},
      op);
  std::string operands = isUnary ? x : x + ", " + parameter(t);
  return program(op.str() + " " + operands + " : " + t, t);
}

std::string Draw::pad(StringRef element) {
  Ints of = shape(), low, high, interior, to;
  for (int64_t extent : of) {
    int64_t by = upTo(2),
            inner = extent + std::max<int64_t>(0, extent - 1) * by;
    int64_t before = between(-2, 2);
    int64_t after = between(std::max<int64_t>(-2, -inner - before), 3);
    low.push_back(before);
    high.push_back(std::max(after, -inner - before));
    interior.push_back(by);
    to.push_back(inner + low.back() + high.back());
  }
  std::string t = tensorText(of, element), v = tensorText({}, element);
  std::string x = parameter(t), value = parameter(v);
  return program("pad " + x + ", " + value + ", low = " + listText(low) +
                     ", high = " + listText(high) +
                     ", interior = " + listText(interior) + " : (" + t + ", " +
                     v + ") -> " + tensorText(to, element),
                 tensorText(to, element));
}

std::string Draw::slice(StringRef element) {
  Ints of = shape(), to;
  std::string ranges;
  for (int64_t extent : of) {
    int64_t from = upTo(extent), until = between(from, extent),
            by = 1 + upTo(2);
    ranges += (ranges.empty() ? "" : ", ") + std::to_string(from) + ":" +
              std::to_string(until) + ":" + std::to_string(by);
    to.push_back((until - from + by - 1) / by);
  }
  std::string t = tensorText(of, element), x = parameter(t);
  return program("slice " + x + " [" + ranges + "] : (" + t + ") -> " +
                     tensorText(to, element),
                 tensorText(to, element));
}

std::string Draw::broadcast(StringRef element) {
  Ints to = shape(), places = permutation(to.size()), of;
  places.resize(upTo(to.size()));
  for (int64_t place : places)
    of.push_back(once(3) ? 1 : to[place]);
  std::string t = tensorText(of, element), x = parameter(t);
  return program("broadcast_in_dim " + x + ", dims = " + listText(places) +
                     " : (" + t + ") -> " + tensorText(to, element),
                 tensorText(to, element));
}

std::string Draw::update(StringRef element) {
  Ints of = shape(), part;
  for (int64_t extent : of)
    part.push_back(once(3) ? extent : upTo(extent));
  StringRef index = pick<StringRef>(wholes);
  std::string t = tensorText(of, element), u = tensorText(part, element);
  std::string operands = parameter(t) + ", " + parameter(u),
              types = t + ", " + u;
  for (size_t i = 0; i < of.size(); ++i) {
    operands += ", " + parameter(tensorText({}, index));
    types += ", " + tensorText({}, index);
  }
  return program(
      "dynamic_update_slice " + operands + " : (" + types + ") -> " + t, t);
}

std::string Draw::concatenate(StringRef element) {
  Ints of = shape(1), to = of;
  int64_t along = upTo(of.size() - 1);
  std::string operands, types;
  to[along] = 0;
  for (int64_t parts = 1 + upTo(2); parts >= 0; --parts) {
    of[along] = upTo(3);
    to[along] += of[along];
    operands += parameter(tensorText(of, element)) + ", ";
    types += (types.empty() ? "" : ", ") + tensorText(of, element);
  }
  return program("concatenate " + operands + "dim = " + std::to_string(along) +
                     " : (" + types + ") -> " + tensorText(to, element),
                 tensorText(to, element));
}

/// Operations that say little.
std::string Draw::other(StringRef element) {
  Ints of = shape(1);
  std::string t = tensorText(of, element);
  if (once(4) && element != "i1") {
    if (once(3))
      of.back() = 300; // more than the small types can count
    std::string dimension = std::to_string(upTo(of.size() - 1));
    return program("iota dim = " + dimension + " : " + tensorText(of, element),
                   tensorText(of, element));
  }
  std::string x = parameter(t);
  Ints axes = permutation(of.size()), to;
  for (int64_t axis : axes)
    to.push_back(of[axis]);
  if (once(3))
    return program("transpose " + x + ", dims = " + listText(axes) + " : (" +
                       t + ") -> " + tensorText(to, element),
                   tensorText(to, element));
  if (once(2))
    return program("reshape " + x + " : (" + t + ") -> " +
                       tensorText(to, element),
                   tensorText(to, element));
  axes.resize(upTo(axes.size()));
  return program("reverse " + x + ", dims = " + listText(axes) + " : " + t, t);
}

std::string Draw::movement() {
  using Program = std::string (Draw::*)(StringRef);
  static const Program programs[] = {&Draw::pad,    &Draw::slice,
                                     &Draw::update, &Draw::broadcast,
                                     &Draw::other,  &Draw::concatenate};
  return (this->*pick<Program>(programs))(pick<StringRef>(all));
}

/// Any number of the type, often one at its limits.
Scalar Draw::number(const reference::Element &element) {
  using reference::ElementKind;
  static const double special[] = {
      NAN, INFINITY, -INFINITY, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -3.0, 1e-7,
      -6.2e-5, 1e-40, 300, 65520,
      // Around the ends of integer types.
      -0.9, 127.5, -128.9, 255.9, -32769, 0x1p31, -0x1p31, 0x1p32, 0x1p63,
      -0x1p63, 0x1p64, 1e30, -1e30};
  auto real = [&] {
    if (once(2))
      return pick<double>(special);
    double small = double(upTo(1 << 20)) / (1 << 10) - 512;
    return once(3) ? small : std::round(small) / 4;
  };
  switch (element.kind) {
  case ElementKind::Boolean:
    return Scalar::whole(once(2));
  case ElementKind::Real:
    return element.round(Scalar::real(real()));
  case ElementKind::Complex:
    return element.round(Scalar::complex(real(), real()));
  case ElementKind::SignedInt:
  case ElementKind::UnsignedInt:
    break;
  }
  if (once(3))
    return Scalar::whole(once(2) ? element.lowest() : element.highest());
  int64_t small = between(element.kind == ElementKind::SignedInt ? -9 : 0, 70);
  return element.round(Scalar::whole(once(2) ? small : int64_t(random())));
}

//===--- Checking ---------------------------------------------------------===//

namespace {
class Checker {
public:
  Checker() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<ascend::AscendDialect>();
  }
  void check(Draw &draw, const std::string &text, const Device &device);

private:
  mlir::MLIRContext context;
};
} // namespace

static bool isSame(double a, double b) {
  return std::isnan(a)
             ? std::isnan(b)
             : std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}
static bool isSame(const Tensor &of, Scalar a, Scalar b) {
  if (of.element().isReal() || of.element().isComplex())
    return isSame(a.re, b.re) && isSame(a.im, b.im);
  return a.integer == b.integer;
}

void Checker::check(Draw &draw, const std::string &text, const Device &device) {
  SCOPED_TRACE(text);
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
  OwningOpRef<ModuleOp> module =
      mlir::parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module) << messages;
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  std::vector<Value> arguments;
  for (mlir::Type type : main.getArgumentTypes()) {
    Tensor tensor = *Tensor::zeros(llvm::cast<mlir::RankedTensorType>(type),
                                   [&] { return module->emitError(); });
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.set(i, draw.number(tensor.element()));
    arguments.push_back(tensor);
  }
  Evaluator before(*module, reference::allRules());
  FailureOr<std::vector<Value>> expected = before.call(main, arguments);
  ASSERT_TRUE(succeeded(expected)) << messages;

  for (const ascend::Unconverted &it :
       ascend::convertToAscend(*module, {.plan = {.device = &device}}))
    FAIL() << it.why;
  std::string after;
  llvm::raw_string_ostream os(after);
  module->print(os);
  ASSERT_TRUE(succeeded(mlir::verify(*module))) << messages << after;
  Evaluator evaluator(*module, reference::allRules());
  FailureOr<std::vector<Value>> results = evaluator.call(main, arguments);
  ASSERT_TRUE(succeeded(results)) << messages << after;
  const Tensor &got = *results->front().tensor(),
               &want = *expected->front().tensor();
  ASSERT_EQ(got.type(), want.type()) << after;
  for (int64_t i = 0; i < want.size(); ++i)
    ASSERT_TRUE(isSame(want, got.at(i), want.at(i))) << "element " << i << "\n"
                                                     << after;
}

static void checkMany(std::string (Draw::*program)(), int64_t cases) {
  Checker checker;
  uint64_t seed = testSeed();
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed + i));
    Draw draw(seed + i);
    std::string text = (draw.*program)();
    checker.check(draw, text,
                  i % 2 ? devices::ascendAny() : devices::ascend910b());
  }
}

TEST(AscendElement, RandomOperations) { checkMany(&Draw::elements, 8000); }

TEST(AscendElement, RandomMovements) { checkMany(&Draw::movement, 8000); }
