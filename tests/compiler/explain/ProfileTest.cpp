// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CSV of Nsight Compute: its form, what is refused with the place, and the kernels
// that launches belong to.

#include "mercator/compiler/explain/Profile.h"

#include "tests/Scale.h"
#include "tests/Seed.h"

#include "gtest/gtest.h"

#include <random>

using namespace mercator;

namespace {

std::optional<Profile> profileOf(const std::string &csv, std::string &errors) {
  llvm::raw_string_ostream os(errors);
  DiagnosticEngine diagnostics(os);
  SourceBuffer text("p.csv", csv);
  return readProfile(text, diagnostics);
}

std::optional<double> valueOf(const Profile::Launch &launch, Counter counter) {
  return launch.values[size_t(counter)];
}

const char *const kTitles =
    R"("ID","Kernel Name","Block Size","Grid Size","dram__bytes_read.sum","gpu__time_duration.sum")"
    "\n";

TEST(Profile, Form) {
  std::string errors;
  std::optional<Profile> profile = profileOf(
      std::string("==PROF== Connected to process 1\nx = 3\n") + kTitles +
          R"csv("","","","","Mbyte","us"
"0","input_transpose_fusion","(128, 1, 1)","(800, 1, 1)","3.11","1,004.80"
==PROF== Disconnected
"1","void f<int, 2>(float *, int)","(32, 2, 1)","(8, 3, 2)","n/a",""

loss 0.5
)csv",
      errors);
  ASSERT_TRUE(profile) << errors;
  ASSERT_EQ(profile->launches.size(), 2u);
  const Profile::Launch &first = profile->launches[0],
                        &second = profile->launches[1];
  EXPECT_EQ(first.kernel, "input_transpose_fusion");
  EXPECT_EQ(valueOf(first, Counter::Block), 128);
  EXPECT_EQ(valueOf(first, Counter::Grid), 800);
  EXPECT_DOUBLE_EQ(*valueOf(first, Counter::BytesRead), 3.11e6);
  EXPECT_DOUBLE_EQ(*valueOf(first, Counter::Microseconds), 1004.8);
  EXPECT_FALSE(valueOf(first, Counter::Loads));
  EXPECT_EQ(second.kernel, "void f<int, 2>");
  EXPECT_EQ(valueOf(second, Counter::Block), 64);
  EXPECT_EQ(valueOf(second, Counter::Grid), 48);
  EXPECT_FALSE(valueOf(second, Counter::BytesRead));
  EXPECT_FALSE(valueOf(second, Counter::Microseconds));
}

TEST(Profile, Units) {
  struct Row {
    const char *bytes, *time;
    double scale, microseconds;
  };
  const Row rows[] = {
      {"byte", "ns", 1, 1e-3},       {"Kbyte", "us", 1e3, 1},
      {"Mbyte", "ms", 1e6, 1e3},     {"Gbyte", "s", 1e9, 1e6},
      {"TB", "nsecond", 1e12, 1e-3},
  };
  for (const Row &row : rows) {
    std::string errors;
    std::optional<Profile> profile =
        profileOf(std::string(kTitles) + ",,,," + row.bytes + "," + row.time +
                      "\n0,k,,,2,4\n",
                  errors);
    ASSERT_TRUE(profile) << errors;
    EXPECT_DOUBLE_EQ(*valueOf(profile->launches[0], Counter::BytesRead),
                     2 * row.scale);
    EXPECT_DOUBLE_EQ(*valueOf(profile->launches[0], Counter::Microseconds),
                     4 * row.microseconds);
  }
}

TEST(Profile, Refuses) {
  struct Row {
    std::string csv;
    const char *place, *message;
  };
  const std::string titles = kTitles;
  const Row rows[] = {
      {"", "p.csv:1:1", "expected the CSV of Nsight Compute"},
      {"a,b\n1,2\n", "p.csv:1:1", "'Kernel Name', got none"},
      {titles, "p.csv:2:1", "expected a line for each launch, got none"},
      {"\"Kernel Name\",\"Metric Name\"\n", "p.csv:1:15",
       "expected the raw page"},
      {"\"Kernel Name\",\"x\"\n", "p.csv:1:1", "expected a column"},
      {titles + "0,k,1,1,2\n", "p.csv:2:1", "expected 6 cells"},
      {titles + "0,\"k,1,1,2,3\n", "p.csv:2:3",
       "expected '\"' at the end of this cell"},
      {titles + "0,k,,,two,3\n", "p.csv:2:7",
       "expected a number of 'dram__bytes_read.sum', got 'two'"},
      {titles + "0,k,,,-2,3\n", "p.csv:2:7", "expected a number"},
      {titles + ",,,,Mbit,us\n0,k,,,2,3\n", "p.csv:2:5",
       "expected a unit of bytes, such as Mbyte, got 'Mbit'"},
      {titles + ",,,,byte,hour\n0,k,,,2,3\n", "p.csv:2:10",
       "expected a unit of time, such as us, got 'hour'"},
  };
  for (const Row &row : rows) {
    std::string errors;
    EXPECT_FALSE(profileOf(row.csv, errors)) << row.csv;
    EXPECT_NE(errors.find(row.place), std::string::npos) << errors;
    EXPECT_NE(errors.find(row.message), std::string::npos) << errors;
  }
}

/// What is written is read; a text with other bytes gives a profile or a diagnostic.
TEST(Profile, RandomTexts) {
  for (uint64_t seed = testSeed(); seed < testSeed() + cases(300); ++seed) {
    std::mt19937_64 random(seed);
    std::string csv = kTitles;
    csv += ",,,,byte,us\n";
    std::vector<double> bytes, times;
    for (uint64_t i = 1 + random() % 6; i > 0; --i) {
      bytes.push_back(double(random() % 1000000));
      times.push_back(double(random() % 1000) / 8);
      csv += "\"" + std::to_string(i) + "\",\"k_" + std::to_string(i) +
             "\",\"(32, 1, 1)\",,\"" + std::to_string(bytes.back()) + "\"," +
             std::to_string(times.back()) + "\n";
    }
    std::string errors;
    std::optional<Profile> profile = profileOf(csv, errors);
    ASSERT_TRUE(profile) << "seed " << seed << errors;
    ASSERT_EQ(profile->launches.size(), bytes.size()) << "seed " << seed;
    for (size_t i = 0; i < bytes.size(); ++i) {
      ASSERT_EQ(valueOf(profile->launches[i], Counter::BytesRead), bytes[i]);
      ASSERT_EQ(valueOf(profile->launches[i], Counter::Microseconds), times[i]);
    }
    for (uint64_t n = 1 + random() % 4; n > 0; --n) {
      size_t at = random() % csv.size();
      if (random() % 3 == 0)
        csv.erase(at, 1 + random() % 9);
      else
        csv[at] = "\",\n(=) 0-.n\xff"[random() % 12];
      if (csv.empty())
        break;
    }
    errors.clear();
    ASSERT_EQ(profileOf(csv, errors).has_value(), errors.empty())
        << "seed " << seed << "\n"
        << csv << errors;
  }
}

KernelRecord kernelOfName(const std::string &name, uint64_t computes) {
  KernelRecord record;
  record.instruction = name;
  record.computes = computes;
  record.kernel.grid = 4, record.kernel.block = 128;
  return record;
}

/// Launches of one name are averaged; `.` and `-` are `_` there; what computes the same
/// shares a kernel; the rest belongs to nobody.
TEST(Profile, LaunchesAndKernels) {
  Profile profile;
  auto add = [&](const char *kernel, std::optional<double> microseconds) {
    profile.launches.push_back({.kernel = kernel});
    profile.launches.back().values[size_t(Counter::Microseconds)] =
        microseconds;
  };
  add("loop_add_fusion_1", 4);
  add("gemm", 9);
  add("loop_add_fusion_1", 6);
  add("loop_add_fusion_1", std::nullopt);
  std::vector<KernelRecord> kernels = {kernelOfName("loop_add-fusion.1", 7),
                                       kernelOfName("loop_add_fusion.2", 7),
                                       kernelOfName("loop_add_fusion.3", 8),
                                       kernelOfName("gemm", 9)};
  kernels[3].kernel.unknown = "a library chooses";
  Measured measured = measure(profile, kernels);
  ASSERT_EQ(measured.kernels.size(), 4u);
  for (size_t i : {0, 1}) {
    ASSERT_TRUE(measured.kernels[i]) << i;
    EXPECT_EQ(measured.kernels[i]->launches, 3);
    EXPECT_EQ(measured.kernels[i]->mean[size_t(Counter::Microseconds)], 5);
  }
  EXPECT_FALSE(measured.kernels[2]);
  EXPECT_FALSE(measured.kernels[3]);
  ASSERT_EQ(measured.others.size(), 1u);
  EXPECT_EQ(measured.others[0].kernel, "gemm");
}

/// No number is predicted where it is not known.
TEST(Profile, Predicted) {
  KernelRecord kernel = kernelOfName("k", 1);
  kernel.counts.loads = {12, {.exactness = Exactness::Exact}};
  kernel.counts.stores = {3, {.exactness = Exactness::Unknown}};
  EXPECT_EQ(predicted(kernel, Counter::Grid), 4);
  EXPECT_EQ(predicted(kernel, Counter::Block), 128);
  EXPECT_EQ(predicted(kernel, Counter::Loads), 12);
  EXPECT_FALSE(predicted(kernel, Counter::Stores));
  kernel.kernel.unknown = "a library chooses";
  for (size_t i = 0; i < kCounters; ++i)
    EXPECT_FALSE(predicted(kernel, Counter(i)));
}

} // namespace
