// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs of updates and loops whose parameters are donated, against what
// they mean, computed here. Arrays that are lent or copied stay as they are.

#include "Plugin.h"

#include <array>
#include <cstdlib>
#include <random>

using namespace mercator::pjrt;

namespace {

/// As tests/Seed.h says; this program is linked with the plugin alone.
uint64_t donationSeed() {
  const char *given = std::getenv("MERCATOR_SEED");
  if (given && std::string(given) == "random")
    return std::random_device{}();
  return given ? std::strtoull(given, nullptr, 10) : 20261128;
}

constexpr int kRows = 8, kColumns = 16;
using Grid = std::array<float, kRows * kColumns>;

/// A program as text, and its results for the inputs.
struct DonatingProgram {
  std::vector<Grid> inputs;
  std::vector<bool> areDonated;
  std::vector<Grid> results;
  std::string text;
};

class Draw {
public:
  explicit Draw(uint64_t seed) : random(seed) {}

  DonatingProgram draw() {
    int count = upTo(1, 3), returned = upTo(1, 3);
    std::string head = "func.func @main(";
    for (int p = 0; p < count; ++p) {
      Grid &input = program.inputs.emplace_back();
      for (float &each : input)
        each = float(upTo(-4, 4));
      program.areDonated.push_back(upTo(0, 3) > 0);
      std::string name = "%p" + std::to_string(p);
      head += name + ": " + kType;
      if (program.areDonated[p])
        head += p < returned
                    ? " {tf.aliasing_output = " + std::to_string(p) + " : i32}"
                    : " {jax.buffer_donor = true}";
      head += ", ";
      values.push_back({name, input});
    }
    head += "%row: tensor<i32>) -> (";
    for (int i = 0; i < returned; ++i)
      head += (i ? ", " : "") + kType;
    body = "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
           "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
           "  %three = stablehlo.constant dense<3> : tensor<i32>\n";
    for (int i = upTo(1, 6); i > 0; --i)
      step();
    std::string names, types;
    for (int i = 0; i < returned; ++i) {
      const auto &[name, grid] = pick(4);
      names += (i ? ", " : "") + name;
      types += (i ? ", " : "") + kType;
      program.results.push_back(grid);
    }
    program.text =
        head + ") {\n" + body + "  return " + names + " : " + types + "\n}\n";
    return program;
  }

  static constexpr int kRow = 5; ///< the value of %row

private:
  using Named = std::pair<std::string, Grid>;
  inline static const std::string kType = "tensor<8x16xf32>";

  int upTo(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  }
  /// Late values are picked more often.
  const Named &pick(int last) {
    int from = std::max(0, int(values.size()) - (upTo(0, 2) ? last : 100));
    return values[size_t(upTo(from, int(values.size()) - 1))];
  }
  std::string fresh() { return "%v" + std::to_string(next++); }
  /// A row of `from` becomes row `to` of `into`.
  static void setRow(Grid &into, int to, const Grid &from, int row) {
    std::copy_n(from.begin() + row * kColumns, kColumns,
                into.begin() + to * kColumns);
  }
  static std::string update(const std::string &result, const std::string &into,
                            const std::string &row, const std::string &at) {
    return "  " + result + " = stablehlo.dynamic_update_slice " + into + ", " +
           row + ", " + at +
           ", %zero : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, "
           "tensor<i32>) -> tensor<8x16xf32>\n";
  }
  static std::string slice(const std::string &result, const std::string &from,
                           const std::string &at) {
    return "  " + result + " = stablehlo.dynamic_slice " + from + ", " + at +
           ", %zero, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, "
           "tensor<i32>) -> tensor<1x16xf32>\n";
  }

  void step() {
    const Named a = pick(3), b = pick(3);
    std::string result = fresh();
    Grid made = a.second;
    switch (upTo(0, 3)) {
    case 0:
      body += "  " + result + " = stablehlo.add " + a.first + ", " + b.first +
              " : " + kType + "\n";
      for (size_t i = 0; i < made.size(); ++i)
        made[i] += b.second[i];
      break;
    case 1:
    case 2: {
      std::string row = fresh();
      body +=
          slice(row, b.first, "%one") + update(result, a.first, row, "%row");
      setRow(made, kRow, b.second, 1);
      break;
    }
    default: { // three rows move down, and the whole is added up
      std::string pair = fresh(), row = fresh(), x = fresh();
      body += "  " + pair + ":3 = stablehlo.while(%k = %zero, %x = " + a.first +
              ", %s = " + b.first + ") : tensor<i32>, " + kType + ", " + kType +
              "\n  cond {\n  %c = stablehlo.compare LT, %k, %three : "
              "(tensor<i32>, tensor<i32>) -> tensor<i1>\n  stablehlo.return %c "
              ": tensor<i1>\n  } do {\n  %l = stablehlo.add %k, %one : "
              "tensor<i32>\n" +
              slice(row, "%x", "%k") + update(x, "%x", row, "%l") +
              "  %t = stablehlo.add %s, " + x + " : " + kType +
              "\n  stablehlo.return %l, " + x + ", %t : tensor<i32>, " + kType +
              ", " + kType + "\n  }\n";
      Grid sum = b.second;
      for (int k = 0; k < 3; ++k) {
        setRow(made, k + 1, Grid(made), k);
        for (size_t i = 0; i < sum.size(); ++i)
          sum[i] += made[i];
      }
      values.push_back({pair + "#2", sum});
      result = pair + "#1";
    }
    }
    values.push_back({result, made});
  }

  std::mt19937_64 random;
  DonatingProgram program;
  std::vector<Named> values;
  std::string body;
  int next = 0;
};

TEST_F(Pjrt, DonatedProgramsMeanTheSame) {
  constexpr int kPrograms = 40;
  const uint64_t first = donationSeed();
  int inPlace = 0;
  for (int i = 0; i < kPrograms; ++i) {
    uint64_t seed = first + uint64_t(i);
    DonatingProgram program = Draw(seed).draw();
    SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed) + "\n" + program.text);
    Executable *f = nullptr;
    ASSERT_EQ(compile(program.text, f), "");
    MemoryStatistics memory = {};
    memory.executable = f;
    ASSERT_EQ(call(api.Executable_GetCompiledMemoryStats, memory), "");
    inPlace += memory.aliases > 0;
    // Own memory; lent memory; own memory that a copy shares.
    for (int kind = 0; kind < 3; ++kind) {
      std::vector<Grid> lent = program.inputs;
      std::vector<Buffer *> inputs, copies, outputs(program.results.size());
      std::vector<Event *> loans;
      for (Grid &grid : lent) {
        inputs.push_back(lend(grid.data(), {kRows, kColumns},
                              kind == 1 ? BufferFromHost::kZeroCopy
                                        : BufferFromHost::kDuringCall,
                              loans.emplace_back()));
        if (kind != 2)
          continue;
        BufferCopy args = {};
        args.buffer = inputs.back();
        ASSERT_EQ(call(api.Buffer_CopyToDevice, args), "");
        copies.push_back(args.copy);
      }
      int row = Draw::kRow;
      BufferFromHost scalar = {};
      scalar.client = client;
      scalar.data = &row;
      scalar.type = 4;
      ASSERT_EQ(call(api.Client_BufferFromHostBuffer, scalar), "");
      free(api.Event_Destroy, scalar.done);
      inputs.push_back(scalar.buffer);
      ASSERT_EQ(execute(f, inputs, outputs), "");
      auto equals = [&](Buffer *buffer, const Grid &expected) {
        std::vector<float> values = read(buffer, expected.size());
        return std::equal(values.begin(), values.end(), expected.begin());
      };
      for (size_t r = 0; r < outputs.size(); ++r)
        EXPECT_TRUE(equals(outputs[r], program.results[r])) << "result " << r;
      for (size_t p = 0; p < lent.size(); ++p) {
        EXPECT_EQ(lent[p], program.inputs[p]);
        EXPECT_EQ(isDeleted(inputs[p]), program.areDonated[p]);
        if (kind == 2)
          EXPECT_TRUE(equals(copies[p], program.inputs[p]));
        if (!program.areDonated[p])
          EXPECT_TRUE(equals(inputs[p], program.inputs[p]));
      }
      for (auto *buffers : {&inputs, &copies, &outputs})
        for (Buffer *buffer : *buffers)
          free(api.Buffer_Destroy, buffer);
      for (Event *loan : loans) {
        EXPECT_TRUE(isReady(loan));
        free(api.Event_Destroy, loan);
      }
    }
    free(api.LoadedExecutable_Destroy, f);
    if (HasFailure())
      return;
  }
  EXPECT_GT(inPlace, kPrograms / 4);
}

} // namespace
