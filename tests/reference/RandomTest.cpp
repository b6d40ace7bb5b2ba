// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random numbers: known answers of the generators, and XLA's assignment of
/// their bits to elements.

#include "RandomTensors.h"

#include <set>

using namespace mercator::reference;

namespace {

struct RandomNumbers : testing::Test {
  Programs programs;

  void bits(llvm::StringRef algorithm, llvm::StringRef state,
            llvm::StringRef output, llvm::StringRef nextState) {
    llvm::StringRef stateType = state.rsplit(" : ").second,
                    type = output.rsplit(" : ").second;
    auto results = programs.run(
        ("func.func @main() -> (" + stateType + ", " + type +
         ") { %s = stablehlo.constant " + state +
         " %0:2 = stablehlo.rng_bit_generator %s, algorithm = " + algorithm +
         " : (" + stateType + ") -> (" + stateType + ", " + type +
         ") return %0#0, %0#1 : " + stateType + ", " + type + " }")
            .str());
    ASSERT_TRUE(results) << programs.messages;
    Programs::expectSame(*(*results)[0].tensor(), programs.tensor(nextState), 0,
                         nextState);
    Programs::expectSame(*(*results)[1].tensor(), programs.tensor(output), 0,
                         output);
  }
};

// The known answers that the authors of both generators published.
TEST_F(RandomNumbers, ThreefryKnownAnswers) {
  bits("THREE_FRY", "dense<0> : tensor<2xui64>",
       "dense<0x99BA4EFE6B200159> : tensor<1xui64>",
       "dense<[0, 1]> : tensor<2xui64>");
  bits("THREE_FRY", "dense<0xFFFFFFFFFFFFFFFF> : tensor<2xui64>",
       "dense<0xBB002BE71CB996FC> : tensor<1xui64>",
       "dense<[0xFFFFFFFFFFFFFFFF, 0]> : tensor<2xui64>");
  bits("THREE_FRY",
       "dense<[0x0370734413198A2E, 0x85A308D3243F6A88]> : tensor<2xui64>",
       "dense<0x483DF7A0C4923A9C> : tensor<1xui64>",
       "dense<[0x0370734413198A2E, 0x85A308D3243F6A89]> : tensor<2xui64>");
}

TEST_F(RandomNumbers, PhiloxKnownAnswers) {
  bits("PHILOX", "dense<0> : tensor<3xui64>",
       "dense<[0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]> : "
       "tensor<4xui32>",
       "dense<[0, 1, 0]> : tensor<3xui64>");
  bits("PHILOX", "dense<0xFFFFFFFFFFFFFFFF> : tensor<3xui64>",
       "dense<[0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]> : "
       "tensor<4xui32>",
       "dense<[0xFFFFFFFFFFFFFFFF, 0, 0]> : tensor<3xui64>");
  bits("PHILOX",
       "dense<[0x299F31D0A4093822, 0x85A308D3243F6A88, 0x0370734413198A2E]> : "
       "tensor<3xui64>",
       "dense<[0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]> : "
       "tensor<4xui32>",
       "dense<[0x299F31D0A4093822, 0x85A308D3243F6A89, 0x0370734413198A2E]> : "
       "tensor<3xui64>");
}

// The example in the specification.
TEST_F(RandomNumbers, ThreefryOfTwoByTwo) {
  bits("THREE_FRY", "dense<[1, 2]> : tensor<2xui64>",
       "dense<[[9236835810183407956, 16087790271692313299], "
       "[18212823393184779219, 2658481902456610144]]> : tensor<2x2xui64>",
       "dense<[1, 6]> : tensor<2xui64>");
}

/// Narrow elements share a counter with their neighbor along the split
/// dimension: here the second, which has an even extent.
TEST_F(RandomNumbers, NarrowElementsShareCounters) {
  auto draw = [&](llvm::StringRef type) {
    auto results = programs.run(
        ("func.func @main() -> " + type +
         " { %s = stablehlo.constant dense<[5, 6]> : tensor<2xui64> %0:2 = "
         "stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : "
         "(tensor<2xui64>) -> (tensor<2xui64>, " +
         type + ") return %0#1 : " + type + " }")
            .str());
    EXPECT_TRUE(results) << programs.messages;
    return *results->front().tensor();
  };
  Tensor wide = draw("tensor<3x2xui64>"), words = draw("tensor<3x4xui32>"),
         halves = draw("tensor<3x4xi16>"), odd = draw("tensor<3x1xui32>");
  for (Index d(words.shape()); d; ++d) {
    uint64_t both = uint64_t(wide.at({d[0], d[1] / 2}).integer);
    auto word = uint32_t(both >> (32 * (d[1] % 2)));
    EXPECT_EQ(uint32_t(words.at(*d).integer), word);
    EXPECT_EQ(int16_t(halves.at(*d).integer), int16_t(word));
  }
  // Without an even extent the longest is split, and the last counter is half
  // used.
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(uint32_t(odd.at({i, 0}).integer),
              uint32_t(uint64_t(wide.at(i / 2).integer) >> (32 * (i % 2))));
}

TEST_F(RandomNumbers, UniformStaysInItsInterval) {
  auto results = programs.apply(
      "stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<bf16>, "
      "tensor<bf16>, tensor<1xi64>) -> tensor<5000xbf16>",
      {"dense<1.0> : tensor<bf16>", "dense<2.0> : tensor<bf16>",
       "dense<5000> : tensor<1xi64>"},
      "tensor<5000xbf16>");
  ASSERT_TRUE(results) << programs.messages;
  double sum = 0;
  for (int64_t i = 0; i < 5000; ++i) {
    double value = results->front().tensor()->at(i).re;
    ASSERT_TRUE(1 <= value && value < 2) << value;
    sum += value;
  }
  EXPECT_NEAR(sum / 5000, 1.5, 0.02);

  results = programs.apply(
      "stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<i8>, "
      "tensor<i8>, tensor<1xi64>) -> tensor<5000xi8>",
      {"dense<-128> : tensor<i8>", "dense<127> : tensor<i8>",
       "dense<5000> : tensor<1xi64>"},
      "tensor<5000xi8>");
  ASSERT_TRUE(results) << programs.messages;
  std::set<int64_t> seen;
  for (int64_t i = 0; i < 5000; ++i)
    seen.insert(results->front().tensor()->at(i).integer);
  EXPECT_EQ(seen.size(), 255u);
  EXPECT_EQ(*seen.rbegin(), 126);
}

TEST_F(RandomNumbers, NormalHasItsMoments) {
  auto results = programs.apply(
      "stablehlo.rng %0, %1, %2, distribution = NORMAL : (tensor<f64>, "
      "tensor<f64>, tensor<1xi64>) -> tensor<20000xf64>",
      {"dense<3.0> : tensor<f64>", "dense<2.0> : tensor<f64>",
       "dense<20000> : tensor<1xi64>"},
      "tensor<20000xf64>");
  ASSERT_TRUE(results) << programs.messages;
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < 20000; ++i) {
    double value = results->front().tensor()->at(i).re - 3;
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.06);
  EXPECT_NEAR(squares / 20000, 4, 0.15);
}

} // namespace
