// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fourier transforms against their definition, random bits, and what the calls
// refuse. tests/runtime/MatrixCallsTest.cpp has the linear algebra.

#include "CallsTest.h"

#include "mercator/runtime/calls/Fft.h"
#include "tests/Seed.h"

using namespace mercator;
using namespace mercator::test;

namespace {

using Sum = std::complex<long double>;

/// The sum of the definition along one dimension.
template <typename T>
std::vector<Sum> transformAlong(const std::vector<Sum> &from,
                                const std::vector<int64_t> &sizes, size_t dim,
                                bool isInverse) {
  int64_t n = sizes[dim], stride = count(sizes, dim + 1);
  std::vector<Sum> to(from.size()), roots;
  for (int64_t j = 0; j < n; ++j)
    roots.push_back(std::polar(1.0L, (isInverse ? 2 : -2) *
                                         std::numbers::pi_v<long double> *
                                         (long double)j / (long double)n));
  for (int64_t i = 0; i < int64_t(from.size()); ++i) {
    int64_t k = i / stride % n, first = i - k * stride;
    long double re = 0, im = 0;
    for (int64_t j = 0, at = 0; j < n; ++j) {
      Sum x = from[size_t(first + j * stride)], root = roots[size_t(at)];
      re += x.real() * root.real() - x.imag() * root.imag();
      im += x.real() * root.imag() + x.imag() * root.real();
      at += at + k < n ? k : k - n;
    }
    to[size_t(i)] = isInverse ? Sum(re, im) / (long double)n : Sum(re, im);
  }
  return to;
}

/// The distance relative to the norm.
template <typename T, typename U>
long double distance(const std::vector<T> &got,
                     const std::vector<U> &expected) {
  long double difference = 0, norm = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    difference += std::norm(Sum(got[i]) - Sum(expected[i]));
    norm += std::norm(Sum(expected[i]));
  }
  return norm == 0 ? std::sqrt(difference) : std::sqrt(difference / norm);
}

template <typename R> constexpr long double tolerance() {
  return 40 * std::numeric_limits<R>::epsilon();
}

struct Shape {
  std::vector<int64_t> sizes;
  int64_t count;
};
const Shape shapes[] = {
    {{1}, 1},
    {{2}, 1},
    {{3}, 1},
    {{4}, 1},
    {{5}, 1},
    {{6}, 1},
    {{7}, 1},
    {{8}, 1},
    {{12}, 1},
    {{30}, 1},
    {{31}, 1},
    {{37}, 1},
    {{64}, 1},
    {{74}, 1},
    {{97}, 1},
    {{210}, 1},
    {{2, 143}, 1},
    {{3, 4, 5}, 3},
    {{2, 3, 9}, 2},
    {{2, 20, 17}, 2},
    {{5, 1, 2}, 1},
    {{1, 1, 1}, 3},
    {{2, 2, 41}, 2},
    {{3, 512}, 1},
    // Lines that are taken apart, also by shorter vectors and with rows that do not fill
    // them; lines together, some or all lanes full, neighbors or strided.
    {{2, 256}, 1},
    {{1, 72}, 1},
    {{2, 272}, 1},
    {{1, 328}, 1},
    {{19, 45}, 1},
    {{34, 21}, 1},
    {{20, 10, 18}, 2},
    {{6, 37}, 2},
};

template <typename R>
void testComplex(mercator_call *forward, mercator_call *inverse) {
  using C = std::complex<R>;
  for (const Shape &shape : shapes) {
    Array<C> in(shape.sizes), out(shape.sizes), back(shape.sizes);
    in.randomize();
    ASSERT_EQ(run(forward, {in}, {shape.count}, {out}), mercator_ok);
    ASSERT_EQ(run(inverse, {out}, {shape.count}, {back}), mercator_ok);
    std::vector<Sum> expected(in.data.begin(), in.data.end());
    for (int64_t i = 0; i < shape.count; ++i)
      expected = transformAlong<R>(expected, shape.sizes,
                                   shape.sizes.size() - 1 - size_t(i), false);
    EXPECT_LT(distance(out.data, expected), tolerance<R>())
        << shape.sizes.back();
    EXPECT_LT(distance(back.data, in.data), tolerance<R>())
        << shape.sizes.back();
  }
}

TEST(FourierCalls, Complex) {
  testComplex<float>(mercator_fft_c64, mercator_ifft_c64);
  testComplex<double>(mercator_fft_c128, mercator_ifft_c128);
}

template <typename R>
void testReal(const Shape &shape, mercator_call *forward,
              mercator_call *inverse) {
  using C = std::complex<R>;
  std::vector<int64_t> half = shape.sizes;
  int64_t n = half.back(), width = n / 2 + 1;
  half.back() = width;
  Array<R> in(shape.sizes), back(shape.sizes);
  Array<C> out(half);
  in.randomize();
  ASSERT_EQ(run(forward, {in}, {shape.count}, {out}), mercator_ok);
  std::vector<Sum> whole(in.data.begin(), in.data.end());
  for (int64_t i = 0; i < shape.count; ++i)
    whole = transformAlong<R>(whole, shape.sizes,
                              shape.sizes.size() - 1 - size_t(i), false);
  std::vector<Sum> expected;
  for (size_t i = 0; i < whole.size(); ++i)
    if (int64_t(i) % n < width)
      expected.push_back(whole[i]);
  EXPECT_LT(distance(out.data, expected), tolerance<R>()) << n;
  // The inverse of any half, not only of one that has an origin.
  ASSERT_EQ(run(inverse, {out}, {shape.count}, {back}), mercator_ok);
  EXPECT_LT(distance(back.data, in.data), tolerance<R>()) << n;
  out.randomize();
  ASSERT_EQ(run(inverse, {out}, {1}, {back}), mercator_ok);
  std::vector<Sum> completed;
  for (int64_t i = 0; i < int64_t(in.data.size()); ++i) {
    int64_t k = i % n, line = i / n;
    Sum value = k < width ? Sum(out.data[line * width + k])
                          : std::conj(Sum(out.data[line * width + n - k]));
    completed.push_back(k == 0 || 2 * k == n ? Sum(value.real()) : value);
  }
  EXPECT_LT(
      distance(back.data, transformAlong<R>(completed, shape.sizes,
                                            shape.sizes.size() - 1, true)),
      tolerance<R>())
      << n;
}

TEST(FourierCalls, Real) {
  for (const Shape &shape : shapes) {
    testReal<float>(shape, mercator_rfft_f32, mercator_irfft_c64);
    testReal<double>(shape, mercator_rfft_f64, mercator_irfft_c128);
  }
}

TEST(FourierCalls, RealOfOddLengths) {
  std::mt19937 random{uint32_t(testSeed())};
  for (int64_t n = 1; n <= 201; n += 2) {
    Shape shape = {{1 + int64_t(random() % 19), n}, 1};
    testReal<float>(shape, mercator_rfft_f32, mercator_irfft_c64);
    testReal<double>(shape, mercator_rfft_f64, mercator_irfft_c128);
    ASSERT_FALSE(HasFailure())
        << shape.sizes[0] << " lines, MERCATOR_SEED=" << testSeed();
  }
}

// Every kind of vectors, not only the best of this CPU.
template <typename R>
void testKinds(int64_t n, calls::FftUse use, bool isInverse) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  bool isStrided = use == calls::FftUse::Strided;
  int64_t count = 1 + n % 18;
  std::vector<calls::Complex<R>> in(size_t(count * n)), out(in.size());
  std::vector<Sum> expected, got;
  for (calls::Complex<R> &x : in) {
    x = {R(normal(random)), R(normal(random))};
    expected.emplace_back(x.re, x.im);
  }
  std::vector<int64_t> sizes = {isStrided ? n : count, isStrided ? count : n};
  expected = transformAlong<R>(expected, sizes, isStrided ? 0 : 1, isInverse);
  for (int kind = 0; kind < calls::Fft<R>::kindCount(); ++kind) {
    calls::Fft<R> fft(n, use, kind);
    ASSERT_TRUE(fft.isValid());
    std::vector<calls::Complex<R>> work(size_t(fft.workSize()));
    fft.run({in.data(), out.data(), count, isStrided ? count : 1,
             isStrided ? 1 : n, isInverse ? R(1) / R(n) : R(1), work.data()},
            isInverse);
    got.clear();
    for (const calls::Complex<R> &x : out)
      got.emplace_back(x.re, x.im);
    EXPECT_LT(distance(got, expected), tolerance<R>())
        << "kind " << kind << ", " << count << " lines of " << n
        << (isStrided ? ", strided" : "") << (isInverse ? ", inverse" : "");
  }
}

TEST(FourierCalls, Kinds) {
  for (int64_t n : {1, 2, 6, 8, 30, 37, 72, 128, 256, 272})
    for (calls::FftUse use : {calls::FftUse::Lines, calls::FftUse::Strided})
      for (bool isInverse : {false, true}) {
        testKinds<float>(n, use, isInverse);
        testKinds<double>(n, use, isInverse);
      }
}

template <typename R> void testOddKinds(int64_t n) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  int64_t count = 1 + n % 18, width = n / 2 + 1;
  std::vector<R> in(size_t(count * n)), back(in.size());
  std::vector<calls::Complex<R>> half(size_t(count * width));
  for (R &x : in)
    x = R(normal(random));
  std::vector<Sum> expected, got,
      whole = transformAlong<R>({in.begin(), in.end()}, {count, n}, 1, false);
  for (size_t i = 0; i < whole.size(); ++i)
    if (int64_t(i) % n < width)
      expected.push_back(whole[i]);
  for (int kind = 0; kind < calls::Fft<R>::kindCount(); ++kind) {
    calls::Fft<R> fft(n, calls::FftUse::OddReal, kind);
    ASSERT_TRUE(fft.isValid() && fft.takesOddReal());
    std::vector<calls::Complex<R>> work(size_t(fft.workSize()));
    fft.realToHalf(in.data(), half.data(), count, work.data());
    got.clear();
    for (const calls::Complex<R> &x : half)
      got.emplace_back(x.re, x.im);
    EXPECT_LT(distance(got, expected), tolerance<R>())
        << "kind " << kind << ", " << count << " lines of " << n;
    fft.halfToReal(half.data(), back.data(), count, R(1) / R(n), work.data());
    EXPECT_LT(distance(back, in), tolerance<R>())
        << "kind " << kind << ", " << count << " lines of " << n;
  }
}

TEST(FourierCalls, OddKinds) {
  for (int64_t n : {3, 5, 7, 9, 11, 35, 45, 117, 143, 189, 375, 529}) {
    testOddKinds<float>(n);
    testOddKinds<double>(n);
  }
}

TEST(FourierCalls, Empty) {
  Array<std::complex<float>> in({2, 0, 4}), out({2, 0, 4});
  EXPECT_EQ(run(mercator_fft_c64, {in}, {2}, {out}), mercator_ok);
  Array<float> real({3, 0});
  Array<std::complex<float>> half({3, 0});
  EXPECT_EQ(run(mercator_rfft_f32, {real}, {1}, {half}), mercator_ok);
  EXPECT_EQ(run(mercator_irfft_c64, {half}, {1}, {real}), mercator_ok);
}

TEST(FourierCalls, NonFiniteLinesStayAlone) {
  for (int64_t n : {8, 9, 37}) {
    Array<std::complex<double>> in({2, n}), out({2, n});
    in.randomize();
    in.data[1] = std::numeric_limits<double>::infinity();
    ASSERT_EQ(run(mercator_fft_c128, {in}, {1}, {out}), mercator_ok);
    EXPECT_FALSE(std::isfinite(std::abs(out.data[0])));
    for (int64_t i = 0; i < n; ++i)
      EXPECT_TRUE(std::isfinite(std::abs(out.data[n + i])));
    Array<double> real({2, n});
    real.randomize();
    real.data[1] = std::numeric_limits<double>::infinity();
    Array<std::complex<double>> half({2, n / 2 + 1});
    ASSERT_EQ(run(mercator_rfft_f64, {real}, {1}, {half}), mercator_ok);
    EXPECT_FALSE(std::isfinite(std::abs(half.data[0])));
    for (int64_t i = 0; i <= n / 2; ++i)
      EXPECT_TRUE(std::isfinite(std::abs(half.data[n / 2 + 1 + i])));
  }
}

TEST(FourierCalls, Refusals) {
  Array<std::complex<float>> in({4}), out({4}), longer({5});
  EXPECT_EQ(run(mercator_fft_c64, {in}, {0}, {out}), mercator_wrong_number);
  EXPECT_EQ(run(mercator_fft_c64, {in}, {2}, {out}), mercator_wrong_number);
  EXPECT_EQ(run(mercator_fft_c64, {in}, {1}, {longer}), mercator_wrong_sizes);
  Array<float> real({4});
  EXPECT_EQ(run(mercator_rfft_f32, {real}, {1}, {out}), mercator_wrong_sizes);
  EXPECT_EQ(run(mercator_irfft_c64, {in}, {1}, {real}), mercator_wrong_sizes);
}

// The words of SplitMix64 with seed 0, of the authors' program.
TEST(RandomCalls, Words) {
  mercator_seed(0);
  Array<int64_t> first({2}), second({1, 1});
  ASSERT_EQ(run(mercator_random_bits_i64, {}, {}, {first}), mercator_ok);
  ASSERT_EQ(run(mercator_random_bits_i64, {}, {}, {second}), mercator_ok);
  EXPECT_EQ(uint64_t(first.data[0]), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(uint64_t(first.data[1]), 0x6E789E6AA1B965F4u);
  EXPECT_EQ(uint64_t(second.data[0]), 0x06C45D188009454Fu);
}

TEST(Calls, Names) {
  EXPECT_EQ(mercator_find_call("mercator_trsm_c128"), mercator_trsm_c128);
  EXPECT_EQ(mercator_find_call("mercator_trsm"), nullptr);
  EXPECT_EQ(mercator_find_call(""), nullptr);
}

} // namespace
