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

/// "4.8 us", "1.2 ms".
static std::string timeText(double microseconds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (microseconds >= 999.5)
    os << llvm::format("%.3g ms", microseconds / 1e3);
  else
    os << llvm::format("%.3g us", microseconds);
  return text;
}

static std::string originText(const KernelRecord &kernel) {
  return kernel.origin.empty() ? kernel.at : kernel.origin;
}

static std::string launchText(const kernels::Kernel &kernel) {
  if (!kernel.isKnown())
    return kernel.unknown;
  return std::to_string(kernel.grid) +
         (kernel.grid == 1 ? " block of " : " blocks of ") +
         std::to_string(kernel.block);
}

void mercator::printKernelTable(llvm::ArrayRef<KernelRecord> kernels,
                                const Device &device, bool color,
                                llvm::raw_ostream &os) {
  size_t name = 6, emitter = 7, launch = 6;
  double total = 0;
  size_t unknown = 0;
  for (const KernelRecord &k : kernels) {
    name = std::max(name, k.instruction.size());
    emitter = std::max(emitter, nameOf(k.kernel.emitter).size());
    if (k.kernel.isKnown())
      launch = std::max(launch, launchText(k.kernel).size());
    total += k.time.microseconds * double(k.repeats);
    unknown += !k.kernel.isKnown();
  }
  os << kernels.size() << (kernels.size() == 1 ? " kernel" : " kernels")
     << ", as XLA made " << (kernels.size() == 1 ? "it" : "them")
     << ", predicted for " << device.title << ": " << timeText(total);
  if (unknown > 0)
    os << ", without " << unknown << " of libraries";
  os << "\n\n";
  for (const KernelRecord &k : kernels) {
    os << "  " << paint(k.instruction, Style::Cyan, color);
    os.indent(name - k.instruction.size() + 2) << nameOf(k.kernel.emitter);
    os.indent(emitter - nameOf(k.kernel.emitter).size() + 2);
    std::string text = launchText(k.kernel);
    os << text;
    if (!k.kernel.isKnown()) {
      os << "  " << paint(originText(k), Style::Dim, color) << "\n";
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
    os << "  " << k.time.cause << "  "
       << paint(originText(k), Style::Dim, color) << "\n";
  }
}

namespace {
struct Loss {
  double microseconds;
  std::string text, help;
};
} // namespace

/// Sectors that the loads of an operand touch, for each that they need.
static double wasteOf(const kernels::Counted &c) { return c.traffic.factor(); }

void mercator::printLosses(llvm::ArrayRef<KernelRecord> kernels,
                           const Device &device, bool color,
                           llvm::raw_ostream &os) {
  std::vector<Loss> losses;
  double rate = device.gigabytesPerSecond * 1e3; // bytes in a microsecond
  // A tensor that one kernel writes and others read.
  std::map<size_t, std::pair<int64_t, std::vector<size_t>>> between;
  for (auto [i, k] : llvm::enumerate(kernels))
    for (const KernelRecord::Source &source : k.sources)
      if (source.kernel) {
        auto &[bytes, readers] = between[*source.kernel];
        bytes = std::max(bytes, source.bytes);
        if (readers.empty() || readers.back() != i)
          readers.push_back(i);
      }
  for (auto &[from, entry] : between) {
    auto &[bytes, readers] = entry;
    double moved = double(bytes) * double(1 + readers.size());
    std::string text = bytesText(bytes) + " go through memory from " +
                       kernels[from].instruction + " to " +
                       kernels[readers.front()].instruction;
    if (readers.size() > 1)
      text += " and " + std::to_string(readers.size() - 1) + " more";
    losses.push_back({rate > 0 ? moved / rate : 0, std::move(text),
                      "one kernel for both would keep them"});
  }
  for (const KernelRecord &k : kernels) {
    if (!k.kernel.isKnown())
      continue;
    double over =
        (k.time.microseconds - k.leastMicroseconds) * double(k.repeats);
    if (over <= 0)
      continue;
    const kernels::Counted *worst = nullptr;
    for (const kernels::Counted &c : k.counts.accesses)
      if (!c.byEngine && c.traffic.touchedSectors() > 0 &&
          (!worst ||
           wasteOf(c) * double(c.traffic.touchedSectors()) >
               wasteOf(*worst) * double(worst->traffic.touchedSectors())))
        worst = &c;
    std::string help;
    StringRef longest = k.time.parts.front().name;
    if (longest == "start")
      help = "the work of a neighbor in the same kernel would hide it";
    else if (longest == "few blocks")
      help = "more blocks would use the other multiprocessors";
    else if (worst && wasteOf(*worst) > 1.5 && longest != "arithmetic") {
      bool isRead = worst->kind == kernels::Step::Kind::Reads;
      help = std::string(isRead ? "reads " : "writes ") +
             (isRead && worst->operand < k.operands.size()
                  ? k.operands[worst->operand]
                  : std::string("the result")) +
             " by " + worst->by + ": " + shortNumber(wasteOf(*worst)) +
             " times the sectors that it needs";
    }
    losses.push_back({over,
                      k.instruction + " takes " +
                          timeText(k.time.microseconds) +
                          ", and moving its arguments and results once " +
                          timeText(k.leastMicroseconds) + ": " + k.time.cause,
                      std::move(help)});
  }
  std::sort(losses.begin(), losses.end(), [](const Loss &a, const Loss &b) {
    return a.microseconds > b.microseconds;
  });
  constexpr size_t kMost = 8;
  if (losses.empty())
    return;
  os << "\nwhat is lost, the most first\n\n";
  for (const Loss &loss :
       llvm::ArrayRef(losses).take_front(std::min(kMost, losses.size()))) {
    os << "  " << timeText(loss.microseconds) << "  " << loss.text << "\n";
    if (!loss.help.empty())
      os << "          " << paint(loss.help, Style::Dim, color) << "\n";
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

void mercator::printKernel(const KernelRecord &record, bool color,
                           llvm::raw_ostream &os) {
  const kernels::Kernel &kernel = record.kernel;
  os << paint(record.instruction, Style::Cyan, color) << "  "
     << nameOf(kernel.emitter) << ", " << launchText(kernel);
  if (!kernel.choice.empty())
    os << ", " << kernel.choice;
  os << "  " << paint(originText(record), Style::Dim, color) << '\n';
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
