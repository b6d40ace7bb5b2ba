// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/native/Measure.h"

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/dialects/Register.h"
#include "mercator/runtime/Abi.h"
#include "mercator/runtime/Run.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace mercator;

static double nowNs() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The least time of one run in nanoseconds, of all that end within `budgetNs`,
/// but at least three.
static double leastNs(double budgetNs, llvm::function_ref<void()> run) {
  double least = HUGE_VAL, end = nowNs() + budgetNs;
  for (int i = 0; i < 3 || nowNs() < end; ++i) {
    double start = nowNs();
    run();
    least = std::min(least, nowNs() - start);
  }
  return least;
}

/// With three digits.
static double rounded(double x) {
  if (!(x > 0) || !std::isfinite(x))
    return 0;
  double unit = std::pow(10, std::floor(std::log10(x)) - 2);
  return unit >= 1 ? std::round(x / unit) * unit
                   : std::round(x / unit) / std::round(1 / unit);
}

//===--- Multiply-adds ----------------------------------------------------===//

// More than the latency of a multiply-add times how many begin in a cycle: 5 * 2.
static constexpr int kChains = 12;
static constexpr int64_t kRounds = 20'000;
static constexpr double kRateBudgetNs = 1e8;

/// The value is used, and the compiler does not know how.
template <typename Value> [[gnu::always_inline]] static void use(Value &value) {
  asm volatile("" : "+m"(value)::"memory");
}

// A function that runs chains of one instruction. STEP computes the next `sum` from
// the last one and from `factor`. It is a macro since functions cannot hand vectors
// to each other that only some of them have.
#define CHAINS(NAME, FEATURES, SUM, FACTOR, STEP)                              \
  FEATURES static void NAME() {                                                \
    FACTOR factor{};                                                           \
    SUM sums[kChains]{};                                                       \
    use(factor);                                                               \
    use(sums);                                                                 \
    for (int64_t i = 0; i < kRounds; ++i) {                                    \
      _Pragma("clang loop unroll(full)") for (SUM &sum : sums) sum = STEP;     \
    }                                                                          \
    use(sums);                                                                 \
  }
#define FMA __builtin_elementwise_fma(sum, factor, factor)
// Elements of two vectors in turn.
#define ZIP4(OTHER) 0, OTHER, 1, OTHER + 1
#define ZIP8(OTHER) ZIP4(OTHER), 2, OTHER + 2, 3, OTHER + 3
#define ZIP16(OTHER)                                                           \
  ZIP8(OTHER), 4, OTHER + 4, 5, OTHER + 5, 6, OTHER + 6, 7, OTHER + 7
#define SHUFFLE(PATTERN) __builtin_shufflevector(sum, factor, PATTERN)

namespace {
/// A kind of multiply-add that this CPU has.
struct Kind {
  const char *type;
  int64_t operations; ///< of one instruction
  void (*run)();
};

/// An instruction that exchanges elements of vectors.
struct Shuffle {
  int64_t bytes; ///< of a vector
  void (*run)();
};
} // namespace

#if defined(__x86_64__)
#define AVX512 [[gnu::target("avx512f,avx512bf16,avx512vnni")]]
#define AVX2 [[gnu::target("avx2,fma")]]
using F32x16 [[gnu::vector_size(64)]] = float;
using F64x8 [[gnu::vector_size(64)]] = double;
using F32x8 [[gnu::vector_size(32)]] = float;
using F64x4 [[gnu::vector_size(32)]] = double;
CHAINS(f32Of64, AVX512, F32x16, F32x16, FMA)
CHAINS(f64Of64, AVX512, F64x8, F64x8, FMA)
CHAINS(f32Of32, AVX2, F32x8, F32x8, FMA)
CHAINS(f64Of32, AVX2, F64x4, F64x4, FMA)
CHAINS(shuffleOf64, AVX512, F32x16, F32x16, SHUFFLE(ZIP16(16)))
CHAINS(shuffleOf32, AVX2, F32x8, F32x8, SHUFFLE(ZIP8(8)))
CHAINS(bf16Of64, AVX512, __m512, __m512bh,
       _mm512_dpbf16_ps(sum, factor, factor))
CHAINS(i8Of64, AVX512, __m512i, __m512i,
       _mm512_dpbusd_epi32(sum, factor, factor))

static std::vector<Kind> kindsOfHost() {
  std::vector<Kind> kinds;
  if (__builtin_cpu_supports("avx512f"))
    kinds = {{"f32", 32, f32Of64}, {"f64", 16, f64Of64}};
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    kinds = {{"f32", 16, f32Of32}, {"f64", 8, f64Of32}};
  if (__builtin_cpu_supports("avx512bf16"))
    kinds.push_back({"bf16", 64, bf16Of64});
  if (__builtin_cpu_supports("avx512vnni"))
    kinds.push_back({"i8", 128, i8Of64});
  return kinds;
}

static std::optional<Shuffle> shuffleOfHost() {
  if (__builtin_cpu_supports("avx512f"))
    return Shuffle{64, shuffleOf64};
  if (__builtin_cpu_supports("avx2"))
    return Shuffle{32, shuffleOf32};
  return std::nullopt;
}
#elif defined(__aarch64__)
using F32x4 [[gnu::vector_size(16)]] = float;
using F64x2 [[gnu::vector_size(16)]] = double;
CHAINS(f32Of16, , F32x4, F32x4, FMA)
CHAINS(f64Of16, , F64x2, F64x2, FMA)
CHAINS(shuffleOf16, , F32x4, F32x4, SHUFFLE(ZIP4(4)))

static std::vector<Kind> kindsOfHost() {
  return {{"f32", 8, f32Of16}, {"f64", 4, f64Of16}};
}
static std::optional<Shuffle> shuffleOfHost() {
  return Shuffle{16, shuffleOf16};
}
#else
static std::vector<Kind> kindsOfHost() { return {}; }
static std::optional<Shuffle> shuffleOfHost() { return std::nullopt; }
#endif

/// Each addition needs the one before, and takes a cycle.
static void addInChain() {
  int64_t sum = 1;
  for (int64_t i = 0; i < kRounds; ++i) {
#pragma clang loop unroll(full)
    for (int j = 0; j < kChains; ++j) {
      sum += i;
      asm volatile("" : "+r"(sum));
    }
  }
}

static void measureClock(Device &device) {
  device.gigahertz =
      rounded(double(kRounds * kChains) / leastNs(kRateBudgetNs, addInChain));
}

static void measureMultiplyAdds(Device &device) {
  llvm::erase_if(device.multiplyAdds, [](const Device::MultiplyAdd &each) {
    return each.unit == Device::Unit::Vector;
  });
  std::vector<Device::MultiplyAdd> measured;
  for (const Kind &kind : kindsOfHost()) {
    double ns = leastNs(kRateBudgetNs, kind.run);
    measured.push_back(
        {kind.type, Device::Unit::Vector,
         rounded(double(kRounds * kChains * kind.operations) / ns)});
  }
  device.multiplyAdds.insert(device.multiplyAdds.begin(), measured.begin(),
                             measured.end());
}

/// A shuffle in times of a short operation on such a vector.
static void measureShuffles(Device &device) {
  std::optional<Shuffle> shuffle = shuffleOfHost();
  double rate = device.multiplyAddRate("f32");
  if (!shuffle || rate <= 0)
    return;
  double ns = leastNs(kRateBudgetNs, shuffle->run) / double(kRounds * kChains),
         slot = double(shuffle->bytes) / 2 / rate;
  constexpr double kLeast = 0.5, kMost = 10;
  device.core.shuffleSlots = rounded(std::clamp(ns / slot, kLeast, kMost));
}

//===--- Functions --------------------------------------------------------===//

// With the results they fit into the second cache of most CPUs.
static constexpr int64_t kElements = 32 * 1024, kTableElements = 4096;
// For a function so short that stores to the second cache would be measured instead: these
// elements stay in the first cache.
static constexpr int64_t kShortElements = 2048;

static int64_t elementsOf(llvm::StringRef function) {
  return function == "maximum" ? kShortElements : kElements;
}

static constexpr double kFunctionBudgetNs = 1e8;

/// The operations of a body that has %a : f32 and %i : i32 and makes %r : f32.
static std::string bodyOf(llvm::StringRef function) {
  if (function == "division")
    return "%c = arith.constant 3.0 : f32\n%r = arith.divf %c, %a : f32";
  if (function == "power")
    return "%c = arith.constant 1.7 : f32\n%r = math.powf %a, %c : f32";
  if (function == "maximum")
    return "%two = arith.constant 2.0 : f32\n%c = arith.subf %a, %two : f32\n"
           "%r = arith.maximumf %a, %c : f32";
  if (function == "gather")
    return "%n = arith.index_cast %i : i32 to index\n"
           "%r = tensor.extract %t[%n] : tensor<" +
           std::to_string(kTableElements) + "xf32>";
  return ("%r = math." + function + " %a : f32").str();
}

static std::string programOf(llvm::StringRef function) {
  std::string of = "tensor<" + std::to_string(elementsOf(function)) + "x";
  std::string table = "tensor<" + std::to_string(kTableElements) + "xf32>";
  bool gathers = function == "gather";
  std::string input = gathers ? of + "i32>" : of + "f32>";
  return "func.func @main(%x: " + input + ", %t: " + table + ") -> " + of +
         "f32> {\n%e = tensor.empty() : " + of +
         "f32>\n%y = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, "
         "affine_map<(d) -> (d)>], iterator_types = [\"parallel\"]} ins(%x : " +
         input + ") outs(%e : " + of + "f32>) {\n^bb0(" +
         (gathers ? "%i: i32" : "%a: f32") + ", %b: f32):\n" +
         bodyOf(function) + "\nlinalg.yield %r : f32\n} -> " + of +
         "f32>\nreturn %y : " + of + "f32>\n}\n";
}

/// 10^9 elements per second of one core; 0 if the function cannot be compiled.
static double functionRate(llvm::StringRef function,
                           const mlir::DialectRegistry &registry) {
  using reference::Tensor;
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler silent(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(programOf(function), &context);
  if (!module || failed(lowerTo(*module, Stage::Cpu)))
    return 0;
  auto program = NativeProgram::compile(*module, "main");
  if (failed(program))
    return 0;
  auto emitError = [&] { return mlir::emitError(module->getLoc()); };
  std::vector<reference::Value> inputs;
  for (mlir::Type type : program->type().getInputs()) {
    auto tensor =
        Tensor::zeros(llvm::cast<mlir::RankedTensorType>(type), emitError);
    if (failed(tensor))
      return 0;
    // Numbers from 0 to 4, and indices that jump.
    for (int64_t i = 0; i < tensor->size(); ++i) {
      int64_t jump = i * 1237 % kTableElements;
      if (type == program->type().getInput(0) && function == "gather")
        reinterpret_cast<int32_t *>(tensor->data())[i] = int32_t(jump);
      else
        reinterpret_cast<float *>(tensor->data())[i] = float(jump + 1) / 1024;
    }
    inputs.push_back(*tensor);
  }
  double least = HUGE_VAL, end = nowNs() + kFunctionBudgetNs;
  while (nowNs() < end) {
    if (failed(program->call(inputs, emitError)))
      return 0;
    least = std::min(least, program->seconds());
  }
  return rounded(double(elementsOf(function)) / (least * 1e9));
}

static void measureFunctions(Device &device) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  Run alone({.threads = 1});
  device.functions.clear();
  for (llvm::StringRef name : deviceFunctions())
    if (double rate = functionRate(name, registry); rate > 0)
      device.functions.push_back({name.str(), rate});
}

/// The rate of LAPACK's products: triangular systems of a matrix.
static void measureLibrary(Device &device) {
  double rate = device.multiplyAddRate("f32");
  mercator_call *solve = mercator_find_call("mercator_trsm_f32");
  if (rate <= 0 || !solve)
    return;
  constexpr int64_t extent = 256;
  const int64_t sizes[] = {extent, extent};
  std::vector<float> a(extent * extent), b(extent * extent, 1.0f), x(a.size());
  for (int64_t i = 0; i < extent; ++i)
    a[size_t(i * extent + i)] = 1;
  const mercator_tensor operands[] = {{a.data(), 2, sizes},
                                      {b.data(), 2, sizes}},
                        results[] = {{x.data(), 2, sizes}};
  const int64_t numbers[] = {'L', 'L', 'N', 'N'};
  bool isSolved = true;
  double ns = leastNs(kFunctionBudgetNs, [&] {
    isSolved &= solve(operands, numbers, results) == mercator_ok;
  });
  constexpr double kLeast = 0.01, kMost = 1;
  double operations = double(extent * extent * extent);
  if (isSolved)
    device.core.libraryRate =
        rounded(std::clamp(operations / ns / rate, kLeast, kMost));
}

//===--- Bandwidth --------------------------------------------------------===//

static constexpr double kBandwidthBudgetNs = 2.5e8;
static constexpr int64_t kBlock = 512; // bytes of a round of loads

/// Reads all of it. Requires: `bytes` is a multiple of kBlock.
template <int width>
[[gnu::always_inline]] static inline void readWith(const char *from,
                                                   int64_t bytes) {
  using Vector [[gnu::vector_size(width)]] = long long;
  constexpr int kVectors = kBlock / width;
  Vector sums[8]{};
  for (int64_t at = 0; at < bytes; at += kBlock) {
    const auto *vectors = reinterpret_cast<const Vector *>(from + at);
#pragma clang loop unroll(full)
    for (int i = 0; i < kVectors; ++i)
      sums[i % 8] += vectors[i];
  }
  for (Vector &sum : sums)
    use(sum);
}

/// Writes all of it.
template <int width>
[[gnu::always_inline]] static inline void writeWith(char *to, int64_t bytes) {
  using Vector [[gnu::vector_size(width)]] = long long;
  Vector ones = Vector{} + 1;
  for (int64_t at = 0; at < bytes; at += kBlock) {
    auto *vectors = reinterpret_cast<Vector *>(to + at);
#pragma clang loop unroll(full)
    for (int i = 0; i < kBlock / width; ++i)
      vectors[i] = ones;
  }
  asm volatile("" : : "r"(to) : "memory");
}

/// Reads all of it, a line of each row, then the next line of each row: no line is the
/// neighbor of the one before.
template <int width>
[[gnu::always_inline]] static inline void jumpWith(const char *from,
                                                   int64_t bytes) {
  using Vector [[gnu::vector_size(width)]] = long long;
  // No power of two: the lines go to all sets of a cache.
  constexpr int64_t line = 64, row = 48 * line;
  Vector sums[8]{};
  for (int64_t column = 0; column < row; column += line)
    for (int64_t at = column; at + 7 * row < bytes; at += 8 * row)
#pragma clang loop unroll(full)
      for (int i = 0; i < 8; ++i)
        sums[i] += *reinterpret_cast<const Vector *>(from + at + i * row);
  for (Vector &sum : sums)
    use(sum);
}

namespace {
/// Loops over bytes, with the vectors of this CPU.
struct ByteLoops {
  void (*read)(char *, int64_t);
  void (*write)(char *, int64_t);
  void (*jump)(char *, int64_t);
};
} // namespace

#define BYTE_LOOPS(NAME, FEATURES, WIDTH)                                      \
  namespace {                                                                  \
  struct NAME {                                                                \
    FEATURES static void read(char *at, int64_t bytes) {                       \
      readWith<WIDTH>(at, bytes);                                              \
    }                                                                          \
    FEATURES static void write(char *at, int64_t bytes) {                      \
      writeWith<WIDTH>(at, bytes);                                             \
    }                                                                          \
    FEATURES static void jump(char *at, int64_t bytes) {                       \
      jumpWith<WIDTH>(at, bytes);                                              \
    }                                                                          \
    static constexpr ByteLoops loops = {read, write, jump};                    \
  };                                                                           \
  }
BYTE_LOOPS(LoopsOf16, , 16)
#if defined(__x86_64__)
BYTE_LOOPS(LoopsOf64, [[gnu::target("avx512f")]], 64)
BYTE_LOOPS(LoopsOf32, [[gnu::target("avx2")]], 32)
#endif

static const ByteLoops &loopsOfHost() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return LoopsOf64::loops;
  if (__builtin_cpu_supports("avx2"))
    return LoopsOf32::loops;
#endif
  return LoopsOf16::loops;
}

namespace {
/// Memory as programs have it.
using Context =
    std::unique_ptr<mercator_context, decltype(&mercator_free_context)>;

/// Parts of a buffer, each read `times` times by one thread.
struct Reads {
  char *buffer;
  int64_t bytes, times; ///< of one part
  void (*loop)(char *, int64_t);
};
} // namespace

static void readPart(int64_t number, int64_t /*worker*/, void *data) {
  const auto &reads = *static_cast<const Reads *>(data);
  for (int64_t i = 0; i < reads.times; ++i)
    reads.loop(reads.buffer + number * reads.bytes, reads.bytes);
}

static void fillPart(int64_t number, int64_t /*worker*/, void *data) {
  const auto &reads = *static_cast<const Reads *>(data);
  std::fill_n(reads.buffer + number * reads.bytes, reads.bytes, char(1));
}

/// 10^9 bytes per second of `threads` threads that each read `bytes` bytes again and
/// again, or run another loop over them; 0 if there is no memory.
static double bandwidthOf(int64_t threads, int64_t bytes,
                          void (*loop)(char *, int64_t) = loopsOfHost().read) {
  bytes = bytes / kBlock * kBlock;
  if (bytes <= 0)
    return 0;
  Context context(mercator_new_context(threads * bytes), mercator_free_context);
  if (!context)
    return 0;
  // A run takes a few milliseconds: starting the threads does not count.
  constexpr int64_t least = 64 << 20;
  Reads reads{static_cast<char *>(mercator_arena(context.get())), bytes,
              std::max<int64_t>(1, least / bytes), loop};
  mercator_parallel(threads, fillPart, &reads);
  double ns = leastNs(kBandwidthBudgetNs,
                      [&] { mercator_parallel(threads, readPart, &reads); });
  return rounded(double(threads * bytes * reads.times) / ns);
}

/// The last cache may be that of a larger machine, of which this one has a part: then
/// it holds less than its size for us. Buffers of twice the size each are read, until
/// that takes longer.
static void measureLastCache(Device &device) {
  if (device.caches.size() < 2)
    return;
  constexpr double kSlower = 0.9;
  Device::Cache &last = device.caches.back();
  int64_t before = device.caches[device.caches.size() - 2].bytes;
  int64_t bytes = 2 * before;
  double first = bandwidthOf(1, bytes);
  while (2 * bytes <= last.bytes / 2 &&
         bandwidthOf(1, 2 * bytes) >= kSlower * first)
    bytes *= 2;
  if (bytes <= last.bytes / 4)
    last.bytes = 2 * bytes;
}

/// What a store costs beside a load: in the first cache, and where lines must come to
/// it from the second one and go back. The estimate (targets/cpu/estimate) takes the
/// longer one of what the core does and of what moves, and a part of the other.
static void measureStores(Device &device) {
  if (device.caches.size() < 2)
    return;
  double first = device.caches[0].coreGigabytesPerSecond,
         second = device.caches[1].coreGigabytesPerSecond;
  void (*write)(char *, int64_t) = loopsOfHost().write;
  double inFirst = bandwidthOf(1, device.caches[0].bytes / 2, write),
         inSecond = bandwidthOf(1, device.caches[1].bytes / 2, write);
  if (first <= 0 || second <= 0 || inFirst <= 0 || inSecond <= 0)
    return;
  constexpr double kLeast = 0.05, kMost = 10;
  Device::Core &core = device.core;
  core.storeLoads = rounded(std::clamp(first / inFirst, 1.0, kMost));
  double stored = 1 / inFirst, all = 1 / inSecond;
  double moved = all - core.levelsSeen * stored;
  if (moved < stored)
    moved = (all - stored) / core.levelsSeen;
  core.leavingSeen = rounded(std::clamp(moved * second, kLeast, kMost));
}

/// How much longer a line takes that is not the neighbor of the one before.
static void measureJumps(Device &device) {
  if (device.caches.size() < 2)
    return;
  int64_t bytes = 4 * device.caches[device.caches.size() - 2].bytes;
  if (bytes > device.caches.back().bytes / 2)
    bytes = device.caches[device.caches.size() - 2].bytes / 2;
  double read = bandwidthOf(1, bytes),
         jumped = bandwidthOf(1, bytes, loopsOfHost().jump);
  constexpr double kLeast = 0.05, kMost = 10;
  if (read > 0 && jumped > 0)
    device.core.jumpLines =
        rounded(std::clamp(read / jumped - 1, kLeast, kMost));
}

static void measureBandwidths(Device &device) {
  measureLastCache(device);
  int64_t before = 0; // bytes of the next smaller cache
  for (Device::Cache &cache : device.caches) {
    // Where a half of the cache fits into the smaller ones, it is not read.
    auto measure = [&](int64_t threads, int64_t sharing) {
      int64_t bytes = cache.bytes / 2 / std::max<int64_t>(1, sharing);
      return bytes < before + before / 2 ? 0 : bandwidthOf(threads, bytes);
    };
    cache.coreGigabytesPerSecond = measure(1, 1);
    cache.gigabytesPerSecond =
        measure(device.cores, std::min(cache.sharedBy, device.cores));
    if (cache.gigabytesPerSecond > 0)
      cache.gigabytesPerSecond =
          std::max(cache.gigabytesPerSecond, cache.coreGigabytesPerSecond);
    before = cache.bytes;
  }
  constexpr int64_t least = int64_t(128) << 20, most = int64_t(1) << 30;
  int64_t bytes = std::clamp(8 * before, least, most);
  device.coreGigabytesPerSecond = bandwidthOf(1, bytes);
  device.gigabytesPerSecond =
      std::max(device.coreGigabytesPerSecond,
               bandwidthOf(device.cores, bytes / device.cores));
  measureStores(device);
  measureJumps(device);
}

//===--- Dispatches -------------------------------------------------------===//

static constexpr double kDispatchBudgetNs = 5e8, kMostDispatchNs = 4e9;
static constexpr double kPatienceNs = 1e5;

namespace {
/// When the parts of a dispatch began and ended.
struct Meeting {
  explicit Meeting(int64_t parts) : parts(parts), begin(parts), end(parts) {}

  int64_t parts;
  std::atomic<int64_t> begun{0};
  std::atomic<bool> hasMet{true};
  std::vector<double> begin, end;
};
} // namespace

/// Waits until all parts have begun, each in its own thread; not for ever, since
/// another program may have the processor of a thread.
static void meetPart(int64_t number, int64_t /*worker*/, void *data) {
  auto &meeting = *static_cast<Meeting *>(data);
  double begin = nowNs();
  meeting.begin[number] = begin;
  meeting.begun.fetch_add(1);
  while (meeting.begun.load() < meeting.parts)
    if (nowNs() > begin + kPatienceNs) {
      meeting.hasMet = false;
      break;
    }
  meeting.end[number] = nowNs();
}

static double medianOf(llvm::MutableArrayRef<double> values) {
  double *middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

static void measureDispatch(Device &device) {
  // The median of a window, and the best of the windows: another program that runs
  // for a while makes some windows slow.
  constexpr int kWindow = 32;
  double start = HUGE_VAL, meet = HUGE_VAL;
  double begin = nowNs();
  while (nowNs() <
         begin + (start < HUGE_VAL ? kDispatchBudgetNs : kMostDispatchNs)) {
    std::array<double, kWindow> starts, meets;
    starts.fill(HUGE_VAL);
    meets.fill(HUGE_VAL);
    for (int i = 0; i < kWindow; ++i) {
      Meeting meeting(device.cores);
      double call = nowNs();
      mercator_parallel(device.cores, meetPart, &meeting);
      double done = nowNs();
      if (!meeting.hasMet) {
        // The system has two threads on one processor. It wakes those that sleep on
        // another one.
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        break;
      }
      starts[i] = *llvm::max_element(meeting.begin) - call;
      meets[i] = done - *llvm::max_element(meeting.end);
    }
    start = std::min(start, medianOf(starts));
    meet = std::min(meet, medianOf(meets));
  }
  device.startMicroseconds = rounded(start / 1000);
  device.meetMicroseconds = rounded(meet / 1000);
}

//===--- All --------------------------------------------------------------===//

Device mercator::measureHost() {
  Device device = hostDevice(mercator_get_threads());
  device.sources = {"Measured on this machine by `mercator device --measure`"};
  if (llvm::any_of(device.multiplyAdds, [](const Device::MultiplyAdd &each) {
        return each.unit == Device::Unit::Matrix;
      }))
    device.sources.push_back("Rates of matrices are not measured, but those of "
                             "the nearest known CPU");
  measureClock(device);
  measureMultiplyAdds(device);
  measureShuffles(device);
  measureFunctions(device);
  measureLibrary(device);
  measureBandwidths(device);
  measureDispatch(device);
  return device;
}
