// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/Time.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <iterator>

using namespace mercator;
using namespace mercator::cpu;

llvm::ArrayRef<Time::Cause> Time::causes() {
  static constexpr Cause all[] = {
      {"multiply-adds", &Time::multiplyAdds},
      {"arithmetic", &Time::arithmetic},
      {"packing", &Time::packing},
      {"accesses", &Time::accesses},
      {"caches", &Time::caches},
      {"memory", &Time::memory},
      {"starting", &Time::starting},
      {"waiting", &Time::waiting},
  };
  return all;
}

std::vector<NestNode> cpu::outerNodes(llvm::ArrayRef<NestNode> nodes,
                                      size_t most) {
  std::vector<size_t> counts;
  for (const NestNode &node : nodes) {
    counts.resize(std::max<size_t>(counts.size(), node.depth + 1));
    ++counts[node.depth];
  }
  size_t depths = 0, sum = 0;
  while (depths < counts.size() &&
         (depths == 0 || sum + counts[depths] <= most))
    sum += counts[depths++];
  std::vector<NestNode> outer;
  llvm::copy_if(nodes, std::back_inserter(outer),
                [&](const NestNode &node) { return node.depth < depths; });
  return outer;
}

double Time::total() const {
  double sum = 0;
  for (const Cause &cause : causes())
    sum += this->*cause.field;
  return sum;
}

Time &Time::operator+=(const Time &other) {
  for (const Cause &cause : causes())
    this->*cause.field += other.*cause.field;
  return *this;
}

Time Time::scaled(double factor) const {
  Time made;
  for (const Cause &cause : causes())
    made.*cause.field = factor * (this->*cause.field);
  return made;
}

namespace {
struct TimeUnit {
  llvm::StringRef name;
  double ns;
};
} // namespace

static TimeUnit unitOf(double ns) {
  if (ns >= 1e9)
    return {"s", 1e9};
  if (ns >= 1e6)
    return {"ms", 1e6};
  if (ns >= 1e3)
    return {"us", 1e3};
  return {"ns", 1};
}

/// With two digits, but all before the point.
static void printDigits(llvm::raw_ostream &os, double number) {
  os << llvm::format(number < 9.95 ? "%.1f" : "%.0f", number);
}

std::string cpu::spellNanoseconds(double ns) {
  std::string text;
  llvm::raw_string_ostream os(text);
  TimeUnit unit = unitOf(ns);
  printDigits(os, ns / unit.ns);
  os << ' ' << unit.name;
  return text;
}

std::string cpu::spell(const Time &time) {
  constexpr double kShown = 0.01, kPrinted = 0.05;
  double total = time.total();
  TimeUnit unit = unitOf(total);
  llvm::SmallVector<const Time::Cause *> shown;
  for (const Time::Cause &cause : Time::causes())
    if (time.*cause.field > kShown * total &&
        time.*cause.field > kPrinted * unit.ns)
      shown.push_back(&cause);
  llvm::sort(shown, [&](const auto *a, const auto *b) {
    double first = time.*(a->field), second = time.*(b->field);
    return first != second ? first > second : a < b;
  });
  std::string text = spellNanoseconds(total) + " predicted";
  llvm::raw_string_ostream os(text);
  llvm::StringRef separator = ": ";
  for (const Time::Cause *cause : shown) {
    os << separator << cause->name << ' ';
    printDigits(os, time.*(cause->field) / unit.ns);
    separator = ", ";
  }
  return text;
}
