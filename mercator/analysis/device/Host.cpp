// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Device.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <unistd.h>

using namespace mercator;
using llvm::StringRef;

/// The content of a file of the system, without the end of its line; empty if it
/// cannot be read. These files have no size: they are read to their ends.
static std::string systemText(const llvm::Twine &path) {
  auto text = llvm::MemoryBuffer::getFileAsStream(path);
  return text ? (*text)->getBuffer().rtrim().str() : "";
}

/// What the system calls its processor; empty if it does not say.
static std::string processorName() {
  std::string text = systemText("/proc/cpuinfo");
  for (StringRef line : llvm::split(text, '\n')) {
    auto [key, value] = line.split(':');
    if (key.trim() == "model name")
      return value.trim().str();
  }
  return "";
}

/// The f32 elements of a vector register.
static int64_t vectorLanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") ? 16
         : __builtin_cpu_supports("avx2")  ? 8
                                           : 4;
#else
  return 4;
#endif
}

/// "32K", "1024K" or "32M" in bytes; 0 for another text.
static int64_t sizeOf(StringRef text) {
  int64_t unit = text.consume_back("K") ? 1024 : 1;
  unit = text.consume_back("M") ? 1024 * 1024 : unit;
  int64_t number = 0;
  return text.getAsInteger(10, number) || number < 0 ? 0 : number * unit;
}

/// The processors in a list such as "0-3,8"; 0 for another text.
static int64_t processorsIn(StringRef list) {
  int64_t count = 0;
  for (StringRef range : llvm::split(list, ',')) {
    auto [first, last] = range.split('-');
    int64_t from = 0, to = 0;
    if (first.getAsInteger(10, from) ||
        (last.empty() ? first : last).getAsInteger(10, to) || to < from)
      return 0;
    count += to - from + 1;
  }
  return count;
}

/// No CPU has more of its last cache for each core: a virtual machine with more has a
/// part of it, and reports the whole.
constexpr int64_t kMostBytesOfCore = 16 << 20;

/// The caches of data of processor 0, the smallest first.
static std::vector<Device::Cache> hostCaches(int64_t lineBytes) {
  std::vector<Device::Cache> caches;
  for (int i = 0; i < 16; ++i) {
    std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    std::string type = systemText(folder + "type");
    int64_t bytes = sizeOf(systemText(folder + "size"));
    if ((type != "Data" && type != "Unified") || bytes <= 0)
      continue;
    int64_t line = sizeOf(systemText(folder + "coherency_line_size"));
    int64_t cores = std::max<int64_t>(
        1, processorsIn(systemText(folder + "shared_cpu_list")));
    caches.push_back({.name = "L" + systemText(folder + "level"),
                      .bytes = std::min(bytes, kMostBytesOfCore * cores),
                      .lineBytes = line > 0 ? line : lineBytes,
                      .sharedBy = cores});
  }
  llvm::sort(caches, [](const Device::Cache &a, const Device::Cache &b) {
    return a.bytes < b.bytes;
  });
  return caches;
}

Device mercator::hostDevice(int64_t cores) {
  const Device &nearest = nearestDevice(llvm::sys::getHostCPUName());
  Device host = nearest;
  host.name = "host";
  host.sources = {"The system: vectors, caches, cores. The rest is that of " +
                  nearest.title};
  host.lanes = vectorLanes();
  long line = ::sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
  host.lineBytes = line > 0 ? line : nearest.lineBytes;
  host.sectorBytes = host.lineBytes;
  // The affinity of this process counts.
  host.cores =
      cores > 0
          ? cores
          : std::max(1u, llvm::hardware_concurrency().compute_thread_count());
  for (Device::MultiplyAdd &each : host.multiplyAdds)
    if (each.unit == Device::Unit::Vector)
      each.gigaflopsPerSecond *= double(host.lanes) / double(nearest.lanes);
  for (Device::Function &each : host.functions)
    each.gigaPerSecond *= double(host.lanes) / double(nearest.lanes);

  if (nearest.coreGigabytesPerSecond > 0)
    host.gigabytesPerSecond =
        std::min(nearest.gigabytesPerSecond,
                 nearest.coreGigabytesPerSecond * double(host.cores));
  // A part of the cores has a part of the bandwidth of the caches.
  double part = std::min(1.0, double(host.cores) / double(nearest.cores));
  std::vector<Device::Cache> caches = hostCaches(host.lineBytes);
  if (caches.empty())
    caches = nearest.caches;
  for (Device::Cache &cache : caches) {
    cache.sharedBy = std::min(cache.sharedBy, host.cores);
    for (const Device::Cache &known : nearest.caches)
      if (known.name == cache.name) {
        cache.coreGigabytesPerSecond = known.coreGigabytesPerSecond;
        cache.gigabytesPerSecond = known.gigabytesPerSecond * part;
      }
  }
  host.caches = std::move(caches);
  std::string processor = processorName();
  host.title = (processor.empty() ? "" : processor + ", ") +
               std::to_string(host.cores) +
               (host.cores == 1 ? " core" : " cores") + " (this machine)";
  return host;
}
