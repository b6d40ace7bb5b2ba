// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/program/Processors.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

using namespace mercator;

/// The first line of a file; empty if there is none.
static std::string firstLine(const std::string &path) {
  std::string line;
  if (std::FILE *file = std::fopen(path.c_str(), "r")) {
    char text[512];
    if (std::fgets(text, sizeof text, file))
      line = text;
    std::fclose(file);
  }
  return line;
}

int64_t mercator::quotaOf(const std::string &text) {
  long long quota = 0, period = 0;
  if (std::sscanf(text.c_str(), "%lld %lld", &quota, &period) != 2 ||
      quota <= 0 || period <= 0)
    return 0;
  return (quota - 1) / period + 1;
}

/// The least quota of the process's control group and those around it; 0 if there
/// is none.
static int64_t groupQuota() {
  // "0::/a/b" in version 2 of control groups.
  std::string path = firstLine("/proc/self/cgroup");
  if (path.rfind("0::/", 0) != 0)
    return 0;
  path = path.substr(3, path.find('\n') - 3);
  int64_t least = 0;
  while (true) {
    int64_t own = quotaOf(firstLine("/sys/fs/cgroup" + path + "/cpu.max"));
    if (own != 0)
      least = least == 0 ? own : std::min(least, own);
    size_t slash = path.rfind('/');
    if (path.empty() || slash == std::string::npos)
      return least;
    path.resize(slash);
  }
}

static int64_t affinity() {
#if defined(__linux__)
  // The kernel may know more processors than a cpu_set_t has.
  for (size_t words = 16; words <= 1024; words *= 4) {
    std::vector<unsigned long> mask(words);
    size_t bytes = words * sizeof(unsigned long);
    if (sched_getaffinity(0, bytes,
                          reinterpret_cast<cpu_set_t *>(mask.data())) != 0)
      continue;
    int64_t count = 0;
    for (unsigned long word : mask)
      count += __builtin_popcountl(word);
    return count;
  }
#endif
  return sysconf(_SC_NPROCESSORS_ONLN);
}

int64_t mercator::usableProcessors() {
  int64_t own = affinity(), quota = groupQuota();
  return std::max<int64_t>(quota == 0 ? own : std::min(own, quota), 1);
}
