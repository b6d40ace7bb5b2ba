// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/kernels/Time.h"

#include "mercator/analysis/Layout.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/support/Numbers.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mercator;
using namespace mercator::access;
using namespace mercator::kernels;

namespace {
/// Fitted on kernels that XLA compiled for an H100.
constexpr double kStartMicroseconds = 3.3;  ///< with an empty cache
constexpr double kOfMemory = 0.91;          ///< of the bandwidth in data sheets
constexpr double kOfMemoryScattered = 0.58; ///< a unit here and there
constexpr double kWrittenLater = 0.4;       ///< of the last cache
constexpr double kBlockMicroseconds = 0.035; ///< to start a block, on one core
constexpr double kCoreGigabytes = 100;       ///< from memory to one core
constexpr double kRequestCycles = 2, kSectorsOfCycle = 4;
constexpr double kStepMicroseconds =
    0.6;                                ///< of a product: load, wait, multiply
constexpr double kLoadInstructions = 6; ///< with its address
constexpr double kClock = 0.87;         ///< of the highest
constexpr double kOfMatrixUnits = 0.8;  ///< of their rate, in cuBLAS and cuDNN
constexpr double kTogether =
    2; ///< how much parts of one length disturb each other
} // namespace

/// Instructions of one lane for one element of the result.
static double instructionsOf(mlir::Operation *op) {
  if (llvm::isa<stablehlo::SineOp, stablehlo::CosineOp, stablehlo::TanOp>(op))
    return 120;
  if (llvm::isa<stablehlo::PowOp, stablehlo::Atan2Op>(op))
    return 80;
  if (llvm::isa<stablehlo::TanhOp, stablehlo::LogisticOp>(op))
    return 20;
  if (llvm::isa<stablehlo::DivOp, stablehlo::RemOp, stablehlo::LogOp,
                stablehlo::Log1pOp, stablehlo::Expm1Op>(op))
    return 12;
  if (llvm::isa<stablehlo::ExpOp, stablehlo::SqrtOp, stablehlo::RsqrtOp,
                stablehlo::CbrtOp>(op))
    return 8;
  if (op->hasTrait<stablehlo::Elementwise>() ||
      llvm::isa<stablehlo::ConvertOp, stablehlo::SelectOp>(op))
    return 1;
  return 0;
}

static double elementsOf(mlir::Type type) {
  std::optional<Layout> layout = Layout::of(type);
  return layout ? double(layout->elements()) : 0;
}

/// Of all lanes together. A value that many elements read is computed once here.
static double instructionsOf(const Counts &counts, mlir::Operation *fusion) {
  double sum = 0;
  fusion->walk([&](mlir::Operation *op) {
    if (op->getNumResults() == 0 ||
        llvm::isa_and_nonnull<stablehlo::ReduceOp, stablehlo::ReduceWindowOp,
                              stablehlo::ScatterOp>(op->getParentOp()))
      return;
    double elements = elementsOf(op->getResult(0).getType());
    sum += instructionsOf(op) * elements;
    if (auto reduce = llvm::dyn_cast<stablehlo::ReduceOp>(op))
      sum += elementsOf(reduce.getInputs()[0].getType());
    if (auto window = llvm::dyn_cast<stablehlo::ReduceWindowOp>(op)) {
      for (int64_t size : window.getWindowDimensions())
        elements *= double(size);
      sum += elements;
    }
  });
  for (const Counted &c : counts.accesses)
    sum += double(c.traffic.loads) * 32 * kLoadInstructions;
  return sum;
}

/// Multiplications and additions of products.
static double flopsOf(mlir::Operation *fusion) {
  double sum = 0;
  fusion->walk([&](stablehlo::DotGeneralOp dot) {
    std::optional<Layout> lhs = Layout::of(dot.getLhs().getType());
    double flops = 2 * elementsOf(dot.getType());
    for (int64_t dim :
         dot.getDotDimensionNumbers().getLhsContractingDimensions())
      flops *= lhs ? double(lhs->shape[dim]) : 1;
    sum += flops;
  });
  return sum;
}

/// Those of convolutions.
static double convolutionFlopsOf(mlir::Operation *fusion) {
  double sum = 0;
  fusion->walk([&](stablehlo::ConvolutionOp convolution) {
    std::optional<Layout> filter = Layout::of(convolution.getRhs().getType());
    int64_t outputs =
        filter ? filter->shape[convolution.getDimensionNumbers()
                                   .getKernelOutputFeatureDimension()]
               : 0;
    if (outputs == 0)
      return;
    int64_t productsOfEach = filter->elements() / outputs;
    sum += 2 * elementsOf(convolution.getType()) * double(productsOfEach);
  });
  return sum;
}

/// 10^9 operations per second of one core that a library's products have: of f32, those
/// of TF32, which are half of bf16.
static double productRate(mlir::Operation *call, const Device &device) {
  constexpr auto kMatrix = Device::Unit::Matrix;
  double half = device.multiplyAddRate("bf16", kMatrix), rate = half;
  for (mlir::Value operand : call->getOperands()) {
    mlir::Type type = mlir::getElementTypeOrSelf(operand.getType());
    if (!type.isIntOrFloat())
      return 0;
    if (type.isF64())
      return device.multiplyAddRate("f64");
    if (type.isF32())
      rate = std::min(rate, half / 2);
    if (type.getIntOrFloatBitWidth() == 8 && operand == call->getOperand(0))
      rate = std::max(rate, device.multiplyAddRate("i8", kMatrix));
  }
  return rate;
}

/// The time of a library's products and convolutions.
static Time estimateLibrary(const Counts &counts, mlir::Operation *call,
                            const Device &device) {
  Time time;
  double flops = flopsOf(call) + convolutionFlopsOf(call);
  double rate = productRate(call, device) * 1e3 * double(device.cores);
  if (flops <= 0 || rate <= 0)
    return time;
  double memory = leastMicroseconds(counts, device),
         products = flops / (rate * kOfMatrixUnits);
  time.isEstimate = true;
  time.parts = {{"products", products},
                {"memory", memory},
                {"start", kStartMicroseconds}};
  std::sort(time.parts.begin(), time.parts.end(),
            [](const Time::Part &a, const Time::Part &b) {
              return a.microseconds > b.microseconds;
            });
  time.microseconds = kStartMicroseconds + std::hypot(memory, products);
  time.cause = "estimated from its " +
               std::string(products > memory ? "operations" : "bytes");
  return time;
}

static double lastCache(const Device &device) {
  double bytes = 0;
  for (const Device::Cache &cache : device.caches)
    bytes = std::max(bytes, double(cache.bytes));
  return bytes;
}

double kernels::leastMicroseconds(const Counts &counts, const Device &device) {
  double rate = device.gigabytesPerSecond * 1e3; // bytes in a microsecond
  return rate > 0 ? double(counts.leastBytes) / (rate * kOfMemory) : 0;
}

Time kernels::timeOf(const Kernel &kernel, const Counts &counts,
                     mlir::Operation *op, const Device &device) {
  Time time;
  double rate = device.gigabytesPerSecond * 1e3;
  if (rate <= 0)
    return time;
  if (kernel.emitter == Emitter::Library)
    return estimateLibrary(counts, op, device);
  if (!kernel.isKnown() || kernel.grid == 0)
    return time;
  double cores = double(device.cores);
  double read = double(counts.bytesRead.value),
         written = double(counts.bytesWritten.value),
         scattered = double(counts.bytesScattered);
  double later = kWrittenLater * lastCache(device);
  double lanes = device.multiplyAddRate("f32") / 2 * 1e3 * kClock; // of a core
  double clock = lanes / 128; // cycles in a microsecond
  double loads = 0, sectors = 0;
  for (const Counted &c : counts.accesses)
    if (!c.byEngine) {
      loads += double(c.traffic.loads);
      sectors += double(c.traffic.touchedSectors());
    }
  double busy = std::min(cores, double(kernel.grid));
  auto add = [&](const char *name, double microseconds) {
    time.parts.push_back({name, microseconds});
  };
  add("memory",
      (read - scattered + std::max(0.0, written - later)) / (rate * kOfMemory) +
          scattered / (rate * kOfMemoryScattered));
  add("few blocks", read / busy / (kCoreGigabytes * 1e3));
  add("blocks", double(kernel.grid) / cores * kBlockMicroseconds);
  if (clock > 0) {
    add("requests",
        std::max(loads * kRequestCycles, sectors / kSectorsOfCycle) /
            (cores * clock));
    add("arithmetic", instructionsOf(counts, op) / (cores * lanes));
    double passes = double(counts.sharedLoadPasses.value) +
                    double(counts.sharedStorePasses.value);
    if (passes > double(counts.leastPasses))
      add("banks", passes / (busy * clock));
  }
  if (double flops = flopsOf(op); flops > 0) {
    double matrix = device.multiplyAddRate("bf16", Device::Unit::Matrix) * 1e3;
    if (matrix > 0)
      add("products", flops / (cores * matrix * 0.5));
    double waves = std::ceil(double(kernel.grid) / (2 * cores));
    add("steps", double(kernel.rounds) * waves * kStepMicroseconds);
  }
  double sum = 0;
  for (const Time::Part &part : time.parts)
    sum += std::pow(part.microseconds, kTogether);
  time.microseconds = kStartMicroseconds + std::pow(sum, 1 / kTogether);
  add("start", kStartMicroseconds);
  std::sort(time.parts.begin(), time.parts.end(),
            [](const Time::Part &a, const Time::Part &b) {
              return a.microseconds > b.microseconds;
            });
  llvm::StringRef longest = time.parts.front().name;
  if (longest == "start")
    time.cause = "starting it takes longer than its work";
  else if (longest == "memory")
    time.cause = scattered > read / 2
                     ? "memory, at places that indices say"
                     : "memory: " + bytesText(int64_t(read)) + " read, " +
                           bytesText(int64_t(written)) + " written";
  else if (longest == "few blocks")
    time.cause = "only " + std::to_string(kernel.grid) +
                 (kernel.grid == 1 ? " block for " : " blocks for ") +
                 std::to_string(device.cores) + " multiprocessors";
  else if (longest == "blocks")
    time.cause = "starting " + std::to_string(kernel.grid) + " blocks of " +
                 std::to_string(kernel.block) + " threads";
  else if (longest == "requests")
    time.cause = "loads: " + std::to_string(int64_t(loads)) + " of " +
                 shortNumber(sectors / std::max(1.0, loads)) + " sectors each";
  else if (longest == "banks")
    time.cause = "passes of shared memory";
  else if (longest == "steps")
    time.cause = "steps of the product that wait for each other";
  else
    time.cause = "arithmetic";
  return time;
}
