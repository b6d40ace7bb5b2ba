// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Diff.h"
#include "mercator/compiler/Compilation.h"

#include "tests/Scale.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace mercator;

namespace {

/// A random program: operation i is `kind[i] %operand, %constant_i`. All values
/// differ, because all constants do.
struct Random {
  struct Step {
    int kind;
    int operand; ///< an earlier step, or -1 for the parameter
    int constant;
  };
  std::vector<Step> steps;

  explicit Random(std::mt19937 &random, int count) {
    for (int i = 0; i < count; ++i)
      steps.push_back({int(random() % 2), int(random() % (i + 1)) - 1, i});
  }

  /// `names` is the beginning of all names. A step follows its operand; apart
  /// from that, the order is drawn if there is a generator.
  std::string text(const std::string &names, std::mt19937 *random) const {
    auto value = [&](int step) {
      return step < 0 ? std::string("%p") : "%" + names + std::to_string(step);
    };
    std::string text =
        "func.func @main(%p: tensor<4xi32>) -> tensor<4xi32> {\n";
    std::vector<int> ready, order;
    std::vector<std::vector<int>> users(steps.size() + 1);
    for (size_t i = 0; i < steps.size(); ++i)
      users[steps[i].operand + 1].push_back(i);
    ready = users[0];
    while (!ready.empty()) {
      size_t at =
          random ? (*random)() % ready.size()
                 : std::min_element(ready.begin(), ready.end()) - ready.begin();
      int step = ready[at];
      ready.erase(ready.begin() + at);
      order.push_back(step);
      ready.insert(ready.end(), users[step + 1].begin(), users[step + 1].end());
    }
    for (int i : order) {
      std::string constant = "%" + names + "c" + std::to_string(i);
      text += constant + " = stablehlo.constant dense<" +
              std::to_string(steps[i].constant) + "> : tensor<4xi32>\n" +
              value(i) + " = stablehlo." +
              (steps[i].kind ? "add " : "multiply ") + value(steps[i].operand) +
              ", " + constant + " : tensor<4xi32>\n";
    }
    return text + "return " + value(steps.size() - 1) + " : tensor<4xi32>\n}\n";
  }

  /// The number of steps that use `step`, directly or not.
  int countAffected(int step) const {
    std::vector<bool> isAffected(steps.size());
    int count = 0;
    for (size_t i = step + 1; i < steps.size(); ++i)
      if (steps[i].operand == step ||
          (steps[i].operand >= 0 && isAffected[steps[i].operand])) {
        isAffected[i] = true;
        ++count;
      }
    return count;
  }
};

class DiffTest : public ::testing::Test {
protected:
  ProgramDiff diffOf(const std::string &first, const std::string &second) {
    auto a = Compilation::load("a.mlir", first, diagnostics);
    auto b = Compilation::load("b.mlir", second, diagnostics);
    EXPECT_TRUE(a && b) << said << first << second;
    if (!a || !b)
      return {};
    Answer<ProgramDiff> answer = a->diff(*b);
    EXPECT_TRUE(answer) << said;
    return answer ? *answer : ProgramDiff{};
  }
  std::string said;
  llvm::raw_string_ostream os{said};
  DiagnosticEngine diagnostics{os};
};

constexpr int kPrograms = 300;

TEST_F(DiffTest, NamesAndOrderDoNotMatter) {
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    std::mt19937 random(seed);
    Random program(random, 1 + random() % 40);
    ProgramDiff d =
        diffOf(program.text("a", nullptr), program.text("b", &random));
    ASSERT_TRUE(d.hasSameInstructions()) << "seed " << seed;
    ASSERT_EQ(d.equal, 2 * int64_t(program.steps.size())) << "seed " << seed;
    ASSERT_EQ(d.equalResults, 1) << "seed " << seed;
  }
}

TEST_F(DiffTest, OneChangedOperationIsTheOnlyOneReported) {
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    std::mt19937 random(seed);
    Random before(random, 1 + random() % 40), after = before;
    int changed = random() % before.steps.size();
    after.steps[changed].kind ^= 1;
    ProgramDiff d = diffOf(before.text("a", nullptr), after.text("b", &random));
    ASSERT_EQ(d.changed.size(), 1u) << "seed " << seed;
    ASSERT_EQ(d.changed[0].first.instruction, "%a" + std::to_string(changed))
        << "seed " << seed;
    ASSERT_EQ(d.changed[0].second.instruction, "%b" + std::to_string(changed))
        << "seed " << seed;
    ASSERT_EQ(d.affected, before.countAffected(changed)) << "seed " << seed;
    ASSERT_TRUE(d.onlyFirst.empty() && d.onlySecond.empty()) << "seed " << seed;
    ASSERT_EQ(d.verdict(), Proof::Verdict::Equal) << "seed " << seed;
  }
}

TEST_F(DiffTest, AChangedConstantIsTheOnlyOneReported) {
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    std::mt19937 random(seed);
    Random before(random, 1 + random() % 40), after = before;
    int changed = random() % before.steps.size();
    after.steps[changed].constant = -1;
    ProgramDiff d = diffOf(before.text("a", nullptr), after.text("b", &random));
    ASSERT_EQ(d.changed.size(), 1u) << "seed " << seed;
    ASSERT_EQ(d.changed[0].second.instruction, "%bc" + std::to_string(changed))
        << "seed " << seed;
    ASSERT_EQ(d.affected, 1 + before.countAffected(changed)) << "seed " << seed;
  }
}

TEST_F(DiffTest, AnInsertedOperationHasNoCounterpart) {
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    std::mt19937 random(seed);
    Random before(random, 1 + random() % 40), after = before;
    // The last step, which the program returns, reads the new one.
    after.steps.insert(after.steps.end() - 1,
                       {1, after.steps.back().operand, 1000});
    after.steps.back().operand = after.steps.size() - 2;
    ProgramDiff d = diffOf(before.text("a", nullptr), after.text("b", &random));
    ASSERT_EQ(d.onlySecond.size(), 2u) << "seed " << seed;
    ASSERT_EQ(d.changed.size(), 1u) << "seed " << seed;
    ASSERT_EQ(d.affected, 0) << "seed " << seed;
    ASSERT_TRUE(d.onlyFirst.empty()) << "seed " << seed;
  }
}

TEST_F(DiffTest, ManyEqualOperationsCorrespondInOrder) {
  std::string text = "func.func @main(%p: tensor<4xi32>) -> tensor<4xi32> {\n"
                     "%0 = stablehlo.add %p, %p : tensor<4xi32>\n";
  for (int i = 1; i < 200; ++i)
    text += "%" + std::to_string(i) + " = stablehlo.add %" +
            std::to_string(i - 1) + ", %0 : tensor<4xi32>\n";
  ProgramDiff d = diffOf(text + "return %199 : tensor<4xi32>\n}\n",
                         text + "return %198 : tensor<4xi32>\n}\n");
  EXPECT_EQ(d.equal, 200);
  EXPECT_EQ(d.changed.size(), 1u);
  EXPECT_EQ(d.changed[0].first.instruction, "ROOT");
}

TEST_F(DiffTest, ComputationsOfChangedInstructionsAreCompared) {
  auto text = [](const char *operation) {
    return std::string("HloModule m\n\nf {\n  a = f32[4] parameter(0)\n  b = "
                       "f32[4] negate(a)\n  ROOT r = f32[4] ") +
           operation +
           "(b)\n}\n\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT c = f32[4] "
           "fusion(p), kind=kLoop, calls=f\n}\n";
  };
  ProgramDiff d = diffOf(text("cosine"), text("sine"));
  ASSERT_EQ(d.changed.size(), 1u);
  EXPECT_EQ(d.changed[0].first.computation, "f");
  EXPECT_EQ(d.changed[0].first.instruction, "r");
  EXPECT_EQ(d.affected, 1);
  EXPECT_EQ(d.equal, 1);
}

TEST_F(DiffTest, ACallThatCallsItselfEnds) {
  std::string text = "func.func @main(%p: tensor<4xi32>) -> tensor<4xi32> {\n"
                     "%0 = call @main(%p) : (tensor<4xi32>) -> tensor<4xi32>\n"
                     "return %0 : tensor<4xi32>\n}\n";
  EXPECT_TRUE(diffOf(text, text).hasSameInstructions());
}

/// Elementwise programs of the parameters x and y. What `first` adds, `second` leaves
/// out, and it cancels: a compiler may go from the one to the other.
struct Canceling {
  std::string type;
  std::string first, second; ///< bodies; the result is %r

  explicit Canceling(std::mt19937 &random) {
    static const char *const kTypes[] = {"i8",  "i16",  "ui32", "i64",
                                         "f16", "bf16", "f32",  "f64"};
    unsigned chosen = random() % std::size(kTypes);
    bool isFloat = chosen >= 4;
    type = std::string("tensor<3x4x") + kTypes[chosen] + ">";
    auto line = [&](const std::string &name, const std::string &op,
                    const std::string &operands) {
      return "%" + name + " = stablehlo." + op + " " + operands + " : " + type +
             "\n";
    };
    std::string before = line("a", "negate", "%x");
    std::string other = random() % 2 ? "%y" : "%t";
    first = before + line("t", "negate", "%y");
    switch (random() % (isFloat ? 2 : 4)) {
    case 0:
      first += line("b", "add", "%a, " + other) +
               line("r", "subtract", "%b, " + other);
      break;
    case 1:
      first += line("b", "subtract", "%a, " + other) +
               line("r", "add", "%b, " + other);
      break;
    case 2:
      first +=
          line("b", "xor", "%a, " + other) + line("r", "xor", "%b, " + other);
      break;
    default:
      first += line("b", "and", "%a, " + other) + line("r", "or", "%a, %b");
    }
    second = before + line("n", "negate", "%a") + line("r", "negate", "%n");
  }

  std::string text(const std::string &body) const {
    return "func.func @main(%x: " + type + ", %y: " + type + ") -> " + type +
           " {\n" + body + "return %r : " + type + "\n}\n";
  }
};

/// Values that cancel are read, and change no result: the programs are not different.
TEST_F(DiffTest, ValuesThatCancelAreNotDifferent) {
  for (unsigned seed = 0; seed < unsigned(cases(400)); ++seed) {
    std::mt19937 random(seed);
    Canceling program(random);
    std::string first = program.text(program.first),
                second = program.text(program.second);
    for (bool isSwapped : {false, true}) {
      ProgramDiff d = isSwapped ? diffOf(second, first) : diffOf(first, second);
      ASSERT_EQ(d.verdict(), Proof::Verdict::Undecided)
          << "seed " << seed << "\n"
          << first << second;
      ASSERT_NE(d.reads.back().reason.find("may cancel"), std::string::npos)
          << d.reads.back().reason;
    }
  }
}

/// What does not cancel is found, in all types.
TEST_F(DiffTest, ValuesThatMatterAreDifferent) {
  for (const char *element :
       {"i1", "i8", "ui16", "i64", "f16", "bf16", "f32", "complex<f32>"})
    for (const char *op : {"add", "multiply"}) {
      std::string type = std::string("tensor<3x4x") + element + ">";
      auto text = [&](const std::string &operand) {
        return "func.func @main(%x: " + type + ", %y: " + type + ") -> " +
               type + " {\n%b = stablehlo." + op + " %x, " + operand + " : " +
               type + "\n%r = stablehlo." + op + " %b, %b : " + type +
               "\nreturn %r : " + type + "\n}\n";
      };
      // Of truth values, addition is `or`.
      ProgramDiff d = diffOf(text("%x"), text("%y"));
      EXPECT_EQ(d.verdict(), Proof::Verdict::Different) << text("%y");
    }
}

} // namespace
