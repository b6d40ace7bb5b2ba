// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between all pairs of element types, by the evaluator and as machine
// code, against an oracle that knows the formats by their layout only. All
// patterns of narrow types and of all floats of 16 bits; of wider types, numbers next to those
// where the rounding changes, and random ones.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/core/Normalize.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

using namespace mercator;
using reference::Tensor;

namespace {

/// 64 digits: every number of every type below.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

enum class Special : uint8_t {
  None,      ///< all codes are finite
  Ieee,      ///< the last exponent is for infinity and NaN
  LastIsNan, ///< all bits set but the sign
  MinusZero, ///< NaN is -0
};

/// A type by its layout: an integer if it has no exponent.
struct Format {
  const char *name;
  unsigned bits;
  bool isSigned;
  int exponentBits = 0, fractionBits = 0, bias = 0;
  Special special = Special::None;

  [[nodiscard]] bool isFloat() const { return exponentBits != 0; }
  [[nodiscard]] bool isPower() const { return isFloat() && !isSigned; }
  [[nodiscard]] uint64_t mask() const { return ~uint64_t(0) >> (64 - bits); }
  [[nodiscard]] uint64_t signBit() const { return uint64_t(1) << (bits - 1); }
  [[nodiscard]] uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << fractionBits;
  }
  [[nodiscard]] uint64_t largest() const {
    if (special == Special::Ieee)
      return infinity() - 1;
    return signBit() - (special == Special::LastIsNan ? 2 : 1);
  }
  [[nodiscard]] uint64_t nan() const {
    switch (special) {
    case Special::Ieee:
      return infinity() | uint64_t(1) << (fractionBits - 1);
    case Special::LastIsNan:
      return isPower() ? 255 : signBit() - 1;
    default:
      return signBit();
    }
  }

  /// The number of a magnitude, as if no code were special.
  [[nodiscard]] Exact plain(uint64_t magnitude) const {
    auto exponent = int(magnitude >> fractionBits);
    uint64_t fraction = magnitude & ((uint64_t(1) << fractionBits) - 1);
    if (isPower())
      return std::ldexp(Exact(1), exponent - bias);
    if (exponent == 0)
      return std::ldexp(Exact(fraction), 1 - bias - fractionBits);
    return std::ldexp(Exact(fraction | uint64_t(1) << fractionBits),
                      exponent - bias - fractionBits);
  }

  [[nodiscard]] Exact decode(uint64_t code) const {
    code &= mask();
    if (!isFloat())
      return isSigned && (code & signBit()) ? Exact(int64_t(code | ~mask()))
                                            : Exact(code);
    if (isPower())
      return code == nan() ? Exact(NAN) : plain(code);
    uint64_t magnitude = code & ~signBit();
    if (special == Special::MinusZero && code == signBit())
      return NAN;
    if (special == Special::Ieee && magnitude >= infinity())
      return magnitude > infinity() ? NAN
             : code & signBit()     ? -INFINITY
                                    : INFINITY;
    if (special == Special::LastIsNan && magnitude == nan())
      return NAN;
    return code & signBit() ? -plain(magnitude) : plain(magnitude);
  }

  /// The nearest code, ties to even, by bisection.
  [[nodiscard]] uint64_t encode(Exact value) const {
    if (!isFloat())
      return encodeInteger(value);
    if (isPower())
      return encodePower(value);
    if (std::isnan(value))
      return nan();
    if (bits == 32)
      return std::bit_cast<uint32_t>(float(value));
    if (bits == 64)
      return std::bit_cast<uint64_t>(double(value));
    uint64_t sign = std::signbit(value) ? signBit() : 0;
    Exact size = std::fabs(value);
    uint64_t low = 0, high = largest() + 1; // plain(low) <= size < plain(high)
    if (size >= plain(high))
      low = high;
    while (high - low > 1) {
      uint64_t middle = low + (high - low) / 2;
      (plain(middle) <= size ? low : high) = middle;
    }
    if (low <= largest()) {
      // Exact: neither has more than 53 digits.
      Exact half = plain(low) + (plain(low + 1) - plain(low)) / 2;
      if (size > half || (size == half && low % 2 == 1))
        ++low;
    }
    if (low > largest())
      low = special == Special::None   ? largest()
            : special == Special::Ieee ? infinity()
                                       : nan();
    if (special == Special::MinusZero && (low == 0 || low == nan()))
      return low;
    return sign | low;
  }

private:
  [[nodiscard]] uint64_t encodePower(Exact value) const {
    if (!(value > 0))
      return nan();
    uint64_t code = 0;
    while (code < nan() && value >= plain(code) * Exact(1.5))
      ++code;
    return code;
  }
  /// Without the fraction, clamped.
  [[nodiscard]] uint64_t encodeInteger(Exact value) const {
    if (bits == 1)
      return std::isnan(value) || value != 0;
    if (std::isnan(value))
      return 0;
    Exact least = isSigned ? -Exact(signBit()) : 0;
    Exact most = isSigned ? Exact(signBit() - 1) : Exact(mask());
    Exact whole = std::fmin(std::fmax(std::trunc(value), least), most);
    return whole < 0 ? uint64_t(int64_t(whole)) & mask() : uint64_t(whole);
  }
};

const Format kFormats[] = {
    {"i1", 1, false},
    {"i2", 2, true},
    {"ui2", 2, false},
    {"i4", 4, true},
    {"ui4", 4, false},
    {"i8", 8, true},
    {"ui8", 8, false},
    {"i16", 16, true},
    {"ui16", 16, false},
    {"i32", 32, true},
    {"ui32", 32, false},
    {"i64", 64, true},
    {"ui64", 64, false},
    {"f4E2M1FN", 4, true, 2, 1, 1, Special::None},
    {"f6E2M3FN", 6, true, 2, 3, 1, Special::None},
    {"f6E3M2FN", 6, true, 3, 2, 3, Special::None},
    {"f8E3M4", 8, true, 3, 4, 3, Special::Ieee},
    {"f8E4M3", 8, true, 4, 3, 7, Special::Ieee},
    {"f8E5M2", 8, true, 5, 2, 15, Special::Ieee},
    {"f8E4M3FN", 8, true, 4, 3, 7, Special::LastIsNan},
    {"f8E4M3FNUZ", 8, true, 4, 3, 8, Special::MinusZero},
    {"f8E5M2FNUZ", 8, true, 5, 2, 16, Special::MinusZero},
    {"f8E4M3B11FNUZ", 8, true, 4, 3, 11, Special::MinusZero},
    {"f8E8M0FNU", 8, false, 8, 0, 127, Special::LastIsNan},
    {"f16", 16, true, 5, 10, 15, Special::Ieee},
    {"bf16", 16, true, 8, 7, 127, Special::Ieee},
    {"f32", 32, true, 8, 23, 127, Special::Ieee},
    {"f64", 64, true, 11, 52, 1023, Special::Ieee},
};

/// The patterns to convert: for each format, numbers at, between and next to its
/// neighbors, and random patterns.
std::vector<uint64_t> patternsOf(const Format &from, size_t count) {
  std::vector<uint64_t> patterns;
  if (from.bits <= 16) {
    size_t step = from.bits == 16 && !from.isFloat() ? 7 : 1;
    for (size_t i = 0; i < std::max(count, size_t(1) << from.bits); i += step)
      patterns.push_back(i & from.mask());
    return patterns;
  }
  std::mt19937_64 engine(testSeed() + from.bits);
  auto add = [&](Exact value) {
    uint64_t code = from.encode(value);
    for (uint64_t near : {code - 1, code, code + 1})
      patterns.push_back(near & from.mask());
  };
  for (uint64_t special :
       {uint64_t(0), from.signBit(), from.mask(), from.signBit() - 1,
        from.infinity(), from.infinity() | from.signBit(), from.nan()})
    patterns.push_back(special & from.mask());
  for (const Format &to : kFormats) {
    if (!to.isFloat()) {
      for (int shift : {0, 1})
        add(Exact(to.mask() >> shift));
      continue;
    }
    for (int i = 0; i < 200; ++i) {
      uint64_t low = to.bits <= 8 && i < 1 << to.bits
                         ? uint64_t(i)
                         : engine() % (to.largest() + 1);
      Exact half = to.plain(low) + (to.plain(low + 1) - to.plain(low)) / 2;
      for (Exact value : {to.plain(low), half})
        add(i % 3 == 0 ? -value : value);
    }
  }
  while (patterns.size() < count)
    patterns.push_back(engine() >> engine() % 64 & from.mask());
  return patterns;
}

std::string tensorOf(const Format &format, size_t count) {
  return "tensor<" + std::to_string(count) + "x" + format.name + ">";
}

/// @main converts its argument to each format.
std::string programOf(const Format &from, size_t count) {
  std::string body, values, types;
  for (const Format &to : kFormats) {
    std::string name = std::string("%to_") + to.name;
    body += "  " + name + " = stablehlo.convert %x : (" +
            tensorOf(from, count) + ") -> " + tensorOf(to, count) + "\n";
    values += (values.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + tensorOf(to, count);
  }
  return "func.func @main(%x: " + tensorOf(from, count) + ") -> (" + types +
         ") {\n" + body + "  return " + values + " : " + types + "\n}\n";
}

uint64_t wordAt(const Tensor &tensor, size_t i) {
  uint64_t word = 0;
  unsigned bytes = tensor.element().bytes;
  std::memcpy(&word, tensor.data() + i * bytes, bytes);
  return word;
}

class ConversionTest : public testing::Test {
protected:
  ConversionTest() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// For each pattern, the bytes of the converted element.
  static std::vector<uint64_t> expected(const Format &from, const Format &to,
                                        llvm::ArrayRef<uint64_t> patterns) {
    std::vector<uint64_t> words;
    for (uint64_t pattern : patterns) {
      // Integers keep their low bits.
      uint64_t word = from.isFloat() || to.isFloat() || to.bits == 1
                          ? to.encode(from.decode(pattern))
                          : integerOf(from, pattern);
      word &= to.mask();
      // A negative integer fills its byte.
      if (to.bits < 8 && !to.isFloat() && to.isSigned &&
          (word & to.signBit()) != 0)
        word |= 0xff & ~to.mask();
      words.push_back(word);
    }
    return words;
  }

  /// Whether a program that takes subnormal numbers for zero may do so here: it
  /// computes with f32 and f64. Conversions to narrow floats are exact.
  static bool mayBeZero(const Format &from, const Format &to, Exact exact) {
    bool isComputed = to.bits == 1 || to.bits >= 32;
    auto isSubnormal = [&](const Format &format) {
      int bias = format.bits < 32 ? 127 : format.bias;
      return std::fabs(exact) < std::ldexp(Exact(1), 1 - bias);
    };
    return isComputed && from.isFloat() &&
           (isSubnormal(from) || (to.isFloat() && isSubnormal(to)));
  }

  static void check(const Format &from, llvm::ArrayRef<uint64_t> patterns,
                    llvm::ArrayRef<std::vector<uint64_t>> wanted,
                    llvm::ArrayRef<reference::Value> results, const char *by,
                    bool flushes) {
    ASSERT_EQ(results.size(), std::size(kFormats));
    for (auto [to, words, value] : llvm::zip_equal(kFormats, wanted, results)) {
      const Tensor *tensor = value.tensor();
      ASSERT_TRUE(tensor);
      for (auto [i, word] : llvm::enumerate(words)) {
        uint64_t got = wordAt(*tensor, i);
        if (got == word ||
            (to.isFloat() && got <= to.mask() && std::isnan(to.decode(word)) &&
             std::isnan(to.decode(got))))
          continue;
        Exact exact = from.decode(patterns[i]);
        if (flushes && mayBeZero(from, to, exact) &&
            got == to.encode(std::copysign(Exact(0), exact)))
          continue;
        FAIL() << by << ": " << from.name << " of the bits " << patterns[i]
               << " (" << double(exact) << ") to " << to.name << ": expected "
               << word << ", got " << got << ", seed " << testSeed();
      }
    }
  }

  static uint64_t integerOf(const Format &from, uint64_t pattern) {
    return from.isSigned && (pattern & from.signBit()) ? pattern | ~from.mask()
                                                       : pattern;
  }

  mlir::MLIRContext context;
};

TEST_F(ConversionTest, EveryPairRoundsOnce) {
  for (const Format &from : kFormats) {
    std::vector<uint64_t> patterns = patternsOf(from, kIsSanitized ? 16 : 32);
    size_t count = patterns.size();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        programOf(from, count), &context);
    ASSERT_TRUE(module);
    auto emitError = [&] { return mlir::emitError(module->getLoc()); };
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    mlir::FunctionType types = main.getFunctionType();
    auto input = Tensor::zeros(
        llvm::cast<mlir::RankedTensorType>(types.getInput(0)), emitError);
    ASSERT_TRUE(succeeded(input));
    for (auto [i, pattern] : llvm::enumerate(patterns))
      std::memcpy(input->data() + i * input->element().bytes, &pattern,
                  input->element().bytes);
    reference::normalize(*input);

    reference::Evaluator evaluator(*module, reference::allRules());
    auto evaluated = evaluator.call(main, {*input});
    ASSERT_TRUE(succeeded(evaluated)) << from.name;
    std::vector<std::vector<uint64_t>> wanted;
    for (const Format &to : kFormats)
      wanted.push_back(expected(from, to, patterns));
    check(from, patterns, wanted, *evaluated, "evaluator", false);

    bool hasSubnormals = from.exponentBits >= 8;
    ASSERT_TRUE(succeeded(lowerTo(*module, Stage::Cpu))) << from.name;
    for (bool isPrecise : {false, true}) {
      if (isPrecise && !hasSubnormals)
        continue;
      mlir::OwningOpRef<mlir::ModuleOp> clone = module->clone();
      auto program =
          NativeProgram::compile(*clone, "main", {.preciseMath = isPrecise});
      ASSERT_TRUE(succeeded(program)) << from.name;
      auto arguments = toStage({reference::Value(*input)}, types.getInputs(),
                               program->type().getInputs());
      ASSERT_TRUE(arguments);
      auto called = program->call(*arguments, emitError);
      ASSERT_TRUE(succeeded(called)) << from.name;
      auto results = fromStage(*called, types.getResults());
      ASSERT_TRUE(results);
      check(from, patterns, wanted, *results, "machine code", !isPrecise);
    }
  }
}

} // namespace
