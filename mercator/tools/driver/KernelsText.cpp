// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/KernelsText.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/support/Color.h"
#include "mercator/support/Numbers.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mercator;
using llvm::StringRef;

std::string mercator::timeText(double microseconds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (microseconds >= 999.5)
    os << llvm::format("%.3g ms", microseconds / 1e3);
  else
    os << llvm::format("%.3g us", microseconds);
  return text;
}

std::string mercator::launchText(const kernels::Kernel &kernel) {
  if (!kernel.isKnown())
    return kernel.unknown;
  return std::to_string(kernel.grid) +
         (kernel.grid == 1 ? " block of " : " blocks of ") +
         std::to_string(kernel.block);
}

/// How many more passes shared memory takes than its bytes need, if that is a part of
/// the time.
static std::string conflictsText(const KernelRecord &record) {
  constexpr double kPart = 0.1;
  const kernels::Counts &counts = record.counts;
  double passes = double(counts.sharedLoadPasses.value) +
                  double(counts.sharedStorePasses.value);
  for (const kernels::Time::Part &part : record.time.parts)
    if (part.name == "banks" &&
        part.microseconds >= kPart * record.time.microseconds)
      return ", shared memory in " +
             shortNumber(passes / double(counts.leastPasses)) +
             " times the passes that its bytes need";
  return "";
}

void mercator::printKernelTable(llvm::ArrayRef<KernelRecord> kernels,
                                const Device &device, bool color,
                                llvm::raw_ostream &os) {
  size_t name = 6, emitter = 7, launch = 6;
  double total = 0;
  size_t unknown = 0, estimated = 0;
  for (const KernelRecord &k : kernels) {
    name = std::max(name, k.instruction.size());
    emitter = std::max(emitter, nameOf(k.kernel.emitter).size());
    if (k.kernel.isKnown())
      launch = std::max(launch, launchText(k.kernel).size());
    total += k.time.microseconds * double(k.repeats);
    estimated += k.time.isEstimate;
    unknown += !k.kernel.isKnown() && !k.time.isEstimate;
  }
  os << kernels.size() << (kernels.size() == 1 ? " kernel" : " kernels")
     << ", as XLA made " << (kernels.size() == 1 ? "it" : "them")
     << ", predicted for " << device.title << ": " << timeText(total);
  if (unknown > 0)
    os << ", without " << unknown << " of libraries";
  if (estimated > 0)
    os << ", with estimates of " << estimated << " of libraries";
  os << "\n\n";
  for (const KernelRecord &k : kernels) {
    os << "  " << paint(k.instruction, Style::Cyan, color);
    os.indent(name - k.instruction.size() + 2) << nameOf(k.kernel.emitter);
    os.indent(emitter - nameOf(k.kernel.emitter).size() + 2);
    std::string text = launchText(k.kernel);
    os << text;
    if (!k.kernel.isKnown()) {
      if (k.time.isEstimate)
        os << "  " << timeText(k.time.microseconds) << "  " << k.time.cause;
      os << "  " << paint(originOf(k), Style::Dim, color) << "\n";
      continue;
    }
    os.indent(launch - text.size() + 2)
        << timeText(k.time.microseconds) << "  ";
    int64_t bytes = k.counts.bytesRead.value + k.counts.bytesWritten.value;
    os << bytesText(bytes);
    if (k.counts.leastBytes > 0 && bytes > k.counts.leastBytes * 1.05)
      os << ", least " << bytesText(k.counts.leastBytes);
    if (k.repeats != 1)
      os << ", " << k.repeats << " times";
    os << "  " << k.time.cause << conflictsText(k) << "  "
       << paint(originOf(k), Style::Dim, color) << "\n";
  }
}

void mercator::printLosses(const Explanation &explanation, bool color,
                           llvm::raw_ostream &os) {
  llvm::ArrayRef<KernelLoss> losses = explanation.losses;
  if (losses.empty())
    return;
  constexpr size_t kMost = 8;
  os << "\nwhat is lost, the most first\n\n";
  for (const KernelLoss &loss :
       losses.take_front(std::min(kMost, losses.size()))) {
    const KernelRecord &kernel = explanation.launches[loss.kernels.front()];
    os << "  " << timeText(loss.microseconds) << "  " << loss.what << "  "
       << paint(originOf(kernel), Style::Dim, color) << "\n";
    for (const std::string &line : loss.help)
      os << "          " << paint(line, Style::Dim, color) << "\n";
  }
  if (losses.size() > kMost)
    os << "  and " << losses.size() - kMost << " more\n";
}

static void printNumber(StringRef what, const Verdict<int64_t> &number,
                        llvm::raw_ostream &os) {
  os << what << ' ';
  if (number.why.exactness == Exactness::UpperBound)
    os << "at most ";
  else if (number.why.exactness != Exactness::Exact)
    os << "about ";
  os << number.value;
}

/// A line about shared memory, where it is used, or where that is not known.
static void printShared(const kernels::Counts &counts, llvm::raw_ostream &os) {
  if (counts.sharedLoads.why.exactness == Exactness::Unknown)
    os << "shared memory is not known: " << counts.sharedLoads.why.reason;
  else if (counts.sharedLoads.value == 0 && counts.sharedStores.value == 0)
    return;
  else {
    printNumber("shared memory: loads", counts.sharedLoads, os);
    printNumber(", passes", counts.sharedLoadPasses, os);
    printNumber("; stores", counts.sharedStores, os);
    printNumber(", passes", counts.sharedStorePasses, os);
  }
  os << "\n    ";
}

void mercator::printKernel(const KernelRecord &record, bool color,
                           llvm::raw_ostream &os) {
  const kernels::Kernel &kernel = record.kernel;
  os << paint(record.instruction, Style::Cyan, color) << "  "
     << nameOf(kernel.emitter) << ", " << launchText(kernel);
  if (!kernel.choice.empty())
    os << ", " << kernel.choice;
  os << "  " << paint(originOf(record), Style::Dim, color) << '\n';
  if (!kernel.isKnown())
    return;
  const kernels::Counts &counts = record.counts;
  for (const kernels::Counted &c : counts.accesses) {
    bool isRead = c.kind == kernels::Step::Kind::Reads;
    os << "    " << (isRead ? "reads " : "writes ");
    if (isRead)
      os << (c.operand < record.operands.size() ? record.operands[c.operand]
                                                : "?")
         << ' ';
    os << "at " << c.by << "\n        ";
    if (c.byEngine) {
      os << "in blocks, by the copy engine\n";
      continue;
    }
    os << c.vectorBytes << " B a lane, " << c.traffic.loads
       << (isRead ? " loads of " : " stores of ");
    if (c.traffic.fetchedAre == Exactness::UpperBound)
      os << "at most ";
    os << shortNumber(double(c.traffic.touchedSectors()) /
                      double(std::max<int64_t>(1, c.traffic.loads)))
       << " sectors";
    if (c.traffic.factor() >= 1.005)
      os << "  " << paint(c.traffic.grounds.reason, Style::Yellow, color);
    os << '\n';
  }
  os << "    ";
  if (!kernel.uncounted.empty())
    os << "loads and stores are not known: " << kernel.uncounted;
  else {
    printNumber("loads", counts.loads, os);
    printNumber(", sectors", counts.loadSectors, os);
    printNumber("; stores", counts.stores, os);
    printNumber(", sectors", counts.storeSectors, os);
  }
  os << "\n    ";
  printShared(counts, os);
  os << bytesText(counts.bytesRead.value) << " from memory";
  if (!counts.bytesRead.why.reason.empty())
    os << " (" << counts.bytesRead.why.reason << ")";
  os << ", " << bytesText(counts.bytesWritten.value) << " to it\n    "
     << timeText(record.time.microseconds) << ": " << record.time.cause << '\n';
}

bool mercator::readKernelChoice(Invocation &invocation,
                                kernels::ByHand &choice) {
  if (!invocation.has("kernel"))
    return true;
  StringRef text = invocation.get("kernel");
  auto [emitter, rest] = text.split(':');
  bool isRight = emitter == "loop" && !rest.empty();
  llvm::SmallVector<StringRef, 2> parts;
  rest.split(parts, ',');
  for (StringRef part : parts) {
    auto [key, value] = part.split('=');
    int64_t number = 0;
    bool isNumber = !value.getAsInteger(10, number);
    if (key == "unroll" && isNumber && number >= 1 && number <= 16 &&
        (number & (number - 1)) == 0)
      choice.unroll = number;
    else if (key == "block" && isNumber && number >= 1 && number <= 1024)
      choice.block = number;
    else
      isRight = false;
  }
  if (isRight)
    return true;
  (void)invocation.getDiagnostics().error(
      {},
      "expected a choice such as loop:unroll=1,block=256 for --kernel, with a "
      "power of two up to 16 and at most 1024 threads, got " +
          quote(text));
  return false;
}

bool mercator::hasGpuKernels(Invocation &invocation, Compilation &compilation,
                             Device &device) {
  if (!compilation.isCompiledForGpu())
    return false;
  if (!invocation.has("device"))
    device = *findDevice("h100");
  return device.isGpu();
}
