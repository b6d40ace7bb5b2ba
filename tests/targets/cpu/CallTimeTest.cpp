// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/CallTime.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::cpu;

namespace {

Device simpleCore() {
  Device device;
  device.lanes = 16;
  device.multiplyAdds = {{"f32", Device::Unit::Vector, 32},
                         {"f64", Device::Unit::Vector, 16}};
  device.caches = {
      {.name = "L1", .bytes = 32 << 10, .coreGigabytesPerSecond = 64},
      {.name = "L2", .bytes = 1 << 20, .coreGigabytesPerSecond = 32}};
  device.coreGigabytesPerSecond = 10;
  device.gigahertz = 1;
  return device;
}

double timeOfFft(int64_t lines, int64_t length, int64_t count = 1) {
  CallTensor tensor{{lines, length}, 8};
  auto time =
      timeOf(LibraryCall{"fft_c64", {tensor}, {tensor}, {count}}, simpleCore());
  EXPECT_TRUE(time);
  return time ? time->total() : 0;
}

TEST(CallTime, OfTransforms) {
  // A number has about log2(n) times 5 operations, 16 of them at a time.
  double one = timeOfFft(64, 1024);
  EXPECT_GT(one, 64 * 1024 * 10 * 5 / 32.0);
  EXPECT_LT(one, 64 * 1024 * 10 * 5 / 32.0 * 4);
  EXPECT_NEAR(timeOfFft(128, 1024) / one, 2, 0.2);
  // A prime length is a product in two longer transforms.
  EXPECT_GT(timeOfFft(64, 1031), 3 * one);
  // Two dimensions.
  EXPECT_GT(timeOfFft(256, 1024, 2), 1.5 * timeOfFft(256, 1024));
}

double timeOfAlgebra(const std::string &name, int64_t n,
                     std::vector<int64_t> numbers = {}, int64_t bytes = 4) {
  CallTensor tensor{{n, n}, bytes};
  auto time = timeOf(LibraryCall{name, {tensor}, {tensor}, std::move(numbers)},
                     simpleCore());
  EXPECT_TRUE(time) << name;
  return time ? time->total() : 0;
}

TEST(CallTime, OfLinearAlgebra) {
  for (const char *name :
       {"cholesky", "potrf", "getrf", "geqrf", "geqp3", "gehrd", "sytrd",
        "syevd", "gesdd", "gesvd", "geev", "gees"})
    for (const char *type : {"_f32", "_f64", "_c64", "_c128"}) {
      double small = timeOfAlgebra(std::string(name) + type, 256, {'V', 'V'}),
             large = timeOfAlgebra(std::string(name) + type, 1024, {'V', 'V'});
      // Cubic, but for what each column costs.
      EXPECT_GT(large, 16 * small) << name << type;
    }
  double cholesky = timeOfAlgebra("cholesky_f32", 1024);
  EXPECT_GT(cholesky, 1e9 / 3 / 32);
  EXPECT_GT(timeOfAlgebra("geev_f32", 1024, {'V', 'V'}), 20 * cholesky);
  EXPECT_GT(timeOfAlgebra("syevd_f32", 1024, {'V', 'L'}),
            2 * timeOfAlgebra("syevd_f32", 1024, {'N', 'L'}));
  EXPECT_GT(timeOfAlgebra("getrf_c64", 1024, {}, 8),
            3 * timeOfAlgebra("getrf_f32", 1024));
}

TEST(CallTime, OfASystemIsThatOfItsColumns) {
  auto timeOfColumns = [](int64_t columns) {
    CallTensor a{{512, 512}, 4}, b{{512, columns}, 4};
    auto time =
        timeOf(LibraryCall{"trsm_f32", {a, b}, {b}, {'L'}}, simpleCore());
    EXPECT_TRUE(time);
    return time ? time->multiplyAdds : 0;
  };
  EXPECT_NEAR(timeOfColumns(64) / timeOfColumns(16), 4, 0.01);
}

TEST(CallTime, UnknownFunctionsHaveNone) {
  CallTensor tensor{{4, 4}, 4};
  EXPECT_FALSE(timeOf(LibraryCall{"all_reduce_f32", {tensor}, {tensor}, {}},
                      simpleCore()));
}

} // namespace
