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
#include "tests/compiler/native/Formats.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using reference::Tensor;

namespace {

/// The patterns to convert: for each format, numbers at, between and next to its
/// neighbors, and random patterns.
std::vector<uint64_t> patternsFrom(const Format &from, size_t count) {
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
    std::vector<uint64_t> patterns = patternsFrom(from, kIsSanitized ? 16 : 32);
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
