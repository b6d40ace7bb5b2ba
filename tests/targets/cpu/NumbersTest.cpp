// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/Numbers.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <array>
#include <random>

using namespace mercator;
using namespace mercator::cpu;

namespace {

constexpr unsigned kLoops = 3;

/// Numbers of a random program, as text, and their values in an iteration.
class Program {
public:
  explicit Program(std::mt19937_64 &random) : random(random) {
    for (unsigned loop = 0; loop < kLoops; ++loop)
      numbers.push_back({"%i" + std::to_string(loop), kLoop, loop});
    for (int i = 0; i < 10; ++i)
      add();
  }

  [[nodiscard]] std::string text() const {
    return "func.func @f(%i0: index, %i1: index, %i2: index) {\n" + body +
           "return\n}\n";
  }
  [[nodiscard]] std::string name(size_t number) const {
    return numbers[number].name;
  }
  [[nodiscard]] size_t size() const { return numbers.size(); }

  /// Those of all numbers.
  [[nodiscard]] std::vector<int64_t>
  values(const std::array<int64_t, kLoops> &iterations) const {
    std::vector<int64_t> all;
    for (const Number &number : numbers)
      all.push_back(valueOf(number, iterations, all));
    return all;
  }

private:
  enum Kind {
    kLoop,
    kConstant,
    kSum,
    kProduct,
    kMin,
    kMax,
    kQuotient,
    kRest,
    kChoice
  };
  struct Number {
    std::string name;
    Kind kind;
    size_t a = 0, b = 0;
    int64_t constant = 0;
    bool isSigned = true; ///< it may be negative
  };

  static int64_t valueOf(const Number &number,
                         const std::array<int64_t, kLoops> &iterations,
                         const std::vector<int64_t> &all) {
    switch (number.kind) {
    case kLoop:
      return iterations[number.a];
    case kConstant:
      return number.constant;
    case kSum:
      return all[number.a] + all[number.b];
    case kProduct:
      return all[number.a] * number.constant;
    case kMin:
      return std::min(all[number.a], all[number.b]);
    case kMax:
      return std::max(all[number.a], all[number.b]);
    case kQuotient:
      return std::max<int64_t>(all[number.a], 0) / number.constant;
    case kRest:
      return std::max<int64_t>(all[number.a], 0) % number.constant;
    case kChoice:
      return all[number.a] < all[number.b] ? all[number.b] : number.constant;
    }
    return 0;
  }

  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string constant(int64_t value) {
    std::string name = fresh();
    body += name + " = arith.constant " + std::to_string(value) + " : index\n";
    return name;
  }
  std::string binary(const std::string &op, const std::string &a,
                     const std::string &b) {
    std::string name = fresh();
    body += name + " = arith." + op + " " + a + ", " + b + " : index\n";
    return name;
  }

  void add() {
    size_t a = random() % numbers.size(), b = random() % numbers.size();
    int64_t number = int64_t(random() % 40) - 8, positive = 1 + random() % 8;
    std::string first = numbers[a].name, second = numbers[b].name;
    switch (random() % 8) {
    case 0:
      return numbers.push_back({constant(number), kConstant, 0, 0, number});
    case 1:
      return numbers.push_back({binary("addi", first, second), kSum, a, b});
    case 2:
      return numbers.push_back(
          {binary("muli", first, constant(number)), kProduct, a, 0, number});
    case 3:
      return numbers.push_back({binary("minsi", first, second), kMin, a, b});
    case 4:
      return numbers.push_back({binary("maxsi", first, second), kMax, a, b});
    case 5:
    case 6: {
      bool isRest = random() % 2 == 0;
      std::string large = binary("maxsi", first, constant(0));
      return numbers.push_back(
          {binary(isRest ? "remui" : "divui", large, constant(positive)),
           isRest ? kRest : kQuotient, a, 0, positive});
    }
    default: {
      std::string condition = fresh(), other = constant(number);
      body += condition + " = arith.cmpi slt, " + first + ", " + second +
              " : index\n";
      std::string name = fresh();
      body += name + " = arith.select " + condition + ", " + second + ", " +
              other + " : index\n";
      return numbers.push_back({name, kChoice, a, b, number});
    }
    }
  }

  std::mt19937_64 &random;
  std::vector<Number> numbers;
  std::string body;
  unsigned next = 0;
};

TEST(Numbers, AreRightWhereTheyHaveNoDoubts) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  mlir::MLIRContext context;
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  int64_t certain = 0, doubtful = 0;
  for (int64_t i = 0; i < cases(300); ++i) {
    Program program(random);
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(program.text(), &context);
    ASSERT_TRUE(module) << program.text();
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    Numbers numbers;
    std::array<int64_t, kLoops> counts, samples;
    for (unsigned loop = 0; loop < kLoops; ++loop) {
      counts[loop] = 1 + int64_t(random() % 5);
      samples[loop] = (counts[loop] - 1) / 2;
      unsigned number =
          numbers.addLoop(double(samples[loop]), double(counts[loop]), loop);
      numbers.bind(function.getArgument(loop), LinearNumber{0, {{number, 1}}});
    }
    for (mlir::Operation &op : function.getBody().front())
      numbers.evaluate(op);

    std::vector<std::optional<LinearNumber>> found;
    llvm::StringMap<mlir::Value> byName;
    unsigned next = 0;
    for (mlir::BlockArgument argument : function.getArguments())
      byName["%i" + std::to_string(argument.getArgNumber())] = argument;
    for (mlir::Operation &op : function.getBody().front())
      if (op.getNumResults() == 1)
        byName["%v" + std::to_string(next++)] = op.getResult(0);
    for (size_t n = 0; n < program.size(); ++n)
      found.push_back(numbers.find(byName.lookup(program.name(n))));

    std::array<int64_t, kLoops> at{};
    for (at[0] = 0; at[0] < counts[0]; ++at[0])
      for (at[1] = 0; at[1] < counts[1]; ++at[1])
        for (at[2] = 0; at[2] < counts[2]; ++at[2]) {
          std::vector<int64_t> values = program.values(at);
          for (size_t n = 0; n < program.size(); ++n) {
            ASSERT_TRUE(found[n]) << program.text() << program.name(n);
            double linear = found[n]->constant;
            bool isDoubtful = false;
            for (unsigned loop = 0; loop < kLoops; ++loop)
              isDoubtful |= at[loop] != samples[loop] &&
                            (found[n]->doubts & Numbers::bitOf(loop)) != 0;
            for (auto [loop, factor] : found[n]->terms)
              linear += factor * double(at[loop]);
            ++(isDoubtful ? doubtful : certain);
            if (!isDoubtful)
              ASSERT_NEAR(linear, double(values[n]), 1e-6)
                  << program.text() << program.name(n) << " at " << at[0]
                  << ", " << at[1] << ", " << at[2];
          }
        }
  }
  // Not all is in doubt.
  EXPECT_GT(certain, doubtful / 2);
  EXPECT_GT(doubtful, 0);
}

} // namespace
