// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/CallTime.h"
#include "mercator/targets/cpu/estimate/LoopTree.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mercator;
using namespace mercator::cpu;
using llvm::StringRef;

static double productOf(llvm::ArrayRef<int64_t> extents) {
  double product = 1;
  for (int64_t extent : extents)
    product *= double(extent);
  return product;
}

namespace {
class CallEstimator {
public:
  CallEstimator(const LibraryCall &call, StringRef type, const Device &device,
                const TimeOptions &options)
      : call(call), device(device),
        realBytes(type == "f64" || type == "c128" ? 8 : 4),
        isComplex(type.starts_with("c")), cycle(cycleOf(device)) {
    double flops = device.multiplyAddRate(realBytes == 8 ? "f64" : "f32");
    constexpr double kGigaflops = 50; // where it is not known
    rate = flops > 0 ? flops : kGigaflops;
    lanes = device.vectorBytes() / realBytes;
    slot = 2 * double(lanes) / rate;
    double first =
        device.caches.empty() ? 0 : device.caches[0].coreGigabytesPerSecond;
    load = first > 0 ? double(device.vectorBytes()) / first : slot;
    time.starting = device.core.callCycles * cycle;
    bytesOfProgram = options.programBytes;
  }

  Time transforms(StringRef name);
  Time randomBits();
  std::optional<Time> algebra(StringRef name);

private:
  void pass(double count, double operations, double loads, double stores,
            double bytes);
  void stages(double length, double width, double times);
  void along(double length, double lines, bool isStrided);
  void move(double bytes, double footprint, double Time::*cause);
  [[nodiscard]] double nanosecondsOf(double bytes, double footprint) const;
  void transposed(double elements);

  const LibraryCall &call;
  const Device &device;
  int64_t realBytes;
  bool isComplex;
  double cycle, rate, slot, load, bytesOfProgram;
  int64_t lanes;
  Time time;
};
} // namespace

/// Of bytes that move, where so many are touched again and again: at the rate of the
/// smallest level that holds them; nothing in the first cache.
double CallEstimator::nanosecondsOf(double bytes, double footprint) const {
  for (size_t i = 0; i <= device.caches.size(); ++i) {
    bool isMemory = i == device.caches.size();
    double holds =
        isMemory ? HUGE_VAL
                 : device.core.cacheHolds * double(device.caches[i].bytes);
    if (footprint > holds)
      continue;
    double own = device.bandwidthOf(i).ofCore;
    return i == 0 || own <= 0 ? 0 : bytes / own;
  }
  return 0;
}

void CallEstimator::move(double bytes, double footprint, double Time::*cause) {
  time.*cause += nanosecondsOf(bytes, footprint);
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Additions and multiplications of a transform of so many numbers, each one an
/// operation on a vector (runtime/calls/FftLanes.h).
static double operationsOf(int64_t factor) {
  switch (factor) {
  case 2:
    return 4;
  case 3:
    return 14;
  case 4:
    return 16;
  case 5:
    return 36;
  case 8:
    return 52;
  case 16:
    return 168;
  default: {
    int64_t pairs = factor / 2;
    auto half = double(pairs);
    return 6 * half + half * (4 * half + 4);
  }
  }
}

/// The factors in the order of runtime/calls/Fft.cpp; empty if one is too large.
static std::vector<int64_t> factorsOf(int64_t length) {
  constexpr int64_t kMostFactor = 31;
  std::vector<int64_t> factors;
  auto take = [&](int64_t factor) {
    factors.push_back(factor);
    length /= factor;
  };
  while (length % 32 == 0 || length % 16 == 8)
    take(8);
  while (length % 4 == 0)
    take(4);
  for (int64_t factor = 2; factor <= kMostFactor; ++factor)
    while (length % factor == 0)
      take(factor);
  return length == 1 ? factors : std::vector<int64_t>();
}

/// So many vectors are computed, where the loop touches `bytes`.
void CallEstimator::pass(double count, double operations, double loads,
                         double stores, double bytes) {
  double arithmetic = count * operations * slot;
  double accesses =
      count * std::max(loads, device.core.storeLoads * stores) * load;
  double moved = count * (loads + stores) * double(lanes * realBytes);
  time.arithmetic += arithmetic;
  double beyond = std::max(accesses, nanosecondsOf(moved, bytes)) - arithmetic;
  if (beyond > 0)
    (accesses > nanosecondsOf(moved, bytes) ? time.accesses : time.caches) +=
        beyond;
}

/// All factors of lines in lanes. `width` is a part of a vector: one lane for a line
/// alone.
void CallEstimator::stages(double length, double width, double times) {
  double before = 1, bytes = 4 * length * width * double(realBytes);
  for (int64_t factor : factorsOf(int64_t(length))) {
    double inner = length / (before * double(factor)), number = double(factor);
    double turns = inner > 1 ? number - 1 : 0;
    // A number alone takes as long as a vector.
    pass(times * before * inner, operationsOf(factor) + 4 * turns,
         2 * number + 2 * turns, 2 * number, bytes);
    before *= number;
  }
}

/// Transforms of `times` lines whose numbers are neighbors, or of neighboring lines.
void CallEstimator::along(double length, double lines, bool isStrided) {
  auto size = int64_t(length);
  if (size < 2 || lines < 1)
    return;
  if (factorsOf(size).empty()) {
    // A product in a transform of a length that has small factors.
    double padded = HUGE_VAL;
    for (double factor : {1, 3, 5}) {
      double candidate = factor * double(lanes * lanes);
      while (candidate < 2 * length - 1)
        candidate *= 2;
      padded = std::min(padded, candidate);
    }
    double vectors = (2 * length + 2 * padded) / double(lanes);
    pass(lines * vectors, 12, 4, 2, 4 * padded * double(realBytes));
    return along(padded, 2 * lines, false);
  }
  double own = double(lanes), rounds = std::log2(own);
  for (int64_t width : {lanes, lanes / 2}) {
    if (isStrided || width < 2 || size % width != 0 || size < width * width)
      continue;
    // A line in parts: a transform of each lane, then one of the lanes.
    own = double(width);
    double vectors = length / own, work = 4 * length * double(realBytes);
    double shuffle = device.core.shuffleSlots;
    pass(lines * vectors, 2 * shuffle, 2, 2, work);
    stages(vectors, own, lines);
    double rows = vectors / own;
    pass(lines * rows,
         shuffle * (2 * own * std::log2(own) + 2 * own) + 6 * (own - 1) +
             operationsOf(width),
         4 * own, 2 * own, work);
    return;
  }
  if (lines < 2) {
    stages(length, 1, lines);
    return;
  }
  // Lines side by side; what is left of them is moved number by number.
  double groups = std::ceil(lines / own), vectors = length * groups;
  double whole = std::floor(lines / own) / groups;
  double work = 4 * length * own * double(realBytes);
  double shuffles = device.core.shuffleSlots * (isStrided ? 2 : 2 + 2 * rounds);
  pass(2 * vectors * whole, shuffles, 2, 2, work);
  time.accesses += 2 * vectors * (1 - whole) * 2 * own * cycle;
  stages(length, own, groups);
}

Time CallEstimator::transforms(StringRef name) {
  const std::vector<int64_t> &shape = call.operands[0].shape;
  bool isReal = name == "rfft", isToReal = name == "irfft";
  const std::vector<int64_t> &wide = isToReal ? call.results[0].shape : shape;
  auto count = call.numbers.empty() ? int64_t(1) : call.numbers[0];
  double all = productOf(isReal ? call.results[0].shape : shape);
  for (int64_t i = 0; i < count && i < int64_t(shape.size()); ++i) {
    size_t dim = shape.size() - 1 - size_t(i);
    if (i > 0 || !(isReal || isToReal)) {
      double length = double(shape[dim]);
      along(length, all / std::max(1.0, length), i > 0);
      continue;
    }
    double length = double(wide[dim]),
           lines = productOf(wide) / std::max(1.0, length);
    bool isEven = wide[dim] % 2 == 0;
    double half = isEven ? length / 2 : length;
    along(half, lines, false);
    // Two complex numbers of each pair of results.
    if (isEven)
      pass(lines * half / 2 / double(lanes), 28, 6, 4, 0);
    else
      time.accesses += 2 * lines * length * cycle;
  }
  double bytes = 0;
  for (const CallTensor &tensor : {call.operands[0], call.results[0]})
    bytes += productOf(tensor.shape) * double(tensor.elementBytes);
  move(bytes, std::max(bytes, bytesOfProgram), &Time::memory);
  return time;
}

Time CallEstimator::randomBits() {
  // Two products of 64 bits, and what is around them, in no vectors.
  constexpr double kOperations = 11;
  double words = productOf(call.results[0].shape);
  time.arithmetic = words * kOperations * cycle / device.core.scalarsPerCycle;
  double bytes = 8 * words;
  move(bytes, std::max(bytes, bytesOfProgram), &Time::memory);
  return time;
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

namespace {
/// Of one matrix. A multiply-add counts as two operations.
struct Work {
  double products = 0; ///< operations in products of blocks
  double vectors = 0;  ///< in a matrix times a vector
  double rotations =
      0; ///< in rotations of two columns, an iteration for eigenvalues
  double steps = 0;  ///< columns, or rows
  double copied = 0; ///< elements that are transposed
};
} // namespace

/// A matrix that is transposed there and back.
void CallEstimator::transposed(double elements) {
  time.accesses += elements * cycle;
}

std::optional<Time> CallEstimator::algebra(StringRef name) {
  if (call.operands.empty() || call.operands[0].shape.size() < 2)
    return std::nullopt;
  bool isTridiagonal = name == "gtsv", isSystem = name == "trsm";
  llvm::ArrayRef<int64_t> shape =
      call.operands[isTridiagonal ? call.operands.size() - 1 : size_t(isSystem)]
          .shape;
  if (shape.size() < 2)
    return std::nullopt;
  double m = double(shape[shape.size() - 2]), n = double(shape.back());
  double count = productOf(shape.drop_back(2));
  double less = std::min(m, n), more = std::max(m, n);
  auto isMode = [&](size_t i, char mode) {
    return i < call.numbers.size() && call.numbers[i] == mode;
  };
  Work work;
  double cube = n * n * n, factored = 2 * less * less * (more - less / 3);
  if (name == "cholesky" || name == "potrf") {
    work = {.products = cube / 3, .steps = n};
  } else if (isSystem) {
    double k = double(call.operands[0].shape.back());
    work = {.products = k * m * n, .steps = k};
  } else if (name == "getrf") {
    work = {.products = factored / 2, .steps = less, .copied = 2 * m * n};
  } else if (name == "geqrf") {
    work = {.products = factored, .steps = 2 * less, .copied = 2 * m * n};
  } else if (name == "geqp3") {
    // The column of the largest norm is known after its row of all others.
    work = {.products = factored / 2,
            .vectors = factored / 2,
            .steps = less,
            .copied = 2 * m * n};
  } else if (name == "orgqr") {
    work = {.products = factored, .steps = 2 * less, .copied = 2 * m * n};
  } else if (isTridiagonal) {
    work = {.steps = m, .copied = 2 * m * n};
    time.arithmetic += count * 6 * m * n * cycle;
  } else if (name == "gehrd") {
    work = {.products = 8 * cube / 3,
            .vectors = 2 * cube / 3,
            .steps = n,
            .copied = 2 * n * n};
  } else if (name == "sytrd") {
    work = {.products = 2 * cube / 3,
            .vectors = 2 * cube / 3,
            .steps = n,
            .copied = 2 * n * n};
  } else if (name == "syevd") {
    bool hasVectors = isMode(0, 'V');
    work = {.products = (hasVectors ? 4 : 2 / 3.0) * cube,
            .vectors = 2 * cube / 3,
            .rotations = hasVectors ? 0 : 30 * n * n,
            .steps = (hasVectors ? 12 : 4) * n,
            .copied = 2 * n * n};
  } else if (name == "gesdd" || name == "gesvd") {
    bool hasVectors = !isMode(0, 'N'), isFast = name == "gesdd";
    double reduced = 4 * more * less * less - 4 * less * less * less / 3;
    work = {.products = reduced / 2 +
                        (hasVectors ? 4 * more * less * less +
                                          (isFast ? 6 : 2) * less * less * less
                                    : 0),
            .vectors = reduced / 2,
            .rotations = !hasVectors ? 30 * less * less
                         : isFast    ? 0
                                     : 6 * less * less * (more + less),
            .steps = (hasVectors ? 24 : 8) * less,
            .copied = 3 * m * n};
  } else if (name == "geev" || name == "gees") {
    bool hasVectors = isMode(0, 'V') || isMode(1, 'V');
    work = {.products = (hasVectors ? 10 : 4) * cube,
            .vectors = (hasVectors ? 3 : 2 / 3.0) * cube,
            .rotations = (hasVectors ? 8 : 4) * cube,
            .steps = 10 * n,
            .copied = 3 * n * n};
  } else {
    return std::nullopt;
  }
  // Products of small blocks, triangles and panels; four real ones make a complex one.
  constexpr double kOfRotations = 8, kStepCycles = 400;
  double library = device.core.libraryRate * rate;
  double factor = count * (isComplex ? 4 : 1);
  double bytes = m * n * double(realBytes) * (isComplex ? 2 : 1);
  time.multiplyAdds += factor * work.products / library;
  double ofVectors = factor * work.vectors / library;
  time.multiplyAdds += ofVectors;
  double read = factor * work.vectors / 2 * double(realBytes);
  time.caches += std::max(0.0, nanosecondsOf(read, bytes) - ofVectors);
  time.arithmetic += factor * work.rotations * kOfRotations / rate;
  time.arithmetic += count * work.steps * kStepCycles * cycle;
  transposed(count * work.copied);
  return time;
}

std::optional<Time> cpu::timeOf(const LibraryCall &call, const Device &device,
                                const TimeOptions &options) {
  auto [name, type] = StringRef(call.name).rsplit('_');
  if (call.results.empty())
    return std::nullopt;
  CallEstimator estimator(call, type, device, options);
  if (name.ends_with("fft") && !call.operands.empty())
    return estimator.transforms(name);
  if (name == "random_bits")
    return estimator.randomBits();
  return estimator.algebra(name);
}
