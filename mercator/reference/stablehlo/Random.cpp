// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random numbers.
//
// rng_bit_generator gives the same bits as XLA: Threefry-2x32 with 20 rounds
// and Philox-4x32 with 10 (Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", 2011), with the same assignment of counters to
// elements. DEFAULT is Philox, as on XLA's CPU and GPU.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/stablehlo/RandomBits.h"
#include "mercator/reference/stablehlo/Rules.h"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Generators: from a counter to random words
//===----------------------------------------------------------------------===//

static uint32_t lowWord(uint64_t value) { return uint32_t(value); }
static uint32_t highWord(uint64_t value) { return uint32_t(value >> 32); }
static uint64_t join(uint32_t low, uint32_t high) {
  return low | uint64_t(high) << 32;
}

static std::array<uint32_t, 2> threefry(uint64_t key, uint64_t counter) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {lowWord(key), highWord(key),
                            lowWord(key) ^ highWord(key) ^ 0x1BD11BDA};
  uint32_t x = lowWord(counter) + keys[0], y = highWord(counter) + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (int rotation : rotations[group % 2]) {
      x += y;
      y = std::rotl(y, rotation) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + group + 1;
  }
  return {x, y};
}

static std::array<uint32_t, 4> philox(uint64_t key, uint64_t counterLow,
                                      uint64_t counterHigh) {
  uint32_t words[4] = {lowWord(counterLow), highWord(counterLow),
                       lowWord(counterHigh), highWord(counterHigh)};
  uint32_t keyLow = lowWord(key), keyHigh = highWord(key);
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(words[0]) * 0xD2511F53,
             second = uint64_t(words[2]) * 0xCD9E8D57;
    words[0] = highWord(second) ^ words[1] ^ keyLow;
    words[1] = lowWord(second);
    words[2] = highWord(first) ^ words[3] ^ keyHigh;
    words[3] = lowWord(first);
    keyLow += 0x9E3779B9;
    keyHigh += 0xBB67AE85;
  }
  return {words[0], words[1], words[2], words[3]};
}

//===----------------------------------------------------------------------===//
// rng_bit_generator
//===----------------------------------------------------------------------===//

/// Writes random bits as an element.
static void drawBits(Tensor &tensor, int64_t place, uint64_t bits) {
  const Element &element = tensor.element();
  if (element.bits < 64)
    bits &= (uint64_t(1) << element.bits) - 1;
  for (unsigned i = 0; i < element.bytes; ++i)
    tensor.data()[place * element.bytes + i] = std::byte(bits >> (8 * i));
}

// A counter gives 64 bits: one element, or two narrower ones that are neighbors
// along the first dimension of an even extent, or else along the longest one.
// The counters are those of a tensor of half this extent, rounded up. Returns
// the number of counters.
static int64_t fillThreefry(Tensor &tensor, uint64_t key, uint64_t counter) {
  if (tensor.element().bits == 64 || tensor.rank() == 0) {
    for (int64_t i = 0; i < tensor.size(); ++i) {
      auto [low, high] = threefry(key, counter + i);
      drawBits(tensor, i, join(low, high));
    }
    return tensor.size();
  }
  ArrayRef<int64_t> shape = tensor.shape();
  size_t split = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] > shape[split])
      split = dim;
  for (size_t dim = shape.size(); dim-- > 0;)
    if (shape[dim] % 2 == 0)
      split = dim;
  int64_t pairs = (shape[split] + 1) / 2, inner = 1, count = pairs;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (dim > split)
      inner *= extent;
    if (dim != split)
      count *= extent;
  }
  for (int64_t i = 0; i < tensor.size(); ++i) {
    int64_t along = i / inner % shape[split], outer = i / inner / shape[split];
    int64_t pair = (outer * pairs + along / 2) * inner + i % inner;
    drawBits(tensor, i, threefry(key, counter + pair)[along % 2]);
  }
  return count;
}

// A counter of 128 bits gives four words: four elements, or two of 64 bits.
static int64_t fillPhilox(Tensor &tensor, uint64_t key, uint64_t low,
                          uint64_t high) {
  bool isWide = tensor.element().bits == 64;
  int64_t each = isWide ? 2 : 4, count = (tensor.size() + each - 1) / each;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    uint64_t counter = low + uint64_t(i / each);
    std::array<uint32_t, 4> words =
        philox(key, counter, high + (counter < low ? 1 : 0));
    drawBits(tensor, i,
             isWide ? join(words[2 * (i % 2)], words[2 * (i % 2) + 1])
                    : words[i % 4]);
  }
  return count;
}

LogicalResult generateBits(Step &step, RngAlgorithm algorithm,
                           ArrayRef<int64_t> shape) {
  const Tensor &state = step.tensor(0);
  FailureOr<Tensor> next = step.make(0, state.shape()),
                    output = step.make(1, shape);
  if (failed(next) || failed(output))
    return failure();
  bool isThreefry = algorithm == RngAlgorithm::THREE_FRY;
  if (state.rank() != 1 || state.element().bits != 64 ||
      state.element() != next->element() ||
      (state.size() != 2 && (isThreefry || state.size() != 3)))
    return step.unsupported("the state is not two or three words of 64 bits");
  if (!output->element().isInteger() && !output->element().isReal())
    return step.unsupported("the elements are not integers or floats");
  auto word = [&](int64_t i) { return uint64_t(state.at(i).integer); };
  auto setNext = [&](int64_t i, uint64_t value) {
    next->set(i, Scalar::whole(int64_t(value)));
  };
  setNext(0, word(0));
  if (isThreefry) {
    setNext(1, word(1) + fillThreefry(*output, word(0), word(1)));
  } else {
    // With two words, the first is both the key and the high half of the
    // counter.
    uint64_t low = word(1), high = word(state.size() == 3 ? 2 : 0);
    uint64_t nextLow = low + fillPhilox(*output, word(0), low, high);
    setNext(1, nextLow);
    if (state.size() == 3)
      setNext(2, high + (nextLow < low ? 1 : 0));
  }
  step.results[0] = *next;
  step.results[1] = *output;
  return success();
}

static LogicalResult evaluateRngBitGenerator(RngBitGeneratorOp op, Step &step) {
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  if (!type.hasStaticShape())
    return step.unsupported("its shape is known only at run time");
  return generateBits(step, op.getRngAlgorithm(), type.getShape());
}

//===----------------------------------------------------------------------===//
// rng
//===----------------------------------------------------------------------===//

/// A number in [0, 1) with 53 random bits.
static double fraction(Evaluator &evaluator) {
  return std::ldexp(double(evaluator.randomBits() >> 11), -53);
}

static Scalar uniform(const Element &element, Scalar a, Scalar b,
                      Evaluator &evaluator) {
  if (element.isReal()) {
    double value =
        element.round(Scalar::real(a.re + fraction(evaluator) * (b.re - a.re)))
            .re;
    // Rounding may give b, which is not in the interval.
    return Scalar::real(value < b.re ? value : a.re);
  }
  uint64_t range = uint64_t(b.integer) - uint64_t(a.integer);
  uint64_t bits = evaluator.randomBits(), step = range == 0 ? 0 : bits % range;
  return Scalar::whole(int64_t(uint64_t(a.integer) + step));
}

// The Box-Muller transform, 1958.
static Scalar normal(Scalar mean, Scalar deviation, Evaluator &evaluator) {
  double radius = std::sqrt(-2 * std::log(1 - fraction(evaluator))),
         angle = 2 * std::numbers::pi * fraction(evaluator);
  return Scalar::real(mean.re + deviation.re * radius * std::cos(angle));
}

static LogicalResult evaluateRng(RngOp op, Step &step) {
  const Tensor &a = step.tensor(0), &b = step.tensor(1),
               &sizes = step.tensor(2);
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < sizes.size(); ++i) {
    shape.push_back(sizes.at(i).integer);
    if (shape.back() < 0)
      return step.error() << "expected a shape of extents of at least 0, got "
                          << shape.back();
  }
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  const Element &element = result->element();
  bool isNormal = op.getRngDistribution() == RngDistribution::NORMAL;
  if (a.element() != element || b.element() != element || element.isComplex() ||
      (isNormal && !element.isReal()))
    return step.unsupported("it is not defined for these element types");
  for (int64_t i = 0; i < result->size(); ++i)
    result->set(
        i, isNormal ? normal(a.scalar(), b.scalar(), step.evaluator)
                    : uniform(element, a.scalar(), b.scalar(), step.evaluator));
  step.results[0] = *result;
  return success();
}

void addRandomRules(EvaluationRules &rules) {
  rules.add<RngOp, evaluateRng>();
  rules.add<RngBitGeneratorOp, evaluateRngBitGenerator>();
}

} // namespace mercator::reference
